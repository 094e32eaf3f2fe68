"""One encoder for all questions of a process: waiting questions are encoded together, and no question twice."""

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from retrieval.dense.encoder_thread import EncoderThread
from retrieval.ports import Encoder, Vectors

# The gate and the search ask for the same question, a follow-up for the one before it too. 1.5 kB each.
_REMEMBERED = 512


class SharedEncoder:
    """An `Encoder` for callers on any thread, over one encoder thread. Close it when done.

    Args:
        encoder: works for one thread at a time.
        remembered: how many questions' vectors are kept, in memory only.
    """

    def __init__(self, encoder: Encoder, *, remembered: int = _REMEMBERED) -> None:
        self.identity = encoder.identity
        self.dimension = encoder.dimension
        self._thread = EncoderThread(encoder)
        self._most = remembered
        self._known: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    async def prepare(self, texts: Sequence[str]) -> None:
        """Encode questions before the thread that searches needs them; those of other callers that wait now go along.

        Raises:
            RuntimeError: it was closed, or the engine failed.
        """
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            self._remember(missing, await self._thread.encode_queries(missing))

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, `float32, (len(texts), dimension)`; known ones are not encoded again."""
        with self._lock:
            known = {text: self._known[text] for text in texts if text in self._known}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            rows = self._thread.blocking.encode_queries(missing)
            self._remember(missing, rows)
            known |= zip(missing, rows, strict=True)
        return np.stack([known[text] for text in texts]) if texts else np.zeros((0, self.dimension), np.float32)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, `float32, (len(texts), dimension)`."""
        return self._thread.blocking.encode_passages(texts)

    def close(self) -> None:
        """End the thread."""
        self._thread.close()

    def _remember(self, texts: Sequence[str], rows: Vectors) -> None:
        with self._lock:
            for text, row in zip(texts, rows, strict=True):
                self._known[text] = np.array(row)
                self._known.move_to_end(text)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
