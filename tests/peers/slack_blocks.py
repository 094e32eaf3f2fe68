"""Slack's refusals of a post: channel, length, blocks, metadata; https://docs.slack.dev/reference/block-kit/blocks ."""

from tests.peers.slack_payloads import Json
from tests.peers.slack_views import refusal_of_buttons

_KNOWN = {"markdown", "section", "context", "context_actions", "divider", "header", "actions", "image", "rich_text"}
_MARKDOWN_LIMIT, _SECTION_LIMIT, _BLOCK_LIMIT, _TEXT_LIMIT = 12_000, 3_000, 50, 40_000


def refusal_of_blocks(blocks: list[Json]) -> str:
    """Give Slack's error for blocks that break a limit, empty when they are fine."""
    if len(blocks) > _BLOCK_LIMIT or any(block.get("type") not in _KNOWN for block in blocks):
        return "invalid_blocks"
    markdown = [block.get("text") for block in blocks if block["type"] == "markdown"]
    if any(not isinstance(text, str) or not text for text in markdown):
        return "invalid_blocks"
    if sum(len(str(text)) for text in markdown) > _MARKDOWN_LIMIT:
        return "msg_blocks_too_long"
    if refusal_of_buttons(blocks):
        return "invalid_blocks"
    sections = [block.get("text", {}).get("text", "") for block in blocks if block["type"] == "section"]
    return "invalid_blocks" if any(not 0 < len(text) <= _SECTION_LIMIT for text in sections) else ""


def refusal_of_post(channels: dict[str, Json], arguments: Json) -> str:
    """Give Slack's error for a post, empty when it is taken."""
    text, blocks = arguments.get("text") or "", arguments.get("blocks") or []
    if not (text or blocks or arguments.get("markdown_text")):
        return "no_text"
    if len(text) > _TEXT_LIMIT or len(arguments.get("markdown_text") or "") > _MARKDOWN_LIMIT:
        return "msg_too_long"
    refusal = _refusal_of_channel(channels.get(arguments.get("channel", "")))
    return refusal or _refusal_of_metadata(arguments.get("metadata")) or refusal_of_blocks(blocks)


def _refusal_of_channel(channel: Json | None) -> str:
    if channel is None:
        return "channel_not_found"
    if channel.get("is_archived"):
        return "is_archived"
    return "not_in_channel" if channel.get("is_foreign") else ""


def _refusal_of_metadata(metadata: Json | None) -> str:
    is_fine = metadata is None or (metadata.get("event_type") and isinstance(metadata.get("event_payload"), dict))
    return "" if is_fine else "invalid_metadata_format"
