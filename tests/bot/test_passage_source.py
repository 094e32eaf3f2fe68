"""The retriever behind its port."""

import threading
from collections.abc import Sequence

import pytest

from bot.passage_source import ThreadedPassageSource
from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.passages import Band, GateScore, GateVerdict, Ranking
from tests.bot.flow_kit import text


class PlainRetriever:
    """A blocking retriever that remembers the threads it was called from."""

    def __init__(self, name: str = "first") -> None:
        self.name = name
        self.threads: set[str] = set()
        self.is_closed = False
        self.is_damaged = False

    def search(self, queries: Sequence[str], *, audience: frozenset[str] | None = None, top_k: int = 8) -> Ranking:
        self.threads.add(threading.current_thread().name)
        if self.is_damaged:
            raise IndexDamaged("cut off")
        return Ranking((), Band.NONE, 0.5, 0.3, f"{self.name}:{queries[0]}:{top_k}", "c")

    def gate(self, text: str, previous: str | None = None) -> GateScore:
        self.threads.add(threading.current_thread().name)
        return GateScore(GateVerdict.ANSWER, 1.0)

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> list[list[float]]:
        return [[1.0] * len(right)] * len(left)

    def ping(self) -> None:
        self.search(["ping"])

    def close(self) -> None:
        self.is_closed = True


async def test_all_calls_run_on_one_other_thread() -> None:
    """The event loop's thread never searches."""
    retriever = PlainRetriever()
    source = ThreadedPassageSource(retriever)
    found = await source.search([text("q")], audience=frozenset({"public"}), top_k=3)
    await source.gate(text("q"), None)
    assert await source.similarity([text("a")], [text("b")]) == [[1.0]]
    await source.ping()
    assert found.index_id == "first:q:3"
    assert len(retriever.threads) == 1
    assert threading.current_thread().name not in retriever.threads
    await source.close()
    assert retriever.is_closed


async def test_errors_come_through() -> None:
    """A typed error of the index is the caller's."""
    retriever = PlainRetriever()
    retriever.is_damaged = True
    source = ThreadedPassageSource(retriever)
    with pytest.raises(IndexDamaged):
        await source.ping()
    await source.close()


async def test_a_new_generation_takes_over() -> None:
    """The old one is closed, the new one answers."""
    old, new = PlainRetriever("old"), PlainRetriever("new")
    source = ThreadedPassageSource(old)
    await source.replace(new)
    assert old.is_closed
    assert (await source.search([text("q")], audience=frozenset())).index_id == "new:q:8"
    await source.close()


async def test_after_close_the_index_is_missing() -> None:
    """Closing twice is no error; asking afterwards is."""
    source = ThreadedPassageSource(PlainRetriever())
    await source.close()
    await source.close()
    with pytest.raises(IndexMissing):
        await source.ping()
