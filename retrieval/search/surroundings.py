"""What stands around the best passages: the fact that is asked for often stands elsewhere in the document that was found."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.ports import CandidateSource, StoredPassage

# More would cost reading time and a model's tokens for sources that are hardly quoted.
READ = 3
# Chunks on either side; an article is seldom longer, and a handbook of hundreds is not read while somebody waits.
REACH = 12


@dataclass(frozen=True, slots=True)
class Read:
    """The chunks of one document that were read, in the order of the text; the one that was found stands at `found`."""

    chunks: tuple[StoredPassage, ...]
    found: int = 0


def read_around(source: CandidateSource, passages: Sequence[StoredPassage], n_chunks: int) -> list[Read]:
    """Read the documents of the first three passages, of the others only the passage itself.

    Without sentence vectors nothing is read: those sentences would have to be embedded while somebody waits.

    Args:
        source: reads the chunks.
        passages: best first.
        n_chunks: how many chunks the index holds.
    """
    wanted = {place: _rows(source, p, n_chunks) for place, p in enumerate(passages[:READ]) if p.vectors is not None}
    rows = sorted({row for found in wanted.values() for row in found} - {passage.row for passage in passages})
    known = {passage.row: passage for passage in passages}
    known |= {passage.row: passage for passage in source.passages(np.asarray(rows, np.int32))} if rows else {}
    return [
        Read(
            tuple(known[row] for row in wanted.get(place, (passage.row,))),
            wanted.get(place, [passage.row]).index(passage.row),
        )
        for place, passage in enumerate(passages)
    ]


def _rows(source: CandidateSource, passage: StoredPassage, n_chunks: int) -> list[int]:
    """Give the rows of a passage's document near to it; the chunks of a document follow each other."""
    near = np.arange(max(0, passage.row - REACH), min(n_chunks, passage.row + REACH + 1), dtype=np.int32)
    owners = source.documents(near)
    return [int(row) for row in near[owners == owners[near == passage.row][0]]]
