"""Socket Mode: acknowledgement after the enqueue, reconnects, readiness (cases G1, G2)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from bot.adapters.slack import SlackSocket, serve_socket_mode
from bot.errors import PlatformUnavailable
from tests.bot.adapters.slack.conftest import Desk
from tests.peers.slack_api import APP_TOKEN, Fault, SlackPeer
from tests.peers.slack_payloads import command_fields, event_body, mention


@pytest.fixture
async def socket(desk: Desk, peer: SlackPeer) -> AsyncIterator[SlackSocket]:
    """Give a connected socket, pinging ten times a second."""
    made = SlackSocket(desk.slack, app_token=APP_TOKEN, ping_interval_s=0.1)
    serving = asyncio.create_task(made.serve())
    await peer.connected()
    await _until(lambda: made.is_connected)
    yield made
    serving.cancel()
    with suppress(asyncio.CancelledError):
        await serving


async def _until(condition: object, limit_s: float = 30.0) -> None:
    async with asyncio.timeout(limit_s):
        while not condition():  # type: ignore[operator]  # noqa: ASYNC110 - what the SDK does sets no event of ours
            await asyncio.sleep(0.01)


async def test_event_is_acknowledged_once_stored(desk: Desk, peer: SlackPeer, socket: SlackSocket) -> None:
    """Three deliveries of one envelope's event are acknowledged and make one question."""
    body = event_body(mention("why?"))
    assert all([await peer.deliver(body, retry=retry) for retry in range(3)])
    assert [m.text for m in desk.queue.messages] == ["why?"]


async def test_command_gets_its_word_with_the_acknowledgement(desk: Desk, peer: SlackPeer, socket: SlackSocket) -> None:
    """The ephemeral word of a slash command travels in the acknowledgement."""
    ack = await peer.deliver(dict(command_fields("")), kind="slash_commands")
    assert ack is not None
    assert ack["payload"]["text"].startswith("Usage: /kb")


async def test_unknown_envelopes_are_acknowledged(desk: Desk, peer: SlackPeer, socket: SlackSocket) -> None:
    """An interaction nobody listens to is acknowledged."""
    assert await peer.deliver({"type": "block_actions", "user": {"id": "U0ANA"}}, kind="interactive") is not None


async def test_state_away_means_no_acknowledgement(desk: Desk, peer: SlackPeer, socket: SlackSocket) -> None:
    """While Redis is away the envelope stays unacknowledged; the redelivery is taken once."""
    body = event_body(mention("why?"))
    desk.queue.is_down = True
    assert await peer.deliver(body, wait_s=0.2) is None
    desk.queue.is_down = False
    assert await peer.deliver(body, retry=1) is not None
    assert len(desk.queue.messages) == 1


async def test_closed_socket_is_opened_again(desk: Desk, peer: SlackPeer, socket: SlackSocket) -> None:
    """When the server closes, readiness turns red, the bot reconnects, and events arrive again."""
    peer.faults["apps.connections.open"] = Fault(status=500, times=2)
    await peer.close_sockets()
    await _until(lambda: not socket.is_connected)
    with pytest.raises(PlatformUnavailable):
        await socket.ping()
    await peer.connected()
    await _until(lambda: socket.is_connected)
    await socket.ping()
    assert await peer.deliver(event_body(mention("again?"))) is not None


async def test_refresh_replaces_the_socket(desk: Desk, peer: SlackPeer, socket: SlackSocket) -> None:
    """A refresh message leads to a new socket."""
    await peer.refresh()
    await peer.connected()
    await _until(lambda: socket.is_connected)
    assert await peer.deliver(event_body(mention("again?"))) is not None


async def test_half_open_socket_is_noticed(desk: Desk, peer: SlackPeer, socket: SlackSocket) -> None:
    """A socket that answers no pings is replaced."""
    peer.is_mute = True
    peer._connected.clear()
    await peer.connected()
    peer.is_mute = False
    await _until(lambda: socket.is_connected)


async def test_nothing_is_connected_before_serving(desk: Desk) -> None:
    """A socket that does not serve yet is not ready."""
    assert not SlackSocket(desk.slack, app_token=APP_TOKEN).is_connected


async def test_serving_ends_cleanly(desk: Desk, peer: SlackPeer) -> None:
    """Cancelled, it closes its socket and leaves nothing open."""
    serving = asyncio.create_task(serve_socket_mode(desk.slack, app_token=APP_TOKEN))
    await peer.connected()
    serving.cancel()
    with suppress(asyncio.CancelledError):
        await serving
    await _until(lambda: all(s.closed for s in peer.sockets))
