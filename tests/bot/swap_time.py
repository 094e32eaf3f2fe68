"""How soon an update is served, and what searches wait meanwhile: a serving process while `triage index` runs beside it.

`TRIAGE_DATA_DIR=… python -m tests.bot.swap_time BASE.jsonl UPDATED.jsonl QUESTIONS.jsonl [ROUNDS]` indexes the base, serves it, and
by turns gives the updated and the base set whole. It prints the seconds of each `triage index`, those until its generation answers, and
median and p95 of searches in milliseconds: before, while it runs, while the new generation is taken, and after. Questions have random
vectors: what is measured is the search, not the model.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bot.bootstrap.index_watch import IndexWatch
from bot.bootstrap.old_heap import old_heap
from bot.passage_source import ThreadedPassageSource
from retrieval.dense import SharedEncoder
from retrieval.index import read_manifest
from retrieval.ports import Vectors
from retrieval.redaction import RedactedText, Redactor
from retrieval.retriever import Retriever

EVERYBODY, CALM = frozenset({"internal", "public"}), 100


class RandomVectors:
    """Stands for the model of an index: each text has a vector that says nothing."""

    def __init__(self, identity: str, dimension: int) -> None:
        self.identity, self.dimension = identity, dimension
        self._known: dict[str, Vectors] = {}

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, float32."""
        return np.stack([self._known.setdefault(text, self._made(text)) for text in texts])

    encode_passages = encode_queries

    def _made(self, text: str) -> Vectors:
        row = np.random.default_rng(len(text)).standard_normal(self.dimension).astype(np.float32)
        return row / np.linalg.norm(row)


class Asker:
    """Asks one question after the other and keeps the milliseconds of each under the phase that it was asked in."""

    def __init__(self, source: ThreadedPassageSource, questions: Sequence[RedactedText]) -> None:
        self.phase, self.waits = "before", dict[str, list[float]]()
        self._source, self._questions, self._asked = source, questions, 0

    async def ask(self, times: int = 1) -> None:
        """Ask the next ones."""
        for _ in range(times):
            question = self._questions[self._asked % len(self._questions)]
            self._asked += 1
            began = time.perf_counter()
            await self._source.search([question], audience=EVERYBODY)
            self.waits.setdefault(self.phase, []).append((time.perf_counter() - began) * 1000)

    async def until(self, task: "asyncio.Task[object]", phase: str) -> None:
        """Ask until something else is done."""
        self.phase = phase
        while not task.done():
            await self.ask()


async def index(path: str, folder: Path) -> None:
    """Run `triage index` in a process of its own."""
    command = (sys.executable, "-m", "scripts.cli", "index", path, "--out", str(folder))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    if await process.wait():
        raise RuntimeError(f"triage index {path} failed")


def read_questions(path: str) -> list[RedactedText]:
    """Give the questions of a file of rows."""
    redactor = Redactor()
    return [redactor.redact(json.loads(line)["query"]).text for line in Path(path).read_text("utf-8").splitlines()]


async def main(base: str, updated: str, asked: Sequence[RedactedText], rounds: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "index"
        await index(base, folder)
        manifest = read_manifest(folder)
        encoder = SharedEncoder(RandomVectors(manifest.encoder, manifest.dimension))
        source = ThreadedPassageSource(Retriever.open(folder, encoder=encoder), encoder=encoder)
        asker, watch = Asker(source, asked), IndexWatch(folder, encoder, source)
        with old_heap():
            await asker.ask(CALM)
            asker.waits.clear()
            for turn in range(rounds):
                await one_round(asker, watch, (updated, base)[turn % 2], folder)
        await source.close()
    for phase, waits in asker.waits.items():
        p50, p95 = np.percentile(waits, [50, 95])
        print(f"{phase}: n {len(waits)}, p50 {p50:.1f} ms, p95 {p95:.1f} ms, longest {max(waits):.1f} ms")


async def one_round(asker: Asker, watch: IndexWatch, path: str, folder: Path) -> None:
    """Give a set while questions are asked, and go on until it is served."""
    asker.phase = "before"
    await asker.ask(CALM)
    began = time.perf_counter()
    await asker.until(asyncio.create_task(index(path, folder)), "while it is made")
    made = time.perf_counter()
    await asker.until(asyncio.create_task(watch.look()), "while it is taken")
    served = time.perf_counter()
    asker.phase = "after"
    await asker.ask(CALM)
    print(
        f"{path}: indexed in {made - began:.1f} s, served {served - made:.1f} s later (and up to 0.5 s for the next look)"
    )


if __name__ == "__main__":
    first, second, rows, *more = sys.argv[1:]
    asyncio.run(main(first, second, read_questions(rows), int(more[0]) if more else 4))
