"""Streaming an answer, and every way in which Slack refuses or breaks it (case F4): whole, exactly once, in the thread."""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.slack import SlackPoster, Streams, build_client
from bot.adapters.slack.answer_buttons import Buttons
from bot.adapters.slack.streaming import STREAM, STREAMS_A_MINUTE, pieces_of
from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.post_notes import RedisPostNotes
from bot.errors import PlatformUnavailable, StateUnavailable
from bot.messages import AcceptedMessage, Outcome, Platform, Reply, ThreadRef
from tests.bot.adapters.slack.replies import ROOT, TS, a_message, a_reply
from tests.fake_state import FakeClock
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_clicks import labels
from tests.peers.slack_payloads import CHANNEL, DIRECT, TEAM
from tests.peers.slack_posts import Fault, Post

TEXT = "Restart the sync agent [1].\n1. Open the console [1].\n2. Choose Restart [1].\n3. Sign in again [1]."
START, APPEND, STOP = "chat.startStream", "chat.appendStream", "chat.stopStream"


class Notes:
    """Notes in memory; `is_away` makes every call fail as without Redis."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.is_away = False

    async def note(self, message: AcceptedMessage, kind: str, ts: str) -> None:
        if self.is_away:
            raise StateUnavailable("away")
        self.kept[message.message_id, kind] = ts

    async def noted(self, message: AcceptedMessage, kind: str) -> str:
        if self.is_away:
            raise StateUnavailable("away")
        return self.kept.get((message.message_id, kind), "")


class Desk:
    """A poster that streams; `restart` gives it a fresh memory."""

    def __init__(self, peer: SlackPeer) -> None:
        self.peer = peer
        self.notes = Notes()
        self.clock = FakeClock(1_800_000_000.0)
        self.restart()

    def restart(self) -> None:
        client = build_client(BOT_TOKEN, base_url=self.peer.base_url)
        streams = Streams(client, self.notes, self.clock)
        self.poster = SlackPoster(client, clock=self.clock, buttons=Buttons(), streams=streams)

    async def post(self, reply: Reply | None = None, *, may_stand: bool = False) -> str:
        return await self.poster.post(replace(reply or a_reply(TEXT), may_stand=may_stand))


@pytest.fixture
def desk(peer: SlackPeer) -> Desk:
    """Give a desk on a working Slack."""
    return Desk(peer)


def only(peer: SlackPeer) -> Post:
    """Give the one post that people see, which has the whole answer, its sources and its buttons once."""
    (post,) = (post for post in peer.posts if post.thread_ts == ROOT)
    assert not post.is_streaming
    for line in ("Restart the sync agent", "1. Open the console", "3. Sign in again", "**Sources**", "kb-101"):
        assert post.shown.count(line) == 1
    assert labels(post) == ["Useful", "Not useful", "Why this answer", "Draft for the customer"]
    assert post.metadata["event_payload"] == {"key": a_message().message_id, "part": 0}
    return post


async def test_an_answer_is_streamed(desk: Desk) -> None:
    """Its first line first, then the rest; buttons and the mark of the post come with the end, its time stamp back."""
    stamp = await desk.post()
    assert only(desk.peer).ts == stamp
    assert (desk.peer.calls[0], desk.peer.calls[-1]) == (START, STOP)
    texts = [chunk["text"] for chunk in only(desk.peer).raw["chunks"]]
    assert (texts[0].strip(), len(texts)) == ("Restart the sync agent [1].", 4)
    assert desk.notes.kept == {(a_message().message_id, STREAM): stamp}


@pytest.mark.parametrize("code", ["unknown_method", "missing_scope", "channel_type_not_supported"])
async def test_a_refused_start_is_posted_whole_and_remembered(desk: Desk, code: str) -> None:
    """Where Slack does not stream, the answer is posted plainly, and for an hour nothing is tried again."""
    desk.peer.faults[START] = Fault(error=code, times=99)
    await desk.post()
    only(desk.peer)
    other = a_message(message_id="slack:T0HOME:C0SUP:2.2", thread=ThreadRef(Platform.SLACK, TEAM, CHANNEL, "2.2"))
    await desk.post(a_reply(TEXT, other))
    assert desk.peer.calls.count(START) == 1
    desk.clock.time += 3_601
    late = a_message(
        message_id="slack:T0HOME:C0SUP:3.3",
        thread=ThreadRef(Platform.SLACK, TEAM, CHANNEL, "3.3"),
        received_at=desk.clock.time,
    )
    await desk.post(a_reply(TEXT, late))
    assert desk.peer.calls.count(START) == 2


async def test_a_refusal_of_one_channel_holds_there(desk: Desk) -> None:
    """Only what cannot work anywhere is remembered for every channel."""
    desk.peer.faults[START] = Fault(error="channel_type_not_supported")
    await desk.post()
    elsewhere = a_message(message_id="slack:T0HOME:C0DEV:2.2", thread=ThreadRef(Platform.SLACK, TEAM, "C0DEV", "2.2"))
    await desk.post(a_reply(TEXT, elsewhere))
    assert desk.peer.calls.count(STOP) == 1


async def test_without_a_recipient_it_is_posted_whole(desk: Desk) -> None:
    """A channel needs to know whom it is streamed to; nothing is even tried without."""
    await desk.post(a_reply(TEXT, a_message(user_id="")))
    only(desk.peer)
    assert START not in desk.peer.calls


async def test_a_direct_message_needs_no_recipient(desk: Desk) -> None:
    """It has one reader."""
    message = a_message(is_direct=True, user_id="", thread=ThreadRef(Platform.SLACK, TEAM, DIRECT, ROOT))
    await desk.post(a_reply(TEXT, message))
    only(desk.peer)
    assert "recipient_user_id" not in desk.peer.posts[0].raw


@pytest.mark.parametrize(
    ("method", "after"), [(APPEND, 0), (APPEND, 2), (STOP, 0)], ids=["first append", "third append", "stop"]
)
@pytest.mark.parametrize(
    "fault",
    [
        Fault(error="message_not_in_streaming_state", times=99),
        Fault(error="internal_error"),
        Fault(status=500),
        Fault(status=429, retry_after="60"),
        Fault(is_cut=True),
        Fault(is_done=True, status=500),
    ],
    ids=["not streaming", "internal", "500", "429", "cut", "done and lost"],
)
async def test_a_stream_that_breaks_is_finished_in_place(desk: Desk, method: str, after: int, fault: Fault) -> None:
    """Whatever call fails and however, the same message ends with the whole text once."""
    desk.peer.faults[method] = replace(fault, after=after)
    stamp = await desk.post()
    assert only(desk.peer).ts == stamp


async def test_a_dead_stream_that_cannot_be_changed_gives_way(desk: Desk) -> None:
    """What Slack neither continues nor updates is taken away, and the answer is posted whole."""
    desk.peer.faults[APPEND] = Fault(error="message_not_in_streaming_state", times=99)
    desk.peer.faults["chat.update"] = Fault(error="cant_update_message", times=99)
    await desk.post()
    only(desk.peer)
    assert desk.peer.calls.count("chat.postMessage") == 1


async def test_a_break_is_remembered(desk: Desk) -> None:
    """Where streams are cut, the next answer is posted plainly."""
    desk.peer.faults[APPEND] = Fault(error="message_not_in_streaming_state", times=99)
    await desk.post()
    other = a_message(message_id="slack:T0HOME:C0SUP:2.2", thread=ThreadRef(Platform.SLACK, TEAM, CHANNEL, "2.2"))
    await desk.post(a_reply(TEXT, other))
    assert desk.peer.calls.count(START) == 1


async def test_too_many_streams_are_no_streams(desk: Desk) -> None:
    """Slack ends few streams a minute: what goes beyond is posted plainly, and a 429 at the start too."""
    for number in range(STREAMS_A_MINUTE + 2):
        message = a_message(message_id=f"slack:T0HOME:C0SUP:{number}.1")
        await desk.post(a_reply(TEXT, message))
    assert desk.peer.calls.count(START) == STREAMS_A_MINUTE
    assert len(desk.peer.posts) == STREAMS_A_MINUTE + 2
    desk.clock.time += 61
    desk.peer.faults[START] = Fault(status=429, retry_after="60")
    await desk.post(a_reply(TEXT, a_message(message_id="slack:T0HOME:C0SUP:99.1", received_at=desk.clock.time)))
    assert desk.peer.calls.count("chat.postMessage") == 3


async def test_a_start_of_unknown_outcome_is_found_by_the_next_run(desk: Desk) -> None:
    """Time-out after success: the open stream that nobody noted is ended and becomes the answer."""
    desk.peer.faults[START] = Fault(is_done=True, status=500)
    with pytest.raises(PlatformUnavailable):
        await desk.post()
    desk.restart()
    await desk.post(may_stand=True)
    only(desk.peer)


async def killed_at(desk: Desk, method: str, after: int, posting: Coroutine[Any, Any, object]) -> None:
    """End a post at a call that has done its work, as a killed worker does: what it knew is gone, what stands stands."""
    desk.peer.posts.clear()
    desk.notes.kept.clear()
    desk.restart()
    desk.peer.faults[method] = Fault(is_done=True, is_held=True, after=after)
    dying = asyncio.create_task(posting)
    held = desk.peer.calls.count(method) + after + 1
    while desk.peer.calls.count(method) < held:  # noqa: ASYNC110 - the peer sets no event of ours
        await asyncio.sleep(0.01)
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    desk.restart()


async def test_a_worker_that_died_while_streaming_leaves_one_answer(desk: Desk) -> None:
    """Killed at any of its calls, the next run finds the message by its note or its state, and finishes that one."""
    for method, after in ((START, 0), (APPEND, 0), (APPEND, 1), (STOP, 0)):
        await killed_at(desk, method, after, desk.post())
        await desk.post(may_stand=True)
        only(desk.peer)


async def test_a_stream_that_slack_has_ended_meanwhile_is_found_by_its_note(desk: Desk) -> None:
    """Slack ends an idle stream after minutes; then only the note knows which message it was."""
    desk.peer.faults[APPEND] = Fault(status=500, times=1)
    desk.peer.faults["chat.update"] = Fault(status=500, times=1)
    with pytest.raises(PlatformUnavailable):
        await desk.post()
    desk.peer.posts[0].is_streaming = False
    desk.restart()
    await desk.post(may_stand=True)
    only(desk.peer)


async def test_without_redis_it_still_streams(desk: Desk) -> None:
    """Notes that cannot be left are found missing in the log; the answer is not."""
    desk.notes.is_away = True
    await desk.post()
    only(desk.peer)
    desk.restart()
    await desk.post(may_stand=True)
    only(desk.peer)


async def test_other_apps_streams_are_left_alone(desk: Desk) -> None:
    """An open stream of another bot in the thread is neither ended nor changed."""
    foreign = Post(CHANNEL, "1700000010.000001", "", ROOT, streamed="other bot", is_streaming=True)
    foreign.raw = {"bot_id": "B0OTHER", "author": "U0OTHER"}
    desk.peer.posts.append(foreign)
    desk.peer.faults[STOP] = Fault(error="message_not_owned_by_app")
    await desk.post(may_stand=True)
    assert foreign.shown == "other bot"
    assert (foreign.is_streaming, len(desk.peer.thread(ROOT))) == (True, 1)


@pytest.mark.parametrize(
    "reply",
    [
        a_reply("One line.", citations=()),
        a_reply("I found nothing.\nReally.", citations=(), outcome=Outcome.NO_MATCH),
        a_reply("word " * 6_000),
    ],
    ids=["one line", "no answer", "several parts"],
)
async def test_what_is_not_worth_a_stream_is_posted(desk: Desk, reply: Reply) -> None:
    """Short words, refusals and answers of several messages are posted plainly."""
    await desk.post(reply)
    assert START not in desk.peer.calls


async def test_notes_in_redis(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """A note comes back by its kind, in the key of the answer's mark, and expires."""
    notes = RedisPostNotes(redis_link, redis_keys)
    message = a_message()
    assert await notes.noted(message, STREAM) == ""
    await notes.note(message, STREAM, TS)
    assert (await notes.noted(message, STREAM), await notes.noted(message, "working")) == (TS, "")
    key = redis_keys.of_thread(message.thread, "posted", message.message_id)
    assert await redis_link.execute("HGET", key, "thread") == message.thread.key
    assert await redis_link.execute("TTL", key) > 0


@given(st.text(alphabet="ab \n`", max_size=80))
def test_pieces_give_the_text_again(text: str) -> None:
    """Joined they are what was cut, at most four, none without a word but where there is none at all."""
    pieces = pieces_of(text)
    assert "".join(pieces) == text
    assert len(pieces) <= 4
    assert all(piece.strip() for piece in pieces) or not text.strip()
