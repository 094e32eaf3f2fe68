"""Ids that stand in several rows of an input: their results cannot be told apart, so they are named."""

import json
import sys
from collections.abc import Iterable, Iterator

from scripts.output import counted
from scripts.queries import Row, RowsInvalid, clean_text

_NAMED, _CHARACTERS = 10, 60


def naming_repeated(rows: Iterable[Row | RowsInvalid]) -> Iterator[Row | RowsInvalid]:
    """Give the rows on; behind the last one say on stderr which ids stood in more than one, and in which line again.

    Rows without an id are none of one id. Every row is handled all the same.
    """
    seen: set[str] = set()
    again: dict[str, str] = {}
    for row in rows:
        if isinstance(row, Row) and row.values.get("id") is not None:
            name = json.dumps(row.values["id"], ensure_ascii=False, sort_keys=True)
            if name in seen:
                again.setdefault(name, row.where)
            seen.add(name)
        yield row
    if again:
        named = ", ".join(f"{_shown(name)} ({where})" for name, where in list(again.items())[:_NAMED])
        rest = f" and {len(again) - _NAMED} more" if len(again) > _NAMED else ""
        print(f"triage: {counted(len(again), 'id')} in more than one row: {named}{rest}", file=sys.stderr)


def _shown(name: str) -> str:
    text = clean_text(name.strip('"'))
    return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS]}…"
