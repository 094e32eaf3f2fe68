"""Fakes of the ports, shared by the fast tests. They keep the port's promises; they do not record calls."""

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from bot.errors import ChatModelError, StateUnavailable
from bot.messages import AcceptedMessage, MessageId, ThreadRef, Turn
from bot.ports import AnswerRequest, ModelAnswer, ModelRewrite, RewriteRequest
from retrieval.passages import (
    Band,
    DocumentCard,
    EvidenceSentence,
    GateScore,
    GateVerdict,
    Passage,
    Ranking,
    SourceText,
)
from retrieval.ports import Vectors
from retrieval.redaction import RedactedText


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
            row[:] = np.frombuffer(_counts(text, self._dimension), np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True).astype(np.float32)


# Every index of the tests is built with the same banks: 1 500 texts, half of what building a small one takes.
@lru_cache(maxsize=8192)
def _counts(text: str, dimension: int) -> bytes:
    row = np.zeros(dimension, np.float32)
    for word in text.casefold().split():
        for piece in (word, *(word[i : i + 3] for i in range(max(1, len(word) - 2)))):
            digest = hashlib.blake2b(piece.encode("utf-8", "replace"), digest_size=8).digest()
            row[int.from_bytes(digest[:4], "big") % dimension] += 1 if digest[4] % 2 else -1
    if not row.any():
        row[0] = 1.0
    return row.tobytes()


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


def make_passage(document: DocumentCard | str, *sentences: str | tuple[str, float], relevance: float = 0.9) -> Passage:
    """Make a passage from its evidence; a sentence without a similarity gets 0.85, 0.84, … in order.

    Nearness is three times as wide, as it is in real passages.
    """
    card = DocumentCard(document, RedactedText.stored(f"About {document}")) if isinstance(document, str) else document
    pairs = [s if isinstance(s, tuple) else (s, 0.85 - 0.01 * place) for place, s in enumerate(sentences)]
    evidence = tuple(
        EvidenceSentence(i, RedactedText.stored(text), near, 3 * near) for i, (text, near) in enumerate(pairs)
    )
    return Passage(f"{card.id}#0", card, "", evidence, bm25=3.0, cosine=0.88, fused=0.5, relevance=relevance)


class FakePassageSource:
    """A `PassageSource` over given passages: visible ones in the given order, cut by their relevance.

    `searched` and `gated` hold what was asked of it. `failure` is raised by every call, `gate_failure` by the gate.
    """

    CUT, UNCERTAIN_CUT = 0.5, 0.3

    def __init__(
        self,
        *passages: Passage,
        verdict: GateVerdict = GateVerdict.ANSWER,
        cosine: float = 0.9,
        failure: Exception | None = None,
        gate_failure: Exception | None = None,
    ) -> None:
        self.passages = passages
        self.verdict = verdict
        self.cosine = cosine
        self.failure = failure
        self.gate_failure = gate_failure or failure
        self.searched: list[tuple[str, ...]] = []
        self.gated: list[tuple[str, str | None]] = []
        self.waiting: tuple[str, ...] = ()

    async def search(self, queries: Sequence[RedactedText], *, audience: frozenset[str], top_k: int = 8) -> Ranking:
        """Rank what the audience may see."""
        if self.failure is not None:
            raise self.failure
        self.searched.append(tuple(queries))
        seen = tuple(p for p in self.passages if audience & set(p.document.visibility))[:top_k]
        best = max((passage.relevance for passage in seen), default=0.0)
        band = Band.ANSWERED if best >= self.CUT else Band.UNCERTAIN if best >= self.UNCERTAIN_CUT else Band.NONE
        return Ranking(seen, band, self.CUT, self.UNCERTAIN_CUT, "index-1", "calibration-1")

    async def document(self, document_id: str, *, audience: frozenset[str]) -> SourceText | None:
        """Give one of the passages' documents to those who may see it."""
        seen = (p for p in self.passages if p.document.id == document_id and audience & set(p.document.visibility))
        return next((SourceText(p.document, RedactedText.joined(s.text for s in p.sentences)) for p in seen), None)

    async def held(self, queries: Sequence[RedactedText], *, audience: frozenset[str]) -> tuple[str, ...]:
        """Give the ids in `waiting`."""
        if self.failure is not None:
            raise self.failure
        return self.waiting

    async def gate(self, text: RedactedText, previous: RedactedText | None) -> GateScore:
        """Give the scripted verdict."""
        if self.gate_failure is not None:
            raise self.gate_failure
        self.gated.append((text, previous))
        return GateScore(self.verdict, 0.9)

    async def similarity(self, left: Sequence[RedactedText], right: Sequence[RedactedText]) -> list[list[float]]:
        """Give the scripted cosine for every pair."""
        return [[self.cosine for _ in right] for _ in left]

    async def ping(self) -> None:
        """Raise the scripted failure."""
        if self.failure is not None:
            raise self.failure


class InMemoryThreadStore:
    """A `ThreadStore` in a dictionary; `is_away` makes every call raise `StateUnavailable`."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, Turn]] = {}
        self.is_away = False

    async def turns(self, thread: ThreadRef) -> tuple[Turn, ...]:
        """Give the kept turns, oldest first."""
        await self.ping()
        return tuple(self.kept.get(thread.key, {}).values())

    async def remember(self, thread: ThreadRef, turn: Turn, *, message_id: MessageId) -> None:
        """Append once a message id."""
        await self.ping()
        self.kept.setdefault(thread.key, {}).setdefault(message_id, turn)

    async def ping(self) -> None:
        """Raise when away."""
        if self.is_away:
            raise StateUnavailable("away")


class ScriptedModel:
    """A `ChatModel` that says what it was told to, or raises it; `requests` holds what it was asked."""

    def __init__(
        self, said: ModelAnswer | ChatModelError | None = None, rewrite: ModelRewrite | ChatModelError | None = None
    ) -> None:
        self.said = said or ChatModelError("nothing scripted")
        self.rewritten = rewrite or ChatModelError("nothing scripted")
        self.requests: list[AnswerRequest | RewriteRequest] = []

    async def answer(self, request: AnswerRequest) -> ModelAnswer:
        """Give or raise the scripted answer."""
        self.requests.append(request)
        if isinstance(self.said, ChatModelError):
            raise self.said
        return self.said

    async def rewrite(self, request: RewriteRequest) -> ModelRewrite:
        """Give or raise the scripted rewrite."""
        self.requests.append(request)
        if isinstance(self.rewritten, ChatModelError):
            raise self.rewritten
        return self.rewritten

    async def ping(self) -> None:
        """Is always there."""


class WordReranker:
    """A `Reranker` that counts words in common with the question."""

    identity = "words"

    def scores(self, query: str, passages: Sequence[str]) -> Vectors:
        """Give one score a passage, float32."""
        wanted = set(query.casefold().split())
        return np.array([len(wanted & set(passage.casefold().split())) for passage in passages], np.float32)
