"""The stages in order, on one screen; each end maps to one outcome."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from uuid import uuid4

import structlog

from bot.early import EarlyAnswer, EarlyOver, is_beginning, may_begin_early, offered
from bot.ends import Ended, Progress, answer_of_end, question_of
from bot.flow import Ports
from bot.lead.correcting import corrected
from bot.lead.held_back import beside_held, with_held
from bot.lead.withdrawn import with_withdrawn
from bot.messages import AcceptedMessage, Answer, DraftAnswer, Mode, Outcome, Retrieved
from bot.stages.answer import answer_stage
from bot.stages.gate import gate_stage
from bot.stages.history import history_stage
from bot.stages.retrieve import retrieve_stage
from bot.stages.rewrite import rewrite_stage
from bot.stages.verify import verify_stage

# Each takes the value of the one before and gives the next one, an `Ended`, or at last the `Answer`. The types of
# neighbours fit; a tuple of functions with different types cannot say so.
Stage = Callable[..., Awaitable[Any]]

STAGES: tuple[Stage, ...] = (
    history_stage,
    gate_stage,
    rewrite_stage,
    retrieve_stage,
    answer_stage,
    verify_stage,
)

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Run:
    """One question on its way: how far it came and how long each stage took, in milliseconds."""

    request_id: str
    reached: Progress
    started: float = field(default_factory=time.perf_counter)
    timings: list[tuple[str, float]] = field(default_factory=list)
    corrections: tuple[str, ...] = ()


class Pipeline:
    """Answers questions; safe to share between tasks. Implements `bot.ports.Responder`."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give the answer of one question. Whoever posts it stores the turn (`bot.questions.turns.remember_turn`).

        Never raises for a question: a fault becomes outcome `unavailable`, logged by class and without any text.

        Args:
            message: the accepted question.
            is_stateless: history is not read.
        """
        threads = None if is_stateless else self.ports.threads
        ports = replace(self.ports, threads=threads, deadline_s=time.monotonic() + self.ports.limits.answer_within_s)
        run = _Run(uuid4().hex, message)
        try:
            answer = await _through(run, ports)
        except Exception as error:  # noqa: BLE001 - the one place: around one message
            _log.error("question failed", request_id=run.request_id, error=type(error).__name__)
            answer = answer_of_end(Ended(Outcome.UNAVAILABLE, "unavailable", run.reached))
        return _completed(answer, run, ports)


async def _through(run: _Run, ports: Ports) -> Answer:
    for stage in STAGES:
        if stage is verify_stage:  # a model's replies come together: their checks one after the other
            await ports.go_on()
        began = time.perf_counter()
        value = await _staged(stage, run, ports)
        name, ms = stage.__name__.removesuffix("_stage"), (time.perf_counter() - began) * 1000
        run.timings.append((name, ms))
        _log.info(name, request_id=run.request_id, ms=round(ms, 1), **_counts(value))
        if isinstance(value, Ended):
            return answer_of_end(await with_held(value, ports))
        if isinstance(value, Answer):
            return await beside_held(value, run.reached, ports)
        run.reached = value
        decided = await corrected(value, ports)
        ports, run.corrections = decided.ports, (*run.corrections, *decided.keys)
        if decided.answer is not None:
            return decided.answer
    raise AssertionError("the last stage gives an answer or an end")


async def _staged(stage: Stage, run: _Run, ports: Ports) -> Any:
    """Run a stage; while a model writes, what holds of its answer so far is shown where somebody offers to."""
    sink, reached = offered(), run.reached
    if stage is not answer_stage or sink is None or not isinstance(reached, Retrieved) or not may_begin_early(reached):
        return await stage(reached, ports=ports)
    async with EarlyAnswer(sink, partial(_beginning, run, ports)) as early:
        return await stage(reached, ports=replace(ports, early=early.written))


async def _beginning(run: _Run, ports: Ports, draft: DraftAnswer) -> Answer | None:
    """Put a draft as far as it is written through the whole verify stage; None where it cannot stand for itself.

    Raises:
        EarlyOver: it gives a prompt away.
        RetrievalError: as the stage.
    """
    said = " ".join(sentence.text for sentence in draft.sentences)
    if await asyncio.to_thread(ports.is_leak, said):  # the longest of the checks
        raise EarlyOver
    checked = replace(ports, is_leak=lambda text: text != said and ports.is_leak(text))
    value = await verify_stage(draft, ports=checked)
    return _completed(value, run, ports) if isinstance(value, Answer) and is_beginning(value, draft) else None


def _completed(answer: Answer, run: _Run, ports: Ports) -> Answer:
    total = (time.perf_counter() - run.started) * 1000
    timings = dict.fromkeys((stage.__name__.removesuffix("_stage") for stage in STAGES), 0.0) | dict(run.timings)
    question = question_of(run.reached)
    answer = with_withdrawn(answer, question)
    has_model = ports.model is not None and answer.outcome is not Outcome.ANSWERED
    return replace(
        answer,
        request_id=run.request_id,
        timings_ms=(*timings.items(), ("total", total)),
        mode=Mode.MODEL if has_model else answer.mode,
        provenance=replace(answer.provenance, build=ports.build),
        told=question.as_told if question else None,
        corrections=run.corrections,
    )


def _counts(value: object) -> dict[str, object]:
    """Give what may be logged of a stage's result: its kind and how much of it there is, never its text."""
    match value:
        case Ended(outcome=outcome):
            return {"ended": str(outcome)}
        case Answer(citations=citations, notices=notices):
            return {"citations": len(citations), "notices": len(notices)}
        case _:
            return _sizes(value)


def _sizes(value: object) -> dict[str, object]:
    sizes: dict[str, object] = {}
    for name in ("turns", "expansions", "sentences", "passages"):
        if isinstance(found := getattr(value, name, None), tuple):
            sizes[name] = len(found)
    ranking = getattr(value, "ranking", None)
    return sizes if ranking is None else {**sizes, "passages": len(ranking.passages), "band": str(ranking.band)}
