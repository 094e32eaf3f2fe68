"""Streamed answers of the loopback Messages API: event by event, and every way in which one can break.

https://platform.claude.com/docs/en/build-with-claude/streaming
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Literal

from aiohttp import web

from tests.peers.anthropic_rules import Json

# "bare": data lines alone, without names, start or end of blocks, as imitations send them.
StreamAs = Literal[
    "events", "bare", "refused", "in one piece", "cut", "early end", "malformed", "error event", "endless"
]
OnPiece = Callable[[str], Awaitable[None]]
_BREAKS_AFTER = 0.6  # of the pieces


async def send_events(
    request: web.Request, message: Json, stream_as: StreamAs, on_piece: OnPiece | None
) -> web.StreamResponse:
    """Answer with events; `on_piece` is told the text so far after each piece of it, and may wait."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
    await response.prepare(request)
    events, said = list(events_of(message, is_bare=stream_as == "bare")), ""
    last = len(events) if stream_as in ("events", "bare", "endless") else int(len(events) * _BREAKS_AFTER)
    for event in events[:last]:
        await response.write(_encoded(event, is_bare=stream_as == "bare"))
        said += event.get("delta", {}).get("text", "")
        if on_piece is not None and "text" in event.get("delta", {}):
            await on_piece(said)
    if stream_as == "endless":
        more = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Open it. " * 2_000}}
        for _ in range(10):
            await response.write(_encoded(more))
    if stream_as == "error event":
        await response.write(_encoded({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}))
    if stream_as == "malformed":
        await response.write(b'event: content_block_delta\ndata: {"type": "content_\n\n')
    if stream_as == "cut":
        assert request.transport is not None
        request.transport.abort()
    return response


def events_of(message: Json, *, is_bare: bool = False) -> Iterator[Json]:
    """Take a message apart as the API streams it: words of a block, its citations behind them, the reason to stop last."""
    usage = message["usage"]
    start = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    if not is_bare:
        yield {"type": "message_start", "message": start}
        yield {"type": "ping"}
    for place, block in enumerate(message["content"]):
        empty = {**block, "text": ""} | ({"citations": []} if "citations" in block else {})
        if not is_bare:
            yield {"type": "content_block_start", "index": place, "content_block": empty}
        for piece in re.findall(r"\s*\S+\s*$|\s*\S+", block.get("text", "")):
            yield {"type": "content_block_delta", "index": place, "delta": {"type": "text_delta", "text": piece}}
        for citation in block.get("citations", ()):
            delta = {"type": "citations_delta", "citation": citation}
            yield {"type": "content_block_delta", "index": place, "delta": delta}
        if not is_bare:
            yield {"type": "content_block_stop", "index": place}
    delta = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": usage["output_tokens"]}}
    yield {"type": "message_stop"}


def _encoded(event: Json, *, is_bare: bool = False) -> bytes:
    name = "" if is_bare else f"event: {event['type']}\n"
    return f"{name}data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()
