"""The working signal: a status in the thread from receipt on, one visible "still working", and its end.

Slack takes the status away when the app says something in the thread. Where it takes no status, a note says once that
work goes on, and goes when the answer is there.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import nullcontext

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.accept import FOLLOWED
from bot.adapters.slack.failures import SlackRefused, slack_errors
from bot.adapters.slack.streaming import WORKING, PostNotes, Refusals
from bot.early import EarlySink, offered, offering
from bot.early_posts import ShowsEarly
from bot.errors import PlatformError, StateUnavailable
from bot.messages import AcceptedMessage, Answer, MessageId, Outcome, Platform, Reply
from bot.ports import Clock, Leaves, Poster, Responder
from bot.questions.access import DRAFTED
from bot.questions.admission import APP
from bot.texts import say
from bot.words import lexicon_of
from retrieval.redaction import RedactedText

# A person waits this long before they wonder.
STILL_AFTER_S = 10.0
QUICK_S = 3.0
_log = structlog.get_logger(__name__)


class SlackWorking:
    """Shows and ends the signal; nothing of an answer depends on it."""

    def __init__(
        self, client: AsyncWebClient, notes: PostNotes, clock: Clock, *, still_after_s: float = STILL_AFTER_S
    ) -> None:
        """Signal through the client; a question that takes longer than `still_after_s` gets one more word."""
        self._client = client
        self._notes = notes
        self._refusals = Refusals(clock)
        self._still_after_s = still_after_s
        self._clock = clock
        self._saying: dict[MessageId, asyncio.Task[None]] = {}

    def received(self, message: AcceptedMessage) -> None:
        """Show the status, beside whatever else is done; a refused question and a command get none."""
        if _is_shown(message) and not message.refusal:
            self._say(message, self._working(message))

    async def still(self, message: AcceptedMessage) -> None:
        """Say once, when it takes long, that work goes on; runs until cancelled, but for a word that is on its way."""
        await asyncio.sleep(self._still_after_s)
        await asyncio.shield(self._say(message, self._still(message)))

    async def ended(self, message: AcceptedMessage, *, is_said: bool) -> None:
        """Take the signal away: the note always, the status where nothing in the thread has ended it.

        A status that another process sets at receipt may come after an answer that was quick.
        """
        if not _is_shown(message):
            return
        if (saying := self._saying.get(message.message_id)) is not None:
            await asyncio.wait({saying})
        await self._take_note_away(message)
        if not is_said or self._clock.now() - message.received_at < QUICK_S:
            await self._is_status_shown(message, RedactedText.stored(""))

    async def _take_note_away(self, message: AcceptedMessage) -> None:
        try:
            ts = await self._notes.noted(message, WORKING)
            if ts:
                with slack_errors():
                    await self._client.api_call("chat.delete", json={"channel": message.thread.channel_id, "ts": ts})
                await self._notes.note(message, WORKING, "")
        except (PlatformError, StateUnavailable) as error:
            _log.info("note not taken away", message_id=message.message_id, error=type(error).__name__)

    def _say(self, message: AcceptedMessage, word: Coroutine[None, None, None]) -> "asyncio.Task[None]":
        task = self._saying[message.message_id] = asyncio.create_task(word)
        task.add_done_callback(lambda done: self._forget(message.message_id, done))
        return task

    def _forget(self, message_id: MessageId, done: "asyncio.Task[None]") -> None:
        if self._saying.get(message_id) is done:
            del self._saying[message_id]

    async def _working(self, message: AcceptedMessage) -> None:
        # The first look at the lexicons reads ten files: not on the loop, which has deliveries to acknowledge.
        await self._is_status_shown(message, await asyncio.to_thread(_said, "working", message))

    async def _still(self, message: AcceptedMessage) -> None:
        text = await asyncio.to_thread(_said, "still_working", message)
        if not await self._is_status_shown(message, text):
            await self._noted(message, text)

    async def _is_status_shown(self, message: AcceptedMessage, text: RedactedText) -> bool:
        channel = message.thread.channel_id
        if self._refusals.is_off(channel):
            return False
        arguments = {"channel_id": channel, "thread_ts": message.thread.thread_id, "status": str(text)}
        try:
            with slack_errors():
                await self._client.api_call("assistant.threads.setStatus", json=arguments)
        except SlackRefused as refusal:
            self._refusals.remember(channel, refusal.code)
            return False
        except PlatformError:
            return False
        return True

    async def _noted(self, message: AcceptedMessage, text: RedactedText) -> None:
        thread = message.thread
        try:
            if await self._notes.noted(message, WORKING):
                return  # an earlier run has said so
            arguments = {"channel": thread.channel_id, "thread_ts": thread.thread_id, "text": str(text)}
            with slack_errors():
                posted = await self._client.api_call("chat.postMessage", json=arguments)
            await self._notes.note(message, WORKING, str(posted.get("ts") or ""))
        except (PlatformError, StateUnavailable) as error:
            _log.info("no word that work goes on", message_id=message.message_id, error=type(error).__name__)


class WorkingResponder:
    """A `Responder` that says so when an answer takes long."""

    def __init__(self, responder: Responder, working: SlackWorking) -> None:
        """Answer as the responder does."""
        self._responder = responder
        self._working = working

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give the answer."""
        if not _is_shown(message):
            return await self._responder.respond(message, is_stateless=is_stateless)
        waiting, sink = asyncio.create_task(self._working.still(message)), offered()
        try:
            with offering(_Quieting(sink, waiting)) if sink is not None else nullcontext():
                return await self._responder.respond(message, is_stateless=is_stateless)
        finally:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)


class _Quieting:
    """A sink behind which nobody says any more that work goes on: the first words stand."""

    def __init__(self, sink: EarlySink, waiting: "asyncio.Task[None]") -> None:
        self._sink = sink
        self._waiting = waiting

    async def show(self, answer: Answer) -> None:
        """Show it."""
        self._waiting.cancel()
        await self._sink.show(answer)


class WorkingPoster:
    """A `Poster` that ends the signal when the reply stands, or can never stand.

    Implements `bot.ports.Leaves` and `bot.early_posts.ShowsEarly` too.
    """

    def __init__(self, poster: Poster, working: SlackWorking) -> None:
        """Post as the poster does."""
        self._poster = poster
        self._working = working

    async def post(self, reply: Reply) -> str:
        """Post the reply; a failure that may pass leaves the signal, since the question is not over.

        Raises:
            PlatformUnavailable, ReplyRejected: as the poster.
        """
        post_id = await self._poster.post(reply)
        is_private = reply.answer.outcome is Outcome.NOT_PERMITTED and not reply.message.is_direct
        await self._working.ended(reply.message, is_said=bool(post_id) and not is_private)
        return post_id

    def may_show(self, message: AcceptedMessage) -> bool:
        """Tell whether the poster shows an answer to this message while it is written."""
        return isinstance(self._poster, ShowsEarly) and self._poster.may_show(message)

    async def show(self, reply: Reply) -> bool:
        """Show the beginning of an answer; the signal ends with the whole.

        Raises:
            PlatformUnavailable: as the poster.
        """
        return isinstance(self._poster, ShowsEarly) and await self._poster.show(reply)

    async def left(self, message: AcceptedMessage) -> None:
        """End the signal of a question that was deleted meanwhile, or whose reply Slack will never take."""
        if isinstance(self._poster, Leaves):
            await self._poster.left(message)
        await self._working.ended(message, is_said=False)


def _is_shown(message: AcceptedMessage) -> bool:
    is_slack = message.thread.platform is Platform.SLACK and bool(message.thread.thread_id)
    # Nobody named the bot, or only the asker will see the answer: no word to the others of the thread.
    is_quiet = bool(message.route(FOLLOWED) or message.route(DRAFTED) or message.route(APP))
    return is_slack and not (is_quiet or message.is_command or message.task)


def _said(key: str, message: AcceptedMessage) -> RedactedText:
    return say(key, lexicon_of(message.text).code)
