"""The agent view: prompts are set inline when somebody opens the bot's messages, and top-level messages are questions."""

import pytest

from tests.bot.adapters.slack.conftest import Desk
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import ANA, DIRECT, Json, direct_message, event_body
from tests.peers.slack_posts import Fault


def _opened(**fields: object) -> Json:
    return event_body({"type": "app_home_opened", "user": ANA, "channel": DIRECT, "tab": "messages", **fields})


async def test_opening_the_messages_offers_questions(desk: Desk, peer: SlackPeer) -> None:
    """Three questions without a thread, in the language of the person's Slack; nothing is queued or posted."""
    peer.people[ANA] = {"locale": "uk-UA"}
    assert (await desk.event(_opened())).status_code == 200
    assert peer.prompts[DIRECT][0]["title"] == "Як скинути пароль клієнта?"
    assert len(peer.prompts[DIRECT]) == 3
    assert desk.queue.attempts == 0
    assert peer.posts == []


@pytest.mark.parametrize("fields", [{"tab": "home"}, {"channel": None}, {"user": None}])
async def test_other_openings_offer_nothing(desk: Desk, peer: SlackPeer, fields: Json) -> None:
    """The home tab, and a body without channel or person."""
    assert (await desk.event(_opened(**fields))).status_code == 200
    assert peer.prompts == {}


async def test_legacy_thread_is_offered_the_same(desk: Desk, peer: SlackPeer) -> None:
    """An app with the older assistant view says in which thread."""
    thread = {"user_id": ANA, "channel_id": DIRECT, "thread_ts": "1700000000.000100", "context": {}}
    await desk.event(event_body({"type": "assistant_thread_started", "assistant_thread": thread}))
    assert len(peer.prompts[DIRECT]) == 3


@pytest.mark.parametrize("method", ["users.info", "assistant.threads.setSuggestedPrompts"])
async def test_a_slack_that_does_not_answer_costs_only_the_prompts(desk: Desk, peer: SlackPeer, method: str) -> None:
    """The delivery is acknowledged; an unknown person is spoken to in English."""
    peer.faults[method] = Fault(error="missing_scope")
    assert (await desk.event(_opened())).status_code == 200
    shown = [prompt["title"] for prompt in peer.prompts.get(DIRECT, [])]
    assert shown[:1] == (["How do I reset a customer's password?"] if method == "users.info" else [])


async def test_top_level_message_of_the_agent_view_is_a_question(desk: Desk) -> None:
    """A direct message without a thread opens its own."""
    event = direct_message("how do I reset SSO?")
    await desk.event(event_body(event))
    (question,) = desk.queue.messages
    assert (question.is_direct, question.thread.thread_id) == (True, event["ts"])
