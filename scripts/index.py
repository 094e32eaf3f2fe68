"""`triage index`: articles and tickets into the index."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from bot.bootstrap import index_tools
from config.settings import load_settings
from retrieval.documents import FieldInvalid, FieldMap, Loaded, load_documents
from retrieval.errors import DocumentsInvalid
from retrieval.index import IndexReport, Update, update_index
from scripts.output import counted, json_line

# A broken export has the same fault in every line; the first few tell it.
_SHOWN_PROBLEMS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="folders and files: the whole set")
    parser.add_argument("--out", metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
    parser.add_argument("--map", action="append", default=[], metavar="FIELD=COLUMN", help="where a field is found")
    parser.add_argument("--add", action="store_true", help="keep the documents that the input does not name")
    parser.add_argument("--yes", action="store_true", help="removing over half of the documents is meant")
    parser.add_argument("--model", metavar="NAME", help="embedding model (default: EMBEDDING_MODEL)")
    parser.add_argument(
        "--no-sentences", action="store_true", help="make no vectors of sentences: quicker to index, slower to answer"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Build or update the index."""
    given = [*arguments.paths, *([] if arguments.out is None else [arguments.out])]
    if not all(path.strip() for path in given):  # pathlib takes it for the current folder
        raise DocumentsInvalid("an empty path was given; name a folder or a file")
    settings = load_settings().retrieval
    try:
        loaded = load_documents(arguments.paths, field_map=FieldMap.parse(arguments.map))
    except FieldInvalid as error:
        raise DocumentsInvalid(str(error)) from None
    told = (*loaded.problems, *loaded.notes)
    for problem in told[:_SHOWN_PROBLEMS]:
        print(f"triage: {problem}", file=sys.stderr)
    if len(told) > _SHOWN_PROBLEMS:
        print(f"triage: … and {len(told) - _SHOWN_PROBLEMS} more", file=sys.stderr)
    if loaded.problems and not loaded.documents:
        raise DocumentsInvalid("nothing could be read; the index is unchanged")
    update = Update(keeps_others=arguments.add, may_remove_most=arguments.yes, has_sentences=not arguments.no_sentences)
    folder = settings.index_dir if arguments.out is None else Path(arguments.out)
    tools = index_tools(settings, arguments.model, _progress())
    report = update_index(folder, loaded.documents, tools, update=update)
    _print(report, loaded, folder, as_json=arguments.json)
    return 1 if loaded.is_partial else 0


def _progress() -> Callable[[str, int, int], None]:
    """Give a progress bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        return lambda _stage, _done, _total: None
    from tqdm import tqdm

    bars: dict[str, tqdm] = {}  # type: ignore[type-arg]  # generic only in its stubs

    def show(stage: str, done: int, total: int) -> None:
        if stage not in bars:
            bars[stage] = tqdm(total=total, desc=f"embedding {stage}", unit="", file=sys.stderr)
        bars[stage].update(done - bars[stage].n)
        if done >= total:
            bars[stage].close()

    return show


def _print(report: IndexReport, loaded: Loaded, folder: Path, *, as_json: bool) -> None:
    values, counts = _values(report, loaded), report.manifest.counts
    if as_json:
        print(json_line(values))
        return
    print(
        f"{counted(counts.documents, 'document')} in {folder}: {values['added']} added, {values['changed']} changed,"
        f" {values['removed']} removed, {values['quarantined']} quarantined, {counted(counts.redactions, 'redaction')}"
    )
    print(
        f"{counted(counts.chunks, 'chunk')} ({values['embedded']} embedded, {values['reused']} reused),"
        f" {counted(counts.sentences, 'sentence')} ({values['sentences_embedded']} embedded, {values['sentences_reused']} reused)"
    )
    for item in report.quarantined:
        print(f"quarantined: {item.document.id} ({', '.join(item.screening.reasons)})")
    if loaded.problems:
        blank = "a document" if loaded.blank == 1 else "documents"
        print(f"{counted(len(loaded.problems), 'problem')}, {loaded.blank} of them {blank} without text")
    if not report.manifest.counts.documents:
        print("the knowledge base is empty: every search will find nothing")


def _values(report: IndexReport, loaded: Loaded) -> dict[str, object]:
    counts = report.manifest.counts
    return {
        "index": report.manifest.index_id,
        "documents": counts.documents,
        "added": len(report.changes.added),
        "changed": len(report.changes.changed),
        "removed": len(report.changes.removed),
        "quarantined": counts.quarantined,
        "quarantined_ids": [item.document.id for item in report.quarantined],
        "redactions": counts.redactions,
        "chunks": counts.chunks,
        "embedded": report.chunks.embedded,
        "reused": report.chunks.reused,
        "sentences": counts.sentences,
        "sentences_embedded": report.sentences.embedded,
        "sentences_reused": report.sentences.reused,
        "skipped": [{"where": problem.where, "reason": problem.reason} for problem in loaded.problems],
        "blank": loaded.blank,
        "is_empty": not counts.documents,
    }
