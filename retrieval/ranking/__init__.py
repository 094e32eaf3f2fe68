"""Ranking: fusion, the ranking space, calibrated relevance, the topic gate, the reranker. Start at `ranker`."""

from retrieval.ranking.calibration import Calibration, Measured
from retrieval.ranking.fusion import Evidence, across_queries, hybrid_scores, reciprocal_rank_fusion
from retrieval.ranking.labels import BaseTexts
from retrieval.ranking.ranker import ROLES, Ranker, RankingParts, build_ranking
from retrieval.ranking.relevance import RawEvidence
from retrieval.ranking.reranker import CrossEncoderReranker, Reranker, load_reranker, reranked
from retrieval.ranking.scope import label_of

__all__ = [
    "ROLES",
    "BaseTexts",
    "Calibration",
    "CrossEncoderReranker",
    "Evidence",
    "Measured",
    "Ranker",
    "RankingParts",
    "RawEvidence",
    "Reranker",
    "across_queries",
    "build_ranking",
    "hybrid_scores",
    "label_of",
    "load_reranker",
    "reciprocal_rank_fusion",
    "reranked",
]
