"""What `triage index` tells: on the console for a person, with --json as one object."""

import sys
from collections.abc import Sequence
from pathlib import Path

from retrieval.documents import Loaded, Problem, undated
from retrieval.index import IndexReport, Plan
from retrieval.index.changes import Changes
from retrieval.index.entries import held_items
from scripts.output import counted, json_line

# A broken export has the same fault in every line; the first few tell it.
_SHOWN = 20


def tell_problems(loaded: Loaded) -> None:
    """Name what was skipped, and what should be known, on stderr; open tickets are only counted."""
    told = [*loaded.problems, *(note for note in loaded.notes if not note.ticket)]
    for problem in told[:_SHOWN]:
        print(f"triage: {problem}", file=sys.stderr)
    if len(told) > _SHOWN:
        print(f"triage: … and {len(told) - _SHOWN} more", file=sys.stderr)


def print_report(report: IndexReport, loaded: Loaded, folder: Path, *, as_json: bool) -> None:
    """Print what a run did."""
    counts = report.manifest.counts
    if as_json:
        print(json_line(_done(report) | _loaded(report.changes, report.spared, loaded)))
        return
    print(
        f"{counted(counts.documents, 'document')} in {folder}: {_changed(report.changes)},"
        f" {counts.quarantined} quarantined, {counted(counts.redactions, 'redaction')}"
    )
    chunks, sentences = report.chunks, report.sentences
    print(
        f"{counted(counts.chunks, 'chunk')} ({chunks.embedded} embedded, {chunks.reused} reused),"
        f" {counted(counts.sentences, 'sentence')} ({sentences.embedded} embedded, {sentences.reused} reused)"
    )
    for item in report.quarantined:
        print(f"quarantined: {item.document.id} ({', '.join(item.screening.reasons) or 'by a decision'})")
    _print_loaded(loaded, report.changes, report.spared)
    if not counts.documents:
        print("the knowledge base is empty: every search will find nothing")


def print_preview(plan: Plan, loaded: Loaded, folder: Path, *, refusal: str, as_json: bool) -> None:
    """Print what a run would do; `refusal` says why it would not be published, if so."""
    quarantined = [item.document.id for item in held_items(plan.entries)]
    if as_json:
        values: dict[str, object] = {"dry_run": True, "documents": len(plan.entries), "refused": refusal or None}
        values |= {"quarantined": len(quarantined), "quarantined_ids": quarantined}
        print(json_line(values | _loaded(plan.changes, plan.spared, loaded)))
        return
    print(f"dry run, nothing written: {counted(len(plan.entries), 'document')} in {folder}: {_changed(plan.changes)}")
    ids = {"added": plan.changes.added, "changed": plan.changes.changed, "removed": plan.changes.removed}
    for name, found in (ids | {"quarantined": tuple(quarantined)}).items():
        if found:
            print(f"{name}: {_named(found)}")
    _print_loaded(loaded, plan.changes, plan.spared)
    if refusal:
        print(f"it would be refused: {refusal}")


def _named(ids: Sequence[str]) -> str:
    more = f" … and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return f"{', '.join(ids[:_SHOWN])}{more}"


def _changed(changes: Changes) -> str:
    return f"{len(changes.added)} added, {len(changes.changed)} changed, {len(changes.removed)} removed"


def _print_loaded(loaded: Loaded, changes: Changes, spared: Sequence[str]) -> None:
    if problems := sum(not problem.ticket for problem in loaded.problems):  # tickets have their own line
        blank = "a document" if loaded.blank == 1 else "documents"
        of_them = f", {loaded.blank} of them {blank} without text" if loaded.blank else ""
        print(f"{counted(problems, 'problem')}{of_them}")
    if loaded.unresolved:
        print(f"{counted(len(loaded.unresolved), 'ticket')} without a resolution, not indexed")
    if without := undated(loaded.documents):
        print(f"{counted(without, 'document')} without a date")
    if unread := sorted((loaded.unread | loaded.may_stay).intersection(spared)):
        print(f"could not be read and stays as it was: {_named(unread)}")
    if closed := sorted(loaded.closed.intersection(changes.removed)):
        print(f"taken out, since who may see it is in doubt: {_named(closed)}")
    if loaded.is_incomplete and loaded.closed.issuperset(changes.removed):
        kept = f"; {counted(len(spared), 'document')} that it does not name kept (--allow-removals removes them)"
        what = "nothing else" if changes.removed else "nothing"
        print(f"the input is incomplete: {what} was taken for deleted{kept if spared else ''}")


def _done(report: IndexReport) -> dict[str, object]:
    counts = report.manifest.counts
    return {
        "index": report.manifest.index_id,
        "documents": counts.documents,
        "quarantined": counts.quarantined,
        "quarantined_ids": [item.document.id for item in report.quarantined],
        "redactions": counts.redactions,
        "chunks": counts.chunks,
        "embedded": report.chunks.embedded,
        "reused": report.chunks.reused,
        "sentences": counts.sentences,
        "sentences_embedded": report.sentences.embedded,
        "sentences_reused": report.sentences.reused,
        "is_empty": not counts.documents,
        "dry_run": False,
    }


def _loaded(changes: Changes, spared: Sequence[str], loaded: Loaded) -> dict[str, object]:
    return {
        "added": len(changes.added),
        "changed": len(changes.changed),
        "removed": len(changes.removed),
        "added_ids": changes.added,
        "changed_ids": changes.changed,
        "removed_ids": changes.removed,
        "kept": len(spared),
        "unread_ids": sorted(loaded.unread.union(loaded.may_stay.intersection(spared))),
        "closed_ids": sorted(loaded.closed),
        "incomplete": loaded.is_incomplete,
        "skipped": _told(loaded.problems),
        "notes": _told([note for note in loaded.notes if not note.ticket]),
        "unresolved_tickets": loaded.unresolved,
        "undated": undated(loaded.documents),
        "blank": loaded.blank,
    }


def _told(problems: Sequence[Problem]) -> list[dict[str, str]]:
    return [{"where": problem.where, "reason": problem.reason} for problem in problems]
