"""Whether two statements that seem to contradict are about one thing, where a document has many sentences.

Of a page with many sentences some are alike to some of every other page by chance: two pages both name a price of a return, one of
a bank's fee and one of a parcel. A ticket says one or two things, and its question says about what.
"""

from collections.abc import Iterable, Mapping

from retrieval.validation.contradictions import Contradiction
from retrieval.validation.opposites import LINK, axis_names
from retrieval.validation.statements import Statement

# A document with more sentences is a page.
_PAGE = 3
# What both sentences say themselves: so many words and ideas, and such a share of both.
_SHARED, _ALIKE = 3, 0.5
# Where the titles say the same, two will do.
_SHARED_OF_ONE_TITLE, _ONE_TITLE = 2, 0.5
# "Can" and "cannot" are said of many things, and every page names the versions that it is for.
_SHARED_OF_DENIALS, _ALIKE_OF_DENIALS = 4, 0.75
_ALIKE_OF_VERSIONS, _TITLES_OF_VERSIONS = 0.8, 0.8
_ALIKE_OF_OPPOSITES = 0.6
_UNKNOWN = 1.0


def pages_of(statements: Iterable[Statement]) -> frozenset[str]:
    """Give the ids of documents with more than three sentences."""
    return frozenset(statement.document for statement in statements if statement.order >= _PAGE)


def is_about_one(one: Contradiction, pages: frozenset[str], weights: Mapping[str, float]) -> bool:
    """Say whether two statements share enough for what they are of.

    Args:
        one: what seems to contradict.
        pages: ids of documents with many sentences.
        weights: how much a feature tells, 0 to 1.
    """
    kind = one.comparison.kind
    if kind == "setting" or pages.isdisjoint(one.ids):
        return True
    ours, theirs = _own(one.first), _own(one.second)
    shared, alike = len(ours & theirs), _share(ours, theirs, weights)
    titles = _share(_around(one.first), _around(one.second), weights)
    if kind == "polarity":
        return shared >= _SHARED_OF_DENIALS and alike >= _ALIKE_OF_DENIALS
    if kind == "version":
        return shared >= _SHARED and alike >= _ALIKE_OF_VERSIONS and titles >= _TITLES_OF_VERSIONS
    if kind in axis_names():
        return kind != LINK and shared >= _SHARED and alike >= _ALIKE_OF_OPPOSITES
    return alike >= _ALIKE and (shared >= _SHARED or (shared >= _SHARED_OF_ONE_TITLE and titles >= _ONE_TITLE))


def _own(statement: Statement) -> frozenset[str]:
    return statement.features | statement.names


def _around(statement: Statement) -> frozenset[str]:
    return statement.context | statement.context_names


def _share(ours: frozenset[str], theirs: frozenset[str], weights: Mapping[str, float]) -> float:
    """Give how much of two sets is the same, 0 to 1."""
    left, right, both = (sum(weights.get(n, _UNKNOWN) for n in names) for names in (ours, theirs, ours & theirs))
    return float(both / (left * right) ** 0.5) if both else 0.0
