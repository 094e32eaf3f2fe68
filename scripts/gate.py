"""`triage gate`: judge texts by the topic gate of an index."""

import argparse
import sys
from pathlib import Path

from bot.bootstrap import build_redactor
from config.settings import load_settings
from retrieval.passages import GateScore
from retrieval.redaction import Redactor
from retrieval.retriever import Retriever
from scripts.output import json_line
from scripts.queries import Row, RowsInvalid, exit_code, read_each_row
from scripts.repeated_ids import naming_repeated
from scripts.search import open_retriever


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--index", type=Path, metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
    parser.add_argument(
        "--texts",
        type=Path,
        required=True,
        metavar="FILE.jsonl",
        help='rows {"id", "text", "previous"?}; "previous" is the question before it in the thread',
    )
    parser.add_argument("--json", action="store_true", help='print {"id", "decision", "score"}, one a line')


def run(arguments: argparse.Namespace) -> int:
    """Judge and print; 1 when a row could not be read, the others are judged all the same; 2 when none could."""
    rows = naming_repeated(read_each_row(arguments.texts))
    first = next(rows, None)  # a file that is not there needs no model
    if first is None:
        return 0
    settings = load_settings().retrieval
    redactor = build_redactor(settings)
    retriever = open_retriever(arguments.index or settings.index_dir)
    done = skipped = 0
    try:
        for row in (first, *rows):
            try:
                print(_judged(row, retriever, None if arguments.json else redactor))
                done += 1
            except RowsInvalid as fault:
                print(f"triage: {fault}", file=sys.stderr)
                skipped += 1
    finally:
        retriever.close()
    return exit_code(done=done, skipped=skipped)


def _judged(row: Row | RowsInvalid, retriever: Retriever, redactor: Redactor | None) -> str:
    """Give the line of a row: for a person, with the text redacted, when there is a redactor; else JSON."""
    if isinstance(row, RowsInvalid):
        raise row
    text = row.text("text")
    previous = None if row.values.get("previous") is None else row.text("previous")
    score: GateScore = retriever.gate(text, previous)
    if redactor is None:
        return json_line({"id": row.values.get("id"), "decision": str(score.verdict), "score": round(score.score, 4)})
    return f"{score.verdict:8} {score.score:.2f}  {redactor.redact(text).text}"
