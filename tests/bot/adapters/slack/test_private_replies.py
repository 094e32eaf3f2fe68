"""What the asker alone sees: refusals, answers to commands, and which addresses are called for them."""

import pytest

from bot.adapters.slack.response_url import is_response_url
from bot.errors import PlatformUnavailable
from bot.messages import Outcome, Platform, ThreadRef
from tests.bot.adapters.slack.replies import ROOT, TS, a_message, a_reply
from tests.bot.adapters.slack.test_poster import make_poster
from tests.peers.slack_api import Fault, SlackPeer
from tests.peers.slack_payloads import ANA, CHANNEL, TEAM


async def test_refusal_is_seen_by_the_asker_alone(peer: SlackPeer) -> None:
    """In a channel a refusal is ephemeral, inside the thread that it was asked in."""
    await make_poster(peer).post(a_reply("No.", citations=(), outcome=Outcome.NOT_PERMITTED))
    (note,) = peer.ephemerals
    assert (note.user, note.channel, note.thread_ts, peer.posts) == (ANA, CHANNEL, ROOT, [])


async def test_refusal_of_a_root_mention_is_shown_in_the_channel(peer: SlackPeer) -> None:
    """A top-level asker sees the refusal in the channel, where no thread is open."""
    message = a_message(thread=ThreadRef(Platform.SLACK, TEAM, CHANNEL, TS))
    await make_poster(peer).post(a_reply("No.", message, citations=(), outcome=Outcome.NOT_PERMITTED))
    assert peer.ephemerals[0].thread_ts == ""


def _command(url: str) -> object:
    thread = ThreadRef(Platform.SLACK, TEAM, CHANNEL, "command:1.2")
    return a_message(is_command=True, thread=thread, routing=(("response_url", url),))


async def test_command_is_answered_through_its_url(peer: SlackPeer) -> None:
    """The answer of a command is ephemeral, by its response URL, with the question above."""
    await make_poster(peer).post(a_reply(message=_command(peer.response_url())))  # type: ignore[arg-type]
    (sent,) = peer.responses
    assert (sent["response_type"], sent["replace_original"]) == ("ephemeral", False)
    assert sent["text"].startswith("> You asked: why does sync fail?")
    assert (peer.posts, peer.ephemerals) == ([], [])


async def test_used_up_url_falls_back_to_an_ephemeral_message(peer: SlackPeer) -> None:
    """What the response URL no longer takes is posted for the asker alone, the rest in order."""
    await make_poster(peer).post(a_reply("word " * 14_000, _command(peer.response_url())))  # type: ignore[arg-type]
    assert len(peer.responses) == 5
    assert {note.user for note in peer.ephemerals} == {ANA}
    assert "Sources" in peer.ephemerals[-1].shown


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_url_out_of_reach_may_be_tried_again(peer: SlackPeer, status: int) -> None:
    """A response URL that fails for now is no reason to give up."""
    peer.faults["response_url"] = Fault(status=status)
    with pytest.raises(PlatformUnavailable):
        await make_poster(peer).post(a_reply(message=_command(peer.response_url())))  # type: ignore[arg-type]


async def test_foreign_url_is_never_called(peer: SlackPeer) -> None:
    """An address that is not Slack's is not called; the asker gets an ephemeral message."""
    await make_poster(peer).post(a_reply(message=_command("http://127.0.0.2:1/steal")))  # type: ignore[arg-type]
    assert len(peer.ephemerals) == 1


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://hooks.slack.com/commands/T/1/x", True),
        ("https://hooks.slack-gov.com/x", True),
        ("http://hooks.slack.com/x", False),
        ("https://hooks.slack.com.evil.example/x", False),
        ("https://evilslack.com/x", False),
        ("https://user@hooks.slack.com/x", False),
        ("https://api.peer.example:444/x", True),
        ("https://api.peer.example:445/x", True),
        ("http://api.peer.example:444/x", False),
        ("https://[broken", False),
        ("", False),
    ],
)
def test_addresses_that_may_be_called(url: str, allowed: bool) -> None:
    """Only Slack over https, or the host configured as the Web API, may be called."""
    assert is_response_url(url, "https://api.peer.example:444/api/") is allowed
