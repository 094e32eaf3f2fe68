"""Reads the lines of a rewrite, however a small model bends them, and keeps only what can be searched."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.adapters.model.answer_language import is_other_language
from bot.adapters.model.text import without_private, without_wrapping
from bot.ports import RewriteRequest
from bot.prompts import translation_label

LONGEST_QUERY = 300
HISTORY_MESSAGES = 4
HISTORY_CHARACTERS = 300
_MOST_TERMS = 8
_LABELED = re.compile(
    r"[\s*#>-]{0,20}[\"']?(?P<label>[A-Za-z_]{2,40})[\"'*]{0,4}[ \t]{0,4}[:=][ \t]{0,4}[\"'*]{0,4}(?P<value>.*)"
)
_YES = re.compile(r"(?:yes|true|y|1)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What the model said: empty texts where it said nothing that can be used."""

    standalone: str
    expansions: tuple[str, ...]
    is_off_topic: bool


def translations_for(request: RewriteRequest) -> tuple[str, ...]:
    """Name the language that the question is also wanted in: English if articles are, else the index's first."""
    others = [code for code in request.index_languages if code not in (request.language, "")]
    wanted = sorted(others, key=lambda code: code != "en")
    if request.language in request.index_languages and "en" not in wanted:
        return ()
    return tuple(wanted[:1])


def rewrite_input(request: RewriteRequest) -> str:
    """Give the question and the latest messages of its thread as JSON data."""
    texts = [
        (side, text) for turn in request.turns for side, text in (("asked", turn.question), ("answered", turn.answer))
    ]
    latest = [{side: text[:HISTORY_CHARACTERS]} for side, text in texts if text.strip()][-HISTORY_MESSAGES:]
    return json.dumps({"earlier": latest, "question": request.question}, ensure_ascii=False)


def read_rewrite(text: str, request: RewriteRequest, *, leaks: Callable[[str], bool]) -> Rewrite:
    """Read labelled lines or a JSON object; text without labels is taken as the standalone question.

    A text is kept when it has at most 300 characters, gives no rule of ours away and, standing alone, is in the
    asker's language.
    """
    fields = _fields(without_wrapping(without_private(text)))

    def usable(value: str) -> str:
        value = " ".join(value.split())
        return value if len(value) <= LONGEST_QUERY and any(c.isalnum() for c in value) and not leaks(value) else ""

    standalone = usable(fields.get("standalone", ""))
    if is_other_language(standalone, request.language):
        standalone = ""
    translated = [usable(fields.get(translation_label(code).casefold(), "")) for code in translations_for(request)]
    terms = usable(" ".join(re.split(r"[;,]\s*", fields.get("terms", ""))[:_MOST_TERMS]))
    expansions = tuple(dict.fromkeys(t for t in (*translated, terms) if t and t != standalone))
    return Rewrite(standalone, expansions, request.is_gate_unsure and bool(_YES.match(fields.get("off_topic", ""))))


def _fields(text: str) -> dict[str, str]:
    found = _json_fields(text)
    if found:
        return found
    lines = [line for line in text.splitlines() if line.strip()]
    fields: dict[str, str] = {}
    for line in lines:
        match = _LABELED.match(line)
        if match:
            fields.setdefault(match["label"].casefold(), match["value"].strip().strip("\"'*,"))
    if not fields and len(lines) == 1:
        fields["standalone"] = lines[0].strip().strip("\"'*")
    return fields


def _json_fields(text: str) -> dict[str, str]:
    """Read one JSON object, or one a line, into texts; lists are joined."""
    fields: dict[str, str] = {}
    for candidate in (text, *text.splitlines()):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            for key, item in value.items():
                fields.setdefault(str(key).casefold(), _as_text(item))
    return fields


def _as_text(item: object) -> str:
    if isinstance(item, bool):
        return "yes" if item else "no"
    if isinstance(item, Sequence) and not isinstance(item, str):
        return "; ".join(str(part) for part in item)
    return str(item)
