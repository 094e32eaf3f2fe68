"""Which of many texts stand for all of them: those that lie apart, so that a small subject beside a large one keeps its own.

Every n-th text instead leaves a subject as few as it has documents: a help centre of 1 789 documents among ten times as many short
ones kept one title in four, and the gate declined .055 of its own questions; of texts that lie apart it keeps more (.022).
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.ports import Vectors

Places = npt.NDArray[np.intp]

# So many are looked at, by a checksum of the text: .4 s of processor time.
_LOOKED_AT = 16_000
# The first ones are taken as they come, the others in parts: the farthest of each part are taken one after the other.
_FIRST, _AT_ONCE, _AMONG = 256, 128, 4
# Above every cosine: what is taken stands for itself and is not taken again.
_TAKEN = 2.0


@dataclass(frozen=True, slots=True)
class Spread:
    """Places of the texts that were taken, ascending, and for how many of those looked at each stands, itself included."""

    places: Places
    stands_for: Places


def spread(texts: Sequence[str], vectors_of: Callable[[Places], Vectors], most: int) -> Spread:
    """Take up to `most` texts; all when there are no more.

    What is taken hangs on the texts and not on their places, so that a few new ones leave most of it as it was.

    Args:
        texts: distinct.
        vectors_of: gives the unit vectors of the texts at some places, float32, (n, dim).
        most: how many at most.
    """
    if len(texts) <= most:
        return Spread(np.arange(len(texts)), np.ones(len(texts), np.intp))
    order = np.argsort([zlib.crc32(text.encode(errors="surrogatepass")) for text in texts], kind="stable")[:_LOOKED_AT]
    rows = vectors_of(order)
    taken = np.zeros(0, np.intp)
    near, nearest = np.full(len(rows), -_TAKEN, np.float32), np.zeros(len(rows), np.intp)
    further = np.arange(min(_FIRST, most))
    while len(further):
        cosines = rows @ rows[further].T
        cosines[further, np.arange(len(further))] = _TAKEN
        is_nearer = (best := cosines.max(axis=1)) > near
        near = np.where(is_nearer, best, near)
        nearest = np.where(is_nearer, len(taken) + cosines.argmax(axis=1), nearest)
        taken = np.concatenate([taken, further])
        further = _farthest(rows, near, min(_AT_ONCE, most - len(taken)))
    ascending = np.argsort(order[taken])
    return Spread(order[taken][ascending], np.bincount(nearest, minlength=len(taken))[ascending])


def _farthest(rows: Vectors, near: Vectors, count: int) -> Places:
    """Give the places of the rows that lie farthest from what is taken and from each other."""
    among = np.argsort(near, kind="stable")[: count * _AMONG]
    between, left = rows[among] @ rows[among].T, near[among].copy()
    found = []
    for _ in range(count):
        place = int(left.argmin())
        found.append(place)
        left = np.maximum(left, between[place])
        left[place] = _TAKEN
    return among[found]
