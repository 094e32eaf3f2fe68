"""Pseudo-relevance feedback: the words that the best passages share are searched too."""

from collections import Counter

from retrieval.lexical import tokenize
from retrieval.ports import Candidates, CandidateSource
from retrieval.search.pool import DEPTH
from retrieval.search.queries import PreparedQuery

_FEEDBACK = 5
_TERMS = 10
# How often a word of the question counts for one occurrence of a word that was added.
_OWN = 4


def expanded(source: CandidateSource, query: PreparedQuery, *, audience: frozenset[str] | None) -> Candidates:
    """Search by BM25, add the words that most of the first five passages share, and search again."""
    first = source.lexical(query.tokens, _FEEDBACK, audience=audience)
    if not len(first.rows):
        return first
    found: Counter[str] = Counter()
    for passage in source.passages(first.rows):
        found.update(set(tokenize(passage.search_text, (passage.card.lang,))))
    shared = [(count, token) for token, count in found.items() if count > 1 and token not in query.tokens]
    # Words of every passage are mostly the glue of the language; BM25's idf gives those little weight.
    terms = [token for _, token in sorted(shared, key=lambda item: (-item[0], item[1]))[:_TERMS]]
    return source.lexical((*query.tokens * _OWN, *terms), DEPTH, audience=audience)
