"""What was answered, as the buttons below it need it: kept in Redis, so that any process can serve a click."""

import asyncio
from dataclasses import dataclass, replace
from typing import Protocol

import structlog

from bot.audit import NameOf, nobody
from bot.errors import StateUnavailable
from bot.messages import AcceptedMessage, Answer, MessageId, Outcome, Platform, ThreadRef, Turn
from bot.ports import Responder
from bot.texts import say
from bot.words import lexicon_of
from retrieval.redaction import RedactedText, unnumbered

# Ends without a button: nothing was looked up.
_PLAIN_ENDS = frozenset({Outcome.COURTESY, Outcome.CLARIFY, Outcome.NOT_PERMITTED})
_EARLIER = 4  # questions of the thread, as many as a rewriter reads
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """One answer with its question. The message has no user id and no routing; `asker` is the pseudonym of who asked.

    `earlier` are the questions before it in its thread, oldest first.
    """

    message: AcceptedMessage
    answer: Answer
    asker: str = ""
    earlier: tuple[RedactedText, ...] = ()

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids that the answer cites."""
        return tuple(dict.fromkeys(citation.id for citation in self.answer.citations))

    @property
    def as_turn(self) -> Turn:
        """The turn that it was."""
        return Turn(
            question=self.message.text,
            answer=self.answer.text,
            cited_ids=self.cited,
            language=self.answer.language,
            outcome=self.answer.outcome,
            asked_at=self.message.received_at,
            cost_usd=self.answer.usage.cost_usd,
            asker=self.asker,
        )


class AnswerStore(Protocol):
    """Keeps answers for their buttons. Raises `StateUnavailable` when Redis is out of reach."""

    async def keep(self, kept: KeptAnswer) -> None:
        """Keep an answer; a later one for the same message takes its place. What was forgotten meanwhile is not kept."""
        ...

    async def find(self, thread: ThreadRef, message_id: MessageId) -> KeptAnswer | None:
        """Give the answer of a message, None when there is none any more."""
        ...


def has_buttons(answer: Answer) -> bool:
    """Tell whether something was looked up for this answer, so that there is something to ask about it."""
    return answer.outcome not in _PLAIN_ENDS


class KeepingResponder:
    """A `Responder` that keeps the answers of the platforms before they are posted, so that no click comes too early."""

    def __init__(self, responder: Responder, store: AnswerStore, *, name_of: NameOf = nobody) -> None:
        """Answer as the responder does; `name_of` gives the pseudonym of a user id."""
        self._responder = responder
        self._store = store
        self._name_of = name_of

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give the answer; without Redis it has buttons that say that the answer is not known any more.

        Meanwhile the question is kept as one that failed: should no worker live to answer it, it can be tried again.
        """
        if message.task or message.thread.platform not in {Platform.SLACK, Platform.TEAMS}:
            return await self._responder.respond(message, is_stateless=is_stateless)
        begun = asyncio.create_task(self._keep(message, _failed(message)))
        try:
            answer = await self._responder.respond(message, is_stateless=is_stateless)
        finally:
            await asyncio.gather(begun, return_exceptions=True)
        if has_buttons(answer):
            await self._keep(message, answer)
        return answer

    async def _keep(self, message: AcceptedMessage, answer: Answer) -> None:
        try:
            asker = await self._name_of(message.user_id)
            await self._store.keep(kept_answer(message, answer, asker=asker))
        except StateUnavailable:
            _log.warning("answer not kept for its buttons", message_id=message.message_id)


def _failed(message: AcceptedMessage) -> Answer:
    language = lexicon_of(message.text).code
    text = say("unavailable", language)
    return Answer(outcome=Outcome.UNAVAILABLE, text=text, language=language, request_id="")


def kept_answer(message: AcceptedMessage, answer: Answer, *, asker: str) -> KeptAnswer:
    """Make what is kept: nobody's id, no address to reply to, plain tokens."""
    told = answer.told
    earlier = tuple(unnumbered(turn.question) for turn in told.turns if not turn.is_heard) if told else ()
    asked = message.text or (
        unnumbered(told.text) if told else message.text
    )  # a bare mention asks the thread's question
    return KeptAnswer(
        message=replace(message, text=asked, user_id="", routing=(), is_truncated=False),
        answer=replace(answer, told=None, text=unnumbered(answer.text)),
        asker=asker,
        earlier=earlier[-_EARLIER:],
    )
