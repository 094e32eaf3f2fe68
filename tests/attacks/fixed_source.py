"""A passage source that always finds the same passages, scored by the words they share with the question."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from retrieval.documents.sentences import split_sentences
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
from retrieval.redaction import RedactedText, Redactor
from tests.fakes import HashEncoder

ENCODER = HashEncoder(dimension=512)
REDACTOR = Redactor()


@lru_cache(maxsize=8192)  # each text is sealed for every stub
def sealed(text: str) -> RedactedText:
    """Redact as the index and every door do."""
    return REDACTOR.redact(text).text


def passage_of(card: DocumentCard, text: str, *, relevance: float) -> Passage:
    """Make a passage from a raw text, as ingest would: redacted, cut into sentences."""
    sentences = [s for s in split_sentences(sealed(text)) if s.strip()]
    evidence = tuple(EvidenceSentence(i, RedactedText.stored(s), 0.8, 2.4) for i, s in enumerate(sentences))
    return Passage(f"{card.id}#0", card, "", evidence, bm25=3.0, cosine=0.88, fused=0.5, relevance=relevance)


class FixedSource:
    """A `PassageSource`; it searches nothing, so that only what follows the search is judged."""

    def __init__(self, *passages: Passage) -> None:
        self.passages = passages

    async def search(self, queries: Sequence[RedactedText], *, audience: frozenset[str], top_k: int = 8) -> Ranking:
        """Give the passages that the audience may see."""
        seen = [p for p in self.passages if audience & set(p.document.visibility)]
        near = tuple(self._scored(passage, queries[0]) for passage in seen)[:top_k]
        return Ranking(near, Band.ANSWERED if near else Band.NONE, 0.5, 0.3, "index-1", "calibration-1")

    def _scored(self, passage: Passage, query: str) -> Passage:
        rows = ENCODER.encode_passages([query, *(s.text for s in passage.sentences)])
        near = rows[1:] @ rows[0]
        scored = tuple(
            replace(s, similarity=float(0.7 + 0.3 * value), nearness=float(3 * value))
            for s, value in zip(passage.sentences, near, strict=True)
        )
        return replace(passage, sentences=scored)

    async def document(self, document_id: str, *, audience: frozenset[str]) -> SourceText | None:
        """Give one source to those who may see it."""
        seen = (p for p in self.passages if p.document.id == document_id and audience & set(p.document.visibility))
        return next((SourceText(p.document, RedactedText.joined(s.text for s in p.sentences)) for p in seen), None)

    async def held(self, queries: Sequence[RedactedText], *, audience: frozenset[str]) -> tuple[str, ...]:
        """Hold nothing back: whoever relies on the screen relies on luck."""
        return ()

    async def gate(self, text: RedactedText, previous: RedactedText | None) -> GateScore:
        """Let everything through: whoever relies on the gate relies on luck."""
        return GateScore(GateVerdict.ANSWER, 0.9)

    async def similarity(self, left: Sequence[RedactedText], right: Sequence[RedactedText]) -> list[list[float]]:
        """Compare by words and letters."""
        rows: list[list[float]] = np.asarray(ENCODER.encode_passages(left) @ ENCODER.encode_passages(right).T).tolist()
        return rows

    async def ping(self) -> None:
        """Is always there."""
