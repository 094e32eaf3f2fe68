"""`triage quarantine`: documents that were held back, why, and what people decide about them."""

import argparse
import getpass
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from config.settings import RetrievalSettings, load_settings
from retrieval.errors import DocumentsInvalid
from retrieval.index import decide, read_quarantine
from retrieval.index.intake import Prepared
from retrieval.screening import Decision, Marked, Verdict, content_hash, hidden_in, marked_parts, read_decisions
from scripts.output import json_line

_VERDICTS = {"approve": Verdict.APPROVED, "reject": Verdict.REJECTED}
_OPEN_MARK, _CLOSE_MARK = ">>>", "<<<"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    lines = {
        "list": "list what is held back or was rejected, with score and reasons",
        "show": "show one document with the offending passages marked",
        "approve": "make documents searchable; the same content is not held back again",
        "reject": "keep documents out for good",
    }
    for name, line in lines.items():
        action = actions.add_parser(name, help=line, description=line)
        action.add_argument("--index", type=Path, metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
        action.add_argument("--json", action="store_true", help="print JSON, one object a line")
        if name == "list":
            action.add_argument("--all", action="store_true", help="list approved ones too")
        if name == "show":
            action.add_argument("id", metavar="ID", help="a document")
        if name in _VERDICTS:
            action.add_argument("ids", nargs="+", metavar="ID", help="documents")
            action.add_argument("--by", metavar="NAME", default="", help="who decides (default: who is logged in)")
            action.add_argument("--note", metavar="TEXT", default="", help="why; kept with the decision")


def run(arguments: argparse.Namespace) -> int:
    """List, show or decide; 1 when a named document is not in the index."""
    settings = load_settings().retrieval
    folder: Path = arguments.index or settings.index_dir
    match arguments.action:
        case "list":
            return _list(folder, arguments)
        case "show":
            return _show(folder, arguments)
        case _:
            return _decide(folder, arguments, settings)


def _list(folder: Path, arguments: argparse.Namespace) -> int:
    decisions = read_decisions(folder)
    listed = [item for item in read_quarantine(folder) if arguments.all or item.screening.quarantined]
    for item in sorted(listed, key=lambda item: (bool(item.screening.verdict), -item.screening.score)):
        values = _values(item, decisions.get(item.document.id))
        print(json_line(values) if arguments.json else _line(values))
    if not listed and not arguments.json:
        print("nothing is held back")
    return 0


def _show(folder: Path, arguments: argparse.Namespace) -> int:
    item = next((item for item in read_quarantine(folder) if item.document.id == arguments.id), None)
    if item is None:
        raise DocumentsInvalid(f"{arguments.id!r} is not held back; `triage quarantine list` names what is")
    values = _values(item, read_decisions(folder).get(item.document.id))
    text = _text(item)
    parts = marked_parts(text, item.screening.reasons)
    hidden = (*item.screening.unseen, *hidden_in(text))
    if arguments.json:
        passages = [{"start": p.start, "end": p.end, "reasons": list(p.reasons)} for p in parts]
        print(json_line({**values, "text": text, "passages": passages, "hidden": list(hidden)}))
        return 0
    print(_line(values))
    shown = set().union(*(part.reasons for part in parts))
    if others := [reason for reason in item.screening.reasons if reason not in shown]:
        print(f"of the source or of what was removed from the text: {', '.join(others)}")
    if hidden:
        print("\nwhat a reader of it does not see:")
        print("\n".join(_plain(f"  - {one}") for one in hidden))
    print(f"\n{_plain(_with_marks(text, parts))}")
    return 0


def _decide(folder: Path, arguments: argparse.Namespace, settings: RetrievalSettings) -> int:
    from bot.bootstrap import index_tools
    from bot.bootstrap.trust import build_audit

    verdict = _VERDICTS[arguments.action]
    by = arguments.by.strip() or _login()
    make = _decision(verdict, by, arguments.note.strip())
    report = decide(folder, dict.fromkeys(arguments.ids, make), index_tools(settings))
    trail = build_audit(load_settings(), sys.stderr)
    for item in report.decided:
        trail.write(f"quarantine_{verdict}", document=item.document.id, content=content_hash(item.document), by=by)
        values = _values(item, make(item))
        print(json_line(values) if arguments.json else _line(values))
    for name in report.unknown:
        print(f"triage: {name!r} is not in the index", file=sys.stderr)
    return 1 if report.unknown else 0


def _decision(verdict: Verdict, by: str, note: str) -> Callable[[Prepared], Decision]:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    return lambda item: Decision(item.document.id, content_hash(item.document), verdict, by, note, at)


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container without a name for its user
        return ""


def _values(item: Prepared, decision: Decision | None) -> dict[str, object]:
    screening, document = item.screening, item.document
    made = decision if screening.verdict else None
    return {
        "id": document.id,
        "title": document.title,
        "state": screening.verdict or ("held" if screening.quarantined else "passed"),
        "score": screening.score,
        "reasons": list(screening.reasons),
        "kind": document.kind,
        "url": document.url,
        "by": made.by if made else None,
        "note": made.note if made else None,
        "at": made.at if made else None,
    }


def _line(values: dict[str, object]) -> str:
    reasons = values["reasons"]
    assert isinstance(reasons, list)
    told = [f"{values['id']}  {values['state']}  {values['score']:.2f}  {', '.join(reasons) or 'no sign was found'}"]
    if values["title"]:
        told.append(f"“{values['title']}”")
    if values["by"] or values["note"]:
        told.append(f"({', '.join(str(values[key]) for key in ('by', 'at', 'note') if values[key])})")
    return _plain("  ".join(told))


def _text(item: Prepared) -> str:
    document = item.document
    return "\n\n".join(filter(None, (document.title, document.question, document.text, document.resolution)))


def _with_marks(text: str, parts: Iterable[Marked]) -> str:
    shown, at = [], 0
    for part in parts:
        if part.start >= at:  # a paragraph around a sentence that is marked already is not marked twice
            shown += [text[at : part.start], _OPEN_MARK, text[part.start : part.end], _CLOSE_MARK]
            shown.append(f" ({', '.join(part.reasons)})")
            at = part.end
    return "".join([*shown, text[at:]])


def _plain(text: str) -> str:
    """A planted text must not drive the terminal it is read on."""
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "\ufffd" for letter in text)
