"""Answer: a draft from the evidence, worded by the model when there is one, else quoted."""

import asyncio
from dataclasses import replace

from bot.answers.brevity import MORE_LINE, wants_more
from bot.answers.disagreement import read_ahead
from bot.answers.freshness import day_of
from bot.answers.quoting import quoted
from bot.answers.sources import usable_passages
from bot.ends import Ended
from bot.errors import BudgetSpent, ChatModelError, ChatModelOutputInvalid
from bot.flow import Ports
from bot.messages import DraftAnswer, Mode, Notice, NoticeKind, Outcome, Question, Retrieved, Usage
from bot.ports import AnswerRequest, ChatModel, ModelAnswer
from bot.questions.codes import codes_of, is_code_missing, is_only_code, with_codes
from bot.texts import say
from bot.usage import added
from bot.words import folded
from retrieval.passages import Band, Passage


async def answer_stage(retrieved: Retrieved, *, ports: Ports) -> DraftAnswer | Ended:
    """Draft the answer from the passages that may be evidence; end when none may.

    Where the question names an error code, sources that hold it are the evidence; when none holds it the answer is
    uncertain, and a question that is nothing but the code ends as nothing found.

    A model out of reach, out of time, refusing or empty gives the extractive draft with notice `degraded`.
    """
    question, ranking = retrieved.queries.gated.question, retrieved.ranking
    standalone = retrieved.queries.standalone
    usable = usable_passages(ranking.passages, day_of(ports.clock.now()), standalone)
    codes = codes_of(standalone) | _named_ids(retrieved)
    is_missing = is_code_missing(ranking.passages, codes)
    if not usable or (is_missing and is_only_code(question.text, codes)):
        return Ended(Outcome.NO_MATCH, "no_match", retrieved)
    if is_missing:
        retrieved = replace(retrieved, ranking=replace(ranking, band=Band.UNCERTAIN))
    if ports.model is None:
        return _extractive(retrieved, usable, ports)
    given = with_codes(usable, codes)[: ports.limits.model_passages]
    request = _request(question, given, ports)
    if (early := ports.early) is not None:
        request = replace(request, written=lambda read: early(lambda: _so_far(read(), retrieved, given)))
    try:
        said = await _said_by_model(ports.model, request, standalone)
    except ChatModelError as error:
        return _extractive(retrieved, usable, ports, notices=_degraded(question, error), spent=error.usage)
    except TimeoutError:
        return _extractive(retrieved, usable, ports, notices=_degraded(question))
    if not said.sentences:
        return _extractive(retrieved, usable, ports, notices=_degraded(question), spent=said.usage)
    return replace(_draft(said, retrieved, given), notices=_cut_short(question) if said.is_truncated else ())


def _draft(said: ModelAnswer, retrieved: Retrieved, given: tuple[Passage, ...]) -> DraftAnswer:
    return DraftAnswer(
        retrieved=retrieved,
        passages=given,
        sentences=said.sentences,
        mode=Mode.MODEL,
        usage=added(retrieved.queries.usage, said.usage),
        model=said.model,
        prompt=said.prompt,
    )


def _so_far(said: ModelAnswer | None, retrieved: Retrieved, given: tuple[Passage, ...]) -> DraftAnswer | None:
    return replace(_draft(said, retrieved, given), is_partial=True) if said is not None and said.sentences else None


async def _said_by_model(model: ChatModel, request: AnswerRequest, standalone: str) -> ModelAnswer:
    """Ask the model, and read its sources meanwhile: its time is there anyway, and the checks need not read them again."""
    reading = asyncio.ensure_future(asyncio.to_thread(read_ahead, request.passages, standalone))
    try:
        async with asyncio.timeout(request.timeout_s):
            return await model.answer(request)
    finally:
        await reading  # some ten ms; an answer in time is not lost to it


def _named_ids(retrieved: Retrieved) -> frozenset[str]:
    return frozenset(folded(source.card.id) for source in retrieved.queries.gated.named)


def _extractive(
    retrieved: Retrieved,
    usable: tuple[Passage, ...],
    ports: Ports,
    *,
    notices: tuple[Notice, ...] = (),
    spent: Usage | None = None,
) -> DraftAnswer:
    quotes = quoted(retrieved, usable, day_of(ports.clock.now()))
    usage = quotes.retrieved.queries.usage
    return DraftAnswer(
        retrieved=quotes.retrieved,
        passages=quotes.passages,
        sentences=quotes.sentences,
        mode=Mode.EXTRACTIVE,
        usage=added(usage, spent) if spent else usage,
        notices=notices,
    )


def _request(question: Question, passages: tuple[Passage, ...], ports: Ports) -> AnswerRequest:
    told = question.as_told
    return AnswerRequest(
        question=told.text,
        language=question.language,
        turns=told.turns,
        passages=passages,
        timeout_s=ports.time_for(ports.limits.model_timeout_s),
        style=" ".join(filter(None, (ports.style, MORE_LINE if wants_more(question.message.text) else ""))),
        heard=told.heard,
    )


def _degraded(question: Question, error: ChatModelError | None = None) -> tuple[Notice, ...]:
    said = "degraded"
    if isinstance(error, BudgetSpent):
        said = "budget_spent"
    elif isinstance(error, ChatModelOutputInvalid):  # refused, empty, another language: it is there all the same
        said = "model_unusable"
    return (Notice(NoticeKind.DEGRADED, (), say(said, question.language)),)


def _cut_short(question: Question) -> tuple[Notice, ...]:
    return (Notice(NoticeKind.TRUNCATED, (), say("truncated_answer", question.language)),)
