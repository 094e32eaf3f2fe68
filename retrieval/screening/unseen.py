"""What a text holds that its reader does not see or cannot read, told so that somebody who decides about it does.

Invisible code points are gone from what is stored, so they are told before (`removed_from`); hidden markup, letters of two
scripts in one word and encoded text are read from what is stored (`hidden_in`).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import count, islice

from retrieval.documents.blocks import count_words
from retrieval.redaction.canonical import visible
from retrieval.redaction.spans import Span
from retrieval.screening.markup import decoded_texts, hidden_texts
from retrieval.screening.skeleton import mixed_words

_OPEN, _CLOSE = "⟨", "⟩"
_NAMED = re.compile(f"{_OPEN}[^{_CLOSE}\n]{{1,4000}}{_CLOSE}")
_AROUND, _MOST, _MOST_HIDDEN, _LONG = 40, 12, 24, 400
_TAGS, _BYTES, _FEW_WORDS = 0xE0000, 3, 3
_MARKDOWN_COMMENT = re.compile(
    r"(?m)^[ ]{0,3}\[(?://|comment|_metadata_[^\]\n]{0,60}|\s{0,3}#?)\]:\s?[<#]?>?\s?(\S[^\n]{0,400})$", re.IGNORECASE
)
_TITLE = re.compile(r"\]\([^()\s]{0,400}\s{1,8}(?:\"([^\"\n]{1,400})\"|'([^'\n]{1,400})')\s{0,8}\)")
_ALT = re.compile(r"!\[([^\]\n]{1,400})\]")
_ATTRIBUTE = re.compile(
    r"(?i)<[a-z][a-z0-9]{0,12}\s[^<>]{0,400}?\b(?:title|alt|aria-label)\s?=\s?(?:\"([^\"<>]{1,400})\"|'([^'<>]{1,400})')"
)
_TINY = re.compile(
    r"(?i)<[a-z0-9]{1,12}\s[^<>]{0,400}(?:font-size\s?:\s?(?:[0-2](?:\.\d{1,3})?(?:px|pt|%)|0?\.[0-2]\d{0,3}(?:em|rem))|(?:left|top|text-indent)\s?:\s?-\d{3,6}|clip\s?:\s?rect|(?<=\s)aria-hidden\s?=\s?[\"']?true)[^<>]{0,400}>\s{0,8}([^<>]{3,4000})"
)
_WORD = re.compile(r"[^\W\d_]{2,60}")


def removed_from(raw: str, spans: Sequence[Span], clean: Callable[[str], str]) -> tuple[str, ...]:
    """Tell the invisible characters of a raw text: how many there are of each, then the pieces of text in which they stand, by name.

    Args:
        raw: the text as it was written.
        spans: places of it that redaction replaced, in order; shown as their tokens.
        clean: redacts what runs of invisible characters spell.
    """
    _, offsets = visible(raw)
    kept = offsets if isinstance(offsets, range) else frozenset(offsets)
    cut = frozenset(place for place in range(len(raw)) if place not in kept and (place or raw[0] != "\ufeff"))
    if not cut:
        return ()
    counts = Counter(_name(raw[place]) for place in sorted(cut))
    summary = ", ".join(f"{count} × {name}" for name, count in counts.most_common(_MOST))
    lines = "".join(_escaped(raw, cut, spans, clean)).split("\n")
    pieces = (piece for line in lines if _OPEN in line for piece in _around(line))
    return (summary, *islice(dict.fromkeys(" ".join(piece.split())[:_LONG] for piece in pieces), _MOST))


def _escaped(raw: str, cut: Collection[int], spans: Sequence[Span], clean: Callable[[str], str]) -> Iterator[str]:
    tokens = {span.start: span for span in spans}
    place = 0
    while place < len(raw):
        if span := tokens.get(place):
            yield span.token
            place = max(span.end, place + 1)
        elif place in cut:
            end = next(after for after in count(place) if after not in cut)
            yield f"{_OPEN}{_told(raw[place:end], clean)}{_CLOSE}"
            place = end
        else:
            yield raw[place] if raw[place].isprintable() or raw[place] == "\n" else " "
            place += 1


def _around(line: str) -> Iterator[str]:
    """Give the pieces of a line with a named character each, and what stands around; pieces that touch are one."""
    start, end = 0, -1
    for match in _NAMED.finditer(line):
        if end < 0 or match.start() - _AROUND > end:
            if end >= 0:
                yield line[start:end]
            start = max(match.start() - _AROUND, 0)
        end = match.end() + _AROUND
    yield line[start:end]


def _told(run: str, clean: Callable[[str], str]) -> str:
    said = "".join(chr(ord(letter) - _TAGS) for letter in run if 0x20 <= ord(letter) - _TAGS <= 0x7E)
    if said.strip():
        return f"{len(run)} tag characters that say “{clean(said)}”"
    hidden = bytes(byte for letter in run if (byte := _byte(letter)) is not None)
    if len(hidden) >= _BYTES:
        spelt = "".join(letter for letter in hidden.decode(errors="replace") if letter.isprintable())
        return f"{len(hidden)} variation selectors that say “{clean(spelt)}”"
    names = Counter(map(_name, run))
    return ", ".join(name if times == 1 else f"{times} × {name}" for name, times in names.items())


def _byte(letter: str) -> int | None:
    """Give the byte that a variation selector can stand for."""
    code = ord(letter)
    return code - 0xFE00 if 0xFE00 <= code <= 0xFE0F else code - 0xE0100 + 16 if 0xE0100 <= code <= 0xE01EF else None


def _name(letter: str) -> str:
    code = ord(letter)
    if 0x20 <= code - _TAGS <= 0x7F:
        return f"tag character (U+{_TAGS:X} to U+{_TAGS + 0x7F:X})"
    kind = "private use" if unicodedata.category(letter) == "Co" else "control character"
    return f"U+{code:04X} {unicodedata.name(letter, kind)}"


def hidden_in(text: str) -> tuple[str, ...]:
    """Tell what a stored text holds that a page made of it does not show, and what is written so that it is not read.

    Comments, elements that are not shown, tiny, outside the page or kept from screen readers, titles and descriptions, words of
    letters of two scripts, and texts in base64 or hex.
    """
    told = [
        *(
            f"not shown: {one}"
            for one in (*hidden_texts(text), *_groups(_MARKDOWN_COMMENT, text), *_groups(_TINY, text))
        ),
        *(f"only in an attribute: {one}" for form in (_TITLE, _ALT, _ATTRIBUTE) for one in _groups(form, text)),
        *(f"letters of two scripts: {_with_names(word)}" for word in _WORD.findall(text) if mixed_words(word)),
        *(f"encoded: {one}" for one in decoded_texts(text)),
    ]
    once = dict.fromkeys(on_one_line(one) for one in told)
    return tuple(islice(once, _MOST_HIDDEN))


def _groups(form: re.Pattern[str], text: str) -> Iterator[str]:
    said = ("".join(filter(None, match.groups())) for match in form.finditer(text))
    return (one for one in said if count_words(one) >= _FEW_WORDS)


def _with_names(word: str) -> str:
    return "".join(letter if letter.isascii() else f"{letter}{_OPEN}{_name(letter)}{_CLOSE}" for letter in word)


def on_one_line(text: str) -> str:
    """Give what is told on one line, what is invisible in it by name."""
    _, offsets = visible(text)
    kept = offsets if isinstance(offsets, range) else frozenset(offsets)
    cut = frozenset(place for place in range(len(text)) if place not in kept)
    return " ".join("".join(_escaped(text.replace("\n", " "), cut, (), str)).split())[:_LONG]
