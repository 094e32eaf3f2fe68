"""The working signal (cases D4, F5): from receipt on, one "still working", and an end with something said."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.adapters.slack import SlackPoster, SlackWorking, WorkingPoster, WorkingResponder, build_client
from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.early import offered, offering
from bot.errors import PlatformUnavailable
from bot.messages import AcceptedMessage, Answer, Outcome, Platform, Reply
from bot.worker import Worker
from tests.bot.adapters.slack.button_desk import ButtonDesk
from tests.bot.adapters.slack.replies import ROOT, a_message, a_reply
from tests.bot.adapters.slack.test_streaming import Notes
from tests.fake_state import FakeClock, FakeThreadStore, FakeWorkQueue
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_payloads import event_body, mention
from tests.peers.slack_posts import Fault

STATUS = "assistant.threads.setStatus"
STILL = "Still working on it…"


class Slow:
    """Answers when it is told to, or fails."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.reply = a_reply()

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        await self.go.wait()
        return self.reply.answer


class Working:
    """The signal around a slow answer on a loopback Slack."""

    def __init__(self, peer: SlackPeer, *, still_after_s: float = 0.0) -> None:
        client, self.clock = build_client(BOT_TOKEN, base_url=peer.base_url), FakeClock(1_800_000_060.0)
        self.peer, self.notes, self.slow = peer, Notes(), Slow()
        self.signal = SlackWorking(client, self.notes, self.clock, still_after_s=still_after_s)
        self.responder = WorkingResponder(self.slow, self.signal)
        self.poster = WorkingPoster(SlackPoster(client, clock=self.clock, look_back_after_s=1e9), self.signal)

    async def answer(self, until: Callable[[], bool], message: AcceptedMessage | None = None) -> None:
        """Begin to answer, wait for what is shown meanwhile, and end."""
        asked = message or a_message()
        answering = asyncio.create_task(self.responder.respond(asked))
        async with asyncio.timeout(5):
            while not until():  # noqa: ASYNC110 - the peer sets no event of ours
                await asyncio.sleep(0.005)
        self.slow.go.set()
        await self.poster.post(Reply(asked, await answering))


async def _shown(peer: SlackPeer, root: str, wanted: list[str]) -> None:
    async with asyncio.timeout(5):
        while peer.statuses.get(root) != wanted:  # noqa: ASYNC110 - the peer sets no event of ours
            await asyncio.sleep(0.005)


async def test_the_status_stands_from_receipt_on(peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """As soon as a question lies in the queue the thread says so, once for a question that comes twice."""
    desk = ButtonDesk(peer, redis_link, redis_keys)
    body = event_body(mention("why does sync fail?"))
    for _ in range(2):
        assert (await desk.event(body)).status_code == 200
    await _shown(peer, body["event"]["ts"], ["is looking it up…"])
    await desk.work()


async def test_a_long_answer_gets_one_more_word(peer: SlackPeer) -> None:
    """After a while the status says that work goes on; the answer ends it."""
    working = Working(peer)
    await working.answer(lambda: peer.status(ROOT) == STILL)
    assert peer.statuses[ROOT] == [STILL, ""]
    assert [post.text for post in peer.posts if "Restart" in post.shown] != []


async def test_a_quick_answer_gets_none(peer: SlackPeer) -> None:
    """Nothing is said about work that is over."""
    working = Working(peer, still_after_s=60)
    working.slow.go.set()
    await working.answer(lambda: True)
    assert STATUS not in peer.calls


@pytest.mark.parametrize("code", ["unknown_method", "missing_scope", "not_allowed"])
async def test_without_a_status_one_note_says_so_and_goes(peer: SlackPeer, code: str) -> None:
    """Where Slack takes no status, a note stands in the thread until the answer does; then it is deleted."""
    peer.faults[STATUS] = Fault(error=code, times=9)
    working = Working(peer)
    await working.answer(lambda: [post.text for post in peer.posts] == [STILL])
    (post,) = peer.thread(ROOT)
    assert "Restart" in post.shown
    working.slow.go.clear()
    await working.answer(lambda: [p.text for p in peer.posts][-1:] == [STILL])
    assert peer.calls.count(STATUS) == 1


async def test_a_second_run_says_it_no_second_time_and_takes_the_note_away(peer: SlackPeer) -> None:
    """The note of a run that died is known to the next one."""
    peer.faults[STATUS] = Fault(error="unknown_method", times=9)
    dying = Working(peer)
    answering = asyncio.create_task(dying.responder.respond(a_message()))
    async with asyncio.timeout(5):
        while not dying.notes.kept:  # noqa: ASYNC110 - the peer sets no event of ours
            await asyncio.sleep(0.005)
    answering.cancel()
    await asyncio.gather(answering, return_exceptions=True)
    second = Working(peer)
    second.notes = dying.notes
    second.signal._notes = dying.notes
    second.slow.go.set()
    await second.answer(lambda: True)
    (post,) = peer.thread(ROOT)
    assert "Restart" in post.shown


@pytest.mark.parametrize(
    ("answer", "is_direct"),
    [
        ({"text": "", "citations": (), "outcome": Outcome.COURTESY}, False),
        ({"text": "No.", "citations": (), "outcome": Outcome.NOT_PERMITTED}, False),
    ],
    ids=["silence", "a refusal for the asker alone"],
)
async def test_what_says_nothing_in_the_thread_clears_the_status(
    peer: SlackPeer, answer: dict[str, object], is_direct: bool
) -> None:
    """Slack would leave it standing for two minutes."""
    working = Working(peer)
    text = str(answer.pop("text"))
    working.slow.reply = a_reply(text, a_message(is_direct=is_direct), **answer)
    await working.answer(lambda: peer.status(ROOT) == STILL)
    assert peer.status(ROOT) == ""


async def test_a_status_that_comes_after_a_quick_answer_is_cleared(peer: SlackPeer) -> None:
    """Another process sets it at receipt: an answer within three seconds takes it away itself."""
    working = Working(peer, still_after_s=60)
    working.clock.time = a_message().received_at + 1
    working.slow.go.set()
    await working.answer(lambda: True)
    assert peer.statuses[ROOT] == [""]


async def test_a_post_that_may_come_later_leaves_the_signal(peer: SlackPeer) -> None:
    """The question is not over, so nothing is cleared."""
    working = Working(peer)
    peer.faults["chat.postMessage"] = Fault(status=500)
    with pytest.raises(PlatformUnavailable):
        await working.answer(lambda: peer.status(ROOT) == STILL)
    assert peer.status(ROOT) == STILL


async def test_slack_or_redis_away_costs_no_answer(peer: SlackPeer) -> None:
    """The signal is a courtesy."""
    peer.faults[STATUS] = Fault(status=500, times=9)
    working = Working(peer)
    working.notes.is_away = True
    await working.answer(lambda: STATUS in peer.calls)
    assert len(peer.thread(ROOT)) == 1


@pytest.mark.parametrize("fields", [{"is_command": True}, {"routing": (("do", "draft"), ("ts", "1.1"))}])
async def test_commands_and_tasks_have_no_signal(peer: SlackPeer, fields: dict[str, object]) -> None:
    """They have a word of their own."""
    message = replace(a_message(), **fields)  # type: ignore[arg-type]
    working = Working(peer)
    working.slow.go.set()
    working.signal.received(message)
    await working.responder.respond(message)
    await working.signal.ended(message, is_said=False)
    assert STATUS not in peer.calls


@pytest.mark.parametrize("end", ["deleted", "rejected"])
async def test_the_status_ends_where_nothing_is_posted(peer: SlackPeer, end: str) -> None:
    """A question deleted during its answer, and a reply that Slack will never take: no status stays behind."""
    working, asked = Working(peer, still_after_s=60), a_message()
    queue = FakeWorkQueue()
    worker = Worker(
        queue,  # type: ignore[arg-type]
        working.responder,
        store=FakeThreadStore(),
        posters={Platform.SLACK: working.poster},
    )
    working.signal.received(asked)
    handling = asyncio.create_task(worker.handle(asked))
    await _shown(peer, ROOT, ["is looking it up…"])
    if end == "deleted":
        queue.withdrawn.add(asked.message_id)
    else:
        peer.channels[asked.thread.channel_id] = {"is_archived": True}
    working.slow.go.set()
    await handling
    assert peer.thread(ROOT) == []
    assert peer.status(ROOT) == ""


async def test_who_reads_the_first_words_is_not_told_to_wait(peer: SlackPeer) -> None:
    """Once an answer is shown while it is written, no word that work goes on comes below it."""

    class Sink:
        async def show(self, answer: Answer) -> None:
            pass

    class Showing(Slow):
        async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
            sink = offered()
            assert sink is not None
            await sink.show(self.reply.answer)
            await asyncio.sleep(0.05)
            return self.reply.answer

    working = Working(peer, still_after_s=0.02)
    with offering(Sink()):
        await WorkingResponder(Showing(), working.signal).respond(a_message())
    assert peer.statuses == {}
    plain = a_message(thread=replace(a_message().thread, platform=Platform.TEAMS))
    assert not WorkingPoster(FakePoster(), working.signal).may_show(plain)
    assert await WorkingPoster(FakePoster(), working.signal).show(a_reply()) is False


class FakePoster:
    """A poster that shows nothing early and is told of nothing."""

    async def post(self, reply: Reply) -> str:
        return ""
