"""Labelled questions through a search, one run a method. Takes callables, so anything that ranks can be measured."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from retrieval.evaluation.measures import DEPTH
from retrieval.passages import Band, GateScore, GateVerdict, Ranking

# Queries of one question and the method, to the ranking of documents.
Search = Callable[[Sequence[str], str], Ranking]
# The question and the previous question of its thread.
Gate = Callable[[str, str | None], GateScore]
# A labelled question to the texts that are searched, the question as asked first.
Rewrite = Callable[["LabelledQuestion"], Sequence[str]]


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """One row of a file of questions.

    `previous_user_turns` are the user's earlier questions of the thread, oldest first. `grades` are gains above 0 by id,
    for `ndcg`; a relevant id without one counts 1. `reference_answer` is what an answer should say, empty when unknown.
    """

    id: str
    query: str
    relevant: tuple[str, ...]
    is_answerable: bool
    previous_user_turns: tuple[str, ...] = ()
    lang: str = ""
    grades: tuple[tuple[str, float], ...] = ()
    reference_answer: str = ""

    @property
    def gains(self) -> Mapping[str, float]:
        """The relevant ids with their gains: graded where there are grades, else 1."""
        grades = dict(self.grades)
        return {name: grades.get(name, 1.0) for name in self.relevant}


@dataclass(frozen=True, slots=True)
class Judged:
    """What came back for one question. `relevance` and `cut` are of the best passage; `latency_ms` is the whole search."""

    question: LabelledQuestion
    ranked: tuple[str, ...]
    relevance: float
    cut: float
    is_refused: bool
    latency_ms: float


@dataclass(frozen=True, slots=True)
class Run:
    """All questions by one method."""

    method: str
    judged: tuple[Judged, ...]

    @property
    def rankable(self) -> tuple[Judged, ...]:
        """The questions that have a relevant document, over which rankings are measured."""
        return tuple(one for one in self.judged if one.question.relevant)


def as_asked(question: LabelledQuestion) -> Sequence[str]:
    """Search the question alone."""
    return (question.query,)


def run_method(
    questions: Sequence[LabelledQuestion],
    method: str,
    search: Search,
    *,
    gate: Gate | None = None,
    rewrite: Rewrite = as_asked,
) -> Run:
    """Search every question by one method."""
    return Run(method, tuple(_judge(question, method, search, gate, rewrite) for question in questions))


def _judge(question: LabelledQuestion, method: str, search: Search, gate: Gate | None, rewrite: Rewrite) -> Judged:
    queries = rewrite(question)
    start = time.perf_counter()
    ranking = search(queries, method)
    latency_ms = (time.perf_counter() - start) * 1000
    refused = ranking.band == Band.NONE
    if gate is not None and not refused:
        previous = question.previous_user_turns[-1] if question.previous_user_turns else None
        refused = gate(question.query, previous).verdict == GateVerdict.DECLINE
    return Judged(
        question,
        tuple(passage.document.id for passage in ranking.passages[:DEPTH]),
        ranking.passages[0].relevance if ranking.passages else 0.0,
        ranking.uncertain_cut,
        refused,
        latency_ms,
    )
