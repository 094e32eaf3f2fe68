"""Questions that wait are encoded together, and a question once."""

import asyncio
import threading
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from retrieval.dense import SharedEncoder
from retrieval.ports import Vectors


class Counting:
    """Counts letters, remembers its batches, and waits at its gate."""

    identity, dimension = "counting", 2

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.batches: list[int] = []

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(len(texts))
        self.entered.set()
        self.gate.wait(5)
        if "bad" in texts:
            raise RuntimeError("engine refused")
        return np.array([[len(text), 1] for text in texts], np.float32)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        return np.array([[len(text), 0] for text in texts], np.float32)


@pytest.fixture
def engine() -> Counting:
    """Give the engine."""
    return Counting()


@pytest.fixture
def shared(engine: Counting) -> Iterator[SharedEncoder]:
    """Give the encoder over it, with room for ten questions."""
    shared = SharedEncoder(engine, remembered=10)
    yield shared
    engine.gate.set()
    shared.close()


async def test_eight_questions_at_once_share_a_batch(shared: SharedEncoder, engine: Counting) -> None:
    """Those that come while one is encoded go together; what was prepared is not encoded again."""
    first = asyncio.create_task(shared.prepare(["a"]))
    await asyncio.to_thread(engine.entered.wait, 5)
    texts = ["x" * size for size in range(2, 10)]
    others = [asyncio.create_task(shared.prepare([text])) for text in texts]
    await asyncio.sleep(0)
    engine.gate.set()
    await asyncio.gather(first, *others)
    assert engine.batches == [1, 8]
    assert shared.encode_queries(texts)[:, 0].tolist() == [2, 3, 4, 5, 6, 7, 8, 9]
    assert engine.batches == [1, 8]


def test_known_and_unknown_together(shared: SharedEncoder, engine: Counting) -> None:
    """Only what is new is encoded, a repeated text once; the oldest is forgotten when room is needed."""
    engine.gate.set()
    assert shared.encode_queries(["a", "bb"]).tolist() == [[1, 1], [2, 1]]
    assert shared.encode_queries(["ccc", "a", "ccc"]).tolist() == [[3, 1], [1, 1], [3, 1]]
    assert engine.batches == [2, 1]
    shared.encode_queries(["d" * size for size in range(4, 20)])
    shared.encode_queries(["a"])
    assert engine.batches == [2, 1, 16, 1]
    assert shared.encode_queries([]).shape == (0, 2)
    assert shared.encode_passages(["abc"]).tolist() == [[3, 0]]
    assert (shared.identity, shared.dimension) == ("counting", 2)


async def test_a_refused_question_costs_only_itself(shared: SharedEncoder, engine: Counting) -> None:
    """Of a batch that the engine refuses each question is tried alone."""
    first = asyncio.create_task(shared.prepare(["a"]))
    await asyncio.to_thread(engine.entered.wait, 5)
    good, bad = (asyncio.create_task(shared.prepare([text])) for text in ("good", "bad"))
    await asyncio.sleep(0)
    engine.gate.set()
    await asyncio.gather(first, good)
    with pytest.raises(RuntimeError, match="engine refused"):
        await bad
    assert engine.batches == [1, 2, 1, 1]
