"""The rows of a table that a question names; the others would only be in the way."""

import re
from collections.abc import Sequence

from bot.questions.asked import without_asking
from bot.words import content_words, folded, heads_in, heads_of, lexicon_of
from retrieval.validation.weekdays import days_in

# A table that no row's name picks from is read at a glance up to so many rows.
_LONG = 6
_RULE = re.compile(r"^[\s|:+-]*-[\s|:+-]*$")
_STEM = 5


def named_rows(table: str, question: str, own: str = "") -> str:
    """Give a table with its head and the rows whose name, in the first cell, is said; whole when none is.

    A row of which less is said than of another one goes too ("large shops" of "Getafe shops"). Of a long table without such a
    name those rows are left that hold most words of the question.

    Args:
        table: as in its source.
        question: standing alone.
        own: what a follow-up says itself; the row that it names is meant, and not the one that its thread was about.
    """
    head, rows = _split(table)
    kept = (own and _by_name(rows, own)) or _by_name(rows, question)
    kept = kept or (_by_words(rows, question) if len(rows) > _LONG else [])
    return "\n".join([*head, *kept]) if kept and len(kept) <= _LONG else table


def joined_rows(table: str, *texts: str) -> str:
    """Give a table with the rows of several pieces of it, in its order."""
    head, rows = _split(table)
    wanted = {line for text in texts for line in text.split("\n")}
    return "\n".join([*head, *(row for row in rows if row in wanted)])


def names_row(table: str, question: str) -> bool:
    """Say whether a question says the whole name of a row: that table answers it, however far its other rows are."""
    said, days = heads_of(without_asking(question)), days_in(question)
    _, rows = _split(table)
    return any((own := heads_of(name)) and (own <= said or days & days_in(name)) for name in map(_name, rows))


def is_part_of(text: str, table: str) -> bool:
    """Say whether a text is the head of a table with some of its rows in their order."""
    head, rows = _split(table)
    lines = text.split("\n")
    if not head or lines[: len(head)] != head:
        return False
    left = iter(rows)
    return all(line in left for line in lines[len(head) :])


def _by_name(rows: Sequence[str], question: str) -> list[str]:
    said, days = heads_of(without_asking(question)), days_in(question)
    found = [_said_of(_name(row), said, days) for row in rows]
    return [row for row, own in zip(rows, found, strict=True) if own and not any(own < other for other in found)]


def _said_of(name: str, said: frozenset[str], days: int) -> frozenset[str]:
    """Give what a question says of the name of a row: words, or a day of the week in any language or between two of them."""
    return heads_in(name, said) | ({"day"} if days & days_in(name) else frozenset())


def _by_words(rows: Sequence[str], question: str) -> list[str]:
    stems = {word[:_STEM] for word in content_words(question, lexicon_of(question))}
    hits = [sum(stem in folded(row) for stem in stems) for row in rows]
    most = max(hits, default=0)
    return [row for row, count in zip(rows, hits, strict=True) if count == most and most]


def _name(row: str) -> str:
    cells = row.strip().strip("|").split("|")
    return cells[0].strip()


def _split(table: str) -> tuple[list[str], list[str]]:
    """Give the lines up to the rule below the head, and the rows; no head where there is no rule."""
    lines = table.split("\n")
    if len(lines) < 2 or not _RULE.match(lines[1]) or "|" not in lines[0]:
        return [], []
    return lines[:2], lines[2:]
