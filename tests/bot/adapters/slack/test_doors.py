"""Every door, and what a channel's settings do behind it, by the channel's id alone (case E6)."""

import time

import pytest

from bot.adapters.slack import slack_rules
from bot.desk.kinds import OfKinds
from bot.questions.access import Place, Places
from retrieval.passages import Band
from tests.bot.adapters.slack.counter import open_counter
from tests.bot.flow_kit import card, text
from tests.fakes import FakePassageSource, make_passage
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import BOT, CHANNEL, DIRECT, Json, direct_message, event_body, mention, message

ARTICLE = make_passage(card("kb-1", lang="en"), "Pair the reader again in the settings of the till.", relevance=0.7)
TICKET = make_passage(card("t-1", kind="ticket", lang="en"), "The reader was exchanged for a new one in the shop.")
QUESTION = "how do we bring the reader back?"
ONLY_ARTICLES = Places({CHANNEL: Place(kinds=("article",))})


@pytest.mark.parametrize(
    "event",
    [
        mention(QUESTION),
        message(f"<@{BOT}> {QUESTION}", channel="G0PRV", channel_type="group"),
        message(f"<@{BOT}> {QUESTION}", channel="G0PRV", channel_type="mpim"),
        direct_message(QUESTION),
    ],
)
async def test_each_conversation_is_answered_in_its_thread(peer: SlackPeer, event: Json) -> None:
    """Public and private channels, group conversations and direct messages."""
    async with open_counter(peer, FakePassageSource(ARTICLE)) as counter:
        (post,) = await counter.say(event)
    assert (post.channel, post.thread_ts) == (event["channel"], event["ts"])
    assert "kb-1" in post.shown


async def test_sources_of_a_channel(peer: SlackPeer) -> None:
    """A channel for articles alone finds no ticket, by a question, a command and an id; another one finds both."""
    source = FakePassageSource(TICKET, ARTICLE)
    async with open_counter(peer, source, rules=slack_rules(places=ONLY_ARTICLES)) as counter:
        (post,) = await counter.say(mention(QUESTION))
        assert "kb-1" in post.shown
        assert "t-1" not in post.shown
        assert "t-1" not in await counter.command(QUESTION)
        assert "There is no source t-1" in await counter.command("show t-1")
        assert "t-1" in await counter.command("show t-1", channel_id="C0DEV")
        (post,) = await counter.say(mention(QUESTION, channel="C0DEV"))
        assert "t-1" in post.shown


async def test_renamed_channel_keeps_its_settings_and_a_newcomer_gets_none(peer: SlackPeer) -> None:
    """`#support-eu` becomes `#cx-eu` while running, then another channel takes the old name: ids decide."""
    source = FakePassageSource(TICKET, ARTICLE)
    async with open_counter(peer, source, rules=slack_rules(places=ONLY_ARTICLES)) as counter:
        rename = {"type": "channel_rename", "channel": {"id": CHANNEL, "name": "cx-eu", "created": int(time.time())}}
        newcomer = {"type": "channel_created", "channel": {"id": "C0DEV", "name": "support-eu", "creator": "U0ANA"}}
        for event in (rename, newcomer):
            assert (await counter.desk.event(event_body(event))).status_code == 200
        (post,) = await counter.say(mention(QUESTION))
        assert "t-1" not in post.shown
        (post,) = await counter.say(mention(QUESTION, channel="C0DEV"))
        assert "t-1" in post.shown
        assert "t-1" not in await counter.command(QUESTION, channel_name="cx-eu")
        assert "t-1" in await counter.command(QUESTION, channel_id="C0DEV", channel_name="support-eu")


async def test_kinds_judge_relevance_by_themselves() -> None:
    """What another kind says does not make this kind's passages relevant, and nothing of it is told."""
    far = make_passage(card("kb-2"), "Something else entirely stands here.", relevance=0.1)
    source = FakePassageSource(TICKET, far)
    source.waiting = ("t-9",)
    only = OfKinds(source, frozenset({"article"}))
    found = await only.search((text("reader"),), audience=frozenset({"internal"}))
    assert ([p.document.id for p in found.passages], found.band) == (["kb-2"], Band.NONE)
    assert await only.held((text("reader"),), audience=frozenset({"internal"})) == ()
    assert await OfKinds(source, frozenset()).held((text("reader"),), audience=frozenset({"internal"})) == ("t-9",)
    assert await only.document("t-1", audience=frozenset({"internal"})) is None
    assert (await only.similarity((text("a"),), (text("b"),)), await only.ping()) == ([[0.9]], None)


async def test_direct_place_is_no_channel(peer: SlackPeer) -> None:
    """What is set for a channel does not act in direct messages, where nothing is a draft."""
    places = Places({CHANNEL: Place(kinds=("article",)), "direct": Place(is_drafted=True)})
    async with open_counter(peer, FakePassageSource(TICKET), rules=slack_rules(places=places)) as counter:
        (post,) = await counter.say(direct_message(QUESTION))
    assert post.channel == DIRECT
    assert "t-1" in post.shown
