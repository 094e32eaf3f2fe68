"""The served part of `triage bench`, in a process of its own: its memory is that of answering, not of building the base."""

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from retrieval.ports import Vectors
from retrieval.retriever import Retriever
from scripts.bench_index import ENCODER, QUERIES, QUERY_VECTORS

_AUDIENCE = frozenset({"public", "internal"})


class KnownQueries:
    """An encoder that has the vectors of the queries already, so that all but the encoding is measured."""

    identity = ENCODER

    def __init__(self, queries: Sequence[str], vectors: Vectors) -> None:
        self._vectors = dict(zip(queries, vectors, strict=True))
        self.dimension = vectors.shape[1]

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Give the vectors of known queries."""
        return np.stack([self._vectors[text] for text in texts])

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Refuse: an index with sentence vectors needs none at question time."""
        raise RuntimeError(f"{len(texts)} passages were to be encoded while a question waits")


def measure(folder: Path) -> dict[str, object]:
    """Open the index and ask every query twice; the second round counts, when the files are in memory.

    Gives `open_ms`, `times_ms` and `resident_mb`: memory of the process that is no mapped file, None where the system does not tell.
    """
    queries = json.loads((folder / QUERIES).read_text(encoding="utf-8"))
    encoder = KnownQueries(queries, np.load(folder / QUERY_VECTORS))
    start = time.perf_counter()
    retriever = Retriever.open(folder, encoder=encoder)
    opened = time.perf_counter() - start
    times: list[float] = []
    for number, query in enumerate([*queries, *queries]):
        start = time.perf_counter()
        retriever.search([query], audience=_AUDIENCE)
        if number >= len(queries):
            times.append((time.perf_counter() - start) * 1000)
    resident = resident_mb()
    retriever.close()
    return {"open_ms": opened * 1000, "times_ms": times, "resident_mb": resident}


def resident_mb() -> float | None:
    """Give the resident memory of this process beside mapped files, in megabytes; None where `/proc` does not tell."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon:")), None)


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
