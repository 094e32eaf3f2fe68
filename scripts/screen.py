"""`triage screen`: show which documents of a file would be held back, and why."""

import argparse
import sys
from pathlib import Path

from retrieval.screening import Screening, screen_document
from scripts.output import json_line
from scripts.queries import Row, RowsInvalid, read_each_row

FIELDS = ("text", "question", "resolution", "document")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE.jsonl", help='rows {"id", "title"?, "text"}')
    parser.add_argument(
        "--json", action="store_true", help='print {"id", "quarantined", "score", "reasons"}, one a line'
    )


def run(arguments: argparse.Namespace) -> int:
    """Screen and print; 1 when a row could not be read, the others are printed all the same."""
    skipped = 0
    for row in read_each_row(arguments.file):
        try:
            screening = _screened(row)
        except RowsInvalid as fault:
            print(f"triage: {fault}", file=sys.stderr)
            skipped += 1
            continue
        assert isinstance(row, Row)
        _print(row.values.get("id"), screening, as_json=arguments.json)
    return 1 if skipped else 0


def _screened(row: Row | RowsInvalid) -> Screening:
    if isinstance(row, RowsInvalid):
        raise row
    texts = [value for field in FIELDS if isinstance(value := row.values.get(field), str)]
    if not texts:
        found = ", ".join(row.values) or "nothing"
        raise RowsInvalid(f"{row.where}: needs 'text' (or 'question' and 'resolution') as text; found {found}")
    title = row.values.get("title")
    return screen_document(title if isinstance(title, str) else "", "\n\n".join(texts))


def _print(row_id: object, screening: Screening, *, as_json: bool) -> None:
    if as_json:
        values = {
            "id": row_id,
            "quarantined": screening.quarantined,
            "score": screening.score,
            "reasons": list(screening.reasons),
        }
        print(json_line(values))
        return
    verdict = "held back" if screening.quarantined else "passed"
    print(f"{row_id}  {verdict}  {screening.score:.2f}  {', '.join(screening.reasons)}".rstrip())
