"""`triage redact`: show what redaction removes from a text or from the rows of a file."""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from config.settings import load_settings
from retrieval.redaction import Redaction, Redactor
from scripts.output import json_line
from scripts.queries import Row, RowsInvalid, each_row, exit_code, read_each_row
from scripts.repeated_ids import naming_repeated

STANDARD_INPUT = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", nargs="?", default=STANDARD_INPUT, metavar="FILE|-", help="what to read (default: -)")
    parser.add_argument("--jsonl", action="store_true", help='the input is JSON Lines, rows {"id", "text"}')
    parser.add_argument("--field", default="text", metavar="NAME", help="the field that holds the text (default: text)")
    parser.add_argument("--json", action="store_true", help='print {"id", "text", "spans"}, one a line')


def run(arguments: argparse.Namespace) -> int:
    """Redact and print; 1 when a row could not be read, the others are printed all the same; 2 when none could."""
    settings = load_settings().retrieval
    redactor = Redactor(
        phone_regions=settings.phone_regions,
        own_domains=settings.own_domains,
        own_id_patterns=settings.kept_id_patterns,
        hidden_ids=settings.own_id_patterns,
    )
    if not arguments.jsonl:
        _print(None, redactor.redact(_whole(arguments.file)), as_json=arguments.json)
        return 0
    done = skipped = 0
    for row in naming_repeated(_rows(arguments.file)):
        try:
            text = _text(row, arguments.field)
        except RowsInvalid as fault:
            print(f"triage: {fault}", file=sys.stderr)
            skipped += 1
            continue
        assert isinstance(row, Row)
        _print(row.values.get("id"), redactor.redact(text), as_json=arguments.json)
        done += 1
    return exit_code(done=done, skipped=skipped)


def _whole(name: str) -> str:
    """Read everything as one text, line ends as they are, so that offsets count what the file holds."""
    raw = sys.stdin.buffer.read() if name == STANDARD_INPUT else _path(name).read_bytes()
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise RowsInvalid(f"{_shown(name)}: is not UTF-8 text") from None


def _rows(name: str) -> Iterator[Row | RowsInvalid]:
    return each_row(sys.stdin.buffer, _shown(name)) if name == STANDARD_INPUT else read_each_row(_path(name))


def _text(row: Row | RowsInvalid, field: str) -> str:
    if isinstance(row, RowsInvalid):
        raise row
    value = row.values.get(field)
    if not isinstance(value, str):
        found = ", ".join(row.values) or "nothing"
        raise RowsInvalid(f"{row.where}: needs {field!r} as text; found {found}")
    return value


def _path(name: str) -> Path:
    path = Path(name)
    if path.is_dir():
        raise RowsInvalid(f"{name}: is a folder; name a file of it")
    if not path.is_file():
        raise RowsInvalid(f"{name}: no such file")
    return path


def _shown(name: str) -> str:
    return "standard input" if name == STANDARD_INPUT else name


def _print(row_id: object, redaction: Redaction, *, as_json: bool) -> None:
    if not as_json:
        print(redaction.text, end="" if redaction.text.endswith("\n") else "\n")
        return
    values = {"id": row_id, "text": redaction.text, "spans": [asdict(span) for span in redaction.spans]}
    print(json_line(values))
