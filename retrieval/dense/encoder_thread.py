"""One thread that encodes for everybody: engines are not thread-safe, and two at a time are slower than one.

Questions that wait are encoded together in small batches; passages are encoded in slices between which waiting
questions go first, so that indexing beside a serving bot costs a question at most one slice.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np

from retrieval.ports import Encoder, Vectors

# 16 short questions take about as long as five single ones.
MAX_QUESTIONS = 16
SLICE = 32


@dataclass(slots=True, eq=False)
class _Job:
    texts: list[str]
    is_query: bool
    done: "Future[Vectors]" = field(default_factory=Future)


class EncoderThread:
    """Serves an encoder from one worker thread; the thread starts with the first text and ends with `close`."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._jobs: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread: threading.Thread | None = None

    @property
    def identity(self) -> str:
        """Identity of the encoder behind it."""
        return self._encoder.identity

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._encoder.dimension

    @property
    def blocking(self) -> Encoder:
        """Give the same thread as an ordinary `Encoder` for callers without an event loop; safe from any thread."""
        return _Blocking(self)

    async def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, `float32, (len(texts), dimension)`, with the query prompt.

        Raises:
            RuntimeError: the thread was closed.
        """
        return await asyncio.wrap_future(self.submit(texts, is_query=True))

    async def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, `float32, (len(texts), dimension)`, with the passage prompt.

        Raises:
            RuntimeError: the thread was closed.
        """
        rows = [await asyncio.wrap_future(self.submit(part, is_query=False)) for part in _slices(texts)]
        return _stacked(rows, self.dimension)

    def submit(self, texts: Sequence[str], *, is_query: bool) -> "Future[Vectors]":
        """Queue texts and give the future of their vectors.

        Raises:
            RuntimeError: the thread was closed.
        """
        job = _Job(list(texts), is_query)
        with self._changed:
            if self._is_closed:
                raise RuntimeError("the encoder thread is closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="encoder", daemon=True)
                self._thread.start()
            self._jobs.append(job)
            self._changed.notify()
        return job.done

    def close(self) -> None:
        """End the thread after the work it has begun; what still waits is cancelled."""
        with self._changed:
            self._is_closed = True
            waiting = list(self._jobs)
            self._jobs.clear()
            self._changed.notify_all()
        for job in waiting:
            job.done.cancel()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        while batch := self._next_batch():
            self._run([job for job in batch if job.done.set_running_or_notify_cancel()])

    def _next_batch(self) -> list[_Job]:
        with self._changed:
            self._changed.wait_for(lambda: self._jobs or self._is_closed)
            if not self._jobs:
                return []
            questions = [job for job in self._jobs if job.is_query]
            if not questions:
                return [self._jobs.popleft()]
            batch, size = [questions[0]], len(questions[0].texts)
            for job in questions[1:]:
                size += len(job.texts)
                if size > MAX_QUESTIONS:
                    break
                batch.append(job)
            for job in batch:
                self._jobs.remove(job)
            return batch

    def _run(self, batch: list[_Job]) -> None:
        if not batch:
            return
        texts = [text for job in batch for text in job.texts]
        encode = self._encoder.encode_queries if batch[0].is_query else self._encoder.encode_passages
        try:
            rows = encode(texts)
        except (RuntimeError, ValueError, TypeError, MemoryError) as error:
            if len(batch) == 1:
                batch[0].done.set_exception(error)
                return
            for job in batch:  # one text that the engine refuses must not cost the others their answers
                self._run([job])
            return
        start = 0
        for job in batch:
            job.done.set_result(rows[start : start + len(job.texts)])
            start += len(job.texts)


class _Blocking:
    def __init__(self, thread: EncoderThread) -> None:
        self._thread = thread
        self.identity = thread.identity
        self.dimension = thread.dimension

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self._thread.submit(texts, is_query=True).result()

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        rows = [self._thread.submit(part, is_query=False).result() for part in _slices(texts)]
        return _stacked(rows, self.dimension)


def _slices(texts: Sequence[str]) -> list[Sequence[str]]:
    return [texts[start : start + SLICE] for start in range(0, len(texts), SLICE)]


def _stacked(rows: list[Vectors], dimension: int) -> Vectors:
    return np.concatenate(rows) if rows else np.zeros((0, dimension), np.float32)
