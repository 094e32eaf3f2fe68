"""Streaming a verified answer into its thread, and ending what a stream left open.

Nothing is streamed that was not checked: a whole answer before its first piece goes out, or each beginning of one that a
model still writes (`early_stream`). The vendor's helper has no recovery, so the methods are called here: the time stamp is noted as soon as there is one, and a stream
that breaks is finished as an ordinary message by `chat.update`.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Protocol

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.calls import call
from bot.adapters.slack.failures import SlackRefused
from bot.adapters.slack.lookups import is_within
from bot.adapters.slack.payload import id_at, text_at
from bot.adapters.slack.read_thread import read_thread
from bot.adapters.slack.render import Part
from bot.errors import PlatformError, PlatformUnavailable, StateUnavailable
from bot.messages import AcceptedMessage, Outcome, Reply
from bot.ports import Clock
from bot.questions.admission import APP

STREAM, WORKING = "stream", "working"
# `chat.stopStream` is limited to some 20 calls a minute in a workspace.
STREAMS_A_MINUTE = 15
OFF_S = 3_600.0
_PIECES = 4
_NOT_STREAMING = "message_not_in_streaming_state"
# Refusals that hold in every channel.
_EVERYWHERE = frozenset(
    {
        "unknown_method", "missing_scope", "not_allowed_token_type", "method_deprecated", "deprecated_endpoint",
        "no_permission", "feature_not_enabled", "enterprise_is_restricted", "team_access_not_granted",
    }
)  # fmt: skip
_log = structlog.get_logger(__name__)


class PostNotes(Protocol):
    """Remembers, for a later run, what stands in a thread for a question before its answer does.

    `kind` is `stream` for a message that is being streamed, `working` for a note that says that work goes on. Raises
    `StateUnavailable` when Redis is out of reach.
    """

    async def note(self, message: AcceptedMessage, kind: str, ts: str) -> None:
        """Remember a time stamp; an empty one forgets it."""
        ...

    async def noted(self, message: AcceptedMessage, kind: str) -> str:
        """Give the time stamp, empty when there is none."""
        ...


class Refusals:
    """Remembers for an hour where a feature was refused: everywhere, or in a channel."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._since: dict[str, float] = {}

    def remember(self, channel: str, code: str) -> None:
        """Keep a refusal."""
        where = "*" if code in _EVERYWHERE else channel
        self._since[where] = self._clock.now()

    def is_off(self, channel: str) -> bool:
        """Tell whether the feature was refused here within the last hour."""
        now = self._clock.now()
        return any(where in self._since and is_within(now - self._since[where], OFF_S) for where in ("*", channel))


class Streams:
    """Streams answers, and falls back where it may not or cannot."""

    def __init__(self, client: AsyncWebClient, notes: PostNotes, clock: Clock, *, is_early: bool = False) -> None:
        """Stream through the client; what is open is noted in `notes`. `is_early`: also while a model still writes."""
        self.is_early = is_early
        self._client = client
        self._notes = notes
        self._clock = clock
        self._refusals = Refusals(clock)
        self._begun: deque[float] = deque()

    def may_stream(self, reply: Reply, part: Part) -> bool:
        """Tell whether this answer, which has one part, is worth a stream and may be one."""
        is_long = reply.answer.outcome is Outcome.ANSWERED and len(pieces_of(part.markdown)) > 1
        return is_long and not part.above and self.may_begin(reply.message)

    def may_begin(self, message: AcceptedMessage) -> bool:
        """Tell whether an answer to this message may be streamed now and here."""
        now = self._clock.now()
        while self._begun and not is_within(now - self._begun[0], 60):
            self._begun.popleft()
        has_recipient = message.is_direct or bool(message.user_id and message.thread.tenant_id)
        is_plain = message.is_command or message.task or message.route(APP) or not message.thread.thread_id
        is_open = len(self._begun) < STREAMS_A_MINUTE and not self._refusals.is_off(message.thread.channel_id)
        return has_recipient and is_open and not is_plain

    async def post(self, message: AcceptedMessage, part: Part, update: Mapping[str, object]) -> str:
        """Stream one part and give its time stamp; empty when nothing stands, so that it is to be posted plainly.

        Args:
            message: the question.
            part: what is said.
            update: arguments of `chat.update` that bring a broken stream to its whole text, without the time stamp.

        Raises:
            PlatformUnavailable: it is not known how far it came; another run finds it by its note or its open state.
        """
        first, *others = pieces_of(part.markdown)
        ts = await self.begun(message, first)
        return await self.ended_with(message, ts, others, part, update) if ts else ""

    async def begun(self, message: AcceptedMessage, first: str) -> str:
        """Begin a stream and note it; gives its time stamp, empty when Slack does not take it now or here.

        Raises:
            PlatformUnavailable: it may have begun.
        """
        ts = await self._started(message, first)
        if ts:
            await self._note(message, ts)
        return ts

    async def appended(self, message: AcceptedMessage, ts: str, piece: str) -> bool:
        """Add a piece to a stream; False when it broke."""
        try:
            await call(self._client, "chat.appendStream", {**_at(message, ts), "chunks": _chunks(piece)})
        except PlatformError as error:
            self._broken(message, error)
            return False
        return True

    async def ended_with(
        self, message: AcceptedMessage, ts: str, pieces: Sequence[str], part: Part, update: Mapping[str, object]
    ) -> str:
        """Add the last pieces to a stream and end it; arguments, result and errors as for `post`."""
        try:
            for piece in pieces:
                await call(self._client, "chat.appendStream", {**_at(message, ts), "chunks": _chunks(piece)})
            await call(self._client, "chat.stopStream", {**_at(message, ts), **_end(part, update)})
        except PlatformError as error:
            self._broken(message, error)
            return await self.finished(message, ts, update)
        return ts

    async def left(self, message: AcceptedMessage) -> str:
        """Give the message that an earlier run left as an open or broken stream, ended; empty when there is none.

        Raises:
            PlatformUnavailable: Slack is out of reach.
        """
        noted = await self._noted(message)
        if noted:
            await self._ended(message, noted)
            return noted
        for ts in await self._open(message):
            if await self._ended(message, ts):  # somebody else's stream is refused
                return ts
        return ""

    async def _started(self, message: AcceptedMessage, first: str) -> str:
        """Begin a stream; empty when Slack does not take it now or here."""
        arguments: dict[str, object] = {
            "channel": message.thread.channel_id,
            "thread_ts": message.thread.thread_id,
            "chunks": _chunks(first),
        }
        if not message.is_direct:
            arguments |= {"recipient_user_id": message.user_id, "recipient_team_id": message.thread.tenant_id}
        try:
            ts = await call(self._client, "chat.startStream", arguments)
        except SlackRefused as refusal:
            self._broken(message, refusal)
            return ""
        except PlatformUnavailable as error:
            if error.retry_after_s is None:
                raise
            return ""  # a 429: nothing was begun
        self._begun.append(self._clock.now())
        return ts

    async def finished(self, message: AcceptedMessage, ts: str, update: Mapping[str, object]) -> str:
        """Make the whole text of what a stream left; empty when that cannot be changed and was taken away.

        Raises:
            PlatformUnavailable: as for `post`.
        """
        await self._ended(message, ts)
        try:
            await call(self._client, "chat.update", {**update, "ts": ts})
        except SlackRefused as refusal:
            _log.warning("broken stream not finished", message_id=message.message_id, reason=refusal.code)
            await self.taken_away(message, ts)
            return ""
        return ts

    async def taken_away(self, message: AcceptedMessage, ts: str) -> None:
        """Delete what a stream left.

        Raises:
            PlatformUnavailable: Slack is out of reach.
        """
        try:
            await call(self._client, "chat.delete", _at(message, ts))
        except SlackRefused as refusal:
            _log.warning("broken stream stands", message_id=message.message_id, reason=refusal.code)
        await self._note(message, "")

    async def _ended(self, message: AcceptedMessage, ts: str) -> bool:
        """End a stream; False when there is none of ours to end."""
        try:
            await call(self._client, "chat.stopStream", _at(message, ts))
        except SlackRefused as refusal:
            if refusal.code != _NOT_STREAMING:
                _log.info("stream not ended", message_id=message.message_id, reason=refusal.code)
            return False
        except PlatformUnavailable:  # an update is tried all the same: Slack ends a stream by itself
            return False
        return True

    async def _open(self, message: AcceptedMessage) -> list[str]:
        """Find streams in the thread that nobody ended: a run that died before it could note its own."""
        try:
            posts = await read_thread(
                self._client, message.thread, oldest=message.route("ts") or message.thread.thread_id
            )
        except SlackRefused:
            return []
        return [id_at(post, "ts") for post in posts if text_at(post, "streaming_state") == "in_progress"]

    def _broken(self, message: AcceptedMessage, error: PlatformError) -> None:
        code = error.code if isinstance(error, SlackRefused) else type(error).__name__
        _log.info("not streamed", message_id=message.message_id, reason=code)
        if isinstance(error, SlackRefused):
            self._refusals.remember(message.thread.channel_id, code)

    async def _note(self, message: AcceptedMessage, ts: str) -> None:
        try:
            await self._notes.note(message, STREAM, ts)
        except StateUnavailable:  # then its open state is what finds it
            _log.warning("stream not noted", message_id=message.message_id)

    async def _noted(self, message: AcceptedMessage) -> str:
        try:
            return await self._notes.noted(message, STREAM)
        except StateUnavailable:
            return ""


def pieces_of(markdown: str) -> list[str]:
    """Cut a text into at most four pieces that give it again when joined: its first line, which answers, and the rest."""
    lines = markdown.splitlines(keepends=True)
    first = next((place for place, line in enumerate(lines) if line.strip()), len(lines)) + 1
    rest = lines[first:]
    if not rest:
        return [markdown]
    size = -(-len(rest) // (_PIECES - 1))
    groups = ["".join(rest[at : at + size]) for at in range(0, len(rest), size)]
    pieces = ["".join(lines[:first])]
    for group in groups:  # Slack refuses a piece without a word
        if group.strip():
            pieces.append(group)
        else:
            pieces[-1] += group
    return pieces


def _chunks(text: str) -> list[dict[str, str]]:
    return [{"type": "markdown_text", "text": text}]


def _at(message: AcceptedMessage, ts: str) -> dict[str, object]:
    return {"channel": message.thread.channel_id, "ts": ts}


def _end(part: Part, update: Mapping[str, object]) -> dict[str, object]:
    blocks = {"blocks": list(part.below)} if part.below else {}
    return {**blocks, "metadata": update["metadata"]}
