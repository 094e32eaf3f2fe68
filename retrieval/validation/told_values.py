"""What the values of two statements say of one slot: the same, or something else."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from retrieval.validation.free import THRESHOLD
from retrieval.validation.nearness import is_one_thing
from retrieval.validation.statements import Statement
from retrieval.validation.value import Value
from retrieval.validation.weekdays import with_every_day
from retrieval.validation.words import topic_names


class Relation(StrEnum):
    """How two statements stand to each other."""

    CONTRADICT = "contradict"
    AGREE = "agree"
    VARIANT = "variant"
    UNRELATED = "unrelated"


def values_told(
    first: Statement, second: Statement, *, is_time_asked: bool
) -> tuple[Relation, str, tuple[str, str]] | None:
    """Compare the values of one kind that both have; the same value in both is an agreement whatever else they say."""
    our_values, their_values = with_every_day(*_without_terms(first.values, second.values))
    agreed = None
    for kind in _order(our_values):
        ours = [value for value in our_values if value.kind == kind and (is_time_asked or _is_rule(value, first))]
        theirs = [value for value in their_values if value.kind == kind and (is_time_asked or _is_rule(value, second))]
        # "No more than two" is two.
        ours, theirs = _exact(ours, first), _exact(theirs, second)
        pairs = [(a, b) for a in ours for b in theirs if _is_comparable(a, b, first, second)]
        if not pairs:
            continue
        same = next(((a, b) for a, b in pairs if a.is_same(b)), None)
        if same is None:
            a, b = pairs[0]
            return Relation.CONTRADICT, kind, (a.text, b.text)
        if kind == "time" and not _times_same(ours, theirs):
            return Relation.CONTRADICT, kind, (_joined(ours), _joined(theirs))
        if left := _left_over(pairs, first, second):
            return Relation.CONTRADICT, kind, left
        agreed = agreed or (Relation.AGREE, kind, (same[0].text, same[1].text))
        if not _is_term(same[0]):  # "monthly" in both says nothing of the price beside it
            return agreed
    return agreed


def _left_over(pairs: Sequence[tuple[Value, Value]], first: Statement, second: Statement) -> tuple[str, str] | None:
    """Give the one value on each side that the other has not: "once a year for up to six weeks", "… for up to three months"."""
    if not is_one_thing(first, second, {}):
        return None
    sides = []
    for place in (0, 1):
        same = {pair[place] for pair in pairs if pair[0].is_same(pair[1])}
        sides.append(list(dict.fromkeys(pair[place] for pair in pairs if pair[place] not in same)))
    if any(len(side) != 1 for side in sides):
        return None
    return sides[0][0].text, sides[1][0].text


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
        if THRESHOLD in {ours.key} ^ {theirs.key} or not _is_one_rate(ours, theirs, first, second):
            return False
        return _is_fee(ours, theirs, first, second) if is_fee else ours.unit == theirs.unit
    if ours.kind == "version":
        return ours.unit == theirs.unit or "version" in (ours.unit, theirs.unit)
    if ours.kind == "count":
        return _is_same_noun(ours, theirs, first, second)
    return True


def _is_one_rate(ours: Value, theirs: Value, first: Statement, second: Statement) -> bool:
    """Say whether two prices are for one time: "9 € a month" and "96 € a year" are not; one of two may leave it unsaid."""
    if ours.key == theirs.key or not (ours.high and theirs.high):
        return True
    return not (ours.key and theirs.key) and is_one_thing(first, second, {})


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
