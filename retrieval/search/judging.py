"""The numbers that relevance is calibrated on: features of what a question finds, with or without its own documents."""

from collections.abc import Collection
from dataclasses import fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from retrieval.lexical import LexicalMatch
from retrieval.ports import Candidates, CandidateSource, Rows, Scores
from retrieval.ranking.ranker import Ranker
from retrieval.ranking.relevance import FEATURES, relevance_features
from retrieval.search.copies import best_of_each
from retrieval.search.pool import Pool, QueryPool
from retrieval.search.scoring import fused_scores, raw_evidence

# A question counts by its most relevant passage, which is hardly ever behind these.
FIRST = 5


def features_of(source: CandidateSource, pool: Pool, ranker: Ranker) -> Scores:
    """Give the features of the first documents' best passages, one row a query and document, float64, (n, 13)."""
    if not len(pool.rows):
        return np.zeros((0, len(FEATURES)))
    scores = fused_scores(pool, ranker)
    places = best_of_each(scores, pool.documents)[:FIRST]
    texts = {int(p): str(s.search_text) for p, s in zip(places, source.passages(pool.rows[places]), strict=True)}
    judged = (raw_evidence(query, pool, ranker, texts=texts, fused=scores) for query in pool.queries)
    return np.concatenate([relevance_features(evidence)[places] for evidence in judged])


def without(pool: Pool, documents: Collection[int]) -> Pool:
    """Give the pool as if the base did not hold some documents, given by row."""
    kept = ~np.isin(pool.documents, np.asarray(sorted(documents), np.int32))
    rows = pool.rows[kept]
    queries = tuple(_without(query, kept, rows) for query in pool.queries)
    return Pool(rows, pool.documents[kept], pool.languages[kept], queries)


def _without(query: QueryPool, kept: npt.NDArray[np.bool_], rows: Rows) -> QueryPool:
    tops: dict[str, Any] = {"lexical_top": _among(query.lexical_top, rows), "dense_top": _among(query.dense_top, rows)}
    lexical = replace(query.lexical, **_cut(query.lexical, kept))
    return replace(query, lexical=lexical, **tops, **_cut(query, kept))


def _cut(values: LexicalMatch | QueryPool, kept: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Give the kept part of every array, which all have one entry a candidate."""
    arrays = ((field.name, getattr(values, field.name)) for field in fields(values))
    return {name: array[kept] for name, array in arrays if isinstance(array, np.ndarray)}


def _among(found: Candidates, rows: Rows) -> Candidates:
    kept = np.isin(found.rows, rows)
    return Candidates(found.rows[kept], found.scores[kept])
