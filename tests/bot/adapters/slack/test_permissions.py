"""Who may ask where: channel ids, guests of Slack Connect, audience (cases E4, E6, A7)."""

from collections.abc import AsyncIterator

import pytest

from bot.errors import PlatformUnavailable, ReplyRejected
from bot.questions.access import Place, Places
from tests.bot.adapters.slack.conftest import Desk, make_desk
from tests.peers.slack_api import Fault, SlackPeer
from tests.peers.slack_payloads import BOT, TEAM, Json, command_fields, direct_message, event_body, mention, message

GUEST = {"user": "U0EXT", "team": "T0CUSTOMER", "user_team": "T0CUSTOMER", "source_team": "T0CUSTOMER"}


@pytest.fixture
async def closed(peer: SlackPeer) -> AsyncIterator[Desk]:
    """Give a bot that may speak in one channel only."""
    made = make_desk(peer, channels=["C0SUP"])
    yield made
    await made.http.aclose()


async def test_allowed_channel_and_direct_messages(closed: Desk) -> None:
    """The listed channel id is served, and direct messages are."""
    await closed.event(event_body(mention("hi")))
    await closed.event(event_body(direct_message("hi")))
    assert [m.refusal for m in closed.queue.messages] == ["", ""]


async def test_other_channels_are_refused_politely(closed: Desk) -> None:
    """A mention elsewhere is enqueued with its refusal, whatever the channel is called; other messages stay unseen."""
    await closed.event(event_body(mention("hi", channel="C0NEW")))
    await closed.event(event_body(message("chatter", channel="C0NEW")))
    await closed.command(command_fields("why?", channel_id="C0NEW", channel_name="support"))
    assert [m.refusal for m in closed.queue.messages] == ["refused_channel"] * 2


async def test_guest_is_refused(desk: Desk) -> None:
    """A person of another company gets a refusal and never internal documents."""
    await desk.event(event_body(mention("hi", **GUEST), is_ext_shared_channel=True))
    (question,) = desk.queue.messages
    assert (question.refusal, question.audience) == ("refused_guest", ("public",))


async def test_guest_may_be_answered_from_public_documents(peer: SlackPeer) -> None:
    """Where the operator allows guests, they see public documents."""
    desk = make_desk(peer, are_guests_answered=True)
    await desk.event(event_body(mention("hi", **GUEST), is_ext_shared_channel=True))
    await desk.http.aclose()
    assert [(m.refusal, m.audience) for m in desk.queue.messages] == [("", ("public",))]


@pytest.mark.parametrize(
    ("outer", "fields", "audience"),
    [
        ({"is_ext_shared_channel": False}, {}, ("public", "internal")),
        ({"is_ext_shared_channel": True}, {}, ("public",)),
        ({"is_ext_shared_channel": None}, {}, ("public",)),
        ({"is_ext_shared_channel": "maybe"}, {}, ("public",)),
        ({"is_ext_shared_channel": None}, {"user_team": "T0OTHER"}, ("public",)),
        ({"is_ext_shared_channel": False}, {"user_team": "T0OTHER"}, ("public",)),
    ],
)
async def test_audience(desk: Desk, outer: Json, fields: Json, audience: tuple[str, ...]) -> None:
    """A channel others can read shows public documents only, also to our own people; doubt counts as shared."""
    await desk.event(event_body(mention("hi", **fields), **outer))
    assert desk.queue.messages[0].audience == audience


async def test_sister_workspaces_are_home(peer: SlackPeer) -> None:
    """Workspaces that the operator names, and the own Grid organisation, are no guests."""
    desk = make_desk(peer, home_teams=["T0SISTER"])
    await desk.event(event_body(mention("hi", user_team="T0SISTER")))
    grid = [{"enterprise_id": "E0GRID", "team_id": TEAM, "user_id": BOT, "is_bot": True}]
    await desk.event(event_body(mention("hi", user_team="E0GRID"), authorizations=grid))
    await desk.http.aclose()
    assert [m.audience for m in desk.queue.messages] == [("public", "internal")] * 2


async def test_file_with_caption(desk: Desk) -> None:
    """The caption is the question; the file's name travels along, redacted."""
    files = [{"name": "pat@example.com screen.png", "mimetype": "image/png"}, {"title": "log\n.txt"}, "odd", {}]
    await desk.event(event_body(message(f"<@{BOT}> what is this?", subtype="file_share", files=files)))
    (question,) = desk.queue.messages
    assert (question.text, question.route("files")) == ("what is this?", "[EMAIL] screen.png\nlog .txt\n?")


async def test_screenshot_alone_is_no_silence(desk: Desk) -> None:
    """A file without a word is a question too."""
    await desk.event(event_body(direct_message("", subtype="file_share", blocks=[], files=[{"name": "a.png"}])))
    assert [(m.text, m.route("files")) for m in desk.queue.messages] == [("", "a.png")]


async def test_long_question_is_cut_and_marked(desk: Desk) -> None:
    """Beyond 4 000 characters the text is cut and marked; 50 000 characters cost no more than 16 KB."""
    await desk.event(event_body(mention("word " * 10_000)))
    await desk.event(event_body(mention("&lt;" * 3_000 + " " + "x" * 9_000)))
    assert [(m.is_truncated, len(m.text) <= 4_000) for m in desk.queue.messages] == [(True, True)] * 2


async def test_identity_is_asked_until_known(desk: Desk, peer: SlackPeer) -> None:
    """`auth.test` is repeated while Slack is away, and given up when it refuses for good."""
    peer.faults["auth.test"] = Fault(status=500, times=2)
    assert not desk.slack.identity.is_known
    identity = await desk.slack.identity.learn(first_wait_s=0.01)
    assert (identity.user_id, identity.team_id, desk.slack.identity.is_known) == (BOT, TEAM, True)
    peer.faults["auth.test"] = Fault(error="missing_scope")
    with pytest.raises(ReplyRejected):
        await desk.slack.identity.learn(first_wait_s=0.01)
    peer.faults["auth.test"] = Fault(error="invalid_auth")
    with pytest.raises(PlatformUnavailable):
        await desk.slack.identity.ask()


async def test_known_identity_serves_events_without_authorizations(desk: Desk) -> None:
    """An event that does not say for whom it is, is read by what `auth.test` said; before that a mention event still is."""
    await desk.event(event_body(mention("early"), authorizations=[]))
    await desk.event(event_body(message(f"<@{BOT}> twin lost"), authorizations=[]))
    await desk.slack.identity.ask()
    await desk.event(event_body(message(f"<@{BOT}> later"), authorizations=[]))
    assert [m.text for m in desk.queue.messages] == [f"@{BOT} early", "later"]


async def test_settings_of_a_channel_follow_its_id(peer: SlackPeer) -> None:
    """Labels and closing go by the id, in messages and commands; a channel with settings counts as listed (case E6)."""
    places = Places({"C0SUP": Place(labels=("billing",)), "C0OFF": Place(is_allowed=False)})
    desk = make_desk(peer, channels=["C0OTHER"], places=places)
    await desk.event(event_body(mention("hi")))
    await desk.command(command_fields("hi"))
    await desk.event(event_body(mention("hi", channel="C0OFF")))
    await desk.event(event_body(mention("hi"), is_ext_shared_channel=True))
    await desk.http.aclose()
    assert [(m.refusal, m.audience) for m in desk.queue.messages] == [
        ("", ("public", "billing")),
        ("", ("public", "billing")),
        ("refused_channel", ("public", "internal")),
        ("", ("public",)),
    ]
