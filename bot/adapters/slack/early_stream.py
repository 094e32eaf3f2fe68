"""An answer streamed while a model writes it: each verified beginning continues the words that stand, or waits for the end.

At the end the whole answer decides. Where it begins with what stands, the rest is appended; where not (a leak over two
sentences, a cut answer, quotes instead), the same message is brought to its whole text by `chat.update`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import structlog

from bot.adapters.slack.render import Part, beginning
from bot.adapters.slack.streaming import Streams
from bot.messages import AcceptedMessage, MessageId, Reply

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Open:
    """A message that is being streamed: its time stamp and all that it shows."""

    ts: str
    shown: str
    is_broken: bool = False


class EarlyStreams:
    """Keeps what this process streams before its answers are complete."""

    def __init__(self, streams: Streams) -> None:
        """Stream by the calls of `streams`."""
        self._streams = streams
        self._open: dict[MessageId, _Open] = {}

    def may_begin(self, message: AcceptedMessage) -> bool:
        """Tell whether an answer to this message may be streamed now and here."""
        return self._streams.is_early and self._streams.may_begin(message)

    def is_open(self, message: AcceptedMessage) -> bool:
        """Tell whether some of the answer stands."""
        return message.message_id in self._open

    async def show(self, reply: Reply) -> bool:
        """Add what continues the words that stand; gives whether more is wanted.

        Raises:
            PlatformUnavailable: the stream may have begun, nobody knows; the next look at the thread tells.
        """
        message, text = reply.message, beginning(reply)
        stream = self._open.get(message.message_id)
        if stream is None:
            return not text or await self._begun(message, text)
        more = text.removeprefix(stream.shown)
        if stream.is_broken or not more.strip() or not text.startswith(stream.shown):
            return not stream.is_broken
        # Whether a call that failed did its work nobody knows: only the whole text of an update is certain then.
        stream.is_broken = not await self._streams.appended(message, stream.ts, more)
        stream.shown = text
        return not stream.is_broken

    async def end(self, message: AcceptedMessage, parts: list[Part], update: Mapping[str, object]) -> str:
        """Bring what stands to the first part of the whole answer; gives its time stamp, empty when nothing stands any more.

        Args:
            message: the question.
            parts: the whole answer; the others are left to the caller.
            update: arguments of `chat.update` for the first part, without the time stamp.

        Raises:
            PlatformUnavailable: it is not known how far it came; another look finds it.
        """
        stream = self._open.pop(message.message_id)
        text = parts[0].markdown
        if stream.is_broken or len(parts) > 1 or not text.startswith(stream.shown):
            _log.info("early answer replaced", message_id=message.message_id, broken=stream.is_broken)
            return await self._streams.finished(message, stream.ts, update)
        more = text[len(stream.shown) :]
        return await self._streams.ended_with(message, stream.ts, [more] if more.strip() else [], parts[0], update)

    def forget(self, message: AcceptedMessage) -> None:
        """Know nothing more of a message; what stands is found by its note."""
        self._open.pop(message.message_id, None)

    async def _begun(self, message: AcceptedMessage, text: str) -> bool:
        if not self._streams.may_begin(message):
            return False
        ts = await self._streams.begun(message, text)
        if ts:
            self._open[message.message_id] = _Open(ts, text)
        return bool(ts)
