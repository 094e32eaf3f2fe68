"""A ranking put in the order of a cross-encoder, which reads question and passage together."""

from dataclasses import replace

from retrieval.passages import Passage, Ranking
from retrieval.ranking.reranker import Reranker, reranked

# How many passages are read: at 20 to 50 ms each on a CPU more would be felt.
RERANKED = 20


def rerank(ranking: Ranking, query: str, reranker: Reranker, *, top_k: int) -> Ranking:
    """Give the first `RERANKED` passages in the reranker's order, cut to `top_k`; relevance and band stay as they were judged."""
    first, rest = ranking.passages[:RERANKED], ranking.passages[RERANKED:]
    scores = reranker.scores(query, [_text(passage) for passage in first])
    places = reranked(range(len(first)), scores)
    return replace(ranking, passages=(*(first[place] for place in places), *rest)[:top_k])


def _text(passage: Passage) -> str:
    parts = (passage.document.title, passage.heading, " ".join(sentence.text for sentence in passage.sentences))
    return "\n".join(part for part in parts if part)
