"""Showing an answer before its end: each time a model has finished a sentence, all of it so far is verified and shown.

Who posts offers a sink (`offering`); whoever stands between may offer its own around it. What is shown is never taken on
trust: the sink adds only what continues the words that stand, and the whole answer is verified again at its end and decides.
A fault here costs the early words, never the answer.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from types import TracebackType
from typing import Protocol, Self

import structlog

from bot.messages import Answer, DraftAnswer, DraftSentence, Mode, NoticeKind, Outcome, Retrieved, SentenceRef

# Gives the draft as far as a model has written it, on any thread; None when there is too little of it.
ReadDraft = Callable[[], DraftAnswer | None]
# A judgment takes 5 ms, with vectors of other languages some 100 ms.
_RESTS, _LONGEST_REST_S = 4.0, 1.0
_log = structlog.get_logger(__name__)


class EarlyOver(Exception):
    """Nothing more of this answer is shown before its end."""


class EarlySink(Protocol):
    """Shows an answer that is not complete yet."""

    async def show(self, answer: Answer) -> None:
        """Show a verified beginning of the answer; whatever it raises, nothing more is shown before the end."""
        ...


_OFFERED: ContextVar[EarlySink | None] = ContextVar("early_sink", default=None)


@contextmanager
def offering(sink: EarlySink) -> Iterator[None]:
    """Offer a sink to the flow of the question that this task answers."""
    token = _OFFERED.set(sink)
    try:
        yield
    finally:
        _OFFERED.reset(token)


def offered() -> EarlySink | None:
    """Give the sink of the question that this task answers; None where an answer is shown whole."""
    return _OFFERED.get()


def may_begin_early(retrieved: Retrieved) -> bool:
    """Tell whether the beginning of an answer can be judged without its end.

    Not where a part of the question has no source, since the answer says so unless the model does; nor after "more" and its
    like, where an answer that only repeats its thread gives way to one line.
    """
    return not retrieved.missing and not retrieved.queries.gated.question.as_told.given


def is_beginning(answer: Answer, draft: DraftAnswer) -> bool:
    """Tell whether a verified part of an answer stands for itself: worded by the model, with sources that nothing was set beside."""
    is_said = answer.outcome is Outcome.ANSWERED and answer.mode is Mode.MODEL and bool(answer.citations)
    is_told_otherwise = any(notice.kind is NoticeKind.CONFLICT for notice in answer.notices)
    named = {draft.passages[ref.passage].document.id for sentence in draft.sentences for ref in _known(sentence, draft)}
    return is_said and not is_told_otherwise and named.issuperset(citation.id for citation in answer.citations)


def _known(sentence: DraftSentence, draft: DraftAnswer) -> tuple[SentenceRef, ...]:
    return tuple(ref for ref in sentence.refs if 0 <= ref.passage < len(draft.passages))


class EarlyAnswer:
    """Judges what a model has written, always the newest part, and shows what holds. Use as an async context manager.

    At its end nothing is on its way any more: a call of the sink that has begun is waited for.
    """

    def __init__(self, sink: EarlySink, judge: Callable[[DraftAnswer], Awaitable[Answer | None]]) -> None:
        """Show in the sink what `judge` gives."""
        self._sink = sink
        self._judge = judge
        self._newest: ReadDraft | None = None
        self._is_told = asyncio.Event()
        self._over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def written(self, read: ReadDraft) -> None:
        """Take a newer part; an older one that was not judged yet is left out."""
        self._newest = read
        self._is_told.set()

    async def __aenter__(self) -> Self:
        """Begin to judge."""
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Judge nothing more."""
        assert self._task is not None
        self._over.set()
        self._is_told.set()
        if isinstance(error, asyncio.CancelledError):
            self._task.cancel()
        (ended,) = await asyncio.gather(self._task, return_exceptions=True)
        if isinstance(ended, Exception):  # also what nobody foresaw: the whole answer is verified all the same
            _log.info("not shown early any more", error=type(ended).__name__)

    async def _run(self) -> None:
        judged: DraftAnswer | None = None
        while True:
            await self._is_told.wait()
            self._is_told.clear()
            if self._over.is_set() or self._newest is None:
                return
            began = time.monotonic()
            draft = await asyncio.to_thread(self._newest)
            if draft is None or (judged is not None and draft.sentences == judged.sentences):
                continue
            judged, answer = draft, await self._judge(draft)
            took_s = time.monotonic() - began
            if answer is not None and not self._over.is_set():
                await self._sink.show(answer)
            await self._rest(took_s)

    async def _rest(self, took_s: float) -> None:
        """Leave the machine to others: on a busy one, and where sentences are compared by vectors, there are fewer judgments."""
        with suppress(TimeoutError):
            async with asyncio.timeout(min(_RESTS * took_s, _LONGEST_REST_S)):
                await self._over.wait()
