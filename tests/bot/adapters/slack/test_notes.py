"""Notes beside answers, seen by the asker alone (case F5: a long wait is not silent)."""

import pytest

from bot.adapters.slack import SlackNotes, build_client
from bot.errors import ReplyRejected
from bot.messages import Platform, ThreadRef
from tests.bot.adapters.slack.replies import ROOT, TS, a_message, sealed
from tests.peers.slack_api import BOT_TOKEN, Fault, SlackPeer
from tests.peers.slack_payloads import ANA, CHANNEL, TEAM


def _notes(peer: SlackPeer) -> SlackNotes:
    return SlackNotes(build_client(BOT_TOKEN, base_url=peer.base_url))


async def test_who_waits_is_told_where_they_asked(peer: SlackPeer) -> None:
    """In the thread, in the asker's language; at a root in the channel."""
    await _notes(peer).waiting(a_message(text=sealed("чому не працює синхронізація?")))
    root = a_message(thread=ThreadRef(Platform.SLACK, TEAM, CHANNEL, TS))
    await _notes(peer).waiting(root)
    assert [(note.user, note.thread_ts) for note in peer.ephemerals] == [(ANA, ROOT), (ANA, "")]
    assert peer.ephemerals[0].text.startswith("Зараз")
    assert peer.posts == []


async def test_a_command_has_its_word_already(peer: SlackPeer) -> None:
    """A slash command is not told twice."""
    await _notes(peer).waiting(a_message(is_command=True))
    assert peer.calls == []


async def test_refused_notes_are_errors(peer: SlackPeer) -> None:
    """What Slack does not take is raised as ours."""
    peer.faults["chat.postEphemeral"] = Fault(error="user_not_in_channel")
    with pytest.raises(ReplyRejected):
        await _notes(peer).waiting(a_message())
