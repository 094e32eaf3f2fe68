"""After a time without intake: missed questions are answered late, old ones named, and nothing twice."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from bot.adapters.slack import CatchUp, SlackParts, build_client, build_slack_app, slack_rules
from bot.adapters.slack.catch_up import CaughtUp
from bot.adapters.store.client import RedisLink
from bot.adapters.store.intake_record import Gap, IntakeRecord
from bot.adapters.store.keys import Keyspace
from bot.errors import PlatformUnavailable
from bot.messages import MessageId, Outcome, Turn
from bot.questions.access import Place, Places
from retrieval.redaction import RedactedText, Redactor
from tests.fake_state import FakeClock, FakeThreadStore, FakeWorkQueue
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_payloads import ANA, BEN, BOT, CHANNEL, Json, direct_message, event_body, mention, message
from tests.peers.slack_posts import Fault, Post

pytestmark = pytest.mark.parametrize("redis_server", ["valkey"], indirect=True)
NOW = 1_800_000_000.0
MINUTE = 60.0


def stamp(age_s: float, number: int = 1) -> str:
    """Name a moment as Slack does."""
    return f"{int(NOW - age_s)}.{number:06d}"


@dataclass(slots=True)
class Desk:
    """The service with its ports."""

    peer: SlackPeer
    catch_up: CatchUp
    record: IntakeRecord
    queue: FakeWorkQueue
    threads: FakeThreadStore
    clock: FakeClock
    gap: Gap = field(default_factory=lambda: Gap(NOW - 30 * MINUTE, NOW))

    def say(self, event: Json) -> Json:
        self.peer.said.append(event)
        return event

    async def asked(self) -> list[str]:
        """Look through the gap and give what was put into the queue."""
        await self.catch_up.bring_in(self.gap)
        return [found.text for found in self.queue.messages]


def make_desk(peer: SlackPeer, link: RedisLink, keys: Keyspace, **rules: object) -> Desk:
    queue, threads, clock = FakeWorkQueue(), FakeThreadStore(), FakeClock(NOW)
    parts = SlackParts(queue, threads, Redactor(), clock)
    made = slack_rules(**rules)  # type: ignore[arg-type]
    slack = build_slack_app(build_client(BOT_TOKEN, base_url=peer.base_url), parts, rules=made)
    record = IntakeRecord(link, keys, platform="slack", me="me")
    return Desk(peer, CatchUp(slack, parts, rules=made, record=record), record, queue, threads, clock)


@pytest.fixture
def desk(peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace) -> Desk:
    """Give a desk that may answer everywhere."""
    return make_desk(peer, redis_link, redis_keys)


async def test_missed_questions_are_answered_late_and_in_order(desk: Desk) -> None:
    """Mentions and direct messages of the gap, marked late; talk, other bots and what is older than the gap are not."""
    desk.say(mention("before the gap", ts=stamp(31 * MINUTE)))
    desk.say(mention("second", ts=stamp(10 * MINUTE)))
    desk.say(mention("first", ts=stamp(20 * MINUTE)))
    desk.say(message("just talk", ts=stamp(9 * MINUTE)))
    desk.say(mention("a bot", ts=stamp(8 * MINUTE), bot_id="B0OTHER"))
    desk.say(mention("deleted", ts=stamp(8 * MINUTE, 2), subtype="tombstone"))
    desk.say(direct_message("privately", ts=stamp(7 * MINUTE)))
    assert sorted(await desk.asked()) == ["first", "privately", "second"]
    in_channel = [found for found in desk.queue.messages if found.thread.channel_id == CHANNEL]
    assert [found.text for found in in_channel] == ["first", "second"]
    assert {found.route("late") for found in desk.queue.messages} == {"yes"}
    assert in_channel[0].audience == ("public", "internal")
    assert desk.peer.posts == []


async def test_replies_in_older_threads_are_found(desk: Desk) -> None:
    """A follow-up with a mention, in a thread whose root is older than the gap."""
    root = desk.say(mention("asked yesterday", ts=stamp(5 * 60 * MINUTE)))
    desk.say(message("thanks", ts=stamp(50 * MINUTE), thread_ts=root["ts"]))
    desk.say(mention("and on Android?", ts=stamp(5 * MINUTE), thread_ts=root["ts"]))
    assert await desk.asked() == ["and on Android?"]
    assert desk.queue.messages[0].thread.thread_id == root["ts"]


async def test_what_was_answered_or_claimed_is_left_alone(desk: Desk) -> None:
    """A question whose reply stands, and one that was delivered meanwhile, make no second question."""
    answered = desk.say(mention("answered", ts=stamp(5 * MINUTE)))
    delivered = desk.say(mention("delivered", ts=stamp(4 * MINUTE)))
    desk.say(mention("missed", ts=stamp(3 * MINUTE)))
    key = f"slack:T0HOME:{CHANNEL}:{answered['ts']}"
    metadata = {"event_type": "triage_answer", "event_payload": {"key": key, "part": 0}}
    desk.peer.posts.append(Post(CHANNEL, stamp(2 * MINUTE), "Answer", answered["ts"], metadata=metadata))
    desk.queue.claims.add(f"slack:msg:T0HOME:{CHANNEL}:{delivered['ts']}")
    assert await desk.asked() == ["missed"]
    assert await desk.asked() == ["missed"]


async def test_the_awaited_question_is_taken(desk: Desk) -> None:
    """Without a mention only the reply counts that the bot had asked for."""
    root = desk.say(mention("", ts=stamp(40 * MINUTE)))
    for ts, user in ((stamp(5 * MINUTE), ANA), (stamp(4 * MINUTE), BEN)):
        desk.say(message("sync fails", ts=ts, thread_ts=root["ts"], parent_user_id=ANA, user=user))
    assert await desk.asked() == []
    asked = Turn(RedactedText.stored(""), RedactedText.stored("?"), (), "en", Outcome.CLARIFY, NOW - 39 * MINUTE)
    (thread,) = {found.thread for found in _threads(desk, root)}
    await desk.threads.remember(thread, asked, message_id=MessageId("m"))
    assert await desk.asked() == ["sync fails"]


def _threads(desk: Desk, root: Json) -> list[object]:
    reader = desk.catch_up._events
    return [reader.read(event_body(root), desk.catch_up._identity.current).message]  # type: ignore[union-attr]


async def test_older_than_an_hour_are_named_once(desk: Desk) -> None:
    """One note a channel with links, beyond twenty a count; looked through again it names only what is new."""
    desk.gap = Gap(NOW - 300 * MINUTE, NOW)
    for n in range(23):
        desk.say(mention(f"чому не працює {n}?", ts=stamp((200 - n) * MINUTE)))
    desk.say(mention("late", ts=stamp(59 * MINUTE)))
    assert await desk.catch_up.bring_in(desk.gap) == CaughtUp(answered=1, listed=23)
    (note,) = desk.peer.posts
    assert (note.channel, note.thread_ts) == (CHANNEL, "")
    assert note.text.startswith("Ці запитання")
    assert note.text.count("https://home.slack.com/archives/") == 20
    assert "+ 3" in note.text
    note.ts = stamp(0)  # the peer's clock is another one
    desk.say(mention("one more", ts=stamp(70 * MINUTE)))
    assert await desk.catch_up.bring_in(desk.gap) == CaughtUp(answered=0, listed=1)
    assert len(desk.peer.posts) == 2


async def test_many_pages_and_rate_limits(desk: Desk) -> None:
    """Two hundred mentions over several pages, with waits that Slack asks for in between: each once."""
    for n in range(450):
        desk.say(message("talk", ts=stamp(20 * MINUTE, n + 1)))
    for n in range(200):
        desk.say(mention(f"q{n}", ts=stamp(15 * MINUTE, n + 1)))
    desk.peer.faults["conversations.history"] = Fault(status=429, error="ratelimited", retry_after="0", times=4)
    desk.peer.faults["users.conversations"] = Fault(status=500, times=1)
    assert await desk.asked() == [f"q{n}" for n in range(200)]


async def test_without_the_scope_the_channels_of_the_settings_are_read(
    peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """An app that may not list its channels reads those that the settings name and allow."""
    places = Places({"C0DEV": Place(), "G0PRV": Place(is_allowed=False), "D0ANA": Place()})
    desk = make_desk(peer, redis_link, redis_keys, channels=[CHANNEL], places=places)
    peer.faults["users.conversations"] = Fault(error="missing_scope")
    for channel in (CHANNEL, "C0DEV", "G0PRV", "C0EXT"):
        desk.say(mention(f"in {channel}", ts=stamp(5 * MINUTE), channel=channel))
    assert sorted(await desk.asked()) == ["in C0DEV", f"in {CHANNEL}"]
    assert {found.route("sharing") for found in desk.queue.messages} == {"unknown"}


async def test_channels_of_others_are_not_read(peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Where the bot may not answer nothing is read; in a shared channel only public documents are seen."""
    peer.channels["C0EXT"] = {"is_ext_shared": True}
    desk = make_desk(peer, redis_link, redis_keys, channels=["C0EXT"])
    for channel in (CHANNEL, "C0EXT"):
        desk.say(mention(f"in {channel}", ts=stamp(5 * MINUTE), channel=channel))
    assert await desk.asked() == ["in C0EXT"]
    assert desk.queue.messages[0].audience == ("public",)
    assert desk.peer.calls.count("conversations.history") == 2  # the direct message, and this one


async def test_a_channel_that_cannot_be_read_stops_nothing(desk: Desk) -> None:
    """Where Slack refuses one channel, its answer to a note or a link, the others are looked through."""
    desk.gap = Gap(NOW - 300 * MINUTE, NOW)
    desk.peer.faults["conversations.history"] = Fault(error="not_in_channel")
    desk.say(mention("old", ts=stamp(200 * MINUTE), channel="C0DEV"))
    desk.say(mention("young", ts=stamp(5 * MINUTE), channel="G0PRV"))
    desk.peer.faults["chat.getPermalink"] = Fault(error="message_not_found")
    assert await desk.catch_up.bring_in(desk.gap) == CaughtUp(answered=1, listed=1)
    assert "<!date^" in desk.peer.posts[0].text
    desk.peer.posts.clear()
    desk.peer.faults["chat.postMessage"] = Fault(error="restricted_action")
    assert await desk.catch_up.bring_in(desk.gap) == CaughtUp(answered=0, listed=0)


async def test_slack_away_keeps_the_gap(desk: Desk) -> None:
    """A gap that could not be looked through stays open."""
    await desk.record.beat(NOW - 1_000)
    gap = await desk.record.beat(NOW)
    assert gap is not None
    desk.peer.faults["conversations.history"] = Fault(status=429, error="ratelimited", retry_after="9999", times=9)
    with pytest.raises(PlatformUnavailable):
        await desk.catch_up.bring_in(gap)
    assert await desk.record.beat(NOW) == gap


async def test_the_service_notices_looks_and_closes(desk: Desk) -> None:
    """Closed it does not beat; open again it finds the gap, brings in what was missed, also when Slack fails first."""
    is_open = True
    serving = asyncio.create_task(desk.catch_up.serve(lambda: is_open, beat_s=0.01))
    await _until(lambda: desk.peer.calls == [])
    await asyncio.sleep(0.05)
    is_open = False
    await asyncio.sleep(0.05)
    desk.clock.time += 30 * MINUTE
    desk.say(mention("missed", ts=f"{int(desk.clock.time - 60)}.000001"))
    desk.peer.faults["auth.test"] = Fault(status=500, times=1)
    is_open = True
    await _until(lambda: len(desk.queue.messages) == 1)
    async with asyncio.timeout(5):
        while await desk.record.beat(desk.clock.time) is not None:  # noqa: ASYNC110 - Redis sets no event of ours
            await asyncio.sleep(0.02)
    serving.cancel()
    with suppress(asyncio.CancelledError):
        await serving
    assert [found.text for found in desk.queue.messages] == ["missed"]
    assert BOT not in [found.user_id for found in desk.queue.messages]


async def _until(condition: object) -> None:
    async with asyncio.timeout(5):
        while not condition():  # type: ignore[operator]  # noqa: ASYNC110 - the service sets no event of ours
            await asyncio.sleep(0.01)
