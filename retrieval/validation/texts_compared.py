"""Two texts side by side that somebody thinks are about the same: contradict, agree, or unrelated."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from retrieval.language import language_of
from retrieval.validation.alignment import Change, changes
from retrieval.validation.cases import is_told_apart
from retrieval.validation.compare import Comparison, compare, slot_of
from retrieval.validation.nearness import nearness
from retrieval.validation.statements import Statement, statements_of
from retrieval.validation.told_values import Relation
from retrieval.validation.values import values_of

# What is said of the base as a whole does not hold for a pair that was picked: here a little less is enough.
_CERTAIN = 0.3
_ALIKE = 0.34


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """How two texts stand to each other, and the slots that show it, the most certain first."""

    relation: Relation
    slots: tuple[Comparison, ...]


def compare_texts(first: str, second: str) -> PairVerdict:
    """Compare two texts; swapping them gives the same relation.

    Their lengths count for nothing: every sentence is compared with every one of the other text.
    """
    ours, theirs = (statements_of(name, text, lang=language_of(text)) for name, text in (("a", first), ("b", second)))
    found = sorted(_found(ours, theirs), key=lambda one: (one.kind == "wording", -one.certainty, one.kind, one.slot))
    settled = [one for one in found if one.kind == "setting"]
    against = [one for one in (settled or found) if one.relation is Relation.CONTRADICT and one.certainty >= _CERTAIN]
    against = [one for one in against if not _is_settled(one, found)]
    if against:
        return PairVerdict(Relation.CONTRADICT, tuple(against))
    agreed = [one for one in found if one.relation is Relation.AGREE]
    if agreed or any(
        nearness(_with_subjects(a), _with_subjects(b), {}) >= _ALIKE and not is_told_apart(a, b)
        for a in ours
        for b in theirs
    ):
        others = [one for one in found if one.relation is Relation.VARIANT]
        if others and not agreed:
            return PairVerdict(Relation.UNRELATED, tuple(others))
        return PairVerdict(Relation.AGREE, tuple(agreed))
    return PairVerdict(Relation.UNRELATED, ())


def _with_subjects(statement: Statement) -> Statement:
    """Add what a lone sentence is about beside its words: names, the plan or platform that it names, and a price.

    Not for denials: of one name many things are said, and denied.
    """
    price = {"=price"} if any(value.kind == "money" for value in statement.values) else set()
    own = {name for name in statement.scopes if name.startswith(("plan:", "platform:", "region:"))}
    return replace(statement, features=statement.features | statement.names | own | price)


def _is_settled(one: Comparison, found: Sequence[Comparison]) -> bool:
    """Say whether other sentences give the same kind of value for the same slot in agreement, and more certainly."""
    return any(
        other.relation is Relation.AGREE and other.kind == one.kind and other.certainty > one.certainty
        for other in found
    )


def _found(ours: Sequence[Statement], theirs: Sequence[Statement]) -> Iterable[Comparison]:
    for first in _sentences(ours):
        for second in _sentences(theirs):
            yield from _changed(first, second)
    for first in ours:
        for second in theirs:
            comparison = compare(_with_subjects(first), _with_subjects(second), {})
            if comparison.relation is Relation.AGREE and is_told_apart(first, second):
                continue
            if comparison.relation is not Relation.UNRELATED:
                yield comparison
            elif first.is_denied != second.is_denied and (near := nearness(first, second, {})) >= _ALIKE:
                said = ("no", "yes") if first.is_denied else ("yes", "no")
                yield Comparison(Relation.CONTRADICT, near, "polarity", slot_of(first, second), said)


def _changed(first: Statement, second: Statement) -> Iterable[Comparison]:
    """Give what two versions of one sentence say differently."""
    lang = first.lang if first.lang == second.lang else ""
    if is_told_apart(first, second):
        return
    for change in changes(first.text, second.text, lang):
        if _is_one_value(change, first.text, second.text):
            continue
        kind = "polarity" if change.is_denial else "wording"
        yield Comparison(
            Relation.CONTRADICT, change.share * 0.9, kind, slot_of(first, second), (change.first, change.second)
        )


def _sentences(statements: Sequence[Statement]) -> list[Statement]:
    """Give the first statement of every sentence."""
    return list({statement.order: statement for statement in reversed(statements)}.values())


def _is_one_value(change: Change, first: str, second: str) -> bool:
    """Say whether one value was only written in another way ("2 hours" and "120 minutes")."""
    return any(
        ours.is_same(theirs) and _holds(ours.text, change.first) and _holds(theirs.text, change.second)
        for ours in values_of(first)
        for theirs in values_of(second)
    )


def _holds(value: str, words: str) -> bool:
    return set(words.casefold().split()) <= set(re.findall(r"\w+", value.casefold()))
