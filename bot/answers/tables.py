"""The rows of a long table that a question names; the others would only be in the way."""

import re

from bot.words import content_words, folded, lexicon_of

# A shorter table is read at a glance.
_LONG = 6
_RULE = re.compile(r"^[\s|:+-]*-[\s|:+-]*$")
_STEM = 5


def named_rows(table: str, question: str) -> str:
    """Give a long table with its head and the rows that hold most words of the question; whole when none holds one."""
    head, rows = _split(table)
    if len(rows) <= _LONG:
        return table
    stems = {word[:_STEM] for word in content_words(question, lexicon_of(question))}
    hits = [sum(stem in folded(row) for stem in stems) for row in rows]
    most = max(hits)
    kept = [row for row, count in zip(rows, hits, strict=True) if count == most]
    return "\n".join([*head, *kept]) if most and len(kept) <= _LONG else table


def is_part_of(text: str, table: str) -> bool:
    """Say whether a text is the head of a table with some of its rows in their order."""
    head, rows = _split(table)
    lines = text.split("\n")
    if not head or lines[: len(head)] != head:
        return False
    left = iter(rows)
    return all(line in left for line in lines[len(head) :])


def _split(table: str) -> tuple[list[str], list[str]]:
    """Give the lines up to the rule below the head, and the rows; no head where there is no rule."""
    lines = table.split("\n")
    if len(lines) < 2 or not _RULE.match(lines[1]) or "|" not in lines[0]:
        return [], []
    return lines[:2], lines[2:]
