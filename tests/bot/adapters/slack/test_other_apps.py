"""Other bots (case A4): answered only where the settings name them, never the bot itself, and never in a circle."""

import pytest

from bot.adapters.slack.rules import SlackRules
from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.questions.access import Place, Places
from tests.bot.adapters.slack.button_desk import SYNC, ButtonDesk
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import BOT, BOT_ID, CHANNEL, Json, event_body, mention, message
from tests.peers.slack_posts import Post

QUESTION = "why does sync fail with error 500?"
OTHER = {"bot_id": "B0OTHER", "user": "U0OTHER", "app_id": "A0OTHER"}


@pytest.fixture
def desk(peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace) -> ButtonDesk:
    """Give a desk that knows who it is, where one other bot may ask."""
    rules = SlackRules(apps=frozenset({"B0OTHER"}))
    return ButtonDesk(peer, redis_link, redis_keys, rules=rules, is_known=True)


async def _say(desk: ButtonDesk, text: str = QUESTION, *, kind: str = "app_mention", **fields: object) -> list[Post]:
    """Have an app write, and give what was posted for it."""
    before = len(desk.peer.posts)
    make = mention if kind == "app_mention" else message
    words = text if kind == "app_mention" else f"<@{BOT}> {text}"
    event = {name: value for name, value in {**make(words), **OTHER, **fields}.items() if value is not None}
    assert (await desk.event(event_body(event))).status_code == 200
    await desk.work()
    return desk.peer.posts[before:]


@pytest.mark.parametrize("named", ["B0OTHER", "U0OTHER", "A0OTHER", CHANNEL])
@pytest.mark.parametrize("kind", ["app_mention", "message"])
async def test_a_named_bot_is_answered(desk: ButtonDesk, named: str, kind: str) -> None:
    """By its bot, user or app id, or by the channel; in its thread, under either event."""
    desk.rules = SlackRules(apps=frozenset({named}))
    (post,) = await _say(desk, kind=kind)
    assert "kb-101" in post.shown
    assert post.thread_ts


async def test_a_bot_message_without_a_user_is_answered(desk: ButtonDesk) -> None:
    """An incoming webhook has a bot id alone; no person is looked up for it, and nobody's group is asked."""
    desk.rules = SlackRules(apps=frozenset({"B0OTHER"}), groups=("S0AGENTS",))
    (post,) = await _say(desk, kind="message", user=None, subtype="bot_message")
    assert "kb-101" in post.shown
    assert not set(desk.peer.calls) & {"users.info", "usergroups.users.list"}


@pytest.mark.parametrize(
    "fields",
    [
        {"bot_id": "B0THIRD", "user": "U0THIRD", "app_id": "A0THIRD"},
        {"bot_id": BOT_ID, "user": None, "app_id": None},
        {"bot_id": BOT_ID, "user": BOT},
        {"bot_id": "B0OTHER", "user": BOT},
        {"bot_id": "B0OTHER", "app_id": "A0APP"},
        {"bot_profile": {"id": "B0OTHER", "app_id": "A0APP"}},
        {"user": "USLACKBOT"},
        {"subtype": "message_changed", "hidden": True},
        {"subtype": "channel_join"},
        {"edited": {"user": "U0OTHER", "ts": "1.2"}},
        {"user_team": "T0CUSTOMER"},
        {"channel_type": "im", "channel": "D0OTHER"},
        {"bot_id": None, "bot_profile": None, "subtype": "bot_message", "user": None, "app_id": None},
        {"ts": ""},
    ],
)
async def test_all_others_are_not(desk: ButtonDesk, fields: Json) -> None:
    """Other apps, the bot itself by any of its ids, Slack, edits, foreign companies, direct messages, and nameless ones."""
    assert await _say(desk, kind="message", **fields) == []
    assert desk.queue.claims == set()


async def test_by_default_no_bot_is_answered(desk: ButtonDesk) -> None:
    """Nor while the bot does not know its own bot id: the message may be its own."""
    allowed, desk.rules = desk.rules, SlackRules()
    assert await _say(desk) == []
    desk.rules, desk.is_known = allowed, False
    assert await _say(desk) == []


async def test_where_nobody_could_be_told_nothing_is_said(desk: ButtonDesk) -> None:
    """In a closed channel, in one whose answers are drafts first, and to words without a question or a mention."""
    assert await _say(desk, "thanks, that did it") == []
    assert await _say(desk, "hello") == []
    assert await _say(desk, "") == []
    event = {**message("sync fails with error 500"), **OTHER}
    assert (await desk.event(event_body(event))).status_code == 200
    for place in (Place(is_allowed=False), Place(is_drafted=True)):
        desk.rules = SlackRules(apps=frozenset({"B0OTHER"}), places=Places({CHANNEL: place}))
        assert await _say(desk) == []
    assert (desk.queue.messages, desk.peer.ephemerals) == ([], [])


async def test_two_bots_stop_after_three_turns_in_a_thread(desk: ButtonDesk) -> None:
    """An app that answers every answer with a mention gets three; deliveries again do not count, and people go on."""
    (first,) = await _say(desk)
    root = first.thread_ts
    for _ in range(2):
        event = {**mention(QUESTION, thread_ts=root), **OTHER}
        for _delivery in range(4):  # as Slack delivers again
            await desk.event(event_body(event))
        await desk.work()
    assert len(desk.peer.posts) == 3
    for _ in range(3):
        assert await _say(desk, thread_ts=root) == []
    assert "kb-101" in (await desk.ask(QUESTION, thread_ts=root)).shown


async def test_an_app_that_opens_a_thread_for_each_answer_is_slowed_down(desk: ButtonDesk) -> None:
    """Five a minute in a channel, then silence; another channel has its own count."""
    posts = [post for _ in range(8) for post in await _say(desk)]
    assert len(posts) == 5
    desk.peer.channels["C0OPS"] = {}
    assert len(await _say(desk, channel="C0OPS")) == 1


async def test_an_answer_to_an_app_has_no_status_and_no_stream(desk: ButtonDesk) -> None:
    """Nobody watches; a stream to what is no person would be refused."""
    await _say(desk)
    assert SYNC.sentences[0].text in desk.peer.posts[-1].shown
    assert not set(desk.peer.calls) & {"assistant.threads.setStatus", "chat.startStream"}
