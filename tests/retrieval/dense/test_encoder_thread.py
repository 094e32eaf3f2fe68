"""One thread, small batches across waiting questions, clear ends."""

import asyncio
import threading
from concurrent.futures import CancelledError

import numpy as np
import pytest

from retrieval.dense import EncoderThread
from retrieval.dense.encoder_thread import MAX_QUESTIONS, SLICE


class Recorder:
    """An encoder that counts letters, remembers its batches, and waits at its gate."""

    identity = "recorder"
    dimension = 2

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.batches: list[tuple[str, int]] = []
        self.threads: set[int] = set()

    def _rows(self, kind: str, texts):
        self.batches.append((kind, len(texts)))
        self.threads.add(threading.get_ident())
        self.entered.set()
        self.gate.wait(5)
        if "bad" in texts:
            raise RuntimeError("engine refused")
        return np.array([[len(t), kind == "q"] for t in texts], np.float32)

    def encode_queries(self, texts):
        return self._rows("q", texts)

    def encode_passages(self, texts):
        return self._rows("p", texts)


@pytest.fixture
def recorder():
    return Recorder()


@pytest.fixture
def thread(recorder):
    thread = EncoderThread(recorder)
    yield thread
    recorder.gate.set()
    thread.close()


async def test_waiting_questions_share_a_batch(thread, recorder) -> None:
    """Questions that arrive while one is encoded go together, each gets its own rows, all on one thread."""
    first = asyncio.create_task(thread.encode_queries(["a"]))
    await asyncio.to_thread(recorder.entered.wait, 5)
    others = [asyncio.create_task(thread.encode_queries(["x" * n, "y"])) for n in (2, 3, 4)]
    await asyncio.sleep(0)
    recorder.gate.set()
    assert (await first).tolist() == [[1, 1]]
    assert [(await task)[0, 0] for task in others] == [2, 3, 4]
    assert recorder.batches == [("q", 1), ("q", 6)]
    assert len(recorder.threads) == 1


async def test_batches_are_small(thread, recorder) -> None:
    """A crowd of questions is cut into batches of at most 16 texts."""
    first = asyncio.create_task(thread.encode_queries(["a"]))
    await asyncio.to_thread(recorder.entered.wait, 5)
    crowd = [asyncio.create_task(thread.encode_queries(["x"])) for _ in range(MAX_QUESTIONS + 4)]
    await asyncio.sleep(0)
    recorder.gate.set()
    await asyncio.gather(first, *crowd)
    assert recorder.batches == [("q", 1), ("q", MAX_QUESTIONS), ("q", 4)]


async def test_questions_go_before_passages(thread, recorder) -> None:
    """A question waits for one slice of passages, not for all of them."""
    slices = asyncio.create_task(thread.encode_passages(["p"] * (2 * SLICE + 1)))
    await asyncio.to_thread(recorder.entered.wait, 5)
    question = asyncio.create_task(thread.encode_queries(["q"]))
    await asyncio.sleep(0)
    recorder.gate.set()
    assert (await slices).shape == (2 * SLICE + 1, 2)
    await question
    assert recorder.batches[0] == ("p", SLICE)
    assert ("q", 1) in recorder.batches[1:3]


async def test_failure_reaches_the_caller_and_the_thread_lives(thread, recorder) -> None:
    """An engine error is raised for its question; the next question is served."""
    recorder.gate.set()
    with pytest.raises(RuntimeError, match="engine refused"):
        await thread.encode_queries(["bad"])
    assert (await thread.encode_queries(["good"])).tolist() == [[4, 1]]


def test_blocking_form_is_an_encoder(thread, recorder) -> None:
    """Callers without a loop share the same thread, from any number of threads."""
    recorder.gate.set()
    encoder = thread.blocking
    assert (encoder.identity, encoder.dimension) == ("recorder", 2) == (thread.identity, thread.dimension)
    results: list[float] = []
    callers = [
        threading.Thread(target=lambda n=n: results.append(float(encoder.encode_queries(["x" * n])[0, 0])))
        for n in range(8)
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert sorted(results) == list(range(8))
    assert encoder.encode_passages([]).shape == (0, 2)
    assert encoder.encode_passages(["ab"]).tolist() == [[2, 0]]
    assert len(recorder.threads) == 1


async def test_close_cancels_what_waits(recorder) -> None:
    """Closing ends the running batch, cancels the waiting ones and refuses new ones."""
    thread = EncoderThread(recorder)
    running = thread.submit(["a"], is_query=True)
    await asyncio.to_thread(recorder.entered.wait, 5)
    waiting = thread.submit(["b"], is_query=True)
    closing = asyncio.create_task(asyncio.to_thread(thread.close))
    await asyncio.sleep(0.05)
    recorder.gate.set()
    await closing
    assert running.result(5).tolist() == [[1, 1]]
    with pytest.raises(CancelledError):
        waiting.result(5)
    with pytest.raises(RuntimeError, match="closed"):
        thread.submit(["c"], is_query=True)
    EncoderThread(recorder).close()


async def test_cancelled_question_is_skipped(thread, recorder) -> None:
    """A question whose asker went away is not encoded."""
    first = asyncio.create_task(thread.encode_queries(["a"]))
    await asyncio.to_thread(recorder.entered.wait, 5)
    gone = thread.submit(["gone"], is_query=True)
    gone.cancel()
    recorder.gate.set()
    await first
    await thread.encode_queries(["b"])
    assert sum(size for _, size in recorder.batches) == 2
