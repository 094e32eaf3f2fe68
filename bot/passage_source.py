"""The retriever behind the port `PassageSource`: called from one worker thread, so that the event loop never waits.

One thread, since two searches at a time are slower than one after the other; questions are encoded before they wait for it, all
that wait together.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Protocol, Self, TypeVar

import structlog

from retrieval.dense import SharedEncoder
from retrieval.errors import IndexMissing, RerankerFailed, RetrievalError
from retrieval.passages import GateScore, Ranking, SourceText
from retrieval.ports import Vectors
from retrieval.ranking import Reranker
from retrieval.redaction import RedactedText
from retrieval.search.queries import encoded_texts, joint_question
from retrieval.search.reranking import search_reranked

_log = structlog.get_logger(__name__)
# Texts that are encoded at once.
_AT_ONCE = 64
_Result = TypeVar("_Result")


class BlockingRetriever(Protocol):
    """What is needed of `retrieval.retriever.Retriever`; its texts may be plain, ours are redacted."""

    def search(self, queries: Sequence[str], *, audience: frozenset[str] | None = None, top_k: int = 8) -> Ranking:
        """Rank documents by their best passage."""
        ...

    def held(self, queries: Sequence[str], *, audience: frozenset[str] | None = None) -> tuple[str, ...]:
        """Name what waits for a decision and would answer."""
        ...

    def gate(self, text: str, previous: str | None = None) -> GateScore:
        """Judge the topic."""
        ...

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> list[list[float]]:
        """Give raw cosines."""
        ...

    def document(self, document_id: str, *, audience: frozenset[str] | None = None) -> SourceText | None:
        """Give one source."""
        ...

    def speakers(self, words: Sequence[str]) -> Mapping[str, int]:
        """Give for each language how many words stand in its documents."""
        ...

    def ping(self) -> None:
        """Raise when the index cannot be read now."""
        ...

    def close(self) -> None:
        """Close the index."""
        ...


class ThreadedPassageSource:
    """A `PassageSource` over a blocking retriever. Close it when done.

    Args:
        retriever: searches one generation of the index.
        reranker: puts what was found in its own order; one that fails costs its order, never the answer.
        encoder: the one that the retriever asks too; None when it encodes by itself.
        link_hosts: hosts that links of sources may lead to, beside those of the documents' own addresses.
    """

    def __init__(
        self,
        retriever: BlockingRetriever,
        *,
        reranker: Reranker | None = None,
        encoder: SharedEncoder | None = None,
        link_hosts: frozenset[str] = frozenset(),
    ) -> None:
        self._retriever = retriever
        self._encoder = encoder
        self._reranker = reranker
        self._link_hosts = link_hosts
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="retrieval")
        self._is_closed = False
        self._known: dict[str, Vectors] = {}

    def through(self, wrap: Callable[[BlockingRetriever], BlockingRetriever]) -> Self:
        """Give a view that asks the retriever through something else, on the same thread. Not to be closed."""
        view = copy(self)
        view._retriever = wrap(self._retriever)  # noqa: SLF001 - a copy of this very object
        return view

    async def search(self, queries: Sequence[RedactedText], *, audience: frozenset[str], top_k: int = 8) -> Ranking:
        """Rank the passages for one question said in several ways.

        Raises:
            RetrievalError: the index cannot be read, or the source was closed.
        """
        await self._encoded(queries)
        ranking = await self._run(lambda: self._search(queries, audience, top_k))
        return replace(ranking, hosts=ranking.hosts | self._link_hosts)

    def _search(self, queries: Sequence[RedactedText], audience: frozenset[str], top_k: int) -> Ranking:
        def plain(wanted: int) -> Ranking:
            return self._retriever.search(queries, audience=audience, top_k=wanted)

        if self._reranker is None:
            return plain(top_k)
        try:
            return search_reranked(plain, queries, self._reranker, top_k=top_k)
        except RerankerFailed as error:
            _log.warning("not reranked", error=type(error.__cause__ or error).__name__)
            return plain(top_k)

    async def held(self, queries: Sequence[RedactedText], *, audience: frozenset[str]) -> tuple[str, ...]:
        """Name the documents that would be the first to answer and wait for a decision.

        Raises:
            RetrievalError: as for `search`.
        """
        return await self._run(lambda: self._retriever.held(queries, audience=audience))

    async def gate(self, text: RedactedText, previous: RedactedText | None) -> GateScore:
        """Judge whether the question belongs here."""
        await self._encoded([text] if previous is None else [text, joint_question(text, previous)])
        return await self._run(lambda: self._retriever.gate(text, previous))

    async def similarity(self, left: Sequence[RedactedText], right: Sequence[RedactedText]) -> list[list[float]]:
        """Give raw cosines, `len(left)` rows of `len(right)`."""
        return await self._run(lambda: self._retriever.similarity(left, right))

    async def document(self, document_id: str, *, audience: frozenset[str]) -> SourceText | None:
        """Give one source, None when it is unknown, held back, or not for this audience."""
        source = await self._run(lambda: self._retriever.document(document_id, audience=audience))
        return source and replace(source, hosts=source.hosts | self._link_hosts)

    async def nearness(self, question: RedactedText, others: Sequence[RedactedText]) -> list[float]:
        """Give the raw cosine of a question with each of others that are asked for again and again: their vectors are kept.

        Raises:
            IndexMissing: the source was closed.
        """
        if self._encoder is None or not others:
            return [0.0] * len(others)
        self._known = {text: self._known[text] for text in others if text in self._known}
        missing = [text for text in dict.fromkeys(others) if text not in self._known]
        for start in range(0, len(missing), _AT_ONCE):
            some = missing[start : start + _AT_ONCE]
            await self._encoded(some)
            self._known |= zip(some, await self._run(partial(self._encoder.encode_queries, some)), strict=True)
        await self._encoded([question])
        asked = (await self._run(partial(self._encoder.encode_queries, [question])))[0]
        return [float(asked @ self._known[text]) for text in others]

    def speakers(self, words: Sequence[str]) -> Mapping[str, int]:
        """Give for each language how many of some words stand in its documents; at once, on the thread that asks.

        Less than a millisecond. None where the index cannot be read: searching it tells of that.
        """
        try:
            return self._retriever.speakers(words)
        except (RetrievalError, OSError, ValueError):  # closed for a newer one right now
            return {}

    async def ping(self) -> None:
        """Raise the typed error when the index cannot be read now."""
        await self._run(self._retriever.ping)

    async def replace(self, retriever: BlockingRetriever) -> BlockingRetriever:
        """Serve another generation from the next call on; the one before is closed after the calls under way, and given back."""

        def swap() -> BlockingRetriever:
            old, self._retriever = self._retriever, retriever
            old.close()
            return old

        return await self._run(swap)

    async def close(self) -> None:
        """Finish what is under way, then close the index; later calls raise `IndexMissing`."""
        if not self._is_closed:
            await self._run(self._retriever.close)
            self._is_closed = True
            self._worker.shutdown(wait=False)
            if self._encoder is not None:
                await asyncio.to_thread(self._encoder.close)

    async def _encoded(self, texts: Sequence[str]) -> None:
        """Have questions encoded together with those of others, so that the worker finds their vectors."""
        if self._encoder is not None and not self._is_closed:
            await self._encoder.prepare(encoded_texts(texts))

    async def _run(self, call: Callable[[], _Result]) -> _Result:
        if self._is_closed:
            raise IndexMissing("the index is closed")
        return await asyncio.get_running_loop().run_in_executor(self._worker, call)
