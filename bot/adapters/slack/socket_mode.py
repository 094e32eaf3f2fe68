"""Socket Mode: one WebSocket to Slack, kept open; readiness is whether it is."""

import asyncio

from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

from bot.adapters.slack.app import SlackApp
from bot.errors import PlatformUnavailable

PING_INTERVAL_S = 5.0


class SlackSocket:
    """Serves Slack over Socket Mode. The SDK reconnects: closed, refreshed, or silent for four ping intervals."""

    def __init__(self, slack: SlackApp, *, app_token: str, ping_interval_s: float = PING_INTERVAL_S) -> None:
        """Prepare; `app_token` is the app-level token (`xapp-…`), the interval is in seconds."""
        self._slack = slack
        self._app_token = app_token
        self._ping_interval_s = ping_interval_s
        self._handler: AsyncSocketModeHandler | None = None

    @property
    def is_connected(self) -> bool:
        """Whether a socket is open now."""
        client = None if self._handler is None else self._handler.client
        session = None if client is None else client.current_session
        return (
            client is not None and not client.closed and not client.stale and session is not None and not session.closed
        )

    async def ping(self) -> None:
        """Raise `PlatformUnavailable` while no socket is open."""
        if not self.is_connected:
            raise PlatformUnavailable("no socket to Slack is open")

    async def serve(self) -> None:
        """Connect and serve until cancelled, then close the socket."""
        handler = AsyncSocketModeHandler(self._slack.bolt, self._app_token, ping_interval=self._ping_interval_s)
        self._handler = handler
        try:
            await handler.client.connect()  # type: ignore[no-untyped-call]  # the SDK annotates nothing here
            await asyncio.Event().wait()
        finally:
            await handler.client.close()  # type: ignore[no-untyped-call]  # the SDK annotates nothing here


async def serve_socket_mode(slack: SlackApp, *, app_token: str) -> None:
    """Serve Slack over Socket Mode until cancelled."""
    await SlackSocket(slack, app_token=app_token).serve()
