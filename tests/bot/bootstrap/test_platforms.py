"""What the settings of Slack, the queue and the answers do to the parts that are built from them."""

import json
from pathlib import Path

import pytest

from bot.adapters.slack.identity import BotIdentity
from bot.bootstrap.clock import SystemClock
from bot.bootstrap.desk_answers import build_answers, build_feedback, draft_style
from bot.bootstrap.parts import open_state
from bot.bootstrap.platforms import slack_rules_of
from bot.bootstrap.slack_replies import slack_poster
from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef
from config.settings import Settings, load_settings
from retrieval.redaction import RedactedText
from tests.redis_servers import RedisServer

CHANNELS = {
    "C0A": {"labels": ["billing"], "follow": True, "sources": ["article"], "draft": True, "users": ["U0PAT"]},
    "direct": {"labels": ["internal"]},
    "*": {"allow": False},
}
GIVEN = {
    "SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1", "TRIAGE_SLACK_CHANNELS": "C0A,C0B", "TRIAGE_SLACK_HOME_TEAMS": "T0SISTER",
    "TRIAGE_SLACK_GUESTS": "public", "TRIAGE_SLACK_BOTS": "B0MON", "TRIAGE_SLACK_GROUPS": "S0ALL", "TRIAGE_CHANNELS": json.dumps(CHANNELS),
    "TRIAGE_INCIDENT_USERS": "U0OPS", "TRIAGE_INCIDENT_GROUPS": "S0OPS", "TRIAGE_LEAD_GROUPS": "S0LEAD",
    "TRIAGE_DRAFT_ADDRESS": "informal", "TRIAGE_DRAFT_TONE": "warm", "TRIAGE_DRAFT_SIGN_OFF": "Your desk", "TRIAGE_DRAFT_LANGUAGE": "de",
    "TRIAGE_QUEUE_LIMIT": "1600", "TRIAGE_CONCURRENCY": "5", "TRIAGE_PARTITIONS": "4", "TRIAGE_HISTORY_TURNS": "3",
    "TRIAGE_HISTORY_TTL_S": "3600", "TRIAGE_FEEDBACK_TTL_S": "7200", "TRIAGE_SLACK_STREAMING": "off",
}  # fmt: skip


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Settings:
    """Give settings of which each differs from its default."""
    for name, value in {**GIVEN, "TRIAGE_DATA_DIR": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    return load_settings(None)


def test_slack_rules_are_those_of_the_settings(settings: Settings) -> None:
    """Channels, companies, guests, apps, groups, incidents, leads, and what holds in single channels."""
    rules = slack_rules_of(settings)
    assert rules.is_home("T0SISTER", BotIdentity("T0HOME", "U0BOT", "B0BOT"))
    assert rules.are_guests_answered
    assert rules.apps == frozenset({"B0MON"})
    assert set(rules.all_groups) == {"S0ALL", "S0OPS", "S0LEAD"}
    assert rules.incident_users == {"U0OPS"}
    place = rules.place("C0A", is_direct=False)
    assert (place.is_followed, place.is_drafted, place.kinds, place.users) == (True, True, ("article",), {"U0PAT"})
    assert "billing" in place.audience(is_shared=False)
    assert not rules.refusal("C0A", is_direct=False, is_guest=False)
    assert rules.refusal("C0NEW", is_direct=False, is_guest=False)


def test_drafts_are_in_the_house_style_of_the_settings(settings: Settings) -> None:
    """Address, tone, closing line and language."""
    style = draft_style(settings.answers)
    assert (style.is_formal, style.tone, style.sign_off, style.language) == (False, "warm", "Your desk", "de")


@pytest.mark.parametrize("redis_server", ["valkey"], indirect=True)
async def test_queue_and_stores_are_those_of_the_settings(
    settings: Settings, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Partitions, how much may wait and be in work, turns and lifetimes; answers posted whole have no stream."""
    monkeypatch.setenv("REDIS_URL", redis_server.url)
    settings = load_settings(None)
    async with open_state(settings.server, settings.retrieval.data_dir) as state:
        assert state.keys.partitions == 4
        assert (state.queue._policy.concurrency, state.queue._most_waiting) == (5, 400)
        assert (state.threads._max_turns, state.threads._ttl_s) == (3, 3_600)
        assert build_answers(settings, state)._ttl_s == 3_600
        assert build_feedback(settings, state)._ttl_s == 7_200
        thread = ThreadRef(Platform.SLACK, "T1", "C1", "1700000000.000100")
        asked = AcceptedMessage(MessageId("m1"), thread, "U1", RedactedText.stored("why?"), SystemClock().now())
        assert not slack_poster(settings, state).may_show(asked)
    monkeypatch.setenv("TRIAGE_SLACK_STREAMING", "auto")
    settings = load_settings(None)
    async with open_state(settings.server, settings.retrieval.data_dir) as state:
        assert slack_poster(settings, state).may_show(asked)
