"""The slash command (case A8)."""

import pytest

from bot.texts import say
from retrieval.language import language_of
from tests.bot.adapters.slack.conftest import Desk
from tests.peers.slack_payloads import ANA, CHANNEL, TEAM, command_fields


async def test_command_is_queued_and_acknowledged_privately(desk: Desk) -> None:
    """The asker gets an ephemeral word at once; the question waits with its way back."""
    fields = command_fields("wie setze ich das Passwort für die Anmeldung zurück?")
    answer = await desk.command(fields)
    assert (answer.status_code, answer.json()["response_type"]) == (200, "ephemeral")
    (question,) = desk.queue.messages
    assert question.is_command
    assert (question.thread.tenant_id, question.thread.channel_id, question.user_id) == (TEAM, CHANNEL, ANA)
    assert question.route("response_url") == fields["response_url"]


@pytest.mark.parametrize("text", ["", "   ", "help", "?"])
async def test_empty_command_shows_usage(desk: Desk, text: str) -> None:
    """Without text nothing is queued and the usage is shown."""
    answer = await desk.command(command_fields(text, command="/kb"))
    lines = answer.json()["text"].splitlines()
    assert lines[0] == "Usage: /kb your question"
    assert {"/kb show ID", "/kb incident TEXT until TIME", "/kb incident end ID"} <= set(lines)
    assert desk.queue.attempts == 0


async def test_command_is_claimed_by_its_trigger(desk: Desk) -> None:
    """The same command delivered twice is one question; the same words asked again are another."""
    fields = command_fields("why?")
    for delivery in (fields, fields, command_fields("why?")):
        assert (await desk.command(delivery)).status_code == 200
    assert len(desk.queue.messages) == 2


async def test_word_payload_is_no_trap(desk: Desk) -> None:
    """A question that contains the word "payload" arrives (bolt 1.30 takes such a form for empty)."""
    await desk.command(command_fields("webhook payload is empty & broken"))
    assert [m.text for m in desk.queue.messages] == ["webhook payload is empty & broken"]


async def test_command_text_is_decoded_and_redacted(desk: Desk) -> None:
    """The wire form of a command is decoded like that of a message, and personal data goes."""
    await desk.command(command_fields("why &lt;500&gt; for <mailto:pat@example.com|pat@example.com>"))
    assert [m.text for m in desk.queue.messages] == ["why <500> for [EMAIL]"]


async def test_state_away_is_500(desk: Desk) -> None:
    """A command that cannot be stored is not acknowledged."""
    desk.queue.is_down = True
    assert (await desk.command(command_fields("why?"))).status_code == 500


async def test_foreign_workspace_is_refused(desk: Desk) -> None:
    """A command from a workspace that is not the bot's own is refused."""
    await desk.slack.identity.ask()
    await desk.command(command_fields("why?", team_id="T0CUSTOMER"))
    assert [(m.refusal, m.audience) for m in desk.queue.messages] == [("refused_guest", ("public",))]


async def test_command_is_acknowledged_in_the_askers_language(desk: Desk) -> None:
    """The word at once is in the asker's language when that is known in time, English otherwise."""
    question = "wie setze ich das Passwort für die Anmeldung zurück?"
    language_of(question)
    answer = await desk.command(command_fields(question))
    assert answer.json()["text"] == say("searching", "de")


@pytest.mark.parametrize("url", ["", "not a url", "https://hooks.slack.com/\u00e9", "https://a b", "ftp://a.example"])
async def test_odd_response_urls_are_dropped(desk: Desk, url: str) -> None:
    """What is no URL is not carried along; the answer then goes out as an ephemeral message."""
    await desk.command(command_fields("why?", response_url=url))
    assert [m.route("response_url") for m in desk.queue.messages] == [""]
