"""Pipe tables as Slack can show them: aligned monospace, or one line a cell where they are too wide."""

import re
import unicodedata
from collections.abc import Sequence

WIDEST = 76  # columns that a Slack message shows without wrapping on a laptop
# Possessive: a hostile row of 2 000 blanks took minutes to refuse.
_RULE = re.compile(r"\A\s*+\|?+\s*+:?+-++:?+\s*+(?:\|\s*+:?+-++:?+\s*+)*+\|?+\s*+")
_CELL = re.compile(r"(?<!\\)\|")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def without_pipes(markdown: str) -> str:
    """Replace every pipe table outside code fences."""
    lines = markdown.split("\n")
    shown: list[str] = []
    position, fence = 0, ""
    while position < len(lines):
        mark = _FENCE.match(lines[position])
        if mark:
            fence = mark[1] if not fence else ("" if lines[position].strip().startswith(fence) else fence)
        rows = [] if fence or mark else _table_at(lines, position)
        if rows:
            shown += _shown(rows)
            position += len(rows) + 1
        else:
            shown.append(lines[position])
            position += 1
    return "\n".join(shown)


def _table_at(lines: Sequence[str], start: int) -> list[list[str]]:
    """Give the rows of a table whose header is line `start`; the rule below it is left out."""
    is_table = "|" in lines[start] and start + 1 < len(lines) and "-" in lines[start + 1]
    if not is_table or "|" not in lines[start + 1] or not _RULE.fullmatch(lines[start + 1]):
        return []
    rows = [_cells(lines[start])]
    for line in lines[start + 2 :]:
        if "|" not in line:
            break
        rows.append((_cells(line) + [""] * len(rows[0]))[: len(rows[0])])
    return rows


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in _CELL.split(line.strip().strip("|"))]


def _shown(rows: list[list[str]]) -> list[str]:
    widths = [max(_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    if sum(widths) + 2 * len(widths) > WIDEST:
        return _as_list(rows)
    body = ["  ".join(_padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return ["```", body[0], "  ".join("-" * width for width in widths), *body[1:], "```"]


def _as_list(rows: list[list[str]]) -> list[str]:
    header = rows[0]
    return [
        "- " + "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(header, row, strict=True) if cell)
        for row in rows[1:]
    ]


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else not unicodedata.combining(c) for c in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
