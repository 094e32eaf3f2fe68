"""The receiver: runs inside bolt after the signature was verified, enqueues, and only then acknowledges."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from bot.adapters.slack.accept import FOLLOWED, EventReader, Incoming
from bot.adapters.slack.commands import CommandReader
from bot.adapters.slack.gone import DeletedMessage, read_gone
from bot.adapters.slack.identity import IdentityBook
from bot.adapters.slack.interact import Serve, read_interaction
from bot.adapters.slack.payload import Payload, mapping_at, text_at
from bot.adapters.slack.prompts import SuggestedPrompts
from bot.adapters.slack.working import SlackWorking
from bot.errors import StateUnavailable
from bot.messages import AcceptedMessage, Outcome
from bot.ports import Intake, Place, ThreadStore, Withdrawals
from bot.texts import say
from retrieval.language import language_of
from retrieval.redaction import RedactedText

PARSED_BODY = "triage_parsed_body"
# Slack waits three seconds; whatever the state's own timeouts are, the answer must be out by then.
ENQUEUE_TIMEOUT_S = 2.0
_DEFAULT_LANGUAGE = "en"
_LANGUAGE_TIMEOUT_S = 0.3
_MORE = ("show ID", "draft CUSTOMER'S QUESTION", "incident TEXT until TIME", "incident list", "incident end ID")


@dataclass(frozen=True, slots=True)
class Stores:
    """What the receiver writes to and looks up.

    `threads` tells whether the bot waits for the question of a bare mention; `withdrawals` is told of deleted messages
    and of workspaces that removed the bot; `working` shows that a question was received.
    """

    queue: Intake
    threads: ThreadStore
    withdrawals: Withdrawals | None = None
    working: SlackWorking | None = None


@dataclass(frozen=True, slots=True)
class Readers:
    """Who reads the bodies: events, slash commands, by name what serves clicks, forms and shortcuts, and the agent view."""

    events: EventReader
    commands: CommandReader
    clicks: Mapping[str, Serve]
    prompts: SuggestedPrompts | None = None


class Receiver:
    """Middleware for `AsyncApp(before_authorize=…)`.

    Every body ends here: questions are enqueued, what nobody listens to gets its 200, so bolt never asks `auth.test`,
    whose failure would acknowledge an event and lose it.
    """

    def __init__(
        self,
        *,
        stores: Stores,
        identity: IdentityBook,
        readers: Readers,
        timeout_s: float = ENQUEUE_TIMEOUT_S,
    ) -> None:
        """Enqueue into the queue of the stores what the readers take for a question."""
        self._withdrawals = stores.withdrawals
        self._working = stores.working
        self._timeout_s = timeout_s
        self._queue = stores.queue
        self._threads = stores.threads
        self._identity = identity
        self._events = readers.events
        self._commands = readers.commands
        self._clicks = readers.clicks
        self._prompts = readers.prompts

    async def __call__(self, request: AsyncBoltRequest) -> BoltResponse:
        """Judge one delivery.

        Raises:
            StateUnavailable: it could not be made durable. Bolt turns this into a 500 over HTTP and into no
                acknowledgement over Socket Mode; Slack delivers again.
        """
        body: Payload = request.context.get(PARSED_BODY, request.body)
        if text_at(body, "type") == "url_verification":
            return BoltResponse(status=200, body={"challenge": text_at(body, "challenge")})
        if "command" in body and text_at(body, "ssl_check") != "1":
            return await self._command(body)
        if text_at(body, "type") == "event_callback":
            await self._event(body)
            return _ok()
        return await self._interaction(body)

    async def _event(self, body: Payload) -> None:
        if self._prompts is not None and await self._prompts.serve(mapping_at(body, "event")):
            return
        gone = read_gone(body, self._identity.current)
        if gone is not None and self._withdrawals is not None:
            async with _bounded(self._timeout_s):
                await _take_out(gone, self._withdrawals)
            return
        incoming = self._events.read(body, self._identity.current)
        if incoming is None:
            return
        async with _bounded(self._timeout_s):
            if not incoming.is_unaddressed or await self._is_awaited(incoming.message):
                await self._enqueue(incoming)

    async def _interaction(self, body: Payload) -> BoltResponse:
        """Serve a click, a form or a shortcut; a click on a link, and what nobody serves, gets its 200."""
        done = read_interaction(body)
        serve = self._clicks.get(done.name) if done else None
        if done is None or serve is None:
            return _ok()
        async with _bounded(self._timeout_s):
            return await serve(done) or _ok()

    async def _command(self, body: Payload) -> BoltResponse:
        command = self._commands.read(body, self._identity.current)
        if command.incoming is None:
            return _ephemeral(usage(command.name))
        async with _bounded(self._timeout_s):
            await self._enqueue(command.incoming)
        return _ephemeral(say("searching", await _language(command.incoming.message)))

    async def _enqueue(self, incoming: Incoming) -> None:
        is_new = await self._queue.enqueue(incoming.message, claims=incoming.claims)
        if is_new and self._working is not None:
            self._working.received(incoming.message)

    async def _is_awaited(self, message: AcceptedMessage) -> bool:
        """Tell whether the bot speaks in this thread: it asked "what is your question?", or it follows along."""
        turns = await self._threads.turns(message.thread)
        return bool(turns) and (turns[-1].outcome is Outcome.CLARIFY or bool(message.route(FOLLOWED)))


def usage(command: RedactedText) -> str:
    """Say how the command is used; what follows its name is the same in every language."""
    return "\n".join((say("usage", _DEFAULT_LANGUAGE, command=command), *(f"{command} {more}" for more in _MORE)))


async def _take_out(gone: DeletedMessage | Place, withdrawals: Withdrawals) -> None:
    if isinstance(gone, Place):
        await withdrawals.leave(gone)
    else:
        await withdrawals.withdraw(gone.message_id, gone.thread)


@asynccontextmanager
async def _bounded(timeout_s: float) -> AsyncIterator[None]:
    """Turn a wait that outlasts Slack's patience into `StateUnavailable`."""
    try:
        async with asyncio.timeout(timeout_s):
            yield
    except TimeoutError:
        raise StateUnavailable("the question could not be stored in time") from None


async def _language(message: AcceptedMessage) -> str:
    """Name the language of the asker; the first call loads a model for two seconds, which the asker does not wait for."""
    try:
        async with asyncio.timeout(_LANGUAGE_TIMEOUT_S):
            return await asyncio.to_thread(language_of, message.text) or _DEFAULT_LANGUAGE
    except TimeoutError:
        return _DEFAULT_LANGUAGE


def _ok() -> BoltResponse:
    return BoltResponse(status=200, body="")


def _ephemeral(text: str) -> BoltResponse:
    return BoltResponse(status=200, body={"response_type": "ephemeral", "text": text})
