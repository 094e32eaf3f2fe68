"""`triage search`: what the retriever finds, without the flow around it."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from bot.bootstrap import build_encoder, build_redactor
from bot.bootstrap.index_age import outdated_note
from config.settings import load_settings
from retrieval.passages import Passage, Ranking
from retrieval.retriever import Retriever
from retrieval.search.scoring import Method
from scripts.output import json_line
from scripts.queries import Row, RowsInvalid, clean_text, exit_code, read_each_row

DEFAULT_AUDIENCE = "public,internal"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("query", nargs="?", metavar="QUERY", help="what to search for")
    parser.add_argument("--queries", type=Path, metavar="FILE.jsonl", help='rows {"id"?, "query"}')
    parser.add_argument("--index", type=Path, metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
    parser.add_argument("--method", choices=[str(m) for m in Method], default="hybrid", help="how to rank")
    parser.add_argument("--top-k", type=int, default=8, metavar="N", help="documents a query (default: 8)")
    parser.add_argument(
        "--audience", default=DEFAULT_AUDIENCE, metavar="LABELS", help=f"who asks (default: {DEFAULT_AUDIENCE})"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a query")


def run(arguments: argparse.Namespace) -> int:
    """Search and print; 1 when a row could not be read, the others are searched all the same."""
    if (arguments.query is None) == (arguments.queries is None):
        raise RowsInvalid("give either a query or --queries FILE.jsonl")
    if arguments.top_k < 1:
        raise RowsInvalid("--top-k must be at least 1")
    settings = load_settings().retrieval
    retriever = open_retriever(arguments.index or settings.index_dir)
    redactor = build_redactor(settings)
    audience = frozenset(label.strip() for label in arguments.audience.split(",") if label.strip())
    done = skipped = 0
    try:
        if retriever.is_empty:
            print("triage: the knowledge base is empty", file=sys.stderr)
        for row in _rows(arguments):
            try:
                row_id, query = _read(row)
            except RowsInvalid as fault:
                print(f"triage: {fault}", file=sys.stderr)
                skipped += 1
                continue
            ranking = retriever.search([query], audience=audience, top_k=arguments.top_k, method=arguments.method)
            shown = str(redactor.redact(query).text)
            _print(row_id, shown, arguments.method, ranking, as_json=arguments.json)
            done += 1
    finally:
        retriever.close()
    return exit_code(done=done, skipped=skipped)


def open_retriever(folder: Path) -> Retriever:
    """Open an index with the model that the settings name."""
    settings = load_settings().retrieval
    # Read first: without an index there is no need to wait for the model.
    if note := outdated_note(folder, build_redactor(settings)):
        print(f"triage: {note}", file=sys.stderr)
    return Retriever.open(folder, encoder=build_encoder(settings))


def _rows(arguments: argparse.Namespace) -> Iterator[Row | RowsInvalid]:
    if arguments.query is not None:
        yield Row("the query", {"query": clean_text(arguments.query)})
    else:
        yield from read_each_row(arguments.queries)


def _read(row: Row | RowsInvalid) -> tuple[str | None, str]:
    if isinstance(row, RowsInvalid):
        raise row
    return row.text("id") if "id" in row.values else None, row.text("query")


def _print(row_id: str | None, query: str, method: str, ranking: Ranking, *, as_json: bool) -> None:
    if as_json:
        head = {} if row_id is None else {"id": row_id}
        hits = [hit_values(passage, ranking) for passage in ranking.passages]
        print(json_line({**head, "query": query, "method": method, "cut": ranking.uncertain_cut, "hits": hits}))
        return
    print(f"{query}  ({method}, cut {ranking.uncertain_cut:.2f})")
    for rank, passage in enumerate(ranking.passages, start=1):
        mark = " " if passage.relevance >= ranking.uncertain_cut else "-"
        print(
            f"{mark}{rank:3} {passage.relevance:.2f} {passage.document.id}  {passage.document.title or passage.heading}"
        )
    if not ranking.passages:
        print("    nothing found")


def hit_values(passage: Passage, ranking: Ranking) -> dict[str, object]:
    """Give one hit in the public form."""
    return {
        "id": passage.document.id,
        "chunk": passage.chunk_id,
        "bm25": round(passage.bm25, 4),
        "cosine": round(passage.cosine, 4),
        "fused": round(passage.fused, 6),
        "relevance": round(passage.relevance, 4),
        "used": passage.relevance >= ranking.uncertain_cut,
        **({"copies": list(passage.copies)} if passage.copies else {}),
    }
