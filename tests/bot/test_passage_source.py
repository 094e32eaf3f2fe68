"""The retriever behind its port."""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from bot.passage_source import ThreadedPassageSource
from retrieval.dense import SharedEncoder
from retrieval.errors import IndexDamaged, IndexMissing, RerankerFailed
from retrieval.passages import Band, GateScore, GateVerdict, Ranking, SourceText
from retrieval.search.queries import encoded_texts, joint_question
from tests.bot.flow_kit import card, text
from tests.fakes import HashEncoder, Vectors, WordReranker, make_passage


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

    def speakers(self, words: Sequence[str]) -> Mapping[str, int]:
        if "closed" in words:
            raise ValueError("mmap closed")
        return {"en": len(words)}

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


class Found(PlainRetriever):
    """Finds two passages, the second of which shares more words with the question."""

    def search(self, queries: Sequence[str], *, audience: frozenset[str] | None = None, top_k: int = 8) -> Ranking:
        found = (make_passage("a", "Open the till."), make_passage("b", "Reset your password here."))
        return replace(super().search(queries, top_k=top_k), passages=found[:top_k], band=Band.UNCERTAIN)


class BreaksMidway(WordReranker):
    """Scores once, then breaks off."""

    def __init__(self) -> None:
        self.calls = 0

    def scores(self, query: str, passages: Sequence[str]) -> Vectors:
        self.calls += 1
        if self.calls > 1:
            raise RerankerFailed("out of memory")
        return super().scores(query, passages)


async def test_a_reranker_puts_what_was_found_in_its_order() -> None:
    """Its order is given; the band stays that of the calibrated relevance."""
    source = ThreadedPassageSource(Found(), reranker=WordReranker())
    found = await source.search([text("reset your password")], audience=frozenset(), top_k=8)
    assert [passage.document.id for passage in found.passages] == ["b", "a"]
    assert found.band is Band.UNCERTAIN
    await source.close()


async def test_a_reranker_that_breaks_off_costs_its_order_and_nothing_else() -> None:
    """It fails on the second way to ask: the plain order is given."""
    reranker = BreaksMidway()
    source = ThreadedPassageSource(Found(), reranker=reranker)
    queries = [text("and that?"), text("reset your password")]
    found = await source.search(queries, audience=frozenset(), top_k=8)
    assert reranker.calls == 2
    assert [passage.document.id for passage in found.passages] == ["a", "b"]
    assert found.band is Band.UNCERTAIN
    await source.close()


class Linked(PlainRetriever):
    """A base whose documents have one host, and one document."""

    def search(self, queries: Sequence[str], *, audience: frozenset[str] | None = None, top_k: int = 8) -> Ranking:
        return replace(super().search(queries), hosts=frozenset({"help.acme.example"}))

    def document(self, document_id: str, *, audience: frozenset[str] | None = None) -> SourceText | None:
        hosts = frozenset({"help.acme.example"})
        return SourceText(card(document_id), text("See our page."), hosts) if document_id == "a" else None


async def test_hosts_that_the_desk_allows_join_those_of_the_base() -> None:
    """For what is found and for a source that is shown whole; a source that is not there stays so."""
    source = ThreadedPassageSource(Linked(), link_hosts=frozenset({"status.acme.example"}))
    wanted = frozenset({"help.acme.example", "status.acme.example"})
    assert (await source.search([text("q")], audience=frozenset(), top_k=3)).hosts == wanted
    found = await source.document("a", audience=frozenset())
    assert found is not None
    assert found.hosts == wanted
    assert await source.document("b", audience=frozenset()) is None
    await source.close()


class AsksItsEncoder(PlainRetriever):
    """Encodes what it is asked for, as the retriever does."""

    def __init__(self, encoder: SharedEncoder) -> None:
        super().__init__()
        self.encoder = encoder

    def search(self, queries: Sequence[str], *, audience: frozenset[str] | None = None, top_k: int = 8) -> Ranking:
        self.encoder.encode_queries(encoded_texts(queries))
        return super().search(queries, top_k=top_k)

    def gate(self, text: str, previous: str | None = None) -> GateScore:
        self.encoder.encode_queries([text])
        if previous is not None:
            self.encoder.encode_queries([joint_question(text, previous)])
        return super().gate(text, previous)


class BatchCounter(HashEncoder):
    """Remembers how many questions each batch held."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[int] = []

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(len(texts))
        return super().encode_queries(texts)


async def test_questions_at_once_are_encoded_together() -> None:
    """Eight people ask: their questions go to the encoder in few batches, and once, though gate and search both need them."""
    engine = BatchCounter()
    encoder = SharedEncoder(engine)
    source = ThreadedPassageSource(AsksItsEncoder(encoder), encoder=encoder)

    async def ask(number: int) -> None:
        question = text(f"question {number}")
        await source.gate(question, text("the one before"))
        await source.search([question], audience=frozenset())

    await asyncio.gather(*(ask(number) for number in range(8)))
    assert sum(engine.batches) == 16
    assert len(engine.batches) <= 8
    await source.close()
    with pytest.raises(RuntimeError, match="closed"):
        encoder.encode_queries(["one more"])


async def test_nearness_of_questions_that_stay() -> None:
    """One cosine a question, their vectors kept; without an encoder nothing is near."""
    source = ThreadedPassageSource(PlainRetriever(), encoder=SharedEncoder(HashEncoder()))
    asked, others = text("reset the password"), [text("reset the password"), text("parking")]
    same, other = await source.nearness(asked, others)
    assert same == pytest.approx(1.0, abs=1e-5)
    assert other < same
    assert await source.nearness(asked, others) == [same, other]
    assert await source.nearness(asked, []) == []
    await source.close()
    bare = ThreadedPassageSource(PlainRetriever())
    assert await bare.nearness(asked, others) == [0.0, 0.0]
    await bare.close()


async def test_who_speaks_words_is_told_at_once() -> None:
    """The retriever is asked on the caller's thread; one that was closed just now names no language."""
    source = ThreadedPassageSource(PlainRetriever())
    assert source.speakers(["refund"]) == {"en": 1}
    assert source.speakers(["closed"]) == {}
    await source.close()
