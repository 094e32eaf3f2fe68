"""`triage correct`: hide a source for a question, pin an approved answer, or have a question refused; list, undo, and export as rows."""

import argparse
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from bot.bootstrap.corrections import CorrectionDesk, build_correction_desk, lapsed
from bot.bootstrap.trust import build_audit
from bot.lead.corrections import Complaint, Correction, CorrectionKind, correction_rows
from config.settings import load_settings
from retrieval.documents import Document
from retrieval.errors import IndexMissing
from retrieval.index import indexed_documents
from scripts.output import json_line

_LINES = {
    "hide": "leave documents out of the answers to one question",
    "pin": "answer one question with an approved text, as long as its sources say what they say now",
    "refuse": "answer one question with the words for nothing found",
    "list": "list what was set right, and which pins no longer apply",
    "undo": "drop a correction",
    "rows": "print one row a correction, in the form of `triage eval --queries`",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, line in _LINES.items():
        action = actions.add_parser(name, help=line, description=line)
        if name in {"hide", "pin", "refuse"}:
            action.add_argument("question", metavar="QUESTION", help="as it was asked")
        if name in {"hide", "pin"}:
            action.add_argument("--document", action="append", required=True, metavar="ID", help="may be given again")
        if name == "pin":
            action.add_argument(
                "--answer", required=True, metavar="TEXT", help="the approved text; - reads it from stdin"
            )
        if name == "undo":
            action.add_argument("key", metavar="KEY", help="as `list` names it")
        if name == "rows":
            action.add_argument(
                "--rejected", action="store_true", help="instead what was hidden, to be labelled by hand"
            )
        if name == "list":
            action.add_argument("--json", action="store_true", help="print one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Do it; 1 when there is nothing to undo."""
    settings = load_settings()
    desk = build_correction_desk(settings, build_audit(settings, sys.stderr))
    match arguments.action:
        case "undo":
            is_done = desk.undo(arguments.key)
            print("undone" if is_done else f"there is no correction {arguments.key}")
            return 0 if is_done else 1
        case "rows":
            for row in correction_rows(desk.file.all()):
                if ("relevant" in row) != arguments.rejected:
                    print(json_line(row))
        case "list":
            _list(desk, _documents(settings.retrieval.index_dir), is_json=arguments.json)
        case _:
            made = _make(desk, arguments, _documents(settings.retrieval.index_dir))
            print(f"{made.key}  in force from the next question on (`triage correct undo {made.key}`)")
    return 0


def _documents(folder: Path) -> Mapping[str, Document]:
    try:
        return {document.id: document for document in indexed_documents(folder)}
    except IndexMissing:
        return {}


def _make(desk: CorrectionDesk, arguments: argparse.Namespace, documents: Mapping[str, Document]) -> Correction:
    from retrieval.language import language_of

    question = desk.redact(arguments.question, documents)
    answer = getattr(arguments, "answer", "")
    return desk.correct(
        Complaint(question, language_of(question), "command"),
        CorrectionKind(arguments.action),
        sources=getattr(arguments, "document", None) or (),
        answer=sys.stdin.read() if answer == "-" else answer,
        documents=documents,
    )


def _list(desk: CorrectionDesk, documents: Mapping[str, Document], *, is_json: bool) -> None:
    for one in desk.file.all():
        gone = lapsed(one, documents)
        day = datetime.fromtimestamp(one.at, UTC).date().isoformat()
        if is_json:
            values = {"key": one.key, "kind": str(one.kind), "question": one.question, "language": one.language}
            print(json_line({**values, "documents": one.ids, "answer": one.answer, "at": day, "lapsed": gone}))
        else:
            ends = f"  NO LONGER APPLIES: {', '.join(gone)} changed or gone" if gone else ""
            print(f"{one.key}  {day}  {one.kind:6}  {one.question}  {' '.join(one.ids)}{ends}")
