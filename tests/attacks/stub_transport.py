"""A transport for the chat model that asks a stub instead of a server; requests and replies pass as JSON all the same."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from bot.adapters.model.client import Sent
from bot.adapters.model.stream import OnPart, StreamedMessage
from tests.peers.anthropic_events import events_of
from tests.peers.anthropic_rules import check_api
from tests.peers.anthropic_stubs import Stub, read_ask, rewritten

PACE_S, SEEN_WITHIN_S = 0.004, 0.4


class StubTransport:
    """Answers by a stub and keeps what was sent.

    `is_checked`: refuse what the real API refuses. Before a stream ends, `is_seen` is waited for, a little.
    """

    def __init__(self, stub: Stub, *, is_checked: bool = False, is_seen: Callable[[], bool] = lambda: True) -> None:
        self._is_seen = is_seen
        self.stub = stub
        self.sent: list[str] = []
        self._is_checked = is_checked

    async def send(self, parameters: dict[str, Any], *, deadline: float, retries: int) -> Sent:
        """Give the stub's blocks as the body of a message."""
        return Sent(json.dumps(self._reply(parameters)).encode(), 1)

    async def stream(self, parameters: dict[str, Any], *, deadline: float, retries: int, on_part: OnPart) -> Sent:
        """Give the same in events; after each block there is time to judge it."""
        message = StreamedMessage()
        for event in events_of(self._reply(parameters)):
            if message.add(event):
                on_part(*message.so_far())
            if event["type"] == "content_block_stop":
                await asyncio.sleep(PACE_S)
        with suppress(TimeoutError):
            async with asyncio.timeout(SEEN_WITHIN_S):
                while not self._is_seen():  # noqa: ASYNC110 - it is judged on threads
                    await asyncio.sleep(PACE_S)
        return Sent(message.body(), 1)

    def _reply(self, parameters: dict[str, Any]) -> dict[str, Any]:
        raw = json.dumps(parameters, ensure_ascii=False)
        self.sent.append(raw)
        body = json.loads(raw)
        if self._is_checked:
            check_api({"anthropic-version": "2026-10-21"}, body)
        ask = read_ask(body)
        blocks = rewritten(ask) if ask.is_rewrite else self.stub(ask)
        return {
            "id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "stop_sequence": None,
            "content": blocks, "stop_reason": "end_turn", "usage": {"input_tokens": 100, "output_tokens": 20},
        }  # fmt: skip

    async def ping(self) -> None:
        """Is always there."""

    async def warm(self) -> None:
        """Has nothing to load."""

    async def close(self) -> None:
        """Has nothing to end."""
