"""What version 2026-10-21 of the Messages API refuses, and what Ollama's imitation of it does not know.

Written from the public reference and from what the SDK sends; stricter than the API in one point: roles must alternate.
"""

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
VERSION = "2026-10-21"
KNOWN = {
    "model", "max_tokens", "messages", "system", "tools", "tool_choice", "stop_sequences", "stream", "metadata",
    "output_config", "thinking", "cache_control", "service_tier",
}  # fmt: skip
SAMPLING = {"temperature", "top_p", "top_k"}


class Refused(Exception):
    """The request breaks a rule; `status` is what the server answers."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def check_key(headers: Any, key: str) -> None:
    """`x-api-key` wins when both are sent, as at the API."""
    given = headers.get("x-api-key") or headers.get("Authorization", "").removeprefix("Bearer ")
    if given != key:
        raise Refused("invalid x-api-key", 401)


def check_api(headers: Any, body: Json) -> None:
    """Refuse what the API refuses."""
    if headers.get("anthropic-version") != VERSION:
        raise Refused("anthropic-version: unknown version")
    for name in SAMPLING & body.keys():
        raise Refused(f"{name}: not supported")
    for name in body.keys() - KNOWN:
        raise Refused(f"{name}: Extra inputs are not permitted")
    _check_shape(body)
    results = list(search_results(body))
    enabled = {bool(result.get("citations", {}).get("enabled")) for result in results}
    if len(enabled) > 1:
        raise Refused("citations must be enabled on all or none of the search results")
    if True in enabled and body.get("output_config", {}).get("format"):
        raise Refused("citations and output format cannot be combined")
    if "tool_choice" in body and not body.get("tools"):
        raise Refused("tool_choice: needs tools")
    if len(list(_marks(body))) > 4:
        raise Refused("cache_control: at most 4 marks")


def check_ollama(body: Json) -> None:
    """Refuse what Ollama lists as unsupported; the sampling keys it would take, and we never send them."""
    if "tool_choice" in body:
        raise Refused("tool_choice is not supported")
    if list(_marks(body)):
        raise Refused("cache_control is not supported")
    for block in _blocks(body):
        if block.get("type") not in ("text", "tool_use", "tool_result", "thinking", "image"):
            raise Refused(f"unknown content block type {block.get('type')}")
        if "citations" in block:
            raise Refused("citations are not supported")
    _check_shape(body)


def search_results(body: Json) -> Iterator[Json]:
    """All search results of the request in their order, as citations count them."""
    for block in _blocks(body):
        if block.get("type") == "search_result":
            yield block


def _check_shape(body: Json) -> None:
    if not isinstance(body.get("model"), str) or not body["model"]:
        raise Refused("model: required")
    if not isinstance(body.get("max_tokens"), int) or body["max_tokens"] < 1:
        raise Refused("max_tokens: required")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise Refused("messages: at least one message is required")
    roles = [message.get("role") for message in messages]
    if roles != [("user", "assistant")[i % 2] for i in range(len(roles))] or roles[-1] != "user":
        raise Refused("messages: roles must alternate, beginning and ending with user")
    _check_text(body.get("system", "-"), "system")
    for message in messages:
        _check_text(message.get("content"), "messages")
        _check_blocks(message)
    _check_tools(messages, {tool["name"] for tool in body.get("tools", [])})


def _check_text(content: Any, where: str) -> None:
    texts = [content] if isinstance(content, str) else [b["text"] for b in content or [] if b.get("type") == "text"]
    if not content or any(not text.strip() for text in texts):
        raise Refused(f"{where}: text content blocks must be non-empty")


def _check_blocks(message: Json) -> None:
    for block in message["content"] if isinstance(message["content"], list) else []:
        if message["role"] == "assistant" and block["type"] == "document":
            raise Refused("document blocks are not permitted in assistant messages")
        if message["role"] == "user" and block["type"] == "text" and block.get("citations"):
            raise Refused("citations are not permitted on user text")
        if block["type"] == "tool_result":
            _check_result(block.get("content"))
        if block["type"] == "search_result":
            _check_search_result(block)


def _check_result(content: Any) -> None:
    if isinstance(content, str):
        return
    kinds = {block["type"] for block in content}
    if "search_result" in kinds and len(kinds) > 1:
        raise Refused("tool_result: search results cannot be mixed with other content")
    for block in content:
        if block["type"] == "search_result":
            _check_search_result(block)


def _check_search_result(block: Json) -> None:
    if not block.get("source") or not block.get("title") or not block.get("content"):
        raise Refused("search_result: source, title and content are required")
    for text in block["content"]:
        if text.get("type") != "text" or not text.get("text", "").strip() or text.get("citations"):
            raise Refused("search_result: content must be plain, non-empty text blocks")


def _check_tools(messages: list[Json], declared: set[str]) -> None:
    open_calls: set[str] = set()
    for message in messages:
        blocks = message["content"] if isinstance(message["content"], list) else []
        answered = {block["tool_use_id"] for block in blocks if block["type"] == "tool_result"}
        if answered != open_calls:
            raise Refused("every tool_use needs its tool_result in the next message")
        open_calls = {block["id"] for block in blocks if block["type"] == "tool_use"}
        if {block["name"] for block in blocks if block["type"] == "tool_use"} - declared:
            raise Refused("tools: must be declared when messages use them")


def _blocks(body: Json) -> Iterator[Json]:
    for part in (body.get("system"), *(message.get("content") for message in body.get("messages", []))):
        for block in part if isinstance(part, list) else []:
            yield block
            if isinstance(block.get("content"), list):
                yield from block["content"]


def _marks(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        if "cache_control" in value:
            yield value["cache_control"]
        for item in value.values():
            yield from _marks(item)
    if isinstance(value, list):
        for item in value:
            yield from _marks(item)
