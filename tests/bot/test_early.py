"""Beginnings of an answer, judged while a model writes: what is shown, and what waits for the end."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event

import pytest

from bot.desk.incidents import HeadedSink, Incident
from bot.early import EarlyOver, offered, offering
from bot.errors import ChatModelUnavailable, StateUnavailable
from bot.messages import Answer, DraftSentence, NoticeKind, Outcome, SentenceRef, Usage
from bot.pipeline import Pipeline
from bot.ports import AnswerRequest, ModelAnswer
from retrieval.passages import Passage
from tests.bot.flow_kit import NOW, RESET, THREAD, Conversation, card, message, ports, text
from tests.fakes import FakePassageSource, ScriptedModel, make_passage

QUESTION = "How do I reset my password?"
FIRST, SECOND = "Choose Forgot password in the console.", "The link works once and expires after 30 minutes."
Row = tuple[str, tuple[int, int] | None]
Over = Callable[[], bool]


@dataclass
class Sink:
    """Keeps what it is shown; `failure` is raised by the first call."""

    shown: list[Answer] = field(default_factory=list)
    failure: Exception | None = None

    async def show(self, answer: Answer) -> None:
        self.shown.append(answer)
        if self.failure is not None:
            raise self.failure

    @property
    def texts(self) -> list[str]:
        return [str(answer.text) for answer in self.shown]


class WritingModel(ScriptedModel):
    """Says its sentences one by one, each when the one before was judged, or once `is_over`."""

    def __init__(self, *rows: Row, failure: ChatModelUnavailable | None = None, is_over: Over = lambda: False) -> None:
        self.is_over = is_over
        sentences = tuple(DraftSentence(text(raw), (SentenceRef(*ref),) if ref else ()) for raw, ref in rows)
        self.whole = ModelAnswer(sentences, Usage(calls=1), "model-1", "prompt-1")
        super().__init__(failure or self.whole)

    async def answer(self, request: AnswerRequest) -> ModelAnswer:
        counts = range(len(self.whole.sentences) + 1)
        for count in (*counts, counts[-1]) if request.written else ():
            assert request.written is not None
            part, read = replace(self.whole, sentences=self.whole.sentences[:count]), Event()
            request.written(partial(_read, part, read))
            while not (self.is_over() or read.is_set()):  # noqa: ASYNC110 - it is read on a thread
                await asyncio.sleep(0.002)
        return await super().answer(request)


def _read(part: ModelAnswer, read: Event) -> ModelAnswer:
    """A part is read only when the one before was judged and shown."""
    read.set()
    return part


async def answered(
    sink: Sink, *rows: Row, source: FakePassageSource | None = None, is_over: Over = lambda: False
) -> Answer:
    """Ask, with the sink offered; give the whole answer."""
    with offering(sink):
        return await Pipeline(ports(source, model=WritingModel(*rows, is_over=is_over))).respond(message(QUESTION))


async def test_each_verified_sentence_is_shown_when_it_is_written() -> None:
    """Every beginning is what the whole answer begins with, with the head that it will have."""
    sink = Sink()
    answer = await answered(sink, (FIRST, (0, 0)), (SECOND, (0, 1)))
    assert sink.texts == [f"{FIRST} [1]", f"{FIRST} [1] {SECOND} [1]"]
    assert answer.text == sink.texts[-1]
    assert {shown.request_id for shown in sink.shown} == {answer.request_id}


async def test_without_a_sink_nobody_asks_for_parts() -> None:
    """The console, the API and Teams get the answer when it is complete, from a request of one piece."""
    model = WritingModel((FIRST, (0, 0)))
    answer = await Pipeline(ports(model=model)).respond(message(QUESTION))
    assert answer.text == f"{FIRST} [1]"
    assert [request.written for request in model.requests if isinstance(request, AnswerRequest)] == [None]
    assert offered() is None


async def test_what_is_not_supported_is_never_shown() -> None:
    """An invention, a wrong number, a sentence without a source: not in the whole, not in any beginning."""
    sink = Sink()
    await answered(
        sink,
        ("Everything is free for everyone.", (0, 0)),
        ("The link expires after 60 minutes.", (0, 1)),
        ("Call the hotline for a new password.", None),
        (SECOND, (0, 1)),
    )
    assert set(sink.texts) == {f"{SECOND} [1]"}


async def test_steps_need_their_numbers() -> None:
    """A step is judged by all the steps in the end; before that it needs the number of its source."""
    source = FakePassageSource(make_passage(card("kb-1", lang="en"), "3. Open the password console now.", "Other."))
    sink = Sink()
    rows: tuple[Row, ...] = (("1. Open the password console now.", (0, 0)),)
    answer = await answered(sink, *rows, source=source)
    assert (sink.texts, "1. Open" in answer.text) == ([], True)


def _other(*sentences: str) -> Passage:
    return make_passage(card("kb-2", lang="en", updated_at="2026-01-01"), *sentences)


async def test_a_disagreement_waits_for_the_end() -> None:
    """No side is told alone, not even for a second."""
    source = FakePassageSource(RESET, _other("The link works once and expires after 60 minutes."))
    sink = Sink()
    answer = await answered(sink, (SECOND, (0, 1)), (FIRST, (0, 0)), source=source)
    assert {citation.id for citation in answer.citations} == {"kb-101", "kb-2"}
    assert sink.texts == []


async def test_a_contradiction_that_is_cited_waits_for_the_end() -> None:
    """Where the model itself names both values the notice stands below the whole answer, so the words wait for it."""
    refunds = [
        make_passage(
            card(name, title="Refunds", lang="en"), f"The refund window is {days} days from the date of purchase."
        )
        for name, days in (("kb-1", 14), ("kb-2", 30))
    ]
    rows: list[Row] = [
        (f"The refund window is {days} days from the date of purchase.", (place, 0))
        for place, days in enumerate((14, 30))
    ]
    sink = Sink()
    with offering(sink):
        flow = ports(FakePassageSource(*refunds), model=WritingModel(*rows))
        answer = await Pipeline(flow).respond(message("How long is the refund window?"))
    assert NoticeKind.CONFLICT in {notice.kind for notice in answer.notices}
    assert sink.texts == []


async def test_an_answer_that_repeats_its_thread_waits_for_the_end() -> None:
    """After "more" the whole may be one line that there is no more."""
    sink = Sink()
    talk = Conversation(model=WritingModel((FIRST, (0, 0)), (SECOND, (0, 1))))
    with offering(sink):
        await talk.ask(QUESTION)
        assert len(sink.shown) == 2
        await talk.ask("more")
    assert len(sink.shown) == 2


async def test_a_leak_ends_what_is_shown() -> None:
    """With the sentence that completes it nothing more is shown, and the answer ends as an apology."""
    leaked: list[str] = []

    def is_leak(said: str) -> bool:
        if "console" in said and "30 minutes" in said:
            leaked.append(said)
        return bool(leaked)

    sink, model = (
        Sink(),
        WritingModel((FIRST, (0, 0)), (SECOND, (0, 1)), ("The link works once.", (0, 1)), is_over=lambda: bool(leaked)),
    )
    flow = replace(ports(model=model), is_leak=is_leak)
    with offering(sink):
        answer = await Pipeline(flow).respond(message(QUESTION))
    assert (sink.texts, answer.outcome) == ([f"{FIRST} [1]"], Outcome.NO_MATCH)


@pytest.mark.parametrize("failure", [EarlyOver(), StateUnavailable("away"), ZeroDivisionError()])
async def test_a_sink_that_fails_costs_its_words_alone(failure: Exception) -> None:
    """Whatever it raises, nothing more is shown, and the answer is complete."""
    sink = Sink(failure=failure)
    answer = await answered(sink, (FIRST, (0, 0)), (SECOND, (0, 1)), is_over=lambda: bool(sink.shown))
    assert (sink.texts, answer.text) == ([f"{FIRST} [1]"], f"{FIRST} [1] {SECOND} [1]")


async def test_a_model_that_fails_after_its_first_words() -> None:
    """The answer is quoted; what was shown is for the poster to replace."""
    sink = Sink()
    model = WritingModel((FIRST, (0, 0)), failure=ChatModelUnavailable("gone"))
    with offering(sink):
        answer = await Pipeline(ports(model=model)).respond(message(QUESTION))
    assert sink.texts == [f"{FIRST} [1]"]
    assert NoticeKind.DEGRADED in {notice.kind for notice in answer.notices}


async def test_whoever_is_cancelled_leaves_nothing_running() -> None:
    """A worker that stops in the middle of an answer stops its judging too."""

    class Held(Sink):
        async def show(self, answer: Answer) -> None:
            await super().show(answer)
            await asyncio.Event().wait()

    sink = Held()
    task = asyncio.create_task(answered(sink, (FIRST, (0, 0)), (SECOND, (0, 1))))
    while not sink.shown:  # noqa: ASYNC110 - the sink is told from outside
        await asyncio.sleep(0.005)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()
    assert [one for one in asyncio.all_tasks() if one is not asyncio.current_task()] == []


async def test_incidents_stand_above_the_first_word() -> None:
    """They are looked up once, before it; every beginning has the same head."""
    incident = Incident(text("The login is down"), NOW + 60, ("internal",), THREAD)
    asked: list[Answer] = []

    async def explaining(answer: Answer) -> list[Incident]:
        asked.append(answer)
        return [incident]

    sink = Sink()
    headed = HeadedSink(sink, explaining)
    with offering(headed):
        await Pipeline(ports(model=WritingModel((FIRST, (0, 0)), (SECOND, (0, 1))))).respond(message(QUESTION))
    assert [shown.notices[0].ids for shown in sink.shown] == [(incident.id,)] * 2
    assert len(asked) == 1
