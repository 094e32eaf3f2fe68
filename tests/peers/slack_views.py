"""Slack's windows and buttons: what it refuses of them, and the triggers that open a window, once and for three seconds."""

import itertools
import time

from tests.peers.slack_payloads import Json

_TRIGGER_LIFE_S, _USED = 3.0, -1.0
_TITLE, _BUTTON, _BLOCKS, _METADATA, _VALUE, _HEADER = 24, 75, 100, 3_000, 2_000, 150
_KNOWN = {"section", "header", "context", "divider", "input", "actions", "image", "rich_text"}


class ViewsApi:
    """`views.open` and `views.update`; part of the peer.

    `views` are the open ones by external id, or by the id that Slack gives; `is_view_late` makes `views.open` refuse. Of
    triggers that it did not make itself, it knows no age.
    """

    def __init__(self) -> None:
        self.views: dict[str, Json] = {}
        self.triggers: dict[str, float] = {}
        self.is_view_late = False
        self._numbers = itertools.count(1)

    def trigger(self, *, age_s: float = 0.0) -> str:
        """Give a fresh trigger id, or one that was given `age_s` seconds ago."""
        name = f"{next(self._numbers)}.13.trigger"
        self.triggers[name] = time.monotonic() - age_s
        return name

    @property
    def window(self) -> str:
        """What the newest window shows, as text."""
        return shown_in(list(self.views.values())[-1]) if self.views else ""

    def _views_open(self, arguments: Json) -> Json:
        name, view = arguments.get("trigger_id") or "", arguments.get("view") or {}
        born = self.triggers.get(name, time.monotonic())
        if not name or born == _USED:
            return {"ok": False, "error": "invalid_trigger_id" if not name else "exchanged_trigger_id"}
        if self.is_view_late or time.monotonic() - born > _TRIGGER_LIFE_S:
            return {"ok": False, "error": "expired_trigger_id"}
        if name in self.triggers:
            self.triggers[name] = _USED
        view_id = view.get("external_id") or f"V{next(self._numbers):04d}"
        if view_id in self.views:
            return {"ok": False, "error": "duplicate_external_id"}
        return self._shown(view_id, arguments)

    def _views_update(self, arguments: Json) -> Json:
        name = arguments.get("external_id") or arguments.get("view_id") or ""
        if name not in self.views:
            return {"ok": False, "error": "not_found"}
        return self._shown(name, arguments)

    def _shown(self, view_id: str, arguments: Json) -> Json:
        view = arguments.get("view") or {}
        refusal = refusal_of_view(view)
        if refusal:
            return {"ok": False, "error": "invalid_arguments", "response_metadata": {"messages": [refusal]}}
        self.views[view_id] = view
        return {"ok": True, "view": {**view, "id": view_id, "hash": "1"}}


def refusal_of_view(view: Json) -> str:
    """Say what breaks a limit of https://docs.slack.dev/reference/views/modal-views/ , empty when nothing does."""
    blocks = view.get("blocks")
    titles = [view.get(name) for name in ("title", "close", "submit") if view.get(name)]
    if view.get("type") != "modal" or not view.get("title") or not isinstance(blocks, list):
        return "not a modal"
    if any(not 0 < len(title.get("text", "")) <= _TITLE for title in titles):
        return "title too long"
    if len(blocks) > _BLOCKS or len(view.get("private_metadata") or "") > _METADATA:
        return "too much"
    if any(block.get("type") == "input" for block in blocks) and not view.get("submit"):
        return "an input needs a submit button"
    return next(filter(None, (_refusal_of_block(block) for block in blocks)), "")


def refusal_of_buttons(blocks: list[Json]) -> str:
    """Say what is wrong with the buttons of a message, empty when nothing is."""
    for block in blocks:
        elements = block.get("elements", [])
        most = {"actions": 25, "context_actions": 5}.get(block["type"])
        if most is None:
            continue
        ids = [element.get("action_id") for element in elements]
        if not 0 < len(elements) <= most or len(set(ids)) != len(ids) or not all(ids):
            return "elements"
        if any(_refusal_of_element(element) for element in elements):
            return next(filter(None, map(_refusal_of_element, elements)))
    return ""


def shown_in(view: Json) -> str:
    """Give the text of a window."""
    lines = [view["title"]["text"]]
    for block in view["blocks"]:
        given = [block.get("text"), block.get("label"), *block.get("elements", [])]
        lines += [part["text"] for part in given if isinstance(part, dict) and isinstance(part.get("text"), str)]
    return "\n".join(lines)


def _refusal_of_block(block: Json) -> str:
    kind, text = block.get("type"), (block.get("text") or {}).get("text", "")
    if kind not in _KNOWN:
        return f"{kind} is no block of a modal"
    if kind == "section" and not 0 < len(text) <= 3_000:
        return "section too long"
    if kind == "header" and not 0 < len(text) <= _HEADER:
        return "header too long"
    if kind == "context" and any(not e.get("text") for e in block["elements"]):
        return "empty context"
    return ""


def _refusal_of_element(element: Json) -> str:
    if element.get("type") == "feedback_buttons":
        buttons = [element.get("positive_button") or {}, element.get("negative_button") or {}]
    elif element.get("type") == "button":
        buttons = [element]
    else:
        return f"{element.get('type')} is no element"
    for button in buttons:
        text = (button.get("text") or {}).get("text", "")
        if not 0 < len(text) <= _BUTTON or not 0 < len(button.get("value") or button.get("url") or "") <= _VALUE:
            return "button"
    return ""
