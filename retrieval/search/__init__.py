"""The work behind the retriever's door: queries prepared, candidates pooled, copies collapsed, evidence put together."""

from retrieval.search.pool import Pool, gather
from retrieval.search.queries import PreparedQuery, prepare_queries

__all__ = ["Pool", "PreparedQuery", "gather", "prepare_queries"]
