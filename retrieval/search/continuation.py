"""The evidence of the best passages goes on in the chunk that follows: an introduction is found, its steps stand below."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from retrieval.ports import CandidateSource, StoredPassage

# More would cost reading time and a model's tokens for sources that are hardly quoted.
CONTINUED = 3


def with_continuation(source: CandidateSource, passages: Sequence[StoredPassage], n_chunks: int) -> list[StoredPassage]:
    """Give the passages, the first three with the evidence of the next chunk of their document added.

    Sentences that both chunks hold (overlap) come once. Without sentence vectors nothing is added: those sentences would
    have to be embedded while somebody waits.

    Args:
        source: reads the chunks that follow.
        passages: best first.
        n_chunks: how many chunks the index holds.
    """
    rows = [p.row + 1 for p in passages[:CONTINUED] if p.vectors is not None and p.row + 1 < n_chunks]
    if not rows:
        return list(passages)
    following = {passage.row: passage for passage in source.passages(np.asarray(rows, np.int32))}
    return [_joined(p, following.get(p.row + 1) if n < CONTINUED else None) for n, p in enumerate(passages)]


def _joined(passage: StoredPassage, following: StoredPassage | None) -> StoredPassage:
    if (
        following is None
        or following.card.id != passage.card.id
        or passage.vectors is None
        or following.vectors is None
    ):
        return passage
    new = [i for i, sentence in enumerate(following.sentences) if sentence not in passage.sentences]
    return replace(
        passage,
        sentences=(*passage.sentences, *(following.sentences[i] for i in new)),
        vectors=np.concatenate([np.asarray(passage.vectors), np.asarray(following.vectors)[new]]),
    )
