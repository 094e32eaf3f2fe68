"""Fakes of the ports, shared by the fast tests. They keep the port's promises; they do not record calls."""

import hashlib
from collections.abc import Sequence

import numpy as np

from bot.errors import StateUnavailable
from bot.messages import AcceptedMessage
from retrieval.ports import Vectors


class HashEncoder:
    """An `Encoder` without a model: a bag of hashed words and character trigrams as unit rows. The same text gives the same row.

    Texts that share words or stems are near, others are not; it knows nothing of meaning or other languages.
    """

    def __init__(self, dimension: int = 64, name: str = "hash") -> None:
        self._dimension = dimension
        self._name = name

    @property
    def identity(self) -> str:
        """Name and dimension."""
        return f"{self._name}-{self._dimension}"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._dimension

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, float32."""
        return self.encode_passages(texts)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, float32."""
        rows = np.zeros((len(texts), self._dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.casefold().split():
                for piece in (word, *(word[i : i + 3] for i in range(max(1, len(word) - 2)))):
                    digest = hashlib.blake2b(piece.encode("utf-8", "replace"), digest_size=8).digest()
                    row[int.from_bytes(digest[:4], "big") % self._dimension] += 1 if digest[4] % 2 else -1
            if not row.any():
                row[0] = 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True).astype(np.float32)


class FixedClock:
    """A `Clock` that stands still until it is moved."""

    def __init__(self, now: float) -> None:
        self.time = now

    def now(self) -> float:
        """Seconds since the epoch."""
        return self.time


class RecordingQueue:
    """The receiving side of a `WorkQueue`: claims once, keeps what was enqueued, and can be away."""

    def __init__(self) -> None:
        self.messages: list[AcceptedMessage] = []
        self.claims: list[tuple[str, ...]] = []
        self.is_away = False

    async def enqueue(self, message: AcceptedMessage, *, claims: Sequence[str]) -> bool:
        """Claim and keep; False when a claim was taken before."""
        if self.is_away:
            raise StateUnavailable("away")
        taken = {name for row in self.claims for name in row}
        if taken & set(claims):
            return False
        self.claims.append(tuple(claims))
        self.messages.append(message)
        return True
