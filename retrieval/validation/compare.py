"""Two statements side by side: the same slot with one value, with two, for two cases, or nothing in common."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from retrieval.validation.cases import is_other_case
from retrieval.validation.nearness import nearness
from retrieval.validation.opposed import opposed
from retrieval.validation.settings_lines import setting_of
from retrieval.validation.statements import Statement
from retrieval.validation.value import Value
from retrieval.validation.weekdays import with_every_day
from retrieval.validation.words import topic_names

# Below this two statements have too little in common to be about one slot.
LEAST = 0.22
# "Not" is said of many things: only where two statements are about one for certain, a yes and a no contradict.
LEAST_OF_DENIALS = 0.45
# And a word and its opposite, where one sentence says nothing else that the other does not.
LEAST_OF_OPPOSITES, _OF_OPPOSITES = 0.3, 0.9
# Or where the two sentences themselves share so many words and ideas, and such a share of both.
_SHARED_BY_BOTH, _ONE_THING = 2, 0.6
# Share of what a sentence says itself that the other must speak of.
COVERED = 0.25
_UNKNOWN = 1.0


class Relation(StrEnum):
    """How two statements stand to each other."""

    CONTRADICT = "contradict"
    AGREE = "agree"
    VARIANT = "variant"
    UNRELATED = "unrelated"


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


def _is_one_thing(first: Statement, second: Statement, weights: Mapping[str, float]) -> bool:
    """Say whether two sentences by themselves say nearly the same, whatever their questions are about."""
    ours, theirs = first.features, second.features
    shared = ours & theirs
    if len(shared) < _SHARED_BY_BOTH:
        return False
    left, right, both = (sum(weights.get(name, _UNKNOWN) for name in names) for names in (ours, theirs, shared))
    return bool(both >= _ONE_THING * (left * right) ** 0.5)


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
        or (_polarity(first, second) if near >= LEAST_OF_DENIALS or _is_one_thing(first, second, weights) else None)
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


def values_told(
    first: Statement, second: Statement, *, is_time_asked: bool
) -> tuple[Relation, str, tuple[str, str]] | None:
    """Compare the values of one kind that both have; the same value in both is an agreement whatever else they say."""
    our_values, their_values = with_every_day(*_without_terms(first.values, second.values))
    for kind in _order(our_values):
        ours = [value for value in our_values if value.kind == kind and (is_time_asked or _is_rule(value, first))]
        theirs = [value for value in their_values if value.kind == kind and (is_time_asked or _is_rule(value, second))]
        # "No more than two" is two.
        ours, theirs = _exact(ours, first), _exact(theirs, second)
        pairs = [(a, b) for a in ours for b in theirs if _is_comparable(a, b, first, second)]
        if not pairs:
            continue
        same = next(((a, b) for a, b in pairs if a.is_same(b)), None)
        if same:
            if kind == "time" and not _times_same(ours, theirs):
                return Relation.CONTRADICT, kind, (_joined(ours), _joined(theirs))
            return Relation.AGREE, kind, (same[0].text, same[1].text)
        a, b = pairs[0]
        return Relation.CONTRADICT, kind, (a.text, b.text)
    return None


def _without_terms(ours: Sequence[Value], theirs: Sequence[Value]) -> tuple[Sequence[Value], Sequence[Value]]:
    """Leave out the "monthly" of "monthly plans are refunded within 14 days" where both sides have another length to compare."""
    if all(any(value.kind == "duration" and not _is_term(value) for value in side) for side in (ours, theirs)):
        return [value for value in ours if not _is_term(value)], [value for value in theirs if not _is_term(value)]
    return ours, theirs


def _is_term(value: Value) -> bool:
    """Say whether a length is one word without a number: "daily", "monatlich", "毎日"."""
    return value.kind == "duration" and value.text.strip().isalpha()


def _exact(values: Sequence[Value], statement: Statement) -> list[Value]:
    return [replace(value, bound="") for value in values] if statement.is_denied else list(values)


def _joined(values: Sequence[Value]) -> str:
    return "–".join(value.text for value in values)


def _times_same(ours: Sequence[Value], theirs: Sequence[Value]) -> bool:
    """Say whether two opening hours are the same; one time is the same as one of several."""
    small, large = sorted((ours, theirs), key=len)
    return all(any(a.is_same(b) for b in large) for a in small)


def _order(values: Sequence[Value]) -> list[str]:
    """Give the kinds to compare by; a version beside another value says what the rule is for."""
    kinds = list(dict.fromkeys(value.kind for value in values if value.kind != "link"))
    kinds = [kind for kind in kinds if kind != "version"] or kinds
    return sorted(kinds, key=lambda kind: kind == "weekdays")


def _is_rule(value: Value, statement: Statement) -> bool:
    """Say whether a value can be one of a rule: the date of a single event is none."""
    return value.kind not in ("day", "date") or "deadline" in statement.signals


def _is_comparable(ours: Value, theirs: Value, first: Statement, second: Statement) -> bool:
    if ours.kind == "money":
        is_fee = not (ours.high and theirs.high)
        return ours.key == theirs.key and (_is_fee(ours, theirs, first, second) if is_fee else ours.unit == theirs.unit)
    if ours.kind == "version":
        return ours.unit == theirs.unit or "version" in (ours.unit, theirs.unit)
    if ours.kind == "count":
        return _is_same_noun(ours, theirs, first, second)
    return True


def _is_fee(ours: Value, theirs: Value, first: Statement, second: Statement) -> bool:
    """Say whether one costs nothing, in whatever currency, where the other has a price; a trial costs nothing beside any."""
    is_trial = "=trial" in first.all_features | second.all_features
    return not is_trial and bool(ours.high or theirs.high)


def _is_same_noun(ours: Value, theirs: Value, first: Statement, second: Statement) -> bool:
    if ours.unit == theirs.unit:
        return bool(ours.unit)
    left, right = topic_names(ours.unit), topic_names(theirs.unit)
    if left and right:
        return bool(left & right)
    one, other = (left, second) if left else (right, first)
    return any("=" + name in other.all_features for name in one)


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
