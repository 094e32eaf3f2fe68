"""`triage index`: articles and tickets into the index."""

import argparse
import asyncio
import datetime as dt
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from bot.adapters.sources import SourceRead, is_source
from bot.bootstrap import index_tools
from bot.bootstrap.index_preview import preview_tools
from bot.bootstrap.old_heap import growing_heap
from config.logs import configure_logs
from config.settings import load_settings
from config.source_settings import SourceSettings
from retrieval.documents import FieldInvalid, FieldMap, Loaded, collect, long_tables, odd_dates, read_documents
from retrieval.errors import DocumentsInvalid, RemovalRefused
from retrieval.index import (
    Tools,
    Update,
    check_removals,
    documents_at,
    keep_places,
    keep_unresolved,
    preview_update,
    update_index,
)
from retrieval.index.judge import Check
from retrieval.index.manifest import MANIFEST
from scripts import generations
from scripts.index_report import print_preview, print_report, tell_problems
from scripts.watch import watch


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="folders, files and sources: the whole set; or `history`, `rollback [GENERATION]`",
    )
    parser.add_argument("--query", default="", metavar="SQL|FILE.sql", help="what a database is asked")
    parser.add_argument("--full", action="store_true", help="read sources whole, not from where the last load ended")
    parser.add_argument("--out", metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
    parser.add_argument("--map", action="append", default=[], metavar="FIELD=COLUMN", help="where a field is found")
    parser.add_argument("--add", action="store_true", help="keep the documents that the input does not name")
    parser.add_argument(
        "--allow-removals", action="store_true", help="removing more than a tenth, or from a broken-off input, is meant"
    )
    parser.add_argument("--yes", action="store_true", help="removing over half of the documents is meant")
    parser.add_argument("--dry-run", action="store_true", help="say what would change, write nothing")
    parser.add_argument("--model", metavar="NAME", help="embedding model (default: EMBEDDING_MODEL)")
    parser.add_argument(
        "--no-sentences", action="store_true", help="make no vectors of sentences: quicker to index, slower to answer"
    )
    parser.add_argument("--watch", action="store_true", help="stay, and update whenever the sources change")
    parser.add_argument(
        "--check", type=Path, metavar="FILE.jsonl", help="labelled questions; publish only what finds about as much"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Build or update the index, or with --dry-run only say what would be done; list its generations, or go back to one."""
    if arguments.paths[0] in generations.ACTIONS:
        return generations.run(arguments)
    given = [*arguments.paths, *([] if arguments.out is None else [arguments.out])]
    if not all(path.strip() for path in given):  # pathlib takes it for the current folder
        raise DocumentsInvalid("an empty path was given; name a folder or a file")
    if arguments.watch:
        return watch(arguments.paths, lambda: _index(arguments))
    return _index(arguments)


@growing_heap()
def _index(arguments: argparse.Namespace) -> int:
    every = load_settings()
    configure_logs("error")
    settings = every.retrieval
    folder = settings.index_dir if arguments.out is None else Path(arguments.out)
    try:
        loaded, reads = _load(arguments, every.sources, folder, FieldMap.parse(arguments.map))
        loaded = replace(loaded, stood_there=documents_at(folder, loaded.broken_places))
    except FieldInvalid as error:
        raise DocumentsInvalid(str(error)) from None
    tell_problems(loaded)
    _refuse_nothing(loaded, folder)
    update = _update(arguments, loaded, reads)
    if arguments.dry_run:
        return _show(folder, loaded, preview_tools(settings, arguments.model), update, as_json=arguments.json)
    tools = index_tools(settings, arguments.model, _progress())
    report = update_index(folder, loaded.documents, tools, update=update, check=_check(arguments, tools))
    keep_unresolved(folder, loaded.unresolved, update=update, indexed=report.manifest.documents)
    keep_places(folder, loaded.documents, indexed=report.manifest.documents)
    if arguments.out is None and report.changes.removed:  # another folder is not the one that bots answer from
        from bot.bootstrap.recall import withdraw_removed

        asyncio.run(withdraw_removed(every, report.changes.removed))
    print_report(report, loaded, folder, as_json=arguments.json)
    return 1 if loaded.is_partial else 0


def _refuse_nothing(loaded: Loaded, folder: Path) -> None:
    """Refuse an input without a document: all of it could not be read, or there is no index that it could empty."""
    if loaded.documents:
        return
    is_new = not (folder / MANIFEST).is_file()
    if loaded.problems or is_new:
        raise DocumentsInvalid(f"nothing could be read; {'no index was made' if is_new else 'the index is unchanged'}")


def _check(arguments: argparse.Namespace, tools: Tools) -> Check | None:
    if not arguments.check:
        return None
    from scripts.publish_check import PublishCheck

    return PublishCheck.of(arguments.check, tools.encoder, _tell)


def _tell(before: Mapping[str, float], after: Mapping[str, float]) -> None:
    told = ", ".join(f"{name} {before[name]:.3f} → {after[name]:.3f}" for name in before)
    print(f"triage: checked against the index that is served: {told}", file=sys.stderr)


def _load(
    arguments: argparse.Namespace, settings: SourceSettings, folder: Path, field_map: FieldMap
) -> tuple[Loaded, list[SourceRead]]:
    """Read files and sources, and tell what is odd about them."""
    addresses = [path for path in arguments.paths if is_source(path)]
    files = [path for path in arguments.paths if not is_source(path)]
    reads: list[SourceRead] = []
    if addresses:
        from bot.bootstrap.sources import known_cursors, read_sources

        cursors = {} if arguments.full else known_cursors(folder)
        reads = read_sources(addresses, settings, field_map=field_map, query=arguments.query, cursors=cursors)
    items = (item for read in reads for item in read.items)
    loaded = collect(chain(read_documents(files, field_map=field_map, uses_git=True), items))
    today = dt.datetime.now(dt.UTC).date()
    odd = (*odd_dates(loaded.documents, today), *long_tables(loaded.documents))
    return replace(loaded, notes=(*loaded.notes, *odd)), reads


def _update(arguments: argparse.Namespace, loaded: Loaded, reads: Sequence[SourceRead]) -> Update:
    """Say what the run may do. What an incomplete input does not name may be behind what could not be read."""
    may_remove = arguments.allow_removals or arguments.yes
    keeps_others = arguments.add or (loaded.is_incomplete and not may_remove)
    is_held = loaded.is_incomplete and not may_remove
    return Update(
        keeps_others=keeps_others,
        kept_prefixes=tuple(read.prefix for read in reads if read.prefix),
        kept_ids=frozenset() if may_remove else loaded.unread | loaded.may_stay,
        gone=loaded.closed.union(*(() if is_held else (read.gone for read in reads))),
        cursors={read.name: read.cursor for read in reads if read.cursor and not read.is_incomplete},
        may_remove_most=arguments.yes,
        may_remove_some=arguments.allow_removals,
        has_sentences=not arguments.no_sentences,
    )


def _show(folder: Path, loaded: Loaded, tools: Tools, update: Update, *, as_json: bool) -> int:
    plan = preview_update(folder, loaded.documents, tools, update=update)
    refusal = ""
    try:
        check_removals(plan.changes, update)
    except RemovalRefused as error:
        refusal = str(error)
    print_preview(plan, loaded, folder, refusal=refusal, as_json=as_json)
    return 1 if loaded.is_partial or refusal else 0


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
