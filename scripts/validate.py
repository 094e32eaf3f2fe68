"""`triage validate`: what contradicts, repeats or outlives itself in a knowledge base."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path

from bot.bootstrap import build_redactor
from config.settings import load_settings
from retrieval.documents import FieldInvalid, FieldMap, Loaded, load_documents
from retrieval.errors import DocumentsInvalid
from retrieval.index import indexed_documents, indexed_vectors, read_unresolved
from retrieval.redaction import Redactor
from retrieval.validation import Validation, validate
from retrieval.validation.grouping import Conflict
from retrieval.validation.plain_quotes import plain_quote
from scripts.output import counted, json_line

_SHOWN = 20
_NAMED = 5
_TITLE = 80


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="folders and files: the whole set, as for `triage index`"
    )
    parser.add_argument("--index", type=Path, metavar="DIR", help="look through an index instead")
    parser.add_argument("--map", action="append", default=[], metavar="FIELD=COLUMN", help="where a field is found")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Look through the base and print; 1 when something was found or a part of the input was skipped."""
    if arguments.paths and arguments.index:
        raise DocumentsInvalid("files and an index were both named; name one of them")
    if not arguments.paths and not arguments.index:
        raise DocumentsInvalid("name files and folders, or an index with --index")
    settings = load_settings().retrieval
    loaded = _loaded(arguments)
    for problem in loaded.problems[:_SHOWN]:
        print(f"triage: {problem}", file=sys.stderr)
    if len(loaded.problems) > _SHOWN:
        print(f"triage: … and {len(loaded.problems) - _SHOWN} more", file=sys.stderr)
    today = datetime.now(UTC).date()
    unresolved = read_unresolved(arguments.index) if arguments.index else loaded.unresolved
    vectors = indexed_vectors(arguments.index) if arguments.index else {}
    found = validate(loaded.documents, today=today, unresolved=unresolved, vectors=vectors)
    found = _redacted(found, build_redactor(settings))
    if arguments.json:
        print(json_line(_values(found, loaded)))
    else:
        _print(found, _titles(loaded, build_redactor(settings)))
    return 0 if found.is_clean and not loaded.problems else 1


def _loaded(arguments: argparse.Namespace) -> Loaded:
    if arguments.index:
        return Loaded(tuple(indexed_documents(arguments.index)), ())
    if not all(path.strip() for path in arguments.paths):  # pathlib takes it for the current folder
        raise DocumentsInvalid("an empty path was given; name a folder or a file")
    try:
        loaded = load_documents(arguments.paths, field_map=FieldMap.parse(arguments.map))
    except FieldInvalid as error:
        raise DocumentsInvalid(str(error)) from None
    if loaded.problems and not loaded.documents and not loaded.unresolved:
        raise DocumentsInvalid(f"nothing could be read ({loaded.problems[0]})")
    return loaded


def _redacted(found: Validation, redactor: Redactor) -> Validation:
    """Take personal data out of what is quoted: files are read before redaction, which takes longer than all the rest."""

    def plain(text: str) -> str:
        return str(redactor.redact(text).text)

    def of_both(texts: tuple[str, str]) -> tuple[str, str]:
        return plain(texts[0]), plain(texts[1])

    conflicts = tuple(
        replace(
            c, slot=plain(c.slot), subject=plain(c.subject), values=of_both(c.values), sentences=of_both(c.sentences)
        )
        for c in found.conflicts
    )
    return replace(found, conflicts=conflicts, stale=tuple(replace(s, reason=plain(s.reason)) for s in found.stale))


def _values(found: Validation, loaded: Loaded) -> dict[str, object]:
    return {
        "conflicts": [_conflict(one) for one in found.conflicts],
        "stale": [asdict(one) for one in found.stale],
        "superseded": [asdict(one) for one in found.superseded],
        "copies": [list(ids) for ids in found.copies],
        "unresolved_tickets": list(found.unresolved_tickets),
        "rings": [list(ids) for ids in found.rings],
        "problems": [{"where": problem.where, "reason": problem.reason} for problem in loaded.problems],
        "documents": len(loaded.documents),
    }


def _conflict(one: Conflict) -> dict[str, object]:
    values = asdict(one)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def _titles(loaded: Loaded, redactor: Redactor) -> Callable[[str], str]:
    """Give what names a document to a person: its id and, where it has another one, its title."""
    titles = {document.id: document.title for document in loaded.documents}

    def named(name: str) -> str:
        title = " ".join(str(redactor.redact(titles.get(name, "")[:_TITLE]).text).split())
        return f"{name} “{title}”" if title and title != name else name

    return named


def _print(found: Validation, named: Callable[[str], str]) -> None:
    _print_conflicts(found, named)
    for one in found.stale:
        owner = f", owner {one.owner}" if one.owner else ""
        print(f"stale  {named(one.id)}: {one.reason}{owner}")
    for ended in found.superseded:
        print(f"superseded  {named(ended.id)}" + (f" by {ended.by}" if ended.by else ", by its status"))
    for ids in found.copies:
        print(f"copies  {', '.join(ids)}")
    for ring in found.rings:
        said = (
            "says that it replaces itself"
            if len(ring) == 1
            else "replace each other; which one is the newest cannot be told"
        )
        print(f"ring  {', '.join(ring)} {said}")
    for name in found.unresolved_tickets:
        print(f"unresolved  {name}")
    told = (
        counted(len(found.conflicts), "conflict"),
        f"{len(found.stale)} stale",
        f"{len(found.superseded)} superseded",
        f"{len(found.copies)} families of copies",
        f"{len(found.unresolved_tickets)} unresolved",
    )
    print("nothing was found" if found.is_clean else ", ".join(told))


def _print_conflicts(found: Validation, named: Callable[[str], str]) -> None:
    for one in found.conflicts:
        print(f"conflict  {one.subject}  ({one.likelihood}, {one.certainty:.2f}: {one.why})")
        for place, name in enumerate(one.ids[:2]):
            mark = "→" if name == one.prefer else " "
            day = f", {one.dates[place]}" if one.dates[place] else ""
            quote = plain_quote(one.sentences[place])[:160]
            print(f"  {mark} {named(name)}{day}: {one.values[place]}  “{quote}”{_others(one, place)}")
        print(f"    {one.reason}")


def _others(one: Conflict, place: int) -> str:
    """Name a few of the documents that say the same as one side, and count the rest."""
    others = one.sides[place][1:]
    more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
    return f", so do {', '.join(others[:_NAMED])}{more}" if others else ""
