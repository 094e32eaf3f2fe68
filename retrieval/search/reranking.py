"""A ranking put in the order of a cross-encoder, which reads question and passage together."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from retrieval.errors import RerankerFailed
from retrieval.passages import Passage, Ranking
from retrieval.ranking.reranker import Reranker, reranked

# How many passages are read: at 20 to 50 ms each on a CPU more would be felt.
RERANKED = 20
# Ways to say the question that are read: as asked, and standing alone. A passage has the better of its two scores.
_READ = 2

# How many documents are wanted, to the plain ranking of them.
PlainSearch = Callable[[int], Ranking]


def search_reranked(search: PlainSearch, queries: Sequence[str], reranker: Reranker, *, top_k: int) -> Ranking:
    """Search more than is wanted and give the best by the reranker; the band is that of the plain ranking.

    Scores of a cross-encoder are on a scale of its own, so whether anything is relevant stays with the calibrated
    features, over the same `top_k` passages as without a reranker.

    Raises:
        RerankerFailed: the model broke off.
    """
    plain = search(top_k)
    wide = search(max(top_k, RERANKED)) if len(plain.passages) == top_k else plain
    return replace(rerank(wide, queries, reranker, top_k=top_k), band=plain.band)


def rerank(ranking: Ranking, queries: Sequence[str], reranker: Reranker, *, top_k: int) -> Ranking:
    """Give the first `RERANKED` passages in the reranker's order, cut to `top_k`; relevance and band stay as they were judged.

    Raises:
        RerankerFailed: the model broke off, or gave another number of scores.
    """
    first, rest = ranking.passages[:RERANKED], ranking.passages[RERANKED:]
    if len(first) < 2 or not queries:
        return replace(ranking, passages=ranking.passages[:top_k])
    texts = [_text(passage) for passage in first]
    read = [reranker.scores(query, texts) for query in dict.fromkeys(queries[:_READ])]
    if any(scores.shape != (len(first),) for scores in read):
        raise RerankerFailed(f"the reranker {reranker.identity} gave another number of scores than passages")
    places = reranked(range(len(first)), np.max(read, axis=0))
    return replace(ranking, passages=(*(first[place] for place in places), *rest)[:top_k])


def _text(passage: Passage) -> str:
    parts = (passage.document.title, passage.heading, " ".join(sentence.text for sentence in passage.sentences))
    return "\n".join(part for part in parts if part)
