"""`triage doctor` on a Slack installation: scopes, events and channels against what they need, with what to do (E6)."""

from collections.abc import AsyncIterator

import pytest

from bot.adapters.slack.needs import events_of, features_for, scopes_of
from bot.bootstrap.slack_checks import Seen, check_slack
from scripts.cli import main
from tests.environment import settings_of
from tests.peers.slack_api import BOT_TOKEN, CONFIG_TOKEN, SlackPeer
from tests.peers.slack_payloads import BOT, BOT_ID, CHANNEL, SECRET
from tests.peers.slack_posts import Fault

ALL = features_for(has_groups=False)


@pytest.fixture
async def slack() -> AsyncIterator[SlackPeer]:
    """Give an installation that has everything."""
    async with SlackPeer() as peer:
        peer.scopes, peer.subscribed = tuple(scopes_of(ALL)), tuple(events_of(ALL))
        yield peer


async def _seen(peer: SlackPeer, *channels: str, **environment: str) -> dict[str, Seen]:
    base = {"SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_SIGNING_SECRET": SECRET, "SLACK_API_BASE_URL": peer.base_url}
    settings = settings_of(**base, **environment)
    found = [seen async for seen in check_slack(settings, channels)]
    assert all(is_well or advice for _, is_well, _, advice in found)
    return {seen[0]: seen for seen in found}


async def test_everything_granted(slack: SlackPeer) -> None:
    """All scopes and events of what is switched on; what is granted beyond is named."""
    slack.scopes = (*slack.scopes, "emoji:read")
    found = await _seen(slack, SLACK_CONFIG_TOKEN=CONFIG_TOKEN)
    assert found["slack scopes"][1:3] == (True, f"{len(scopes_of(ALL))} needed, all granted; not needed: emoji:read")
    assert found["slack events"][1:3] == (True, f"{len(events_of(ALL))} needed, all subscribed")


async def test_missing_scopes_say_what_for(slack: SlackPeer) -> None:
    """Each with the feature that needs it; those of groups only where a setting names some."""
    slack.scopes = tuple(scope for scope in slack.scopes if scope not in {"files:read", "im:history"})
    _, is_well, seen, advice = (await _seen(slack, TRIAGE_INCIDENT_GROUPS="S0LEADS"))["slack scopes"]
    assert not is_well
    assert seen == "missing: files:read (text files), im:history (direct messages), usergroups:read (user groups)"
    assert "install the app again" in advice


async def test_missing_events(slack: SlackPeer) -> None:
    """Slack tells them to a configuration token alone; without one the needed ones are listed."""
    slack.subscribed = ("app_mention",)
    found = await _seen(slack, SLACK_CONFIG_TOKEN=CONFIG_TOKEN)
    assert "message.im (direct messages)" in found["slack events"][2]
    assert not found["slack events"][1]
    _, is_well, seen, _ = (await _seen(slack))["slack events"]
    assert is_well
    assert "needs app_home_opened, app_mention" in seen
    _, is_well, _, advice = (await _seen(slack, SLACK_CONFIG_TOKEN="xoxe-old"))["slack events"]
    assert not is_well
    assert "12 hours" in advice


@pytest.mark.parametrize(
    ("name", "is_fine", "word"),
    [
        ("B0OTHER", True, "mentions by alerts are answered"),
        ("U0OTHER", True, "its mentions are answered"),
        (CHANNEL, True, "every bot in this channel may ask; the bot is in it"),
        ("C0GONE", False, "the bot is not in it"),
        ("B0GONE", False, "Slack knows no such bot"),
        ("B0DELETED", False, "Slack knows no such bot"),
        (BOT_ID, False, "the bot itself"),
        (BOT, False, "the bot itself"),
        ("alerts", False, "this is no id"),
    ],
)
async def test_bots_that_may_ask(slack: SlackPeer, name: str, word: str, *, is_fine: bool) -> None:
    """Known bots and channels are named; a name in place of an id, a removed bot and the bot itself are findings."""
    _, is_well, seen, _ = (await _seen(slack, TRIAGE_SLACK_BOTS=name))[f"slack bot {name}"]
    assert (is_well, word in seen) == (is_fine, True), seen


async def test_bots_while_slack_is_away(slack: SlackPeer) -> None:
    """A look-up that fails is told, and may be tried again."""
    slack.faults["bots.info"] = Fault(status=500)
    assert (await _seen(slack, TRIAGE_SLACK_BOTS="B0OTHER"))["slack bot B0OTHER"][1] is False


@pytest.mark.parametrize(
    ("channel", "facts", "word"),
    [
        (CHANNEL, {}, "the bot is in it"),
        (CHANNEL, {"is_ext_shared": True}, "only public documents are shown"),
        (CHANNEL, {"is_foreign": True}, "the bot is not in it (not_in_channel)"),
        (CHANNEL, {"is_archived": True}, "it is archived"),
        ("C0GONE", None, "the bot is not in it (channel_not_found)"),
        ("#support", None, "this is no id of a channel"),
    ],
)
async def test_channels(slack: SlackPeer, channel: str, facts: dict[str, bool] | None, word: str) -> None:
    """Member, shared, not invited, archived, unknown, and a name in place of an id."""
    if facts is not None:
        slack.channels[channel] = facts
    found = (await _seen(slack, channel))[f"slack channel {channel}"]
    assert word in found[2]
    assert found[1] is (word in {"the bot is in it", "only public documents are shown"})


async def test_channels_of_the_settings(slack: SlackPeer) -> None:
    """Those that are named by id are looked at too, closed ones not; one that the settings leave out is told."""
    places = '{"G0PRV": {"follow": true}, "C0DEV": {"allow": false}, "direct": {}, "*": {}}'
    found = await _seen(slack, "C0EXT", TRIAGE_CHANNELS=places, TRIAGE_SLACK_CHANNELS=CHANNEL)
    channels = {part.split()[-1]: seen for part, _, seen, _ in found.values() if part.startswith("slack channel")}
    assert set(channels) == {CHANNEL, "G0PRV", "C0EXT"}
    assert "refuses questions there" in channels["C0EXT"]


async def test_membership_without_the_scope_to_ask(slack: SlackPeer) -> None:
    """Reading one message tells it as well; what Slack does not tell is said."""
    for code, word in (
        ("", "the bot is in it"),
        ("not_in_channel", "is not in it"),
        ("missing_scope", "missing_scope"),
    ):
        slack.faults["conversations.info"] = Fault(error="missing_scope")
        slack.faults["conversations.history"] = Fault(error=code, times=1 if code else 0)
        assert word in (await _seen(slack, CHANNEL))[f"slack channel {CHANNEL}"][2]
    slack.faults["conversations.info"] = Fault(status=500)
    assert not (await _seen(slack, CHANNEL))[f"slack channel {CHANNEL}"][1]


async def test_unknown_scopes_and_no_slack(slack: SlackPeer) -> None:
    """A proxy that drops the header is no finding; a Slack that is away is one of the token's check, not of these."""
    slack.scopes = ()
    assert (await _seen(slack))["slack scopes"][1:3] == (True, "Slack did not name them")
    slack.faults["auth.test"] = Fault(status=500)
    assert await _seen(slack) == {}


def test_command_takes_channels(capsys: pytest.CaptureFixture[str]) -> None:
    """`--channel` may be given several times."""
    with pytest.raises(SystemExit) as ended:
        main(["doctor", "--help"])
    assert ended.value.code == 0
    assert "--channel ID" in capsys.readouterr().out
