"""A poster that shows an answer before its end, and every way in which Slack breaks that: whole, exactly once, in the thread."""

from dataclasses import replace

import pytest

from bot.adapters.slack import SlackPoster, Streams, build_client
from bot.adapters.slack.accept import FOLLOWED
from bot.adapters.slack.answer_buttons import Buttons
from bot.adapters.slack.early_stream import EarlyStreams
from bot.adapters.slack.streaming import STREAM
from bot.errors import PlatformUnavailable
from bot.messages import AcceptedMessage, Outcome, Reply
from tests.bot.adapters.slack.replies import ROOT, a_message, a_reply
from tests.bot.adapters.slack.test_streaming import TEXT, Desk, killed_at, only
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_posts import Fault

START, APPEND, STOP, UPDATE = "chat.startStream", "chat.appendStream", "chat.stopStream", "chat.update"
LINES = TEXT.split("\n")
BEGINNINGS = tuple(a_reply("\n".join(LINES[:count])) for count in (1, 2, 3))
APOLOGY = a_reply("I cannot answer that.", citations=(), outcome=Outcome.NO_MATCH)
BREAKS = [
    Fault(error="message_not_in_streaming_state", times=99),
    Fault(error="internal_error"),
    Fault(status=500),
    Fault(status=429, retry_after="60"),
    Fault(is_cut=True),
    Fault(is_done=True, status=500),
]


class EarlyDesk(Desk):
    """A poster that streams early; `restart` gives it a fresh memory."""

    def restart(self) -> None:
        client = build_client(BOT_TOKEN, base_url=self.peer.base_url)
        streams = Streams(client, self.notes, self.clock, is_early=True)
        self.poster = SlackPoster(client, clock=self.clock, buttons=Buttons(), streams=streams)

    async def show(self, *replies: Reply) -> list[bool]:
        """Show beginnings, one after the other."""
        return [await self.poster.show(reply) for reply in replies]


@pytest.fixture
def desk(peer: SlackPeer) -> EarlyDesk:
    """Give a desk on a working Slack."""
    return EarlyDesk(peer)


async def test_beginnings_grow_into_the_answer(desk: EarlyDesk) -> None:
    """Each continues what stands; the end brings the rest, the sources, the buttons and the mark, in the same message."""
    assert await desk.show(*BEGINNINGS) == [True] * 3
    (post,) = desk.peer.posts
    assert post.streamed == "Restart the sync agent [1].  \n1. Open the console [1].  \n2. Choose Restart [1]."
    stamp = await desk.post()
    assert only(desk.peer).ts == stamp
    assert (desk.peer.calls, desk.notes.kept) == (
        [START, APPEND, APPEND, APPEND, STOP],
        {(a_message().message_id, STREAM): stamp},
    )


async def test_what_does_not_continue_waits_for_the_end(desk: EarlyDesk) -> None:
    """A beginning that says it otherwise, or nothing more, is not added; the end decides."""
    other = a_reply("Start the sync agent [1].\n1. Open the console [1].")
    assert await desk.show(BEGINNINGS[0], other, BEGINNINGS[0]) == [True] * 3
    assert desk.peer.calls == [START]
    await desk.post()
    only(desk.peer)


async def test_an_answer_that_ends_otherwise_takes_the_place(desk: EarlyDesk) -> None:
    """An apology, or quotes: the same message says that alone, with its mark."""
    await desk.show(*BEGINNINGS)
    stamp = await desk.post(APOLOGY)
    (post,) = desk.peer.posts
    assert (post.ts, post.shown, post.is_streaming) == (stamp, "I cannot answer that.", False)
    assert post.metadata["event_payload"]["part"] == 0


async def test_an_answer_of_several_messages(desk: EarlyDesk) -> None:
    """The first one takes the place of what stands, the others come below it."""
    await desk.show(BEGINNINGS[0])
    stamps = (await desk.post(a_reply(f"{LINES[0]}\n\n{'word ' * 6_000}"))).split()
    assert [post.ts for post in desk.peer.posts] == stamps
    assert [post.metadata["event_payload"]["part"] for post in desk.peer.posts] == list(range(len(stamps)))
    assert len(stamps) > 1


@pytest.mark.parametrize(("method", "after"), [(APPEND, 0), (APPEND, 1), (APPEND, 2), (STOP, 0)])
@pytest.mark.parametrize("fault", BREAKS, ids=["not streaming", "internal", "500", "429", "cut", "done and lost"])
async def test_a_break_is_finished_in_place(desk: EarlyDesk, method: str, after: int, fault: Fault) -> None:
    """Whatever call fails and however, nothing more is shown, and the same message ends with the whole text once."""
    desk.peer.faults[method] = replace(fault, after=after)
    shown = await desk.show(*BEGINNINGS)
    assert shown == ([True, True, True] if method == STOP else [number <= after for number in range(3)])
    await desk.post()
    assert len(desk.peer.posts) == 1
    only(desk.peer)


@pytest.mark.parametrize("fault", [Fault(error="channel_type_not_supported"), Fault(status=429, retry_after="60")])
async def test_a_refused_start_is_posted_at_the_end(desk: EarlyDesk, fault: Fault) -> None:
    """Nothing stands, nothing more is wanted early, and nobody looks for what cannot be there."""
    desk.peer.faults[START] = fault
    assert await desk.show(BEGINNINGS[0]) == [False]
    await desk.post()
    only(desk.peer)
    assert "conversations.replies" not in desk.peer.calls


async def test_a_start_of_unknown_outcome_is_looked_for(desk: EarlyDesk) -> None:
    """Time-out after success: at the end the open stream is found and becomes the answer."""
    desk.peer.faults[START] = Fault(is_done=True, status=500)
    with pytest.raises(PlatformUnavailable):
        await desk.show(BEGINNINGS[0])
    assert not desk.poster.may_show(a_message())
    await desk.post()
    only(desk.peer)


async def test_a_dead_stream_that_cannot_be_changed_gives_way(desk: EarlyDesk) -> None:
    """What Slack neither continues nor updates is taken away, and the answer is posted whole."""
    await desk.show(BEGINNINGS[0])
    desk.peer.faults[STOP] = Fault(error="message_not_in_streaming_state", times=99)
    desk.peer.faults[UPDATE] = Fault(error="cant_update_message", times=99)
    await desk.post()
    only(desk.peer)
    assert len(desk.peer.posts) == 1


async def test_a_worker_that_died_while_showing_leaves_one_answer(desk: EarlyDesk) -> None:
    """Killed at any of its calls, the next run finds the message by its note or its state, and finishes that one."""
    for method, after in ((START, 0), (APPEND, 0), (APPEND, 1), (STOP, 0), (UPDATE, 0)):
        await killed_at(desk, method, after, _whole(desk, APOLOGY if method == UPDATE else a_reply(TEXT)))
        await desk.post(may_stand=True)
        only(desk.peer)
        assert len(desk.peer.posts) == 1


async def _whole(desk: EarlyDesk, reply: Reply) -> None:
    await desk.show(*BEGINNINGS)
    await desk.post(reply)


async def test_a_second_try_finds_what_the_first_left(desk: EarlyDesk) -> None:
    """An end that Slack did not take is tried again in the same process, on the same message."""
    await desk.show(*BEGINNINGS)
    desk.peer.faults[STOP] = Fault(status=500)
    desk.peer.faults[UPDATE] = Fault(status=500)
    with pytest.raises(PlatformUnavailable):
        await desk.post()
    await desk.post(may_stand=True)
    only(desk.peer)
    assert len(desk.peer.posts) == 1


@pytest.mark.parametrize("is_restarted", [True, False])
async def test_an_answer_that_is_not_given_is_taken_away(desk: EarlyDesk, *, is_restarted: bool) -> None:
    """The question was deleted meanwhile: what stood goes, also when another process had shown it, or could not note it."""
    desk.notes.is_away = is_restarted
    await desk.show(*BEGINNINGS)
    if is_restarted:
        desk.restart()
    await desk.poster.left(a_message())
    await desk.poster.left(a_message())
    assert desk.peer.posts == []


async def test_what_cannot_be_taken_away_raises_nothing(desk: EarlyDesk) -> None:
    """A Slack that is away leaves it; the question is over all the same."""
    await desk.show(BEGINNINGS[0])
    desk.peer.faults["chat.delete"] = Fault(status=500)
    await desk.poster.left(a_message())
    await SlackPoster(build_client(BOT_TOKEN, base_url=desk.peer.base_url), clock=desk.clock).left(a_message())
    assert len(desk.peer.thread(ROOT)) == 1


MESSAGES = {
    "followed": a_message(routing=(("ts", ROOT), (FOLLOWED, "1"))),
    "command": a_message(is_command=True),
    "refused": a_message(refusal="over_limit"),
    "no recipient": a_message(user_id=""),
    "old": a_message(received_at=1_799_999_000.0),
}


@pytest.mark.parametrize("name", MESSAGES)
async def test_where_nothing_is_shown_early(desk: EarlyDesk, name: str) -> None:
    """Not to one alone, not unasked, not where something may stand already, not where Slack needs to know a reader."""
    assert desk.poster.may_show(a_message())
    assert not desk.poster.may_show(MESSAGES[name])


async def test_early_words_can_be_switched_off(desk: EarlyDesk, peer: SlackPeer) -> None:
    """With answers streamed only when they are whole, or not at all, nothing is shown before the end."""
    client = build_client(BOT_TOKEN, base_url=peer.base_url)
    whole = SlackPoster(client, clock=desk.clock, streams=Streams(client, desk.notes, desk.clock))
    plain = SlackPoster(client, clock=desk.clock)
    assert [poster.may_show(a_message()) for poster in (whole, plain)] == [False, False]
    assert await plain.show(BEGINNINGS[0]) is False


async def test_a_minute_full_of_streams(desk: EarlyDesk) -> None:
    """What is over the limit when its first words are there waits for its end."""
    streams = Streams(build_client(BOT_TOKEN, base_url=desk.peer.base_url), desk.notes, desk.clock, is_early=True)
    early = EarlyStreams(streams)
    messages: list[AcceptedMessage] = [a_message(message_id=f"slack:T0HOME:C0SUP:{number}.1") for number in range(16)]
    assert [await early.show(a_reply(LINES[0], message)) for message in messages] == [True] * 15 + [False]
    assert await early.show(a_reply("word " * 6_000, messages[15])) is True
