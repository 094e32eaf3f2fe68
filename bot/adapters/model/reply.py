"""Replies of the Anthropic Messages API, read without trusting their shape: other servers imitate it more or less."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.adapters.model.cost import TokenCounts
from bot.adapters.model.request import Source
from bot.adapters.model.text import marked_block, without_private
from bot.errors import ChatModelOutputInvalid, ChatModelUnavailable
from bot.messages import SentenceRef


@dataclass(frozen=True, slots=True)
class BlockCitation:
    """What one citation points at: a search result of the request and a half-open range of its blocks."""

    source: str
    result: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextBlock:
    """One text block of a reply."""

    text: str
    citations: tuple[BlockCitation, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came back; thoughts and tool calls are left out."""

    blocks: tuple[TextBlock, ...]
    stop_reason: str
    tokens: TokenCounts
    model: str

    @property
    def is_cut(self) -> bool:
        """Whether the model ran out of room."""
        return self.stop_reason in ("max_tokens", "model_context_window_exceeded")

    @property
    def is_answer(self) -> bool:
        """Whether the model neither refused nor asked for a tool."""
        return self.stop_reason not in ("refusal", "tool_use", "pause_turn")


def read_reply(body: bytes) -> ModelReply:
    """Read the body of a 200.

    Raises:
        ChatModelUnavailable: the body is an error event.
        ChatModelOutputInvalid: not JSON, not a message, or without a stop reason (broken off).
    """
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ChatModelOutputInvalid("the model's answer is no JSON") from error
    if not isinstance(message, dict):
        raise ChatModelOutputInvalid("the model's answer is no message")
    if message.get("type") == "error":
        raise ChatModelUnavailable("the model's server answered with an error event")
    stop = message.get("stop_reason")
    if not isinstance(stop, str) or not stop:
        raise ChatModelOutputInvalid("the model's answer broke off")
    return reply_of(message)


def reply_of(message: dict[str, Any]) -> ModelReply:
    """Read a message, whole or as far as it is written."""
    stop = message.get("stop_reason")
    blocks = tuple(_text_block(block) for block in _dicts(message.get("content")) if block.get("type") == "text")
    return ModelReply(blocks, str(stop or ""), _tokens(message.get("usage")), str(message.get("model") or ""))


def marked_text(reply: ModelReply, sources: Sequence[Source]) -> tuple[str, tuple[SentenceRef, ...]]:
    """Join the blocks into one text with a mark at each cited sentence; mark `n` means the n-th of the references.

    A citation that does not point into the sources of this request is dropped.
    """
    refs: dict[SentenceRef, int] = {}
    pieces = []
    for block in reply.blocks:
        found = [ref for citation in block.citations for ref in _refs(citation, sources)]
        numbers = tuple(refs.setdefault(ref, len(refs)) for ref in found)
        pieces.append(marked_block(without_private(block.text), tuple(dict.fromkeys(numbers))))
    return "".join(pieces), tuple(refs)


def _refs(citation: BlockCitation, sources: Sequence[Source]) -> Iterable[SentenceRef]:
    if not 0 <= citation.result < len(sources):
        return ()
    source = sources[citation.result]
    if citation.source != source.passage.document.id:
        return ()
    last = min(citation.end, len(source.passage.sentences))
    return (SentenceRef(source.place, i) for i in range(max(citation.start, 0), last))


def _text_block(block: dict[str, Any]) -> TextBlock:
    text = block.get("text")
    found = (_citation(c) for c in _dicts(block.get("citations")) if c.get("type") == "search_result_location")
    return TextBlock(text if isinstance(text, str) else "", tuple(c for c in found if c is not None))


def _citation(raw: dict[str, Any]) -> BlockCitation | None:
    places = [raw.get(key) for key in ("search_result_index", "start_block_index", "end_block_index")]
    numbers = [place for place in places if isinstance(place, int)]
    return BlockCitation(str(raw.get("source")), *numbers) if len(numbers) == len(places) else None


def _tokens(usage: object) -> TokenCounts:
    counts = usage if isinstance(usage, dict) else {}

    def count(key: str) -> int:
        value = counts.get(key)
        return value if isinstance(value, int) and value > 0 else 0

    return TokenCounts(
        fresh=count("input_tokens"),
        cache_read=count("cache_read_input_tokens"),
        cache_written=count("cache_creation_input_tokens"),
        output=count("output_tokens"),
    )


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
