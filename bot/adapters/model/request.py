"""Requests to the Anthropic Messages API: history, cited sources, and what each kind of server is sent.

Sources go in as `search_result` blocks, one text block an evidence sentence, since the block is the smallest thing that
can be cited. They stand in the result of a tool call that we write ourselves, in the newest turn only.
https://platform.claude.com/docs/en/build-with-claude/search-results
"""

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from bot.messages import Heard, Turn
from bot.prompts import ACKNOWLEDGED_THREAD
from retrieval.passages import Passage

if TYPE_CHECKING:
    from anthropic.types import MessageParam, SearchResultBlockParam, ToolParam

HISTORY_TURNS: Final = 6
HISTORY_CHARACTERS: Final = 1500
# Longer titles say nothing more to a model; the API wants a title that is not empty.
TITLE_CHARACTERS: Final = 200
SEARCH_TOOL: Final["ToolParam"] = {
    "name": "search_knowledge_base",
    "description": "Searches the articles and closed tickets of the service desk.",
    "input_schema": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
}
_LINE_ENDS = {ord(end): f"\\u{ord(end):04x}" for end in "\x85\u2028\u2029"}
_OWN_NUMBERS = re.compile(r"\s?\[\d{1,3}\]")


@dataclass(frozen=True, slots=True)
class Source:
    """A passage with evidence, and its place among the passages of the request."""

    place: int
    passage: Passage


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request. `system` is the same for every request of a process, `instruction` belongs to this one."""

    model: str
    system: str
    instruction: str
    messages: "list[MessageParam]"
    max_tokens: int
    is_cited: bool = False

    def parameters(self, *, is_full_api: bool) -> dict[str, Any]:
        """Give the keyword arguments of `messages.create`.

        Only the full API gets cache marks and a tool choice: Ollama knows neither. The API wants the tool declared
        that a tool result belongs to; `tool_choice` none keeps it from being called.
        """
        given: dict[str, Any] = {"model": self.model, "max_tokens": self.max_tokens, "messages": self.messages}
        given["system"] = self._cached_system() if is_full_api else f"{self.system}\n{self.instruction}".strip()
        if self.is_cited:
            given["tools"] = [SEARCH_TOOL]
        if self.is_cited and is_full_api:
            given["tool_choice"] = {"type": "none"}
        return given

    def _cached_system(self) -> list[dict[str, Any]]:
        stable = {"type": "text", "text": self.system, "cache_control": {"type": "ephemeral"}}
        return [stable, {"type": "text", "text": self.instruction}] if self.instruction else [stable]


def sources_of(passages: Sequence[Passage]) -> tuple[Source, ...]:
    """Give the passages that may be sent: with evidence, and not quarantined."""
    return tuple(Source(i, p) for i, p in enumerate(passages) if p.sentences and not p.document.quarantined)


def history(turns: Sequence[Turn]) -> "list[MessageParam]":
    """Give the latest turns as messages, user and assistant by turns; a turn with an empty side is left out whole.

    What other people asked is no turn of the asker: it is quoted as JSON between two lines with a random code. The
    numbers of our own citations go: they count other sources than those of the newest turn.
    """
    messages: list[MessageParam] = []
    latest = ((turn.is_foreign, _sides(turn)) for turn in turns[-HISTORY_TURNS:])
    whole = [(is_foreign, sides) for is_foreign, sides in latest if all(sides)]
    for is_foreign, group in groupby(whole, key=itemgetter(0)):
        rows = [sides for _, sides in group]
        for asked, replied in [(_quoted(rows), ACKNOWLEDGED_THREAD)] if is_foreign else rows:
            messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": replied}]
    return messages


def _sides(turn: Turn) -> tuple[str, str]:
    replied = _OWN_NUMBERS.sub("", turn.answer)[:HISTORY_CHARACTERS].strip()
    return turn.question[:HISTORY_CHARACTERS].strip(), replied


def _quoted(rows: Sequence[tuple[str, str]]) -> str:
    """Give what others asked as data; JSON keeps every line break and quote of theirs inside one line."""
    data = [line_of_json({"asked": asked, "answered": replied}) for asked, replied in rows]
    code = boundary_beside(*data)
    return "\n".join((f"=== earlier in this thread, by other people {code}", *data, f"=== end {code}"))


def said_around(heard: Sequence[Heard]) -> "list[MessageParam]":
    """Give what others said in the thread, and the files in it, as quoted data; none when there is nothing."""
    if not heard:
        return []
    rows = []
    for said in heard:
        row = {"by": said.by, **({"file": said.name} if said.name else {}), "said": said.text}
        rows.append(line_of_json(row))
    code = boundary_beside(*rows)
    quoted = "\n".join((f"=== said in this thread by people and apps, not to you {code}", *rows, f"=== end {code}"))
    return [{"role": "user", "content": quoted}, {"role": "assistant", "content": ACKNOWLEDGED_THREAD}]


def line_of_json(row: Mapping[str, object]) -> str:
    """Write quoted data as one line, for every reader's idea of a line: JSON itself leaves three kinds of line end open."""
    return json.dumps(row, ensure_ascii=False).translate(_LINE_ENDS)


def boundary_beside(*texts: str) -> str:
    """Give a random code for a line that closes quoted data: 64 bits that stand in none of the texts."""
    while True:
        code = secrets.token_hex(8)
        if not any(code in text for text in texts):
            return code


def cited_sources(question: str, sources: Sequence[Source]) -> "list[MessageParam]":
    """Give the newest turn: the question, a search call in the model's name, and its results as citable blocks."""
    call_id = f"toolu_{secrets.token_hex(12)}"
    results = [_search_result(source.passage) for source in sources]
    return [
        {"role": "user", "content": question},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": call_id, "name": SEARCH_TOOL["name"], "input": {"query": question[:300]}}
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call_id, "content": results}]},
    ]


def _search_result(passage: Passage) -> "SearchResultBlockParam":
    return {
        "type": "search_result",
        "source": passage.document.id,
        "title": (passage.document.title.strip() or passage.document.id)[:TITLE_CHARACTERS],
        "content": [{"type": "text", "text": str(sentence.text)} for sentence in passage.sentences],
        "citations": {"enabled": True},
    }
