"""Evidence for servers without citations: numbered sentences as JSON, and the numbers in what the model writes.

The numbers are tolerant on the way back, since small models write them in many ways; a number that was not given, or
none at all, leaves a sentence without evidence, and the verify stage decides about it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.adapters.model.request import TITLE_CHARACTERS, Source, boundary_beside, line_of_json
from bot.adapters.model.text import mark, without_private
from bot.messages import SentenceRef
from bot.prompts import ACKNOWLEDGED, numbered_reminder

if TYPE_CHECKING:
    from anthropic.types import MessageParam

_WIDEST_RANGE = 12
_NUMBER = r"(?:[Ss](?:entence|ource)?s?[ ]?)?\d{1,4}"
_INSIDE = rf"{_NUMBER}(?:[ ]?(?:[,;/&+–—-]|and)[ ]?{_NUMBER})*"
# Round brackets need the letter: "(3)" is ordinary text.
_NOTE = re.compile(
    rf"[\[【［](?P<square>{_INSIDE})[\]】］]|\((?P<round>[Ss]\d{{1,4}}(?:[ ]?[,;/&+–—-][ ]?[Ss]?\d{{1,4}})*)\)"
)
# "S3: Open the settings." is the evidence repeated with its number.
_PREFIX = re.compile(r"^[ \t*-]*[Ss](\d{1,4})[:.)][ \t]+(?P<rest>\S.*)$", re.MULTILINE)
_RANGE = re.compile(r"(\d{1,4})[ ]?[–—-][ ]?[Ss]?(\d{1,4})")
_JSON_LINE = re.compile(r'^\s*(?:[\[\]{}],?\s*)*$|^\s*[\[{]?\s*"[^"\n]{0,40}"\s*:|^\s*\[?\s*\{\s*"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class NumberedEvidence:
    """The sources of one request as numbered text. `refs[n - 1]` is what number n stands for."""

    messages: "list[MessageParam]"
    refs: tuple[SentenceRef, ...]
    boundary: str
    question: str
    reminder: str


def numbered_sources(question: str, sources: Sequence[Source], *, language: str) -> NumberedEvidence:
    """Give the newest turn: the sources between two lines with a random code, then the question in its own turn."""
    refs: list[SentenceRef] = []
    rows = []
    for source in sources:
        first = len(refs)
        refs += [SentenceRef(source.place, i) for i in range(len(source.passage.sentences))]
        rows.append(_row(source, first))
    boundary = boundary_beside(*rows, question)
    evidence = "\n".join((f"=== sources {boundary}", *rows, f"=== end of sources {boundary}"))
    reminder = numbered_reminder(language)
    messages: list[MessageParam] = [
        {"role": "user", "content": evidence},
        {"role": "assistant", "content": ACKNOWLEDGED},
        {"role": "user", "content": f"{question}\n\n{reminder}"},
    ]
    return NumberedEvidence(messages, tuple(refs), boundary, question, reminder)


def _row(source: Source, first: int) -> str:
    document = source.passage.document
    sentences = {f"S{first + i + 1}": str(s.text) for i, s in enumerate(source.passage.sentences)}
    row = {"source": document.id, "kind": document.kind, "updated": document.updated_at}
    row["title"] = document.title[:TITLE_CHARACTERS]
    return line_of_json({key: value for key, value in row.items() if value} | {"sentences": sentences})


def with_marks(text: str, evidence: NumberedEvidence) -> str:
    """Replace the model's numbers by marks and drop what it repeats of the request; mark `n` is `evidence.refs[n]`."""
    text = _without_echo(without_private(text), evidence)
    text = _PREFIX.sub(lambda m: f"{m['rest']} [S{m[1]}]", text)
    return _NOTE.sub(lambda m: mark(_known(m["square"] or m["round"], len(evidence.refs))), text)


def without_numbers(text: str) -> str:
    """Drop numbers in square brackets where none were asked for: the reply sets its own."""
    return re.sub(rf"[ ]?[\[【]{_INSIDE}[\]】]", "", text)


def _known(numbers: str, count: int) -> tuple[int, ...]:
    """Read "S3, S5" or "S3-S5" into marks, without those that were never given."""
    found = [int(n) for n in re.findall(r"\d+", numbers)]
    for first, last in _RANGE.findall(numbers):
        if int(first) <= int(last) < int(first) + _WIDEST_RANGE:
            found += range(int(first), int(last) + 1)
    return tuple(sorted({n - 1 for n in found if 1 <= n <= count}))


def _without_echo(text: str, evidence: NumberedEvidence) -> str:
    repeated = {_bare(evidence.question), _bare(evidence.reminder), _bare(ACKNOWLEDGED)}
    kept = (
        line.replace(evidence.reminder, "")
        for line in text.splitlines()
        if evidence.boundary not in line and not _JSON_LINE.match(line) and _bare(line) not in repeated
    )
    return "\n".join(kept) + ("\n" if text.endswith("\n") else "")


def _bare(text: str) -> str:
    """Compare without case, punctuation and a leading "Question:"."""
    words = re.findall(r"\w+", text.casefold())
    return " ".join(words[1:] if words[:1] == ["question"] else words)
