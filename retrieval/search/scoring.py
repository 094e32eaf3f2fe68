"""One order out of what the arms found, for every method that can be asked for."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np

from retrieval.ports import Candidates, CandidateSource, Rows, Scores
from retrieval.search.expansion import expanded
from retrieval.search.pool import DEPTH, Pool
from retrieval.search.queries import PreparedQuery

_RRF_K = 60


class Method(StrEnum):
    """How documents are ordered."""

    KEYWORD = "keyword"
    TFIDF = "tfidf"
    BM25 = "bm25"
    BM25_EXPAND = "bm25+expand"
    DENSE = "dense"
    RRF = "rrf"
    HYBRID = "hybrid"


def order(
    source: CandidateSource,
    queries: Sequence[PreparedQuery],
    pool: Pool,
    method: Method,
    *,
    audience: frozenset[str] | None,
) -> Scores:
    """Give the ordering score of every row of the pool, float64, (n,); 0 for rows that the method did not find."""
    if method in (Method.HYBRID, Method.RRF):
        return _rrf((*pool.lexical_top, *pool.dense_top), pool.rows)
    if method == Method.DENSE:
        lists = pool.dense_top
    elif method == Method.BM25:
        lists = pool.lexical_top
    elif method == Method.BM25_EXPAND:
        lists = tuple(expanded(source, query, audience=audience) for query in queries)
    else:
        lists = tuple(source.lexical(q.tokens, DEPTH, audience=audience, scorer=method) for q in queries)
    if len(lists) == 1:
        return _placed(lists[0], pool.rows)
    return _rrf(lists, pool.rows)


def _placed(candidates: Candidates, rows: Rows) -> Scores:
    scores = np.zeros(len(rows))
    places = np.searchsorted(rows, candidates.rows)
    known = (places < len(rows)) & (rows[np.minimum(places, len(rows) - 1)] == candidates.rows) if len(rows) else []
    scores[places[known]] = candidates.scores[known]
    return scores


def _rrf(lists: Sequence[Candidates], rows: Rows) -> Scores:
    scores = np.zeros(len(rows))
    for candidates in lists:
        ranks = Candidates(candidates.rows, 1.0 / np.arange(_RRF_K + 1, _RRF_K + 1 + len(candidates.rows)))
        scores += _placed(ranks, rows)
    return scores
