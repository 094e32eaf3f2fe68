"""`triage gate`: judge texts by the topic gate of an index."""

import argparse
import json
import sys
from pathlib import Path

from retrieval.passages import GateScore
from retrieval.retriever import Retriever
from scripts.queries import Row, RowsInvalid, read_each_row
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
    """Judge and print; 1 when a row could not be read, the others are judged all the same."""
    rows = read_each_row(arguments.texts)
    first = next(rows, None)  # a file that is not there needs no model
    if first is None:
        return 0
    retriever = open_retriever(_folder(arguments.index))
    skipped = 0
    try:
        for row in (first, *rows):
            try:
                _print(row, retriever, as_json=arguments.json)
            except RowsInvalid as fault:
                print(f"triage: {fault}", file=sys.stderr)
                skipped += 1
    finally:
        retriever.close()
    return 1 if skipped else 0


def _folder(given: Path | None) -> Path:
    from config.settings import load_settings

    return given or load_settings().retrieval.index_dir


def _print(row: Row | RowsInvalid, retriever: Retriever, *, as_json: bool) -> None:
    if isinstance(row, RowsInvalid):
        raise row
    text = row.text("text")
    previous = None if row.values.get("previous") is None else row.text("previous")
    score: GateScore = retriever.gate(text, previous)
    if as_json:
        values = {"id": row.values.get("id"), "decision": str(score.verdict), "score": round(score.score, 4)}
        print(json.dumps(values, ensure_ascii=False))
    else:
        print(f"{score.verdict:8} {score.score:.2f}  {text}")
