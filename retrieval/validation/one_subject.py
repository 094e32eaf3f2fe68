"""Whether two statements that seem to contradict are about one thing, where a document has many sentences.

Of a page with many sentences some are alike to some of every other page by chance: two pages both name a price of a return, one of
a bank's fee and one of a parcel. A ticket says one or two things, and its question says about what.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from retrieval.validation.contradictions import Contradiction
from retrieval.validation.opposites import LINK, axis_names
from retrieval.validation.pairs import feature_weights
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
# "The notice period is 14 days" on two pages about cancelling: the sentence has no more words.
_ALIKE_OF_ONE_TITLE = 0.65
# "A plan can be paused once a year" on pages with other titles: the two sentences say nothing else.
_SAME = 0.8
# "A pickup costs 3.50 €" and "redirecting costs 2 €" share that they name a price; on a desk for parcels all speak of delivery.
_OF_PRICES = frozenset(("=price", "=free", "=money", "=payment", "=currency"))
_NO_WORDS = ("=", "plan:", "method:")
_ENOUGH, _GENERAL = 12, 0.25
_UNKNOWN = 1.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A base as far as it says what a pair shares by chance.

    `pages` are ids of documents with many sentences, `weights` tell how much a feature tells, 0 to 1; `general` are features of which
    a quarter of the documents speaks.
    """

    pages: frozenset[str]
    weights: Mapping[str, float]
    general: frozenset[str]


def surroundings_of(statements: Sequence[Statement]) -> Surroundings:
    """Read a base for what its statements share by chance."""
    pages = frozenset(statement.document for statement in statements if statement.order >= _PAGE)
    return Surroundings(pages, feature_weights(statements), _general(statements))


def _general(statements: Iterable[Statement]) -> frozenset[str]:
    documents: dict[str, set[str]] = defaultdict(set)
    for statement in statements:
        for name in statement.all_features | statement.names:
            documents[name].add(statement.document)
    many = len(set().union(*documents.values()))
    return frozenset(name for name, ids in documents.items() if many >= _ENOUGH and len(ids) >= _GENERAL * many)


def is_about_one(one: Contradiction, base: Surroundings) -> bool:
    """Say whether two statements share enough for what they are of."""
    kind = one.comparison.kind
    ours, theirs = _own(one.first), _own(one.second)
    if kind == "money" and not (ours & theirs) - base.general - _OF_PRICES:
        return False
    return kind == "setting" or base.pages.isdisjoint(one.ids) or _is_of_pages(one, base)


def _is_of_pages(one: Contradiction, base: Surroundings) -> bool:
    kind, weights = one.comparison.kind, base.weights
    ours, theirs = _own(one.first), _own(one.second)
    shared, alike = len(ours & theirs), _share(ours, theirs, weights)
    titles = _share(_around(one.first), _around(one.second), weights)
    if kind == "polarity":
        return shared >= _SHARED_OF_DENIALS and alike >= _ALIKE_OF_DENIALS
    if kind == "version":
        return shared >= _SHARED and alike >= _ALIKE_OF_VERSIONS and titles >= _TITLES_OF_VERSIONS
    if kind in axis_names():
        return kind != LINK and shared >= _SHARED and alike >= _ALIKE_OF_OPPOSITES
    if _is_of_plain_words(one, base, alike, titles):
        return True
    return alike >= _ALIKE and (shared >= _SHARED or (shared >= _SHARED_OF_ONE_TITLE and titles >= _ONE_TITLE))


def _is_of_plain_words(one: Contradiction, base: Surroundings, alike: float, titles: float) -> bool:
    """Say whether two short sentences are about one: nearly all that they say is the same, and their titles or a name are."""
    if alike < _ALIKE_OF_ONE_TITLE:
        return False
    is_enough = len(_own(one.first) & _own(one.second)) >= _SHARED_OF_ONE_TITLE
    return titles >= _ONE_TITLE or (is_enough and _is_told(one, alike, base.general))


def _is_told(one: Contradiction, alike: float, general: frozenset[str]) -> bool:
    """Say whether both sentences share a name, or nearly all they say and a word of their own: not two ideas ("a return costs")."""
    if one.first.names & one.second.names - general:
        return True
    shared = one.first.features & one.second.features - general
    return alike >= _SAME and any(not name.startswith(_NO_WORDS) for name in shared)


def _own(statement: Statement) -> frozenset[str]:
    return statement.features | statement.names


def _around(statement: Statement) -> frozenset[str]:
    return statement.context | statement.context_names


def _share(ours: frozenset[str], theirs: frozenset[str], weights: Mapping[str, float]) -> float:
    """Give how much of two sets is the same, 0 to 1."""
    left, right, both = (sum(weights.get(n, _UNKNOWN) for n in names) for names in (ours, theirs, ours & theirs))
    return float(both / (left * right) ** 0.5) if both else 0.0
