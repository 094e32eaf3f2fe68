"""An answer of the Messages API read while it is written: events in, the message as it would have come in one piece out.

The raw events are read, not the SDK's own: its helpers fail on events that imitations leave out or shape their own way.
What has no stop reason at its end broke off, however politely.
"""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from bot.errors import ChatModelOutputInvalid, ChatModelUnavailable

EVENTS: Final = "text/event-stream"
# Is given the message so far; True when its last block may still grow.
OnPart = Callable[[dict[str, Any], bool], None]
# More characters than so many tokens can hold: the server ignores the limit.
CHARACTERS_PER_TOKEN: Final = 12
_DONE: Final = "[DONE]"


class FarTooLong(ChatModelOutputInvalid):
    """The server ignores the limit of an answer; asking again would not help."""


class StreamedMessage:
    """Puts a message together from its events, which are taken as they come: unknown ones change nothing."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {"type": "message", "role": "assistant"}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._open: set[int] = set()
        self._usage: dict[str, Any] = {}
        self.characters = 0

    def add(self, event: dict[str, Any]) -> bool:
        """Take one event; gives whether there is more to read of the answer.

        Raises:
            ChatModelUnavailable: it says that the server failed.
        """
        kind = event.get("type")
        if kind == "error":
            raise ChatModelUnavailable("the model's server broke its answer off with an error event")
        if kind == "message_start":
            self._begin(_dict(event.get("message")))
        elif kind == "message_delta":
            self._message |= {key: value for key, value in _dict(event.get("delta")).items() if value is not None}
            self._count(_dict(event.get("usage")))
        elif isinstance(place := event.get("index"), int):
            return self._block(kind, place, event)
        return False

    @property
    def is_whole(self) -> bool:
        """Whether the server said why the model stopped."""
        return bool(self._message.get("stop_reason"))

    def so_far(self) -> tuple[dict[str, Any], bool]:
        """Give the message as it stands, and whether its last block may still grow."""
        places = sorted(self._blocks)
        # Copies: whoever reads them may do so while more is written.
        content = [{**self._blocks[place], "citations": list(self._blocks[place]["citations"])} for place in places]
        is_open = bool(places) and places[-1] in self._open
        return {**self._message, "content": content, "usage": dict(self._usage)}, is_open

    def body(self) -> bytes:
        """Give the message as the body of an answer in one piece."""
        return json.dumps(self.so_far()[0]).encode()

    def _begin(self, message: dict[str, Any]) -> None:
        self._message |= {
            key: value for key, value in message.items() if key not in ("content", "usage", "stop_reason")
        }
        self._count(_dict(message.get("usage")))

    def _count(self, usage: dict[str, Any]) -> None:
        self._usage |= {key: value for key, value in usage.items() if value is not None}

    def _block(self, kind: object, place: int, event: dict[str, Any]) -> bool:
        if kind == "content_block_start":
            given = _dict(event.get("content_block"))
            self._blocks[place] = {**given, "text": _text(given), "citations": _list(given.get("citations"))}
            self._open.add(place)
            return bool(_text(given))
        if kind == "content_block_stop":
            self._open.discard(place)
            return True
        # Some servers send words of a block that they never began.
        block = self._blocks.setdefault(place, {"type": "text", "text": "", "citations": []})
        delta = _dict(event.get("delta"))
        if delta.get("type") == "citations_delta":
            block["citations"].append(delta.get("citation"))
        if delta.get("type") != "text_delta":
            return False
        self._open.add(place)
        block["text"] += _text(delta)
        self.characters += len(_text(delta))
        return True


async def read_stream(events: AsyncIterator[str], *, most_characters: int, on_part: OnPart) -> bytes:
    """Read the data of each event until the answer is whole, and give it as a body; each new part is shown meanwhile.

    Raises:
        ChatModelUnavailable: an error event.
        ChatModelOutputInvalid: it broke off.
        FarTooLong: it goes on and on.
        ValueError: an event is no JSON.
    """
    message = StreamedMessage()
    async for data in events:
        event = json.loads(data) if data and data.strip() != _DONE else None
        if not isinstance(event, dict) or not message.add(event):
            continue
        if message.characters > most_characters:
            raise FarTooLong("the model wrote far more than it was allowed to")
        on_part(*message.so_far())
    if not message.is_whole:
        raise ChatModelOutputInvalid("the model's answer broke off")
    return message.body()


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list) else []


def _text(block: dict[str, Any]) -> str:
    return text if isinstance(text := block.get("text"), str) else ""
