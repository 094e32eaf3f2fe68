"""How much of what two statements are about is the same."""

from collections.abc import Mapping

from retrieval.validation.statements import Statement

_CONTEXT = 0.6
_UNKNOWN = 1.0


def nearness(first: Statement, second: Statement, weights: Mapping[str, float]) -> float:
    """Give how much of what two statements are about is the same, 0 to 1; what only the context says counts less."""
    if not weights:
        return _even_nearness(first, second)
    ours, theirs = _weighted(first, weights), _weighted(second, weights)
    shared = ours.keys() & theirs.keys()
    # One idea in common ("keeps") is said of anything.
    if not shared or len(shared) < min(2, len(ours), len(theirs)):
        return 0.0
    common = sum(min(ours[name], theirs[name]) for name in shared)
    return float(common / (sum(ours.values()) * sum(theirs.values())) ** 0.5)


def _even_nearness(first: Statement, second: Statement) -> float:
    """Give the same where every feature tells as much, from the sizes of the sets: an answer compares thousands of pairs."""
    ours, theirs = first.all_features, second.all_features
    shared = ours & theirs
    if not shared or len(shared) < min(2, len(ours), len(theirs)):
        return 0.0
    of_context = len(shared & first.context | shared & second.context)
    common = _UNKNOWN * (len(shared) - of_context + _CONTEXT * of_context)
    return float(common / (_even_weight(first, ours) * _even_weight(second, theirs)) ** 0.5)


def _even_weight(statement: Statement, features: frozenset[str]) -> float:
    of_context = len(statement.context)
    return _UNKNOWN * (len(features) - of_context + _CONTEXT * of_context)


def _weighted(statement: Statement, weights: Mapping[str, float]) -> dict[str, float]:
    found = {name: weights.get(name, _UNKNOWN) for name in statement.features}
    for name in statement.context:
        found[name] = _CONTEXT * weights.get(name, _UNKNOWN)
    return found
