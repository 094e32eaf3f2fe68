"""The quotable sentences of passages with their cosine to the question."""

from collections.abc import Sequence

import numpy as np

from retrieval.passages import EvidenceSentence
from retrieval.ports import Encoder, Scores, StoredPassage, Vectors
from retrieval.search.queries import PreparedQuery

# Sentences that are embedded at query time when the index holds no sentence vectors.
_MOST_EMBEDDED = 8


def evidence_of(
    passages: Sequence[StoredPassage], queries: Sequence[PreparedQuery], encoder: Encoder
) -> list[tuple[EvidenceSentence, ...]]:
    """Give the sentences of each passage in the order of the text, with the largest cosine over the queries."""
    if not passages:
        return []
    vectors = np.stack([query.vector for query in queries])
    if any(passage.vectors is None for passage in passages):
        return _embedded(passages, vectors, encoder)
    return [
        _sentences(passage, (np.asarray(passage.vectors) @ vectors.T).max(axis=1, initial=-1.0)) for passage in passages
    ]


def _sentences(passage: StoredPassage, similarities: Scores) -> tuple[EvidenceSentence, ...]:
    pairs = zip(passage.sentences, similarities, strict=True)
    return tuple(EvidenceSentence(i, text, float(value)) for i, (text, value) in enumerate(pairs))


def _embedded(
    passages: Sequence[StoredPassage], vectors: Vectors, encoder: Encoder
) -> list[tuple[EvidenceSentence, ...]]:
    """Embed the first sentences of the best passages; those beyond the bound get a cosine of 0."""
    places = [(p, s) for p, passage in enumerate(passages) for s in range(len(passage.sentences))]
    places = sorted(places, key=lambda place: (place[1] // 4, place))[:_MOST_EMBEDDED]
    found = encoder.encode_passages([passages[p].sentences[s] for p, s in places]) @ vectors.T
    known = dict(zip(places, found.max(axis=1, initial=-1.0), strict=True))
    return [
        _sentences(passage, np.array([known.get((p, s), 0.0) for s in range(len(passage.sentences))]))
        for p, passage in enumerate(passages)
    ]
