"""Posts replies on Slack: into the asking thread, or to the asker alone; once, also when the outcome was unclear."""

from collections.abc import Mapping
from dataclasses import replace

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.accept import FOLLOWED
from bot.adapters.slack.answer_buttons import Buttons, ref_of
from bot.adapters.slack.calls import call
from bot.adapters.slack.desk_clicks import WINDOW, share_blocks
from bot.adapters.slack.earlier_post import METADATA_EVENT, find_earlier_parts
from bot.adapters.slack.early_stream import EarlyStreams
from bot.adapters.slack.failures import BLOCKS_REFUSED, ONLY_PRIVATELY, SlackRefused
from bot.adapters.slack.private_replies import PrivateReplies
from bot.adapters.slack.quiet_replies import is_draft_first, is_kept_silent
from bot.adapters.slack.render import Part, render
from bot.adapters.slack.streaming import Streams
from bot.answers.answer_tasks import DRAFT, SOURCE
from bot.errors import PlatformError, PlatformUnavailable
from bot.messages import AcceptedMessage, MessageId, Outcome, Reply
from bot.ports import Clock
from bot.questions.access import DRAFTED

# The worker says when an earlier attempt had begun to post. It cannot while Redis is away, so a question that is older
# than any answer takes is looked for as well. Looking costs a call of a method that Slack limits to 50 a minute.
LOOK_BACK_AFTER_S = 30.0
_CLOCKS_DIFFER_S = 5.0  # those of two machines of one installation
_log = structlog.get_logger(__name__)


def _shareable(reply: Reply, parts: list[Part]) -> list[Part]:
    """Put the button that shares an answer below its last part, in place of the others."""
    if reply.answer.outcome is not Outcome.ANSWERED:
        return parts
    below = tuple(share_blocks(ref_of(reply.message), reply.answer.language))
    return [*parts[:-1], replace(parts[-1], below=below)]


class SlackPoster:
    """`bot.ports.Poster` for Slack."""

    def __init__(
        self,
        client: AsyncWebClient,
        *,
        clock: Clock,
        look_back_after_s: float = LOOK_BACK_AFTER_S,
        buttons: Buttons | None = None,
        streams: Streams | None = None,
    ) -> None:
        """Post through the client; questions older than `look_back_after_s` seconds are looked for first.

        `buttons` stand below every answer; without `streams` every reply is posted whole.
        """
        self._streams = streams
        self._early = EarlyStreams(streams) if streams is not None else None
        self._buttons = buttons
        self._client = client
        self._privately = PrivateReplies(client)
        self._clock = clock
        self._look_back_after_s = look_back_after_s
        self._unclear: set[MessageId] = set()

    def may_show(self, message: AcceptedMessage) -> bool:
        """Tell whether an answer may be shown while it is written: everybody in the thread will see it, whatever it will be."""
        is_quiet = message.refusal or message.route(FOLLOWED) or message.route(DRAFTED)
        is_new = not self._is_old(message) and message.message_id not in self._unclear
        return self._early is not None and not is_quiet and is_new and self._early.may_begin(message)

    async def show(self, reply: Reply) -> bool:
        """Show the verified beginning of an answer; gives whether more is wanted.

        Raises:
            PlatformUnavailable: some of it may stand; `post` looks then.
        """
        if self._early is None:
            return False
        self._unclear.add(reply.message.message_id)
        is_wanted = await self._early.show(reply)
        if not self._early.is_open(reply.message):
            self._unclear.discard(reply.message.message_id)
        return is_wanted

    async def left(self, message: AcceptedMessage) -> None:
        """Take away what was streamed of an answer that will not be given: its question is gone, or Slack refused the reply."""
        if self._early is None or self._streams is None or not message.thread.thread_id or message.is_command:
            return
        self._early.forget(message)
        self._unclear.discard(message.message_id)
        try:
            if ts := await self._streams.left(message):
                await self._streams.taken_away(message, ts)
        except PlatformError as error:
            _log.info("early answer not taken away", message_id=message.message_id, error=type(error).__name__)

    def _is_old(self, message: AcceptedMessage) -> bool:
        age_s = self._clock.now() - message.received_at
        return not -_CLOCKS_DIFFER_S <= age_s < self._look_back_after_s  # from the future: the clock was set back

    async def post(self, reply: Reply) -> str:
        """Post and give the time stamps of the messages; empty when there is nothing to say or no stamp is given.

        Raises:
            PlatformUnavailable: may be tried again; what stands already is found then and not posted twice.
            ReplyRejected: never will be taken.
        """
        parts, message = render(reply, self._buttons), reply.message
        if not parts or is_kept_silent(reply):
            return ""
        if message.task == SOURCE:
            return await self._privately.fill_window(reply)
        if message.is_command:
            is_shown = bool(message.route(WINDOW)) and await self._privately.fill_waiting(reply)
            return "" if is_shown else await self._privately.answer_command(message, parts)
        if is_draft_first(reply):
            return await self._privately.post(message, _shareable(reply, parts))
        is_refused = reply.answer.outcome is Outcome.NOT_PERMITTED and not message.is_direct
        if is_refused or message.task == DRAFT:
            return await self._privately.post(message, parts)
        return await self._post_openly(reply, parts)

    async def _post_openly(self, reply: Reply, parts: list[Part]) -> str:
        """Post for everybody, or where nobody may for the asker: without a stamp then, since nothing stands in the thread."""
        try:
            return await self._post_in_thread(reply, parts)
        except SlackRefused as refusal:
            if refusal.code not in ONLY_PRIVATELY:
                raise
        await self._privately.post(reply.message, parts)
        return ""

    async def _post_in_thread(self, reply: Reply, parts: list[Part]) -> str:
        message = reply.message
        if self._early is not None and self._early.is_open(message) and not reply.may_stand:
            if ts := await self._early.end(message, parts, _updating(message, parts[0])):
                stamps = [await self._post_part(message, part, number) for number, part in enumerate(parts[1:], 1)]
                self._unclear.discard(message.message_id)
                return " ".join((ts, *stamps))
        elif self._early is not None:
            self._early.forget(message)
        may_stand = reply.may_stand or self._is_old(message) or message.message_id in self._unclear
        earlier = await self._standing(message) if may_stand else {}
        self._unclear.add(message.message_id)
        is_one = len(parts) == 1 and not may_stand
        if self._streams is not None and is_one and self._streams.may_stream(reply, parts[0]):
            ts = await self._streams.post(message, parts[0], _updating(message, parts[0]))
            if ts:
                self._unclear.discard(message.message_id)
                return ts
        stamps = [
            await self._brought_to_date(message, part, number, earlier[number])
            if number in earlier
            else await self._post_part(message, part, number)
            for number, part in enumerate(parts)
        ]
        for number in sorted(earlier.keys() - range(len(parts))):
            await self._take_away(message, earlier[number])
        if may_stand and len(earlier) < len(parts):
            stamps = await self._merged(message, stamps)
        self._unclear.discard(message.message_id)
        return " ".join(stamps)

    async def _standing(self, message: AcceptedMessage) -> dict[int, str]:
        """Find what an earlier run left, whole parts or an open stream."""
        earlier = await self._earlier(message)
        if self._streams is not None and not earlier and (ts := await self._streams.left(message)):
            return {0: ts}
        return earlier

    async def _earlier(self, message: AcceptedMessage) -> dict[int, str]:
        """Find the parts that stand, and leave one of each."""
        found = await find_earlier_parts(self._client, message)
        for stamps in found.values():
            for ts in stamps[1:]:
                await self._take_away(message, ts)
        return {number: stamps[0] for number, stamps in found.items()}

    async def _merged(self, message: AcceptedMessage, stamps: list[str]) -> list[str]:
        """Look once more after posting beside an unclear attempt: what that one had sent may have come after our look."""
        try:
            standing = await self._earlier(message)
        except PlatformUnavailable:  # ours stand; a retry would only look again
            return stamps
        return [standing.get(number, ts) for number, ts in enumerate(stamps)]

    async def _brought_to_date(self, message: AcceptedMessage, part: Part, number: int, ts: str) -> str:
        """Make a part that stands say what this run says, and what history will keep: a model words it anew each time."""
        try:
            await self._put("chat.update", {**_arguments(message, part, number), "ts": ts}, part)
        except SlackRefused as refusal:
            _log.info("earlier post not updated", message_id=message.message_id, reason=refusal.code)
        return ts

    async def _take_away(self, message: AcceptedMessage, ts: str) -> None:
        """Delete a part of a longer answer than this run gave."""
        try:
            await call(self._client, "chat.delete", {"channel": message.thread.channel_id, "ts": ts})
        except SlackRefused as refusal:
            _log.info("earlier post not deleted", message_id=message.message_id, reason=refusal.code)

    async def _post_part(self, message: AcceptedMessage, part: Part, number: int) -> str:
        arguments = _arguments(message, part, number)
        arguments |= {"unfurl_links": False, "unfurl_media": False}
        if message.thread.thread_id:
            arguments["thread_ts"] = message.thread.thread_id
        return await self._put("chat.postMessage", arguments, part)

    async def _put(self, method: str, arguments: Mapping[str, object], part: Part) -> str:
        for blocks in (part.blocks(), part.sections()):
            try:
                return await call(self._client, method, {**arguments, "blocks": blocks})
            except SlackRefused as refusal:
                if refusal.code not in BLOCKS_REFUSED:
                    raise
        return await call(self._client, method, arguments)


def _updating(message: AcceptedMessage, part: Part) -> dict[str, object]:
    return {**_arguments(message, part, 0), "blocks": part.blocks()}


def _arguments(message: AcceptedMessage, part: Part, number: int) -> dict[str, object]:
    payload = {"key": message.message_id, "part": number}
    return {
        "channel": message.thread.channel_id,
        "text": part.text,
        "metadata": {"event_type": METADATA_EVENT, "event_payload": payload},
    }
