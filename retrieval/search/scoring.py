"""One order out of what the arms found, for every method that can be asked for."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import numpy as np

from retrieval.lexical import codes_in
from retrieval.ports import Candidates, CandidateSource, Rows, Scores
from retrieval.ranking.calibration import Calibration
from retrieval.ranking.fusion import Evidence, across_queries, hybrid_scores, reciprocal_rank_fusion
from retrieval.ranking.ranker import Ranker
from retrieval.ranking.relevance import RawEvidence, needs_strangers, shows_another
from retrieval.search.expansion import expanded
from retrieval.search.pool import DEPTH, Pool, QueryPool

# A pasted log may hold hundreds; the first ones are what it is about.
_MOST_CODES = 16


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
    source: CandidateSource, pool: Pool, ranker: Ranker, method: Method, *, audience: frozenset[str] | None
) -> Scores:
    """Give the ordering score of every row of the pool, float64, (n,); −inf for rows that the method did not find."""
    if method == Method.HYBRID:
        return fused_scores(pool, ranker)
    lists = [found for query in pool.queries for found in _lists(source, query, pool.rows, method, audience=audience)]
    if len(lists) == 1:
        return _placed(lists[0], pool.rows)
    fused = reciprocal_rank_fusion([[int(row) for row in found.rows] for found in lists])
    rows, scores = [row for row, _ in fused], [score for _, score in fused]
    return _placed(Candidates(np.array(rows, np.int32), np.array(scores)), pool.rows)


def fused_scores(pool: Pool, ranker: Ranker) -> Scores:
    """Give the score of the hybrid order of every row of the pool, float64, (n,), over all queries."""
    return across_queries([_hybrid(query, ranker) for query in pool.queries])


def relevance(pool: Pool, ranker: Ranker, *, fused: Scores, texts: Mapping[int, str] | None = None) -> Scores:
    """Give the calibrated relevance of every row of the pool, float64, (n,), 0 to 1: the best over the queries.

    Args:
        pool: the candidates.
        ranker: of the index.
        fused: as `fused_scores` gives it, without priors.
        texts: by place in the pool, what was read; a passage that was not read is not blamed for another code in it.
    """
    evidence = [raw_evidence(query, pool, ranker, texts=texts, fused=fused) for query in pool.queries]
    judged = [
        _with_codes(ranker.relevance(one), query, ranker.calibration)
        for one, query in zip(evidence, pool.queries, strict=True)
    ]
    return np.asarray(np.max(judged, axis=0), np.float64)


def raw_evidence(
    query: QueryPool, pool: Pool, ranker: Ranker, *, fused: Scores, texts: Mapping[int, str] | None = None
) -> RawEvidence:
    """Give what one query says of the candidates, as relevance is judged by it.

    Args:
        query: one of the pool's.
        pool: the candidates.
        ranker: of the index.
        fused: as in `relevance`.
        texts: as in `relevance`.
    """
    lexical = query.lexical
    has_codes = lexical.known_codes is not None
    return RawEvidence(
        cosine=query.neutral,
        lexical=lexical.scores,
        max_lexical=lexical.maximum,
        documents=pool.documents,
        languages=pool.languages,
        strangers=ranker.strangers(query.query.vector)
        if needs_strangers(pool.documents, pool.languages)
        else np.zeros(0),
        is_foreign=query.is_foreign,
        codes_held=lexical.codes * lexical.known_codes if lexical.known_codes is not None else None,
        other_codes=_other_codes(query, texts or {}, len(pool.rows)) if has_codes else None,
        rare=lexical.rare_coverage,
        fused=fused,
        document=query.document,
    )


def _other_codes(query: QueryPool, texts: Mapping[int, str], count: int) -> Scores:
    """Give the share of the query's codes of which a text that was read holds only others of the same form."""
    codes = codes_in(query.query.words)[:_MOST_CODES]
    shares = np.zeros(count)
    for place, text in texts.items():
        shares[place] = sum(shows_another(code, text) for code in codes) / max(len(codes), 1)
    return shares


def _with_codes(found: Scores, query: QueryPool, calibration: Calibration) -> Scores:
    """Lift chunks that hold every code of the query over a cut: a code is rare, and a bare one means nothing to the model.

    Over the upper cut when they hold half of the query's weight, over the lower one otherwise.
    """
    lexical = query.lexical
    cut = np.where(lexical.coverage >= 0.5, calibration.answered, calibration.uncertain)
    return np.asarray(np.where(lexical.codes >= 1.0, np.maximum(found, cut), found), np.float64)


def _hybrid(query: QueryPool, ranker: Ranker) -> Scores:
    lexical = query.lexical
    return hybrid_scores(
        Evidence(
            lexical=lexical.scores,
            dense=query.ranking,
            document=query.document,
            rare_coverage=lexical.rare_coverage,
            home_share=ranker.home_share(query.query.language),
            is_foreign=query.is_foreign,
            codes=lexical.codes * lexical.codes_weight,
        )
    )


def _lists(
    source: CandidateSource, query: QueryPool, rows: Rows, method: Method, *, audience: frozenset[str] | None
) -> Sequence[Candidates]:
    if method == Method.RRF:
        return query.lexical_top, _by_cosine(query, rows)
    if method == Method.DENSE:
        return (query.dense_top,)
    if method == Method.BM25:
        return (query.lexical_top,)
    if method == Method.BM25_EXPAND:
        return (expanded(source, query.query, audience=audience),)
    return (source.lexical(query.query.tokens, DEPTH, audience=audience, scorer=method),)


def _by_cosine(query: QueryPool, rows: Rows) -> Candidates:
    """Give the candidates by the model's own cosine: plain fusion is the reference that the ranking space is compared with."""
    places = np.lexsort((rows, -query.cosine))[:DEPTH]
    return Candidates(rows[places], query.cosine[places])


def _placed(candidates: Candidates, rows: Rows) -> Scores:
    """Put scores at the places of their rows, −inf at the others; a row outside the pool is left out."""
    scores = np.full(len(rows), -np.inf)
    if len(rows):
        places = np.minimum(np.searchsorted(rows, candidates.rows), len(rows) - 1)
        known = rows[places] == candidates.rows
        scores[places[known]] = candidates.scores[known]
    return scores
