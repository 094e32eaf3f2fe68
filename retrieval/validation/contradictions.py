"""The contradictions of a base: pairs of documents that give one slot two values, the most certain first."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from retrieval.ports import Vectors
from retrieval.validation.compare import Comparison, compare
from retrieval.validation.pairs import candidate_pairs, feature_weights
from retrieval.validation.same_question import Asked, compare_replies, same_questions
from retrieval.validation.statements import Statement
from retrieval.validation.told_values import Relation
from retrieval.validation.value import Value
from retrieval.validation.values import plain

# From so many different values in statements of the same words they tell single cases ("we paid back 20 €"), no rule; and from so
# many that contradict one statement.
_CASES = 4
_SCATTERED = 3
# Statements that are compared to each other about as certainly as the best pair speak of the same slot.
_SAME_SLOT = 0.75


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two statements that give one slot different values."""

    first: Statement
    second: Statement
    comparison: Comparison

    @property
    def certainty(self) -> float:
        """How certain it is, 0 to 1."""
        return self.comparison.certainty

    @property
    def ids(self) -> tuple[str, str]:
        """Ids of the two documents."""
        return self.first.document, self.second.document


@dataclass(frozen=True, slots=True)
class Found:
    """Contradictions, the most certain first, and by statement and kind of value who else says the same."""

    contradictions: tuple[Contradiction, ...]
    agreeing: Mapping[tuple[Statement, str], frozenset[str]]

    def confirmations(self, one: Contradiction) -> tuple[int, int]:
        """Give how many other documents say what the first, and what the second says."""
        kind = one.comparison.kind
        return len(self.agreeing.get((one.first, kind), ())), len(self.agreeing.get((one.second, kind), ()))


def find_contradictions(
    statements: Sequence[Statement], *, least: float, asked: Sequence[Asked] = (), vectors: Mapping[str, Vectors] = {}
) -> Found:
    """Find the contradictions among the statements of a base, one for a pair of documents.

    Args:
        statements: of all documents.
        least: what is less certain is left out.
        asked: questions with their replies, which are among the statements.
        vectors: of questions with their replies, by id of the document.
    """
    weights = feature_weights(statements)
    single = _single_cases(statements)
    found: list[Contradiction] = []
    agreeing: dict[tuple[Statement, str], set[str]] = defaultdict(set)
    agreed: dict[tuple[frozenset[str], str], float] = defaultdict(float)
    for first, second, comparison in _compared(statements, same_questions(asked, weights, vectors), weights):
        if (
            comparison.certainty < least
            or {(_words(first), comparison.kind), (_words(second), comparison.kind)} & single
        ):
            continue
        if comparison.relation is Relation.CONTRADICT:
            found.append(Contradiction(first, second, comparison))
        elif comparison.relation is Relation.AGREE:
            agreeing[first, comparison.kind].add(second.document)
            agreeing[second, comparison.kind].add(first.document)
            key = frozenset((first.document, second.document)), comparison.kind
            agreed[key] = max(agreed[key], comparison.certainty)
    # "Open 8 to 18" and "open 8 to 18, he called at 19": where two documents agree more than they differ, they agree.
    found = [one for one in found if agreed[frozenset(one.ids), one.comparison.kind] < one.certainty]
    best = sorted(_best_of_each(_without_scattered(found)), key=lambda one: (-one.certainty, one.ids))
    return Found(tuple(best), {key: frozenset(ids) for key, ids in agreeing.items()})


def _compared(
    statements: Sequence[Statement], same: Iterable[tuple[Asked, Asked, float]], weights: Mapping[str, float]
) -> Iterator[tuple[Statement, Statement, Comparison]]:
    for a, b in candidate_pairs(statements, weights).tolist():
        yield statements[a], statements[b], compare(statements[a], statements[b], weights)
    for ours, theirs, near in same:
        if told := compare_replies(ours, theirs, near):
            yield told


def _words(statement: Statement) -> tuple[frozenset[str], frozenset[str]]:
    return statement.features, statement.names


def _single_cases(statements: Iterable[Statement]) -> set[tuple[tuple[frozenset[str], frozenset[str]], str]]:
    """Name what the same words say with ever other values."""
    values: dict[tuple[tuple[frozenset[str], frozenset[str]], str], list[list[Value]]] = defaultdict(list)
    for statement in statements:
        for kind, said in _by_kind(statement.values).items():
            known = values[_words(statement), kind]
            if len(known) < _CASES and not any(_is_same(said, other) for other in known):
                known.append(said)
    return {key for key, different in values.items() if len(different) >= _CASES}


def _by_kind(values: Iterable[Value]) -> dict[str, list[Value]]:
    found: dict[str, list[Value]] = defaultdict(list)
    for value in values:
        found[value.kind].append(value)
    return found


def _is_same(ours: Sequence[Value], theirs: Sequence[Value]) -> bool:
    """Say whether two statements name the same values: "8:00 to 20:00" is one thing that is said, not two."""
    return all(any(a.is_same(b) for b in theirs) for a in ours) and all(any(b.is_same(a) for a in ours) for b in theirs)


def _without_scattered(found: Sequence[Contradiction]) -> list[Contradiction]:
    """Leave out statements that contradict others with three values or more: those are cases, no rule."""
    partners: dict[tuple[int, str], list[tuple[float, object]]] = defaultdict(list)
    for one in found:
        ours, theirs = one.comparison.values
        partners[id(one.first), one.comparison.kind].append((one.certainty, plain(theirs)))
        partners[id(one.second), one.comparison.kind].append((one.certainty, plain(ours)))
    scattered = {key for key, others in partners.items() if _is_scattered(key[1], others)}
    return [
        one
        for one in found
        if not {(id(one.first), one.comparison.kind), (id(one.second), one.comparison.kind)} & scattered
    ]


def _is_scattered(kind: str, others: Sequence[tuple[float, object]]) -> bool:
    top = max(certainty for certainty, _ in others)
    return kind != "polarity" and len({v for certainty, v in others if certainty >= _SAME_SLOT * top}) >= _SCATTERED


def _best_of_each(found: Iterable[Contradiction]) -> list[Contradiction]:
    best: dict[frozenset[str], Contradiction] = {}
    for one in found:
        key = frozenset(one.ids)
        if key not in best or one.certainty > best[key].certainty:
            best[key] = one
    return list(best.values())
