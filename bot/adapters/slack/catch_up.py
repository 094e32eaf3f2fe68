"""After a time without intake: what was asked meanwhile is answered, marked late; what is too old is named in one note."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.accept import EventReader, Incoming
from bot.adapters.slack.app import SlackApp, SlackParts
from bot.adapters.slack.failures import SlackRefused, slack_errors
from bot.adapters.slack.identity import BotIdentity, IdentityBook
from bot.adapters.slack.missed import MISSED_EVENT, Heard, Room, heard_in, rooms
from bot.adapters.slack.payload import Payload
from bot.adapters.slack.rules import SlackRules
from bot.adapters.store.intake_record import Gap, IntakeRecord
from bot.errors import PlatformError, StateUnavailable
from bot.messages import AcceptedMessage, Outcome
from bot.texts import say
from bot.words import lexicon_of
from retrieval.redaction import RedactedText

BEAT_S = 10.0
ANSWERED_WITHIN_S = 3_600.0
OVERLAP_S = 15.0  # a beat, and a little: what came in right before the silence may never have been stored
LONGEST_GAP_S = 7 * 86_400.0
LATE = "late"  # name of the routing value that makes the answer say so
MOST_LISTED = 20
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """What came of a gap: questions put into the queue, and questions that a note names."""

    answered: int = 0
    listed: int = 0


class CatchUp:
    """The service; every process that takes Slack's events in runs one."""

    def __init__(self, slack: SlackApp, parts: SlackParts, *, rules: SlackRules, record: IntakeRecord) -> None:
        """Read through the application's client and enqueue into the queue of the parts, beside its limits."""
        self._client: AsyncWebClient = slack.bolt.client
        self._identity: IdentityBook = slack.identity
        self._parts = parts
        self._rules = rules
        self._record = record
        self._events = EventReader(redactor=parts.redactor, rules=rules, clock=parts.clock)

    async def serve(self, is_open: Callable[[], bool], *, beat_s: float = BEAT_S) -> None:
        """Beat while the way in is open, and look through each gap; until cancelled."""
        looking: asyncio.Task[None] | None = None
        try:
            while True:
                gap = await self._beat(is_open=is_open())
                if gap is not None and (looking is None or looking.done()):
                    looking = asyncio.create_task(self._look(gap))
                await asyncio.sleep(beat_s)
        finally:
            if looking is not None:
                looking.cancel()
                await asyncio.gather(looking, return_exceptions=True)

    async def _beat(self, *, is_open: bool) -> Gap | None:
        """Say that events come in; give the gap that is ours to look through."""
        if not is_open:
            return None
        now = self._parts.clock.now()
        try:
            gap = await self._record.beat(now)
            return gap if gap is not None and await self._record.hold(now) else None
        except StateUnavailable:
            return None

    async def _look(self, gap: Gap) -> None:
        try:
            done = await self.bring_in(gap)
        except (PlatformError, StateUnavailable) as error:  # the gap stays open, and the next beat tries again
            _log.warning("gap not read", error=type(error).__name__)
        else:
            seconds = round(gap.end - gap.start)
            _log.info("gap read", seconds=seconds, answered=done.answered, listed=done.listed)

    async def bring_in(self, gap: Gap) -> CaughtUp:
        """Look through a gap once and close it.

        Raises:
            PlatformError: Slack is out of reach; what was enqueued is known by its claim when this is done again.
            StateUnavailable: Redis is out of reach, or the queue is full.
        """
        identity = self._identity.current if self._identity.is_known else await self._identity.ask()
        since = max(gap.start - OVERLAP_S, gap.end - LONGEST_GAP_S)
        answered = listed = 0
        for room in await rooms(self._client, self._rules):
            try:
                heard = await heard_in(self._client, room, since=since)
            except SlackRefused as refusal:
                _log.warning("channel not read", channel=room.id, reason=refusal.code)
                continue
            young, old = self._missed(room, heard, identity)
            for incoming in young:
                answered += await self._enqueue(incoming)
            listed += await self._list(room, heard, old)
        await self._record.close(gap)
        return CaughtUp(answered, listed)

    def _missed(self, room: Room, heard: Heard, identity: BotIdentity) -> tuple[list[Incoming], list[Incoming]]:
        """Give what asks the bot and has no reply: what can still be answered, and what is too old."""
        read = (self._events.read(_delivery(room, post, identity), identity) for post in heard.said)
        missed = [found for found in read if found is not None and found.message.message_id not in heard.answered]
        oldest = self._parts.clock.now() - ANSWERED_WITHIN_S
        young = [found for found in missed if float(found.message.route("ts")) > oldest]
        return young, [found for found in missed if float(found.message.route("ts")) <= oldest]

    async def _enqueue(self, incoming: Incoming) -> bool:
        message = incoming.message
        if incoming.is_unaddressed and not await self._is_awaited(message):
            return False
        late = replace(message, routing=(*message.routing, (LATE, "yes")))
        return await self._parts.queue.enqueue(late, claims=incoming.claims)

    async def _is_awaited(self, message: AcceptedMessage) -> bool:
        turns = await self._parts.threads.turns(message.thread)
        return bool(turns) and turns[-1].outcome is Outcome.CLARIFY

    async def _list(self, room: Room, heard: Heard, old: list[Incoming]) -> int:
        """Name in one note what is too old; what an earlier look has named is not named again."""
        messages = [found.message for found in old if not found.is_unaddressed and not found.message.refusal]
        messages = [message for message in messages if message.route("ts") not in heard.listed]
        if not messages:
            return 0
        stamps = [message.route("ts") for message in messages]
        head = say("missed", lexicon_of(messages[-1].text).code)
        links = [await self._link(room, ts) for ts in stamps[-MOST_LISTED:]]
        rest = [f"+ {len(stamps) - MOST_LISTED}"] if len(stamps) > MOST_LISTED else []
        text = RedactedText.joined(
            (head, RedactedText.stored("\n".join(f"• {line}" for line in [*links, *rest]))), "\n"
        )
        arguments: dict[str, object] = {
            "channel": room.id,
            "text": text,
            "unfurl_links": False,
            "unfurl_media": False,
            "metadata": {"event_type": MISSED_EVENT, "event_payload": {"listed": " ".join(stamps)}},
        }
        try:
            with slack_errors():
                await self._client.api_call("chat.postMessage", json=arguments)
        except SlackRefused as refusal:
            _log.warning("note not posted", channel=room.id, reason=refusal.code)
            return 0
        return len(stamps)

    async def _link(self, room: Room, ts: str) -> str:
        try:
            with slack_errors():
                found = await self._client.api_call("chat.getPermalink", data={"channel": room.id, "message_ts": ts})
        except SlackRefused:
            return f"<!date^{ts.partition('.')[0]}^{{date_short_pretty}} {{time}}|{ts}>"
        return str(found.get("permalink") or ts)


def _delivery(room: Room, post: Payload, identity: BotIdentity) -> Payload:
    """Give a message that was read in the form in which Slack would have delivered it."""
    event = {**post, "type": "message", "channel": room.id, "channel_type": room.kind}
    shared = {} if room.is_shared is None else {"is_ext_shared_channel": room.is_shared}
    return {"type": "event_callback", "team_id": identity.team_id, "event": event, **shared}
