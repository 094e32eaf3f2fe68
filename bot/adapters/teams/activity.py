"""What a Teams activity says, read from the JSON that the Bot Connector posts."""

import html
import re
from collections.abc import Mapping
from typing import Any

Activity = Mapping[str, Any]

_MENTION_TAG = re.compile(r"<at\b[^<>]{0,200}>([^<>]{0,200})</at>", re.IGNORECASE)
_BREAK_TAG = re.compile(r"<br\s*/?>|</p>|</div>|</li>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"</?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,500})?/?>", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\u00a0]+")


def text_at(activity: object, *path: str) -> str:
    """Give the text at a path of keys; empty when it is absent or no text."""
    found = activity
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, str) else ""


def mappings_at(activity: Activity, key: str) -> list[Activity]:
    """Give the objects of a list; what is no object is left out."""
    found = activity.get(key)
    return [row for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []


def is_mentioned(activity: Activity) -> bool:
    """Tell whether the activity mentions its recipient, by the entities or, where there are none, by the name."""
    own_id, own_name = text_at(activity, "recipient", "id"), text_at(activity, "recipient", "name")
    mentions = _mention_entities(activity)
    if mentions:
        return any(text_at(m, "mentioned", "id") == own_id for m in mentions)
    return any(_is_own_name(name, own_name) for name in _MENTION_TAG.findall(text_at(activity, "text")))


def plain_text(activity: Activity) -> str:
    """Give the question: our own mention removed, those of others as names, tags gone, entities decoded once."""
    text = text_at(activity, "text")
    own_id, own_name = text_at(activity, "recipient", "id"), text_at(activity, "recipient", "name")
    for mention in _mention_entities(activity):
        if text_at(mention, "mentioned", "id") == own_id and text_at(mention, "text"):
            text = text.replace(text_at(mention, "text"), " ")

    def named(found: re.Match[str]) -> str:
        return " " if _is_own_name(found.group(1), own_name) else found.group(1)

    text = _MENTION_TAG.sub(named, text)
    if text_at(activity, "textFormat") in {"xml", "html"} or "<p" in text or "<div" in text:
        text = _OTHER_TAG.sub("", _BREAK_TAG.sub("\n", text))
    lines = (_SPACES.sub(" ", line).strip() for line in html.unescape(text).splitlines())
    return "\n".join(line for line in lines if line)


def file_names(activity: Activity) -> list[str]:
    """Give the names of attached files; the HTML copy of the text and cards are none."""
    kinds = ("text/html", "application/vnd.microsoft.card")
    rows = [a for a in mappings_at(activity, "attachments") if not text_at(a, "contentType").startswith(kinds)]
    return [text_at(a, "name") or text_at(a, "contentType") for a in rows]


def _mention_entities(activity: Activity) -> list[Activity]:
    return [e for e in mappings_at(activity, "entities") if e.get("type") == "mention"]


def _is_own_name(name: str, own_name: str) -> bool:
    return bool(own_name) and html.unescape(name).strip().casefold() == own_name.strip().casefold()
