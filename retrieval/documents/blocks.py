"""Reads Markdown-like text as a list of units: the pieces that a chunk keeps whole and an answer may quote."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from retrieval.documents.code import code_at, is_fence, is_item
from retrieval.documents.sentences import split_sentences

_HEADING = re.compile(r"^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_UNDERLINE = re.compile(r"^\s{0,3}(=+|-{3,})\s*$")
_TABLE = re.compile(r"^\s*\|.*\||^\s*\S.*\s\|\s.*\S")
_RULE = re.compile(r"^[\s|:+-]*-[\s|:+-]*$")
# Code and tables stay whole up to this many times the limit: half of a script is none.
WHOLE = 3
_LONG_HEAD = 30
# Characters of scripts that put no blanks between words; two of them carry about as much as one word.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


class Kind(StrEnum):
    """What a unit is; only sentences and items may be torn further."""

    HEADING = "heading"
    SENTENCE = "sentence"
    ITEM = "item"
    CODE = "code"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of text that stays together. `level` is 1 to 6 for a heading, `block` counts the block it came from."""

    text: str
    kind: Kind
    weight: float
    block: int
    level: int = 0


def weigh(text: str) -> float:
    """Estimate the length in words: unspaced scripts count two characters as a word, very long words by their length."""
    unspaced = len(_UNSPACED.findall(text))
    rest = _UNSPACED.sub(" ", text) if unspaced else text
    return unspaced / 2 + sum(max(1.0, len(word) / 10) for word in rest.split())


def count_words(text: str) -> int:
    """Count the words of a text; two characters of a script without spaces are one."""
    unspaced = len(_UNSPACED.findall(text))
    rest = _UNSPACED.sub(" ", text) if unspaced else text
    return unspaced // 2 + len(rest.split())


def read_units(text: str, limit: float) -> Iterator[Unit]:
    """Give the units of a text in order; a unit heavier than `limit` words is torn at lines, blanks, or characters.

    Code and tables are torn beyond `WHOLE` times the limit only. Of torn code no piece has both fences; the pieces of a
    torn table repeat its head. The units' texts together hold every non-blank character of the text, but for the marks of
    headings and tildes that fence code.
    """
    for number, (kind, body, level) in enumerate(_blocks(text.split("\n"))):
        for piece in _pieces(kind, body, limit):
            yield Unit(piece, kind, weigh(piece), number, level)


def _pieces(kind: Kind, body: str, limit: float) -> Iterator[str]:
    if kind in (Kind.CODE, Kind.TABLE):
        yield from [body] if weigh(body) <= WHOLE * limit else _packed_lines(kind, body, limit)
    elif kind == Kind.HEADING or (kind != Kind.SENTENCE and weigh(body) <= limit / 2):
        yield from _torn(body, limit)
    else:
        for sentence in split_sentences(body):
            yield from _torn(sentence, limit)


def _packed_lines(kind: Kind, body: str, limit: float) -> Iterator[str]:
    lines = body.split("\n")
    head = _head_of(kind, lines)
    pieces: list[list[str]] = []
    kept: list[str] = []
    for line in lines:
        if kept and weigh("\n".join((*head, *kept, line))) > limit:
            pieces.append(kept)
            kept = []
        pieces += [[piece] for piece in _torn(line, limit)][:-1]
        kept.append(list(_torn(line, limit))[-1] if weigh(line) > limit else line)
    for number, piece in enumerate([*pieces, kept]):
        # The last piece of code has its closing fence alone, or it would look whole.
        is_bare = number == 0 or (kind == Kind.CODE and is_fence(piece[-1]))
        yield "\n".join(piece if is_bare else [*head, *piece])


def _head_of(kind: Kind, lines: list[str]) -> list[str]:
    """Give what each piece of a torn block begins with: the opening fence, or the head of a table with its rule."""
    if kind == Kind.CODE:
        return lines[:1] if weigh(lines[0]) < _LONG_HEAD else []
    has_head = len(lines) > 1 and bool(_RULE.match(lines[1])) and weigh(lines[0]) < _LONG_HEAD
    return lines[:2] if has_head else []


def _torn(text: str, limit: float) -> Iterator[str]:
    if weigh(text) <= limit:
        if text.strip():
            yield text.strip("\n")
        return
    middle = len(text) // 2
    cut = text.rfind(" ", middle // 2, middle + 1)
    cut = cut if cut > 0 else middle
    yield from _torn(text[:cut], limit)
    yield from _torn(text[cut:].lstrip(" "), limit)


def _blocks(lines: list[str]) -> Iterator[tuple[Kind, str, int]]:
    """Group lines into blocks: kind, text, heading level."""
    position = 0
    while position < len(lines):
        line = lines[position]
        if not line.strip():
            position += 1
        elif code := code_at(lines, position):
            yield Kind.CODE, code[0], 0
            position = code[1]
        elif heading := _HEADING.match(line):
            if heading[2]:
                yield Kind.HEADING, heading[2], len(heading[1])
            position += 1
        elif position + 1 < len(lines) and _UNDERLINE.match(lines[position + 1]) and _can_be_heading(lines, position):
            yield Kind.HEADING, line.strip(), 1 if lines[position + 1].lstrip().startswith("=") else 2
            position += 2
        else:
            kind, end = _run(lines, position)
            yield kind, "\n".join(lines[position:end]), 0
            position = end


def _can_be_heading(lines: list[str], position: int) -> bool:
    """Whether a line above a row of dashes is a heading: a line of its own that is neither a list item nor a table row."""
    alone = position == 0 or not lines[position - 1].strip()
    return alone and not is_item(lines[position]) and not _TABLE.match(lines[position])


def _run(lines: list[str], start: int) -> tuple[Kind, int]:
    """Give kind and end of the item, table or paragraph that begins here."""
    if _TABLE.match(lines[start]):
        end = start
        while end < len(lines) and _TABLE.match(lines[end]):
            end += 1
        if end - start > 1:
            return Kind.TABLE, end
    kind = Kind.ITEM if is_item(lines[start]) else Kind.SENTENCE
    end = start + 1
    while end < len(lines) and lines[end].strip() and not _begins_block(lines, end):
        if kind == Kind.ITEM and not lines[end].startswith((" ", "\t")):
            break
        end += 1
    return kind, end


def _begins_block(lines: list[str], position: int) -> bool:
    line = lines[position]
    return bool(_HEADING.match(line) or is_item(line) or is_fence(line)) or code_at(lines, position) is not None
