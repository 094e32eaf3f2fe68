"""Two statements side by side: the same slot with one value, with two, for two cases, or nothing in common."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from retrieval.validation.cases import is_other_case
from retrieval.validation.nearness import is_one_thing, nearness
from retrieval.validation.opposed import opposed
from retrieval.validation.settings_lines import setting_of
from retrieval.validation.statements import Statement
from retrieval.validation.told_values import Relation, values_told

# Below this two statements have too little in common to be about one slot.
LEAST = 0.22
# "Not" is said of many things: only where two statements are about one for certain, a yes and a no contradict.
LEAST_OF_DENIALS = 0.45
# And a word and its opposite, where one sentence says nothing else that the other does not.
LEAST_OF_OPPOSITES, _OF_OPPOSITES = 0.3, 0.9
# Share of what a sentence says itself that the other must speak of.
COVERED = 0.25
_UNKNOWN = 1.0


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two statements say of one slot. `certainty` is 0 to 1, `slot` names it in words of the texts.

    `values` are as written, first of the one, then of the other statement; empty texts where neither holds a value.
    """

    relation: Relation
    certainty: float
    kind: str = ""
    slot: str = ""
    values: tuple[str, str] = ("", "")


UNRELATED = Comparison(Relation.UNRELATED, 0.0)


def _is_covered(first: Statement, second: Statement, weights: Mapping[str, float]) -> bool:
    """Say whether enough of what each sentence says itself is said by the other document's title, question or sentence."""
    return min(_coverage(first, second, weights), _coverage(second, first, weights)) >= COVERED


def _coverage(first: Statement, second: Statement, weights: Mapping[str, float]) -> float:
    whole = sum(weights.get(name, _UNKNOWN) for name in first.features)
    known = second.features | second.context
    return sum(weights.get(name, _UNKNOWN) for name in first.features if name in known) / whole if whole else 0.0


def _title_nearness(first: Statement, second: Statement) -> float:
    """Give how much of the titles of two pages is the same; two texts without titles were put side by side on purpose."""
    ours, theirs = first.context, second.context
    return len(ours & theirs) / max(1, len(ours | theirs)) if ours or theirs else 1.0


def compare(
    first: Statement, second: Statement, weights: Mapping[str, float], *, is_time_asked: bool = False
) -> Comparison:
    """Compare two statements.

    Args:
        first: one.
        second: the other.
        weights: how much a feature tells, 0 to 1; an unknown one counts fully.
        is_time_asked: the dates of single events are compared too, which are no rules.
    """
    found = _of_values(first, second, weights, is_time_asked=is_time_asked)
    if found.relation is Relation.CONTRADICT:
        return found
    told = _opposed(first, second, weights)
    return told if told and (found.relation is Relation.UNRELATED or told.relation is Relation.CONTRADICT) else found


def _opposed(first: Statement, second: Statement, weights: Mapping[str, float]) -> Comparison | None:
    """Compare what two statements say on one axis, if they are near enough without it."""
    told = opposed(first, second, weights)
    if told is None:
        return None
    near = nearness(told.first, told.second, weights)
    if near < LEAST_OF_OPPOSITES:
        return None
    relation = Relation.CONTRADICT if told.is_against else Relation.AGREE
    if told.is_against and is_other_case(told.first, told.second):
        relation = Relation.VARIANT
    ours, theirs = told.sides
    return Comparison(
        relation, _OF_OPPOSITES * near, ours.axis, slot_of(told.first, told.second), (ours.text, theirs.text)
    )


def _of_values(first: Statement, second: Statement, weights: Mapping[str, float], *, is_time_asked: bool) -> Comparison:
    setting = _setting(first, second)
    near = _title_nearness(first, second) if setting else nearness(first, second, weights)
    if near < LEAST or not (setting or _is_covered(first, second, weights)):
        return UNRELATED
    found = (
        setting
        or values_told(first, second, is_time_asked=is_time_asked)
        or (_polarity(first, second) if near >= LEAST_OF_DENIALS or is_one_thing(first, second, weights) else None)
    )
    if found is None:
        return UNRELATED
    relation, kind, values = found
    certainty = near * _rule_share(first) * _rule_share(second)
    if kind == "polarity":
        certainty *= 0.8
    if kind == "count" and not ("rule" in first.signals and "rule" in second.signals):
        certainty *= 0.6
    is_other = is_other_case(first, second) or (kind == "version" and _is_of_versions(first, second))
    if relation is Relation.CONTRADICT and kind != "setting" and is_other:
        relation = Relation.VARIANT
    return Comparison(relation, certainty, kind, slot_of(first, second), values)


_OF_VERSION = re.compile(
    r"(?i)\A\W*(?:in|on|with|for|since|bei|mit|für|auf|у|в|на|для|dans|avec|pour|sur|en|con|para|w|na|dla|em|com)\s+(?:\S+\s+){0,3}\Z"
)


def _is_of_versions(first: Statement, second: Statement) -> bool:
    """Say whether both begin with the version that the rest holds for: "In version 2 of the API, …"."""
    return all(
        any(value.kind == "version" and _OF_VERSION.match(one.text[: value.start]) for value in one.values)
        for one in (first, second)
    )


def _rule_share(statement: Statement) -> float:
    """Give how much a statement looks like a rule: "the export took 5 minutes" is a case, "it takes up to 5" a rule."""
    return _RULES["rule" in statement.signals, "case" in statement.signals]


_RULES = {(True, False): 1.0, (True, True): 0.85, (False, False): 0.8, (False, True): 0.55}


def slot_of(first: Statement, second: Statement) -> str:
    """Name what both speak of, in the ideas and words they share."""
    shared = first.all_features & second.all_features
    own = sorted(name.lstrip("=") for name in shared & first.features & second.features)
    rest = sorted(name.lstrip("=") for name in shared - {"=" + n for n in own} - set(own))
    return " ".join(name.rpartition(":")[2] for name in (own + rest)[:5])


def _setting(first: Statement, second: Statement) -> tuple[Relation, str, tuple[str, str]] | None:
    """Compare what two reference pages say is the default, if both sentences are such lines."""
    ours, theirs = setting_of(first.text), setting_of(second.text)
    if ours is None or theirs is None:
        return None
    relation = Relation.AGREE if ours.is_same(theirs) else Relation.CONTRADICT
    return relation, "setting", (ours.written, theirs.written)


_WAYS = frozenset(("=mail", "=phone", "=chat", "=app", "=meeting"))


def _is_of_two_ways(first: Statement, second: Statement) -> bool:
    """Say whether each sentence names a way that the other document has nowhere: "by mail" beside "on the phone"."""
    ours, theirs = (one.features & _WAYS for one in (first, second))
    return bool(ours - second.all_features) and bool(theirs - first.all_features)


def _polarity(first: Statement, second: Statement) -> tuple[Relation, str, tuple[str, str]] | None:
    for statement in (first, second):  # "if it was not set up" denies nothing
        if not {"yes", "no"} & statement.signals or "condition" in statement.signals:
            return None
    relation = Relation.AGREE if first.is_denied == second.is_denied else Relation.CONTRADICT
    if relation is Relation.CONTRADICT and _is_of_two_ways(first, second):
        return None
    return relation, "polarity", ("no" if first.is_denied else "yes", "no" if second.is_denied else "yes")
