"""The wall clock is set back under a running bot: what Slack said is not kept too long, and no answer is doubled."""

from bot.adapters.slack import build_client
from bot.adapters.slack.lookups import SlackLookups
from bot.adapters.slack.poster import SlackPoster
from bot.adapters.slack.streaming import Refusals
from tests.bot.adapters.slack.replies import a_reply
from tests.fake_state import FakeClock
from tests.peers.slack_api import BOT_TOKEN, SlackPeer

NOW = 1_700_000_000.25
HOUR, DAY_S = 3_600.0, 86_400.0


async def test_a_membership_is_asked_again_after_the_clock_was_set_back(peer: SlackPeer) -> None:
    """Five minutes stay five minutes: who left a group an hour ago does not belong to it because the clock went back a day."""
    clock = FakeClock(NOW)
    lookups = SlackLookups(build_client(BOT_TOKEN, base_url=peer.base_url), clock)
    peer.groups["S0A"] = ["U0ANA"]
    assert await lookups.members("S0A") == {"U0ANA"}
    peer.groups["S0A"] = []
    assert await lookups.members("S0A") == {"U0ANA"}
    clock.time -= DAY_S
    assert await lookups.members("S0A") == set()


def test_a_refused_feature_comes_back_whichever_way_the_clock_goes() -> None:
    """An hour without streams does not become a day and an hour."""
    clock = FakeClock(NOW)
    refusals = Refusals(clock)
    refusals.remember("C0SUP", "channel_type_not_supported")
    assert refusals.is_off("C0SUP")
    clock.time -= DAY_S
    assert not refusals.is_off("C0SUP")


async def test_a_question_from_the_future_is_looked_for_before_it_is_posted(peer: SlackPeer) -> None:
    """The clock was set back an hour after it was received: nobody knows whether an earlier run posted, so it looks."""
    reply = a_reply("the answer")
    poster = SlackPoster(
        build_client(BOT_TOKEN, base_url=peer.base_url), clock=FakeClock(reply.message.received_at - HOUR)
    )
    await poster.post(reply)
    assert "conversations.replies" in peer.calls
    peer.calls.clear()
    near = SlackPoster(build_client(BOT_TOKEN, base_url=peer.base_url), clock=FakeClock(reply.message.received_at - 1))
    await near.post(reply)
    assert "conversations.replies" not in peer.calls
