"""`triage bench`: the product's speed beside public libraries, on the same data in one run, so that ratios hold anywhere."""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from scripts.bench_rows import (
    BenchRow,
    bench_cold_start,
    bench_dense,
    bench_embedding,
    bench_lexical,
    bench_served,
    summed_up,
)
from scripts.queries import RowsInvalid, read_rows

_DEFAULT_CHUNKS = (10_000, 100_000)
_EMBEDDED = 256
_ASKED = 60
_WARM_UP = 3
_AT_ONCE = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--chunks",
        type=int,
        nargs="+",
        default=list(_DEFAULT_CHUNKS),
        metavar="N",
        help="sizes of the synthetic base (default: 10000 100000)",
    )
    parser.add_argument("--json", action="store_true", help='print {"rows": […]}')


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    if min(arguments.chunks) < 100:
        raise RowsInvalid("--chunks must be at least 100")
    print_rows(chain(synthetic_rows(arguments.chunks), _with_the_model()), as_json=arguments.json)
    return 0


def print_rows(rows: Iterable[BenchRow], *, as_json: bool) -> None:
    """Print rows as they come, or all of them as one object."""
    if as_json:
        print(json.dumps({"rows": [row.as_json() for row in rows]}))
        return
    for row in rows:
        rest = [f"{ratio:.1f}x {name}" for name, ratio in row.faster_than.items()]
        rest += [] if row.resident_mb is None else [f"{row.resident_mb:.0f} MB beside mapped files"]
        times = f"p50 {row.p50_ms:9.2f} ms  p95 {row.p95_ms:9.2f} ms"
        print(f"{row.name:18} {row.chunks:9}  {times}  {'  '.join(rest)}", flush=True)


def synthetic_rows(sizes: Sequence[int]) -> Iterator[BenchRow]:
    """Measure what needs no model, on synthetic bases."""
    from scripts.bench_data import synthetic_base
    from scripts.bench_index import open_vectors, write_index

    for size in sizes:
        base = synthetic_base(size)
        yield from bench_lexical(base)
        with tempfile.TemporaryDirectory() as folder:
            write_index(base, Path(folder))
            vectors = open_vectors(Path(folder))
            yield bench_dense(base, vectors)
            yield from bench_served(base, Path(folder), vectors)


def _with_the_model() -> Iterator[BenchRow]:
    """Measure what needs the embedding model and the bundled sample."""
    from bot.bootstrap import SAMPLE, index_tools
    from config.settings import load_settings
    from retrieval.documents import load_documents
    from retrieval.index import update_index
    from scripts.bench_data import synthetic_base

    tools = index_tools(load_settings().retrieval)
    yield bench_embedding(tools.encoder, [" ".join(words) for words in synthetic_base(_EMBEDDED).tokens()])
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index"
        loaded = load_documents([SAMPLE / "articles", SAMPLE / "tickets.jsonl"])
        chunks = update_index(index, loaded.documents, tools).manifest.counts.chunks
        questions = [row.text("query") for row in read_rows(SAMPLE / "questions.jsonl")][:_ASKED]
        yield from asyncio.run(_answers(index, chunks, questions))
        yield bench_cold_start(index, chunks)


async def _answers(index: Path, chunks: int, questions: list[str]) -> list[BenchRow]:
    """Ask in this process, one by one and eight at once; the flow is opened once and warm after the first questions.

    The times of the second row are milliseconds a question, over groups of eight.
    """
    from config.settings import load_settings
    from scripts.console import DEFAULT_AUDIENCE, open_console, quiet_logs

    settings = load_settings()
    quiet_logs(settings)
    times = []
    async with open_console(
        settings, index_dir=index, audience=DEFAULT_AUDIENCE, has_history=False, has_gaps=False
    ) as console:
        for number, question in enumerate([*questions[:_WARM_UP], *questions]):
            start = time.perf_counter()
            await console.ask(question, f"alone-{number}")
            times.append((time.perf_counter() - start) * 1000)
        alone, together = np.array(times[_WARM_UP:]), []
        for first in range(0, len(questions), _AT_ONCE):
            # Asked in other words, so that no vector is known already.
            group = [f"{question} Please tell me." for question in questions[first : first + _AT_ONCE]]
            start = time.perf_counter()
            await asyncio.gather(*(console.ask(text, f"group-{first}-{n}") for n, text in enumerate(group)))
            together.append((time.perf_counter() - start) * 1000 / len(group))
    ratio = {"one_by_one": float(alone.mean() / np.mean(together))}
    return [
        summed_up("answer_extractive", chunks, alone, {}),
        summed_up("answer_8_at_once", chunks, np.array(together), ratio),
    ]
