"""Labelled questions through a search, one run a method. Takes callables, so anything that ranks can be measured."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from retrieval.evaluation.measures import DEPTH
from retrieval.passages import Band, GateScore, GateVerdict, Passage, Ranking

# Queries of one question and the method, to the ranking of documents.
Search = Callable[[Sequence[str], str], Ranking]
# The question and the previous question of its thread.
Gate = Callable[[str, str | None], GateScore]
# A labelled question to the texts that are searched, the question as asked first; none when the rewriter declines it.
Rewrite = Callable[["LabelledQuestion"], Sequence[str]]


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """One row of a file of questions.

    `previous_user_turns` are the user's earlier questions of the thread, oldest first. `grades` are gains above 0 by id,
    for `ndcg`; a relevant id without one counts 1. `reference_answer` is what an answer should say, empty when unknown.
    `held_out` are documents taken as not in the base: the ticket that the question was taken from.
    """

    id: str
    query: str
    relevant: tuple[str, ...]
    is_answerable: bool
    previous_user_turns: tuple[str, ...] = ()
    lang: str = ""
    grades: tuple[tuple[str, float], ...] = ()
    reference_answer: str = ""
    held_out: tuple[str, ...] = ()

    @property
    def gains(self) -> Mapping[str, float]:
        """The relevant ids with their gains: graded where there are grades, else 1."""
        grades = dict(self.grades)
        return {name: grades.get(name, 1.0) for name in self.relevant}


@dataclass(frozen=True, slots=True)
class Judged:
    """What came back for one question.

    `ranked` are ids, best first, and `relevances` theirs (0 to 1); `band` is that of the ranking, `cut` and
    `uncertain_cut` where it begins to be answered plainly, or with a remark. `is_declined`: by the topic gate, or by the
    rewriter that it asks. `latency_ms` is the whole search.
    """

    question: LabelledQuestion
    ranked: tuple[str, ...]
    relevances: tuple[float, ...]
    band: Band
    cut: float
    uncertain_cut: float
    is_declined: bool
    latency_ms: float

    @property
    def relevance(self) -> float:
        """The largest relevance, which the band is judged by; 0 when nothing was found."""
        return max(self.relevances, default=0.0)

    @property
    def is_refused(self) -> bool:
        """Whether gate or cut leave the question without an answer."""
        return self.is_declined or self.band == Band.NONE

    @property
    def is_plain(self) -> bool:
        """Whether it is answered without a remark."""
        return not self.is_declined and self.band == Band.ANSWERED

    @property
    def end(self) -> str:
        """How it ends at the shipped cuts: `plain`, `uncertain`, `no_match` or `off_topic`."""
        if self.is_declined:
            return "off_topic"
        return {Band.ANSWERED: "plain", Band.UNCERTAIN: "uncertain", Band.NONE: "no_match"}[self.band]

    @property
    def rank(self) -> int | None:
        """Place of the first relevant document from 1, None when none was found."""
        relevant = self.question.relevant
        return next((place for place, name in enumerate(self.ranked, start=1) if name in relevant), None)


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
    declined = not queries
    if gate is not None and not declined:
        previous = question.previous_user_turns[-1] if question.previous_user_turns else None
        declined = gate(question.query, previous).verdict == GateVerdict.DECLINE
    found = ranking.passages[:DEPTH]
    return Judged(
        question,
        tuple(_named(passage, question) for passage in found),
        tuple(passage.relevance for passage in found),
        ranking.band,
        ranking.cut,
        ranking.uncertain_cut,
        declined,
        latency_ms,
    )


def _named(passage: Passage, question: LabelledQuestion) -> str:
    """Name the document of a passage; by the id of a copy that was left out for it when that is the labelled one."""
    names = (passage.document.id, *passage.copies)
    return next((name for name in names if name in question.relevant), passage.document.id)
