"""Slack's wire form, decoded once: `<@U…>`, `<#C…|name>`, `<url|label>` and three entities become what people see.

Source: https://docs.slack.dev/messaging/formatting-message-text
"""

import re
from collections.abc import Iterator
from itertools import islice

from bot.adapters.slack.payload import Payload, mapping_at, mappings_at, text_at
from bot.questions.accepting import HARD_LIMIT_BYTES

# One pass over both forms: what an entity decodes to must not be read as markup (`&lt;@U0BOT&gt;` is text).
_TOKEN = re.compile(r"<([^<>\n]{1,4000})>|&(amp|lt|gt);")
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">"}
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]{1,20}:")
# The colon of "@bot: how …", not that of an emoji.
_AFTER_MENTION = re.compile(r"\A(?:[\s,]|:(?![a-z0-9_+-]{1,40}:)){1,400}")
_SPACES = re.compile(r"[ \t]{2,}")
# What stands before and behind the value of a rich-text element, and the field that holds the value.
_NAMED = {
    "text": ("", "text", ""),
    "raw_text": ("", "text", ""),
    "emoji": (":", "name", ":"),
    "channel": ("#", "channel_id", ""),
    "usergroup": ("@", "usergroup_id", ""),
    "broadcast": ("@", "range", ""),
}
_MAX_ELEMENTS = 2_000
_MAX_DEPTH = 8  # rich text nests four deep; the rest is hostile


def decode(text: str, *, own_user_id: str) -> str:
    """Give the text as people see it, without the mention of this bot.

    Args:
        text: wire form, capped already.
        own_user_id: the bot's user id; empty keeps every mention.
    """
    own = f"<@{own_user_id}" if own_user_id else ""
    starts_with_own = bool(own) and text.lstrip().startswith((f"{own}>", f"{own}|"))
    decoded = _TOKEN.sub(lambda match: _shown(match, own_user_id), text)
    if own and own in text:
        decoded = _SPACES.sub(" ", decoded) if "\n" not in decoded and "`" not in decoded else decoded
    return (_AFTER_MENTION.sub("", decoded) if starts_with_own else decoded).strip()


def mentions(event: Payload, user_id: str) -> bool:
    """Tell whether the message names the user, in its text or, where that is missing, in its rich text."""
    if not user_id:
        return False
    text = text_at(event, "text")
    if text:
        return f"<@{user_id}>" in text or f"<@{user_id}|" in text
    return any(text_at(e, "user_id") == user_id for e in _elements(event, depth=0) if text_at(e, "type") == "user")


def rich_text(event: Payload, *, own_user_id: str) -> str:
    """Give the text of all rich-text elements, for messages that come without `text`; empty when there is none."""
    parts = [_element_text(element, own_user_id) for element in islice(_elements(event, depth=0), _MAX_ELEMENTS)]
    return _SPACES.sub(" ", "".join(parts)[:HARD_LIMIT_BYTES]).strip()


def _shown(match: re.Match[str], own_user_id: str) -> str:
    if match[2]:
        return _ENTITIES[match[2]]
    inner = match[1]
    target, _, label = inner.partition("|")
    target, label = _entities(target), _entities(label)
    if target.startswith("@"):
        return "" if own_user_id and target[1:] == own_user_id else f"@{label or target[1:]}"
    if target.startswith("#"):
        return f"#{label or target[1:]}"
    if target.startswith("!"):
        return _special(target[1:], label)
    return _link(target, label) if _SCHEME.match(target) else f"<{_entities(inner)}>"


def _special(command: str, label: str) -> str:
    name, _, argument = command.partition("^")
    if name in {"here", "channel", "everyone"}:
        return f"@{name}"
    return label or (f"@{argument}" if name == "subteam" else "")


def _link(url: str, label: str) -> str:
    scheme, _, rest = url.partition(":")
    if scheme in {"mailto", "tel"}:
        return rest if label in {"", rest} else f"{label} ({rest})"
    bare = rest.removeprefix("//").rstrip("/")
    return url if label.rstrip("/") in {"", url.rstrip("/"), bare} else f"{label} ({url})"


def _entities(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _elements(node: Payload, *, depth: int) -> Iterator[Payload]:
    """Walk blocks and elements in reading order; containers end with a line break of their own."""
    if depth > _MAX_DEPTH:
        return
    for child in (*mappings_at(node, "blocks"), *mappings_at(node, "elements")):
        if "elements" in child or "blocks" in child:
            yield from _elements(child, depth=depth + 1)
            if depth:
                yield {"type": "text", "text": "\n"}
        elif text_at(child, "type") == "table":
            yield from _cells(child, depth=depth + 1)
        else:
            yield child


def _cells(table: Payload, *, depth: int) -> Iterator[Payload]:
    """Walk a table row by row, a line for each row."""
    rows = table.get("rows")
    for row in rows if isinstance(rows, list) else ():
        for cell in mappings_at({"cells": row}, "cells"):
            yield from _elements(cell, depth=depth) if "elements" in cell else (cell,)
            yield {"type": "text", "text": " "}
        yield {"type": "text", "text": "\n"}


def _section_text(section: Payload, own_user_id: str) -> str:
    """Give the text and the fields of a section; what an app wrote as `mrkdwn` is in the wire form."""
    texts = (mapping_at(section, "text"), *mappings_at(section, "fields"))
    shown = (
        decode(text_at(text, "text"), own_user_id=own_user_id)
        if text_at(text, "type") == "mrkdwn"
        else text_at(text, "text")
        for text in texts
    )
    return "".join(f"{line}\n" for line in shown if line)


def _element_text(element: Payload, own_user_id: str) -> str:
    kind = text_at(element, "type")
    if kind in _NAMED:
        prefix, field, suffix = _NAMED[kind]
        return f"{prefix}{text_at(element, field)}{suffix}"
    if kind == "user":
        user = text_at(element, "user_id")
        return "" if user == own_user_id else f"@{user}"
    if kind == "link":
        url = text_at(element, "url")
        return _link(url, text_at(element, "text")) if url else ""
    if kind in {"section", "header"}:
        return _section_text(element, own_user_id)
    return text_at(element, "fallback", "value")
