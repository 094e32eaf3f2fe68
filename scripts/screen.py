"""`triage screen`: show which documents of a file would be held back, and why."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from retrieval.documents.document import ARTICLE, INTERNAL, PUBLIC, Document
from retrieval.screening import Provenance, Screening, Usual, provenance_of, screen_document, usual_of
from scripts.output import json_line
from scripts.queries import Row, RowsInvalid, exit_code, read_each_row
from scripts.repeated_ids import naming_repeated

FIELDS = ("text", "question", "resolution", "document")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", type=Path, metavar="FILE.jsonl", help='rows {"id", "title"?, "text"}')
    parser.add_argument(
        "--json", action="store_true", help='print {"id", "quarantined", "score", "reasons"}, one a line'
    )


def run(arguments: argparse.Namespace) -> int:
    """Screen and print; 1 when a row could not be read, the others are printed all the same; 2 when none could."""
    skipped = 0
    rows = list(naming_repeated(read_each_row(arguments.file)))
    usual = usual_of(_origin(row.values) for row in rows if isinstance(row, Row))
    for row in rows:
        try:
            screening = _screened(row, usual)
        except RowsInvalid as fault:
            print(f"triage: {fault}", file=sys.stderr)
            skipped += 1
            continue
        assert isinstance(row, Row)
        _print(row.values.get("id"), screening, as_json=arguments.json)
    return exit_code(done=len(rows) - skipped, skipped=skipped)


def _text_of(values: Mapping[str, object], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""


def _origin(values: Mapping[str, object]) -> tuple[str, str]:
    return _text_of(values, "url"), _text_of(values, "owner")


def _provenance(values: Mapping[str, object], usual: Usual) -> Provenance:
    """Judge where a row comes from, as an index of the whole file would."""
    url, owner = _origin(values)
    labels = values.get("visibility")
    known = Document(
        id="",
        kind=_text_of(values, "kind") or ARTICLE,
        url=url or None,
        owner=owner,
        question=_text_of(values, "question"),
        visibility=(PUBLIC,) if labels == PUBLIC or (isinstance(labels, list) and PUBLIC in labels) else (INTERNAL,),
    )
    return provenance_of(known, usual)


def _screened(row: Row | RowsInvalid, usual: Usual) -> Screening:
    if isinstance(row, RowsInvalid):
        raise row
    texts = [value for field in FIELDS if isinstance(value := row.values.get(field), str)]
    if not texts:
        found = ", ".join(row.values) or "nothing"
        raise RowsInvalid(f"{row.where}: needs 'text' (or 'question' and 'resolution') as text; found {found}")
    return screen_document(_text_of(row.values, "title"), "\n\n".join(texts), _provenance(row.values, usual))


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
