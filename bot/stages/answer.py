"""Answer: a draft from the evidence, worded by the model when there is one, else quoted."""

import asyncio

from bot.ends import Ended
from bot.errors import ChatModelError
from bot.evidence import usable_passages
from bot.extractive import extract
from bot.flow import Ports
from bot.freshness import day_of
from bot.messages import DraftAnswer, Mode, Notice, NoticeKind, Outcome, Question, Retrieved, Usage
from bot.ports import AnswerRequest
from bot.texts import say
from bot.usage import added
from retrieval.passages import Passage


async def answer_stage(retrieved: Retrieved, *, ports: Ports) -> DraftAnswer | Ended:
    """Draft the answer from the passages that may be evidence; end when none may.

    A model out of reach, out of time, refusing or empty gives the extractive draft with notice `degraded`.
    """
    passages = usable_passages(retrieved.ranking.passages, day_of(ports.clock.now()))
    if not passages:
        return Ended(Outcome.NO_MATCH, "no_match", retrieved)
    if ports.model is None:
        return _extractive(retrieved, passages)
    question = retrieved.queries.gated.question
    given = passages[: ports.limits.model_passages]
    try:
        async with asyncio.timeout(ports.limits.model_timeout_s):
            said = await ports.model.answer(_request(question, given, ports))
    except ChatModelError as error:
        return _extractive(retrieved, passages, _degraded(question), error.usage)
    except TimeoutError:
        return _extractive(retrieved, passages, _degraded(question))
    if not said.sentences:
        return _extractive(retrieved, passages, _degraded(question), said.usage)
    return DraftAnswer(
        retrieved=retrieved,
        passages=given,
        sentences=said.sentences,
        mode=Mode.MODEL,
        usage=added(retrieved.queries.usage, said.usage),
        notices=_cut_short(question) if said.is_truncated else (),
        model=said.model,
        prompt=said.prompt,
    )


def _extractive(
    retrieved: Retrieved,
    passages: tuple[Passage, ...],
    notices: tuple[Notice, ...] = (),
    spent: Usage | None = None,
) -> DraftAnswer:
    usage = retrieved.queries.usage
    return DraftAnswer(
        retrieved=retrieved,
        passages=passages,
        sentences=extract(passages, retrieved.queries.gated.question.text, retrieved.queries.gated.question.language),
        mode=Mode.EXTRACTIVE,
        usage=added(usage, spent) if spent else usage,
        notices=notices,
    )


def _request(question: Question, passages: tuple[Passage, ...], ports: Ports) -> AnswerRequest:
    return AnswerRequest(
        question=question.text,
        language=question.language,
        turns=question.turns,
        passages=passages,
        timeout_s=ports.limits.model_timeout_s,
    )


def _degraded(question: Question) -> tuple[Notice, ...]:
    return (Notice(NoticeKind.DEGRADED, (), say("degraded", question.language)),)


def _cut_short(question: Question) -> tuple[Notice, ...]:
    return (Notice(NoticeKind.TRUNCATED, (), say("truncated_answer", question.language)),)
