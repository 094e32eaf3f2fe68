"""The candidates of one question: what each arm found for each query, with every score for all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.lexical import LexicalMatch
from retrieval.ports import Candidates, CandidateSource, Rows, Scores
from retrieval.search.queries import PreparedQuery

# How many chunks each arm gives. A document has one to a dozen chunks, so this leaves well over ten documents.
DEPTH = 200


@dataclass(frozen=True, slots=True)
class QueryPool:
    """What one query says of the candidate chunks; arrays are (n,).

    Attributes:
        lexical: BM25 and coverage.
        ranking: cosine in the ranking space, and `document` that of the whole document.
        neutral: cosine without the languages' share; relevance is judged by it.
        cosine: raw cosine.
        is_foreign: whether the chunk is in another language than the query; never when the query's is unknown.
        lexical_top, dense_top: what each arm found, best first.
    """

    query: PreparedQuery
    lexical: LexicalMatch
    ranking: Scores
    document: Scores
    neutral: Scores
    cosine: Scores
    is_foreign: npt.NDArray[np.bool_]
    lexical_top: Candidates
    dense_top: Candidates


@dataclass(frozen=True, slots=True)
class Pool:
    """Candidate chunks of all queries: `rows` int32, (n,), ascending, distinct, with the row of each one's document and its language."""

    rows: Rows
    documents: Rows
    languages: npt.NDArray[np.str_]
    queries: tuple[QueryPool, ...]


def gather(
    source: CandidateSource, queries: Sequence[PreparedQuery], *, audience: frozenset[str] | None, depth: int = DEPTH
) -> Pool:
    """Ask both arms for every query and score everything that was found."""
    arms = [_both_arms(source, query, audience, depth) for query in queries]
    found = [candidates.rows for both in arms for candidates in both]
    rows = np.unique(np.concatenate(found)) if found else np.empty(0, np.int32)
    languages = np.asarray(source.languages(rows), dtype=str)
    scored = (_scored(source, rows, languages, query, *both) for query, both in zip(queries, arms, strict=True))
    return Pool(rows, source.documents(rows), languages, tuple(scored))


def _both_arms(
    source: CandidateSource, query: PreparedQuery, audience: frozenset[str] | None, depth: int
) -> tuple[Candidates, Candidates]:
    """Ask the dense arm first and the lexical one meanwhile: the first waits for the memory, the second computes."""
    end = source.begin_dense(query.vector, depth, audience=audience, language=query.language)
    try:
        lexical = source.lexical(query.tokens, depth, audience=audience)
    finally:
        dense = end()
    return lexical, dense


def _scored(
    source: CandidateSource,
    rows: Rows,
    languages: npt.NDArray[np.str_],
    query: PreparedQuery,
    *tops: Candidates,
) -> QueryPool:
    is_known = bool(query.language)
    return QueryPool(
        query,
        source.match(query.words, rows),
        *source.cosines(query.vector, rows, language=query.language),
        np.asarray((languages != query.language) & is_known, np.bool_),
        *tops,
    )
