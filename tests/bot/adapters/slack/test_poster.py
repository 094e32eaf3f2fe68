"""Posting: the right place, once, and what Slack's refusals become (cases A8, F1)."""

import time
from dataclasses import replace

import pytest

from bot.adapters.slack import SlackPoster, build_client
from bot.errors import PlatformUnavailable, ReplyRejected
from bot.messages import Outcome, Platform, ThreadRef
from tests.bot.adapters.slack.replies import ROOT, TS, a_message, a_reply, sealed
from tests.fake_state import FakeClock
from tests.peers.slack_api import BOT_TOKEN, Fault, SlackPeer
from tests.peers.slack_payloads import CHANNEL, DIRECT, TEAM


def make_poster(peer: SlackPeer, *, age_s: float = 0.0, token: str = BOT_TOKEN) -> SlackPoster:
    """Give a poster whose clock says that the question was asked `age_s` seconds ago."""
    return SlackPoster(build_client(token, base_url=peer.base_url), clock=FakeClock(1_800_000_000.0 + age_s))


async def test_reply_goes_to_the_thread(peer: SlackPeer) -> None:
    """The reply stands under the thread's root, unfurls nothing, carries its key, and its stamp is given back."""
    stamp = await make_poster(peer).post(a_reply())
    (post,) = peer.posts
    assert (post.channel, post.thread_ts, post.ts) == (CHANNEL, ROOT, stamp)
    assert (post.raw["unfurl_links"], post.raw["unfurl_media"]) == (False, False)
    assert post.metadata["event_payload"] == {"key": f"slack:{TEAM}:{CHANNEL}:{TS}", "part": 0}
    assert "kb-101" in post.shown
    assert peer.calls == ["chat.postMessage"]


async def test_every_part_stands_in_the_same_thread(peer: SlackPeer) -> None:
    """All parts of a long answer hang under the root, none under another part."""
    await make_poster(peer).post(a_reply("word " * 6_000))
    assert len(peer.posts) > 2
    assert {post.thread_ts for post in peer.posts} == {ROOT}


async def test_a_note_stands_at_the_root_once(peer: SlackPeer) -> None:
    """What belongs to no thread is posted into the channel itself, and found there when the first attempt stayed unclear."""
    note = a_message(thread=ThreadRef(Platform.SLACK, "", CHANNEL, ""), routing=(), received_at=time.time())
    poster = SlackPoster(build_client(BOT_TOKEN, base_url=peer.base_url), clock=FakeClock(time.time()))
    peer.faults["chat.postMessage"] = Fault(status=500, is_done=True)
    with pytest.raises(PlatformUnavailable):
        await poster.post(a_reply("A note.", note, citations=()))
    stamp = await poster.post(a_reply("A note.", note, citations=()))
    assert [(post.thread_ts, post.ts) for post in peer.posts] == [("", stamp)]
    assert "conversations.history" in peer.calls


async def test_silence_posts_nothing(peer: SlackPeer) -> None:
    """A reply with nothing in it makes no call."""
    assert await make_poster(peer).post(a_reply("", citations=())) == ""
    assert peer.calls == []


async def test_refusal_in_a_direct_message_is_a_plain_reply(peer: SlackPeer) -> None:
    """In a direct message nobody else reads along."""
    message = a_message(is_direct=True, thread=ThreadRef(Platform.SLACK, TEAM, DIRECT, TS))
    await make_poster(peer).post(a_reply("No.", message, outcome=Outcome.NOT_PERMITTED))
    assert len(peer.posts) == 1


@pytest.mark.parametrize(
    "error", ["channel_not_found", "not_in_channel", "is_archived", "missing_scope", "thread_not_found"]
)
async def test_final_refusals(peer: SlackPeer, error: str) -> None:
    """What Slack will never take is rejected, without a second try."""
    peer.faults["chat.postMessage"] = Fault(error=error)
    with pytest.raises(ReplyRejected, match=error):
        await make_poster(peer).post(a_reply())
    assert peer.calls == ["chat.postMessage"]


@pytest.mark.parametrize("fields", [{"is_archived": True}, {"is_foreign": True}])
async def test_closed_channels(peer: SlackPeer, fields: dict[str, bool]) -> None:
    """An archived channel, and one the bot is not in, reject the reply."""
    peer.channels[CHANNEL] = fields
    with pytest.raises(ReplyRejected):
        await make_poster(peer).post(a_reply())


async def test_a_refused_markdown_block_is_sent_in_sections(peer: SlackPeer) -> None:
    """Where Slack does not know the block, the same words arrive in sections, not cut to a preview."""
    peer.faults["chat.postMessage"] = Fault(error="invalid_blocks")
    await make_poster(peer).post(a_reply("word " * 2_000))
    (post,) = peer.posts
    assert {block["type"] for block in post.blocks} == {"section"}
    assert post.shown.count("word") == 2_000
    assert "kb-101" in post.shown


async def test_refused_blocks_are_sent_as_text(peer: SlackPeer) -> None:
    """When Slack does not take any blocks, the same words arrive as plain text."""
    peer.faults["chat.postMessage"] = Fault(error="invalid_blocks", times=2)
    await make_poster(peer).post(a_reply())
    (post,) = peer.posts
    assert post.blocks == []
    assert "kb-101" in post.text


@pytest.mark.parametrize(("status", "error"), [(500, ""), (503, ""), (200, "internal_error"), (200, "invalid_auth")])
async def test_passing_failures(peer: SlackPeer, status: int, error: str) -> None:
    """Failures that pass are raised for the queue to try again, not repeated blindly."""
    peer.faults["chat.postMessage"] = Fault(status=status, error=error)
    with pytest.raises(PlatformUnavailable):
        await make_poster(peer).post(a_reply())
    assert peer.calls == ["chat.postMessage"]


async def test_wrong_token(peer: SlackPeer) -> None:
    """A refused token keeps the reply: an operator can repair it."""
    with pytest.raises(PlatformUnavailable):
        await make_poster(peer, token="xoxb-wrong").post(a_reply())


async def test_long_rate_limit_is_told(peer: SlackPeer) -> None:
    """A wait longer than a few seconds is left to the queue, with Slack's own figure."""
    peer.faults["chat.postMessage"] = Fault(status=429, error="ratelimited", retry_after="30")
    with pytest.raises(PlatformUnavailable) as caught:
        await make_poster(peer).post(a_reply())
    assert caught.value.retry_after_s == 30.0
    assert peer.calls == ["chat.postMessage"]


async def test_short_rate_limit_is_waited_out(peer: SlackPeer) -> None:
    """A wait Slack counts as zero seconds is done inside the call."""
    peer.faults["chat.postMessage"] = Fault(status=429, error="ratelimited", retry_after="0")
    await make_poster(peer).post(a_reply())
    assert len(peer.posts) == 1


async def test_nobody_there(peer: SlackPeer) -> None:
    """No connection is a failure that passes."""
    client = build_client(BOT_TOKEN, base_url="http://127.0.0.1:9/api/")
    with pytest.raises(PlatformUnavailable):
        await SlackPoster(client, clock=FakeClock()).post(a_reply())


@pytest.mark.parametrize("fault", [Fault(status=500, is_done=True), Fault(is_cut=True, is_done=True)])
async def test_post_with_unknown_outcome_is_not_doubled(peer: SlackPeer, fault: Fault) -> None:
    """When the answer stands but Slack's word was lost, the next try finds it."""
    peer.faults["chat.postMessage"] = fault
    poster = make_poster(peer)
    with pytest.raises(PlatformUnavailable):
        await poster.post(a_reply())
    assert await poster.post(a_reply()) == peer.posts[0].ts
    assert len(peer.posts) == 1


async def test_another_worker_finds_the_post(peer: SlackPeer) -> None:
    """A worker that takes over an older question looks before it posts; half an answer is completed."""
    text = "word " * 6_000
    await make_poster(peer).post(a_reply(text))
    whole = [post.text for post in peer.posts]
    del peer.posts[1:]
    stamps = await make_poster(peer, age_s=60).post(a_reply(text))
    assert stamps.split() == [post.ts for post in peer.posts]
    assert [post.text for post in peer.posts] == whole


async def test_begun_post_is_looked_for(peer: SlackPeer) -> None:
    """When the worker says that an earlier attempt had begun, a young question is looked for too."""
    first = await make_poster(peer).post(a_reply())
    assert await make_poster(peer).post(replace(a_reply(), may_stand=True)) == first
    assert len(peer.posts) == 1


async def test_a_later_run_says_the_last_word(peer: SlackPeer) -> None:
    """A re-run that words the answer anew updates what stands; parts that its answer does not have go."""
    await make_poster(peer).post(a_reply("word " * 6_000))
    first = peer.posts[0].ts
    assert len(peer.posts) > 2
    assert await make_poster(peer, age_s=60).post(a_reply("Shorter now.")) == first
    (post,) = peer.posts
    assert "Shorter now." in post.shown
    assert "Shorter now." in post.text


async def test_a_double_is_merged(peer: SlackPeer) -> None:
    """Of an answer that stands twice the older one stays."""
    first = await make_poster(peer).post(a_reply())
    await make_poster(peer).post(a_reply())
    assert len(peer.posts) == 2
    assert await make_poster(peer, age_s=60).post(a_reply()) == first
    assert [post.ts for post in peer.posts] == [first]


async def test_a_double_that_arrives_late_is_merged(peer: SlackPeer) -> None:
    """An unclear attempt whose message appears only after our look and our post: ours goes, the older one stays."""
    first = await make_poster(peer).post(a_reply())
    (late,) = peer.posts
    peer.posts.clear()
    peer.after["chat.postMessage"] = lambda: peer.posts.insert(0, late)
    assert await make_poster(peer, age_s=60).post(a_reply()) == first
    assert [post.ts for post in peer.posts] == [first]


@pytest.mark.parametrize("error", ["message_not_found", "cant_update_message", "edit_window_closed"])
async def test_a_post_that_cannot_be_updated_stays(peer: SlackPeer, error: str) -> None:
    """When Slack does not let the bot update or delete what stands, nothing is posted beside it."""
    first = await make_poster(peer).post(a_reply("word " * 6_000))
    peer.faults["chat.update"] = Fault(error=error)
    peer.faults["chat.delete"] = Fault(error="cant_delete_message", times=9)
    count = len(peer.posts)
    assert await make_poster(peer, age_s=60).post(a_reply("Shorter now.")) == first.split()[0]
    assert len(peer.posts) == count


async def test_other_posts_are_not_taken_for_ours(peer: SlackPeer) -> None:
    """An answer to another question of the same thread does not count, over several pages of replies."""
    for number in range(120):
        message = a_message(message_id=f"slack:{number}")
        await make_poster(peer).post(a_reply("other", message))
    await make_poster(peer).post(a_reply("mine"))
    found = await make_poster(peer, age_s=60).post(a_reply("mine"))
    assert found == peer.posts[-1].ts
    assert len(peer.posts) == 121


async def test_thread_that_cannot_be_read_is_posted_to(peer: SlackPeer) -> None:
    """Without the scope to read the thread the reply is posted all the same."""
    peer.faults["conversations.replies"] = Fault(error="missing_scope")
    await make_poster(peer, age_s=60).post(a_reply())
    assert len(peer.posts) == 1


async def test_failed_look_is_tried_again_before_posting(peer: SlackPeer) -> None:
    """When the look itself fails for now, nothing is posted blindly."""
    peer.faults["conversations.replies"] = Fault(status=500)
    with pytest.raises(PlatformUnavailable):
        await make_poster(peer, age_s=60).post(a_reply())
    assert peer.posts == []


async def test_what_only_the_asker_sees_leaves_no_stamp(peer: SlackPeer) -> None:
    """In a locked thread nothing stands: whoever ends the working signal is told so."""
    peer.faults["chat.postMessage"] = Fault(error="thread_locked")
    assert await make_poster(peer).post(a_reply()) == ""
    assert len(peer.ephemerals) == 1


async def test_no_words_or_tokens_are_logged(peer: SlackPeer, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the answer nor the token shows up in any log, at any level, in success or failure."""
    caplog.set_level(0)
    poster = make_poster(peer)
    await poster.post(a_reply("secret-word-4711"))
    peer.faults["chat.postMessage"] = Fault(error="is_archived")
    with pytest.raises(ReplyRejected):
        await poster.post(a_reply("secret-word-4711", a_message(text=sealed("secret-word-4711"))))
    assert "secret-word-4711" not in caplog.text
    assert BOT_TOKEN not in caplog.text
