"""`triage ask`: one question, or a file of them, through the whole flow."""

import argparse
import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from uuid import uuid4

from config.settings import Settings, load_settings
from scripts.queries import Row, RowsInvalid, clean_text, exit_code, read_each_row

DEFAULT_AUDIENCE = "public,internal"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("question", nargs="?", metavar="QUESTION", help="what to ask")
    parser.add_argument("--queries", type=Path, metavar="FILE.jsonl", help='rows {"id", "query", "thread"?}')
    parser.add_argument("--thread", metavar="ID", help="keep the conversation under this name and follow up in it")
    parser.add_argument("--index", type=Path, metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
    parser.add_argument(
        "--audience", default=DEFAULT_AUDIENCE, metavar="LABELS", help=f"who asks (default: {DEFAULT_AUDIENCE})"
    )
    parser.add_argument("--explain", action="store_true", help="show queries, hits with scores, gate and timings")
    parser.add_argument("--json", action="store_true", help="print the answer object, one a line")


def run(arguments: argparse.Namespace) -> int:
    """Ask and print; 0 whatever the outcome, 1 when a row of the file could not be read."""
    if (arguments.question is None) == (arguments.queries is None):
        raise RowsInvalid("give either a question or --queries FILE.jsonl")
    if arguments.queries is not None and not arguments.queries.is_file():
        raise RowsInvalid(f"{arguments.queries}: no such file")
    settings = load_settings()
    _start_loading(arguments, settings)
    from scripts.console import quiet_logs

    quiet_logs(settings)
    return asyncio.run(ask_and_print(arguments, settings))


def _start_loading(arguments: argparse.Namespace, settings: Settings) -> None:
    """Load the model and the tables of languages beside the imports of the flow, which take as long; not where there is no index."""
    from retrieval.dense.early import start_loading
    from retrieval.language import language_of
    from retrieval.language_tables import keep_tables

    every = settings.retrieval
    if ((arguments.index or every.index_dir) / "manifest.json").is_file():
        start_loading(every.embedding_model, data_dir=every.data_dir, device=every.embedding_device)
        keep_tables(every.data_dir)
        Thread(target=language_of, args=("Which language is this?",), name="languages").start()


async def ask_and_print(arguments: argparse.Namespace, settings: Settings) -> int:
    """Ask what the arguments say and print the answers; gives the exit code."""
    from scripts.console import as_line, as_text, open_console

    rows = list(_rows(arguments))
    has_history = any(isinstance(row, Row) and row.values.get("thread") for row in rows)
    skipped = 0
    async with open_console(
        settings, index_dir=arguments.index, audience=arguments.audience, has_history=has_history
    ) as console:
        for row in rows:
            try:
                row_id, query, thread = _read(row)
            except RowsInvalid as fault:
                print(f"triage: {fault}", file=sys.stderr)
                skipped += 1
                continue
            # Without a thread of its own every question stands alone, also beside what an earlier run asked.
            answer = await console.ask(query, thread or f"alone-{uuid4().hex}")
            if arguments.json:
                print(as_line(answer, row_id), flush=True)
            else:
                heading = f"# {console.flow.redactor.redact(query).text}\n" if arguments.queries is not None else ""
                print(heading + as_text(answer, is_explained=arguments.explain), flush=True)
    return exit_code(done=len(rows) - skipped, skipped=skipped)


def _rows(arguments: argparse.Namespace) -> Iterator[Row | RowsInvalid]:
    if arguments.queries is not None:
        for row in read_each_row(arguments.queries):
            if isinstance(row, Row) and arguments.thread and "thread" not in row.values:
                yield Row(row.where, {**row.values, "thread": arguments.thread})
            else:
                yield row
        return
    yield Row("the question", {"query": clean_text(arguments.question), "thread": arguments.thread or ""})


def _read(row: Row | RowsInvalid) -> tuple[str | None, str, str]:
    if isinstance(row, RowsInvalid):
        raise row
    row_id = row.text("id") if "id" in row.values else None
    return row_id, row.text("query"), row.text("thread", "") if row.values.get("thread") is not None else ""
