"""Ranking: fusion, the ranking space, calibrated relevance, the topic gate, the reranker."""
