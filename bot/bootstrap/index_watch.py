"""Serves a newer generation of the index soon after it was swapped in, without a restart."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from bot.passage_source import BlockingRetriever, ThreadedPassageSource
from retrieval.errors import RetrievalError
from retrieval.pacing import paced, rest
from retrieval.ports import Encoder
from retrieval.retriever import Retriever

WATCH_S = 0.5
_MANIFEST = "manifest.json"
# As many texts as make the encoder read its whole tokenizer: at the start of a serving process, not while somebody waits.
_WARM_UP = ("warm", "up", "before", "questions", "come")
# Who asks most often; what others may see is worked out at their first question.
_USUAL = frozenset({"public", "internal"})
_GIVE_WAY_S = 0.0002
_log = structlog.get_logger(__name__)


@contextmanager
def _giving_way() -> Iterator[None]:
    """Let other threads of the process have the interpreter often, while this one reads tables in Python.

    A search lets go of it some fifty times, and each time waits for as long as this interval.
    """
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_GIVE_WAY_S)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


class IndexWatch:
    """Looks at the manifest of a folder, which is swapped in one step.

    An index that cannot be opened is named in the log, and the one before goes on answering.
    """

    def __init__(
        self,
        folder: Path,
        encoder: Encoder,
        source: ThreadedPassageSource,
        *,
        documents: frozenset[str] = frozenset(),
        on_removed: Callable[[frozenset[str]], Awaitable[None]] | None = None,
    ) -> None:
        """Watch from the state that is served now.

        `documents` are the ids of what is served now; `on_removed` is told which of them a newer generation lacks.
        """
        self._documents = documents
        self._on_removed = on_removed
        self._folder = folder
        self._encoder = encoder
        self._source = source
        self._seen = self._stamp()

    async def run(self) -> None:
        """Look every half second, which costs a `stat`, until cancelled."""
        await asyncio.to_thread(self._encoder.encode_passages, _WARM_UP)
        while True:
            await asyncio.sleep(WATCH_S)
            await self.look()

    async def look(self) -> bool:
        """Look once; say whether another generation is served now."""
        stamp = self._stamp()
        if stamp == self._seen:
            return False
        self._seen = stamp
        try:
            retriever, documents = await asyncio.to_thread(self._opened)
        except RetrievalError as error:
            _log.warning("index not taken", error=type(error).__name__)
            return False
        # In a list that is emptied on a thread: what is left of the one before is not dropped on the loop.
        before = [await self._source.replace(retriever)]
        _log.info("index taken", index=retriever.index_id, documents=retriever.document_count)
        removed = await asyncio.to_thread(self._lacking, documents)
        if self._on_removed is not None and removed:
            await self._on_removed(removed)
        await asyncio.to_thread(_let_go, before)
        return True

    def _opened(self) -> tuple[Retriever, frozenset[str]]:
        """Open the newest generation and search it once, with the ids of its documents: what is read here nobody waits for."""
        with _giving_way(), paced():
            retriever = Retriever.open(self._folder, encoder=self._encoder)
            try:
                retriever.search(_WARM_UP[:1], audience=_USUAL, top_k=1)
            except RetrievalError:
                retriever.close()
                raise
            rest()
            retriever.warm()
            return retriever, frozenset(retriever.document_ids)

    def _lacking(self, documents: frozenset[str]) -> frozenset[str]:
        before, self._documents = self._documents, documents
        return before - documents

    def _stamp(self) -> tuple[int, int, int]:
        try:
            found = (self._folder / _MANIFEST).stat()
        except OSError:
            return (0, 0, 0)
        return (found.st_ino, found.st_mtime_ns, found.st_size)


def _let_go(before: list[BlockingRetriever]) -> None:
    """Let go of a generation that is closed, slowly."""
    with _giving_way(), paced():
        old = before.pop()
        if isinstance(old, Retriever):
            old.free()
