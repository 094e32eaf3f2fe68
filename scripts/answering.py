"""Every labelled question through the whole flow, for `triage eval --answers`."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.bootstrap import Flow, open_flow
from bot.checks.answer_audit import Audit, audit
from bot.checks.answer_facts import FactCheck, check_facts
from bot.flow import Ports
from bot.messages import Answer, NoticeKind, Outcome, Platform, Usage
from bot.pipeline import Pipeline
from bot.ports import PassageSource
from bot.questions.accepting import accept_text, local_thread
from bot.questions.direct_door import DirectDoor
from bot.questions.thread_memory import ThreadMemory
from bot.usage import added
from bot.words import weight_of
from config.settings import Settings
from retrieval.evaluation import LabelledQuestion
from retrieval.evaluation.answers import Answered
from retrieval.passages import GateScore, Passage, Ranking, SourceText
from retrieval.redaction import RedactedText
from scripts.gathering import gathered

_PATIENCE_S = 60.0
AUDIENCE = frozenset({"public", "internal"})


def answer_all(questions: Sequence[LabelledQuestion], settings: Settings, index_dir: Path) -> list[Answered]:
    """Ask every question as the console would, each in a thread of its own that its earlier turns are asked in first.

    Raises:
        RetrievalError: the index cannot be served.
    """
    return asyncio.run(_answer_all(questions, settings, index_dir))


async def _answer_all(questions: Sequence[LabelledQuestion], settings: Settings, index_dir: Path) -> list[Answered]:
    async with open_flow(settings, index_dir=index_dir) as flow:
        return await gathered("answers", questions, lambda question: _answer(question, flow))


@dataclass(frozen=True, slots=True)
class _Given:
    """An answer with what was found for it, and what the whole thread used."""

    answer: Answer
    passages: tuple[Passage, ...]
    usage: Usage


async def _answer(question: LabelledQuestion, flow: Flow) -> Answered:
    given = await _ask(question, flow)
    ports, answer = flow.pipeline.ports, given.answer

    async def similarity(left: Sequence[str], right: Sequence[str]) -> list[list[float]]:
        return await ports.passages.similarity(list(map(ports.redact, left)), list(map(ports.redact, right)))

    standalone = " ".join(answer.queries[:2]) or question.query
    checked = await audit(answer, given.passages, standalone, similarity=similarity, floor=ports.limits.cross_cosine)
    said = _facts(question, answer, checked, ports)
    is_answered = answer.outcome is Outcome.ANSWERED
    return Answered(
        question=question,
        outcome=str(answer.outcome),
        is_uncertain=any(notice.kind is NoticeKind.UNCERTAIN for notice in answer.notices),
        cited=tuple(citation.id for citation in answer.citations),
        facts=(said.facts_found, said.facts),
        words=(said.words_found, said.words),
        do_facts_stand=said.stands if question.reference_answer else None,
        sentences=checked.sentences,
        unsupported=checked.unsupported,
        length=weight_of(checked.spoken) if is_answered else 0.0,
        latency_ms=dict(answer.timings_ms).get("total", 0.0),
        input_tokens=given.usage.input_tokens,
        cached_input_tokens=given.usage.cached_input_tokens,
        output_tokens=given.usage.output_tokens,
        calls=given.usage.calls,
        cost_usd=given.usage.cost_usd,
        text=str(answer.text),
    )


async def _ask(question: LabelledQuestion, flow: Flow) -> _Given:
    """Ask the turns of a thread one after the other; the last answer is the one that counts, the cost is of all."""
    found = _Remembering(flow.pipeline.ports.passages)
    memory = ThreadMemory()
    ports = flow.pipeline.ports
    # Questions wait for each other here, which is no reason to let one pass the gate unjudged.
    limits = replace(ports.limits, gate_timeout_s=_PATIENCE_S)
    door = DirectDoor(Pipeline(replace(ports, passages=found, threads=memory, limits=limits)), memory)
    usage = Usage()
    for text in (*question.previous_user_turns, question.query):
        found.passages.clear()
        message = accept_text(
            text,
            thread=local_thread(Platform.CONSOLE, "evaluated"),
            redactor=flow.redactor,
            received_at=time.time(),
            audience=AUDIENCE,
        )
        answer = await door.answer(message)
        usage = added(usage, answer.usage)
    return _Given(answer, tuple(found.passages), usage)


def _facts(question: LabelledQuestion, answer: Answer, checked: Audit, ports: Ports) -> FactCheck:
    """Compare with the reference answer; words only where the answer or one of its quotes is in its language."""
    reference = question.reference_answer if answer.outcome is Outcome.ANSWERED else ""
    if not reference:
        return check_facts(question.reference_answer, "", is_same_language=True)
    language = ports.language_of(reference) or question.lang or "en"
    spoken = {ports.language_of(text) for text in (checked.spoken, *(c.quote for c in answer.citations))}
    return check_facts(reference, checked.spoken, is_same_language=language in spoken or not any(spoken))


class _Remembering:
    """A `PassageSource` that keeps what was found, as evidence to check the answer by."""

    def __init__(self, source: PassageSource) -> None:
        self._source = source
        self.passages: list[Passage] = []

    async def document(self, document_id: str, *, audience: frozenset[str]) -> SourceText | None:
        return await self._source.document(document_id, audience=audience)

    async def search(self, queries: Sequence[RedactedText], *, audience: frozenset[str], top_k: int = 8) -> Ranking:
        ranking = await self._source.search(queries, audience=audience, top_k=top_k)
        self.passages.extend(ranking.passages)
        return ranking

    async def held(self, queries: Sequence[RedactedText], *, audience: frozenset[str]) -> tuple[str, ...]:
        return await self._source.held(queries, audience=audience)

    async def gate(self, text: RedactedText, previous: RedactedText | None) -> GateScore:
        return await self._source.gate(text, previous)

    async def similarity(self, left: Sequence[RedactedText], right: Sequence[RedactedText]) -> list[list[float]]:
        return await self._source.similarity(left, right)

    async def ping(self) -> None:
        await self._source.ping()
