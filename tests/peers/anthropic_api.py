"""A loopback server that speaks the Messages API: as Anthropic does, or as Ollama imitates it.

It checks credential and request, records what it got, and answers by a stub (`anthropic_stubs`) or a scripted fault.
A streamed request is answered in events, as `stream_as` says (`anthropic_events`).
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import web

from tests.peers import anthropic_rules as rules
from tests.peers.anthropic_events import StreamAs, send_events
from tests.peers.anthropic_rules import Json, Refused
from tests.peers.anthropic_stubs import Stub, honest, read_ask, rewritten

KEY = "sk-ant-peer-key"
ERROR_TYPES = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 500: "api_error",
    504: "timeout_error", 529: "overloaded_error",
}  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """A scripted answer. `kind` "status" answers an error; the others are what can go wrong with a 200."""

    kind: Literal[
        "status", "stall", "cut", "early_end", "broken_json", "not_a_message", "error_event", "no_stop",
        "empty", "refusal", "max_tokens", "thinking_first", "huge", "tool_use",
    ]  # fmt: skip
    status: int = 500
    retry_after: str | None = None
    error: Json | None = None


@dataclass
class Recorded:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: Json


@dataclass
class AnthropicPeer:
    """The server's state: what it answers next, and what it was asked."""

    personality: Literal["api", "ollama"] = "api"
    stub: Stub = honest
    rewrite_stub: Stub = rewritten
    url: str = ""
    requests: list[Recorded] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    usage: Json = field(default_factory=lambda: {"input_tokens": 100, "output_tokens": 20})
    always: Fault | None = None
    delay_s: float = 0.0
    stream_as: StreamAs = "events"
    on_piece: Callable[[str], Awaitable[None]] | None = None
    _faults: deque[Fault] = field(default_factory=deque)
    _stop: asyncio.Event = field(default_factory=asyncio.Event)

    def script(self, *faults: Fault) -> None:
        """Answer the next requests with these, then by the stub again."""
        self._faults.extend(faults)

    @property
    def bodies(self) -> list[Json]:
        """The bodies of the message requests."""
        return [request.body for request in self.requests if request.path.endswith("/messages")]

    async def messages(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        body = json.loads(raw)
        self.requests.append(Recorded(request.path, dict(request.headers), body))
        try:
            self._check(request, body)
        except Refused as error:
            self.refusals.append(str(error))
            return _error(error.status, str(error))
        await asyncio.sleep(self.delay_s)
        fault = self._faults.popleft() if self._faults else self.always
        if fault:
            return await self._faulty(request, body, fault)
        if body.get("stream") and self.stream_as != "in one piece":
            return await send_events(request, self._message(body), self.stream_as, self.on_piece)
        return web.json_response(self._message(body))

    async def models(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(Recorded(request.path, dict(request.headers), {}))
        if self.personality == "ollama":
            return web.json_response({"object": "list", "data": [{"id": "small", "object": "model"}]})
        try:
            rules.check_key(request.headers, KEY)
        except Refused as error:
            return _error(error.status, str(error))
        if self.always:
            return _error(self.always.status, "scripted")
        return web.json_response({"data": [], "has_more": False, "first_id": None, "last_id": None})

    def _check(self, request: web.Request, body: Json) -> None:
        if body.get("stream") and self.stream_as == "refused":
            raise Refused("this peer does not stream")
        if self.personality == "ollama":
            rules.check_ollama(body)
            return
        rules.check_key(request.headers, KEY)
        rules.check_api(request.headers, body)

    def _message(self, body: Json, blocks: list[Json] | None = None, stop: str | None = "end_turn") -> Json:
        ask = read_ask(body)
        stub = self.rewrite_stub if ask.is_rewrite else self.stub
        return {
            "id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "stop_sequence": None,
            "content": stub(ask) if blocks is None else blocks, "stop_reason": stop, "usage": self.usage,
        }  # fmt: skip

    async def _faulty(self, request: web.Request, body: Json, fault: Fault) -> web.StreamResponse:
        whole = json.dumps(self._message(body)).encode()
        if fault.kind == "status":
            return _error(fault.status, "scripted", retry_after=fault.retry_after, error=fault.error)
        if fault.kind == "stall":
            await self._stop.wait()
        if fault.kind == "cut":
            return await _cut(request, whole)
        if fault.kind in ("early_end", "broken_json"):
            text = whole[: len(whole) // 2] if fault.kind == "early_end" else whole.replace(b":", b"=", 3)
            return web.Response(body=text, content_type="application/json")
        if fault.kind == "error_event":
            return web.json_response({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}})
        if fault.kind == "not_a_message":
            return web.json_response(["what"])
        return web.json_response(self._odd(body, fault))

    def _odd(self, body: Json, fault: Fault) -> Json:
        told = self._message(body)["content"]
        half = {"type": "text", "text": "And then you open the adv"}
        call = {"type": "tool_use", "id": "toolu_x", "name": "search_knowledge_base", "input": {"query": "more"}}
        thought = {"type": "thinking", "thinking": "Let me think about [S1].", "signature": "c2ln"}
        return {
            "no_stop": lambda: self._message(body, told, None),
            "empty": lambda: self._message(body, []),
            "refusal": lambda: self._message(body, [], "refusal"),
            "max_tokens": lambda: self._message(body, [*told, half], "max_tokens"),
            "thinking_first": lambda: self._message(body, [thought, *told]),
            "huge": lambda: self._message(body, [{"type": "text", "text": "Open it. " * 22_000}]),
            "tool_use": lambda: self._message(body, [call], "tool_use"),
        }[fault.kind]()


async def _cut(request: web.Request, whole: bytes) -> web.StreamResponse:
    """Promise the whole body, send half of it and drop the connection."""
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(whole))})
    await response.prepare(request)
    await response.write(whole[: len(whole) // 2])
    assert request.transport is not None
    request.transport.abort()
    return response


def _error(status: int, message: str, *, retry_after: str | None = None, error: Json | None = None) -> web.Response:
    body: dict[str, Any] = {"type": ERROR_TYPES.get(status, "api_error"), "message": message, **(error or {})}
    headers = {"Retry-After": retry_after} if retry_after else {}
    return web.json_response({"type": "error", "error": body}, status=status, headers=headers)


@asynccontextmanager
async def anthropic_peer(personality: Literal["api", "ollama"] = "api") -> AsyncIterator[AnthropicPeer]:
    """Serve one peer on a free loopback port; `peer.url` is the base URL for the SDK."""
    peer = AnthropicPeer(personality)
    app = web.Application(client_max_size=64 * 1024**2)
    app.router.add_post("/v1/messages", peer.messages)
    app.router.add_get("/v1/models", peer.models)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    peer.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield peer
    finally:
        peer._stop.set()
        await runner.cleanup()
