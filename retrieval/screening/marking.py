"""Where in a text the signals stand, for the person who decides about it."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from retrieval.documents.sentences import split_sentences
from retrieval.screening.screening import screen_document

# A line may hold blanks; a blank line ends the paragraph.
_PARAGRAPH = re.compile(r"(?:[^\n]|\n(?![^\S\n]*\n))+")


@dataclass(frozen=True, slots=True)
class Marked:
    """A part of a text that shows signals: half-open code-point offsets, and the names of the signals."""

    start: int
    end: int
    reasons: tuple[str, ...]


def marked_parts(text: str, reasons: Collection[str]) -> tuple[Marked, ...]:
    """Give the sentences that show some of the signals, and the paragraphs of signals that no sentence shows alone.

    A signal of what was removed before the text was stored (invisible characters) stands nowhere.
    """
    marked = list(_showing(text, _sentences(text), set(reasons)))
    missing = set(reasons).difference(*(part.reasons for part in marked))
    if missing:
        marked += _showing(text, (match.span() for match in _PARAGRAPH.finditer(text)), missing)
    return tuple(sorted(marked, key=lambda part: (part.start, -part.end)))


def _showing(text: str, spans: Iterator[tuple[int, int]], wanted: set[str]) -> Iterator[Marked]:
    for start, end in spans:
        found = tuple(reason for reason in screen_document("", text[start:end]).reasons if reason in wanted)
        if found:
            yield Marked(start, end, found)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for sentence in split_sentences(text):
        start = text.find(sentence, at)
        if start >= 0:
            at = start + len(sentence)
            yield start, at
