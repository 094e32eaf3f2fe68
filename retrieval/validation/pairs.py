"""Which statements of a base may be about one slot, without comparing every one with every other.

Statements meet in blocks: those that share a rare idea or word, or two common ones. A block of more than `MOST` statements says
nothing of its own and is left out, so the work grows with the number of statements and not with its square.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from retrieval.validation.opposites import STATE, axis_names
from retrieval.validation.settings_lines import setting_of
from retrieval.validation.statements import Statement

MOST = 60
_RARE = 40
_FEATURES = 14
# Of a small base the counts say little about how much a word tells.
_ENOUGH = 500
_LEAST_WEIGHT = 0.08

Pairs = npt.NDArray[np.int64]


def feature_weights(statements: Sequence[Statement]) -> dict[str, float]:
    """Give how much each feature tells, 0.08 to 1: what few documents speak of tells most."""
    seen: dict[str, set[str]] = {}
    for statement in statements:
        for name in _marks(statement):
            seen.setdefault(name, set()).add(statement.document)
    documents = len({statement.document for statement in statements})
    share = min(1.0, documents / _ENOUGH)
    scale = math.log(documents + 1) or 1.0
    return {name: max(_LEAST_WEIGHT, 1 - share * math.log(len(ids)) / scale) for name, ids in seen.items()}


def _marks(statement: Statement) -> frozenset[str]:
    """Give what statements meet by: features and names."""
    return statement.features | statement.context | statement.names | statement.context_names


def candidate_pairs(statements: Sequence[Statement], weights: Mapping[str, float]) -> Pairs:
    """Give pairs of places of statements of two documents that meet in a block, `int64, (n, 2)`, the smaller place first."""
    keys, places = _keys(statements, weights)
    if not len(keys):
        return np.empty((0, 2), np.int64)
    order = np.argsort(keys, kind="stable")
    keys, places = keys[order], places[order]
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    sizes = np.diff(np.r_[starts, len(keys)])
    found = []
    for size in range(2, MOST + 1):
        chosen = starts[sizes == size]
        if not len(chosen):
            continue
        block = places[chosen[:, None] + np.arange(size)]
        left, right = np.triu_indices(size, 1)
        found.append(np.stack([block[:, left].ravel(), block[:, right].ravel()], axis=1))
    if not found:
        return np.empty((0, 2), np.int64)
    pairs = np.sort(np.concatenate(found), axis=1)
    codes = np.unique(pairs[:, 0] * len(statements) + pairs[:, 1])
    pairs = np.stack([codes // len(statements), codes % len(statements)], axis=1)
    documents = _document_numbers(statements)
    is_other = documents[pairs[:, 0]] != documents[pairs[:, 1]]
    return np.asarray(pairs[is_other], np.int64)


def _document_numbers(statements: Sequence[Statement]) -> npt.NDArray[np.int64]:
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(s.document, len(numbers)) for s in statements], np.int64)


def _keys(
    statements: Sequence[Statement], weights: Mapping[str, float]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Give the keys of blocks and the statements in them: rare features alone, others in twos, each with a kind of value."""
    numbers = {name: number for number, name in enumerate(weights, 1)}
    counts = Counter(name for statement in statements for name in _marks(statement))
    span = len(numbers) + 1
    denied = {
        one.member for statement in statements for one in statement.opposites if one.axis == STATE and one.is_only
    }
    keys: list[int] = []
    places: list[int] = []
    for place, statement in enumerate(statements):
        own = statement.features | statement.names
        # What a sentence says itself before what a long question says beside it.
        names = sorted(_marks(statement), key=lambda name: (name not in own, -weights[name], name))[:_FEATURES]
        singles = [numbers[name] for name in names if counts[name] <= _RARE]
        twos = [numbers[a] * span + numbers[b] for a, b in combinations(sorted(names, key=numbers.__getitem__), 2)]
        for kind in kinds_of(statement, denied):
            blocks = [(key * _MOST_KINDS + kind) for key in (*singles, *twos)]
            keys += blocks
            places += [place] * len(blocks)
    return np.array(keys, np.int64), np.array(places, np.int64)


@cache
def _axis_numbers() -> Mapping[str, int]:
    return {name: number for number, name in enumerate(axis_names())}


_KINDS = (
    "duration",
    "time",
    "date",
    "day",
    "money",
    "percent",
    "size",
    "length",
    "count",
    "version",
    "path",
    "link",
    "weekdays",
)
_DEFAULT, _YES_NO, _FIRST_AXIS, _MOST_KINDS = 14, 15, 16, 32


def kinds_of(statement: Statement, denied: AbstractSet[str]) -> tuple[int, ...]:
    """Give numbers of the kinds of values of a statement, and of "says a default" and "says yes or no".

    What it says is done counts where some statement of the base denies it: `denied`.
    """
    kinds = {value.kind for value in statement.values}
    found = [number for number, kind in enumerate(_KINDS, 1) if kind in kinds and kind != "link"]
    if 1 in found and "weekdays" not in kinds:  # "daily" is met by days of the week too
        found.append(13)
    if "=default" in statement.features and setting_of(statement.text) is not None:
        found.append(_DEFAULT)
    if {"yes", "no"} & statement.signals:
        found.append(_YES_NO)
    axes = (one.axis for one in statement.opposites if one.axis != STATE or one.member in denied)
    found += (_FIRST_AXIS + _axis_numbers()[axis] for axis in dict.fromkeys(axes))
    return tuple(found)
