"""How much of what two statements are about is the same."""

from collections.abc import Mapping

from retrieval.validation.statements import Statement

_CONTEXT = 0.6
_UNKNOWN = 1.0
# Two sentences by themselves are about one thing with so many words and ideas in common, and such a share of both.
_SHARED_BY_BOTH, _ONE_THING = 2, 0.6


def nearness(first: Statement, second: Statement, weights: Mapping[str, float]) -> float:
    """Give how much of what two statements are about is the same, 0 to 1; what only the context says counts less."""
    if not weights:
        return _even_nearness(first, second)
    ours, theirs = _weighted(first, weights), _weighted(second, weights)
    shared = ours.keys() & theirs.keys()
    # One idea in common ("keeps") is said of anything.
    if not shared or len(shared) + _named_by_both(first, second) < min(2, len(ours), len(theirs)):
        return 0.0
    common = sum(min(ours[name], theirs[name]) for name in shared)
    return float(common / (sum(ours.values()) * sum(theirs.values())) ** 0.5)


def _even_nearness(first: Statement, second: Statement) -> float:
    """Give the same where every feature tells as much, from the sizes of the sets: an answer compares thousands of pairs."""
    ours, theirs = first.all_features, second.all_features
    shared = ours & theirs
    if not shared or len(shared) + _named_by_both(first, second) < min(2, len(ours), len(theirs)):
        return 0.0
    of_context = len(shared & first.context | shared & second.context)
    common = _UNKNOWN * (len(shared) - of_context + _CONTEXT * of_context)
    return float(common / (_even_weight(first, ours) * _even_weight(second, theirs)) ** 0.5)


def _named_by_both(first: Statement, second: Statement) -> int:
    """Give how many names both sentences say themselves: the workshop in Bremen is one in every language."""
    return len(first.names & second.names)


def _even_weight(statement: Statement, features: frozenset[str]) -> float:
    of_context = len(statement.context)
    return _UNKNOWN * (len(features) - of_context + _CONTEXT * of_context)


def _weighted(statement: Statement, weights: Mapping[str, float]) -> dict[str, float]:
    found = {name: weights.get(name, _UNKNOWN) for name in statement.features}
    for name in statement.context:
        found[name] = _CONTEXT * weights.get(name, _UNKNOWN)
    return found


def is_one_thing(first: Statement, second: Statement, weights: Mapping[str, float]) -> bool:
    """Say whether two sentences by themselves say nearly the same, whatever their questions are about."""
    ours, theirs = first.features, second.features
    shared = ours & theirs
    if len(shared) < _SHARED_BY_BOTH:
        return False
    left, right, both = (sum(weights.get(name, _UNKNOWN) for name in names) for names in (ours, theirs, shared))
    return bool(both >= _ONE_THING * (left * right) ** 0.5)
