"""The candidates of one question: what each arm found for each query, with both raw scores for all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.ports import Candidates, CandidateSource, Rows, Scores
from retrieval.search.queries import PreparedQuery

# How many chunks each arm gives. A document has one to a dozen chunks, so this leaves well over ten documents.
DEPTH = 200


@dataclass(frozen=True, slots=True)
class Pool:
    """Candidate chunks of all queries.

    Attributes:
        rows: int32, (n,), ascending, without repetition.
        documents: int32, (n,), row of each chunk's document.
        lexical: float64, (n_queries, n), raw lexical scores; 0 without a common token.
        dense: float64, (n_queries, n), raw cosines.
        lexical_top, dense_top: what each arm found for each query, best first.
    """

    rows: Rows
    documents: Rows
    lexical: Scores
    dense: Scores
    lexical_top: tuple[Candidates, ...]
    dense_top: tuple[Candidates, ...]


def gather(
    source: CandidateSource, queries: Sequence[PreparedQuery], *, audience: frozenset[str] | None, depth: int = DEPTH
) -> Pool:
    """Ask both arms for every query and score everything found by both."""
    lexical = tuple(source.lexical(query.tokens, depth, audience=audience) for query in queries)
    dense = tuple(source.dense(query.vector, depth, audience=audience) for query in queries)
    found = [candidates.rows for candidates in (*lexical, *dense)]
    rows = np.unique(np.concatenate(found)) if found else np.empty(0, np.int32)
    return Pool(
        rows=rows,
        documents=source.documents(rows),
        lexical=np.array([source.lexical_scores(query.tokens, rows) for query in queries]).reshape(-1, len(rows)),
        dense=np.array([source.dense_scores(query.vector, rows) for query in queries]).reshape(-1, len(rows)),
        lexical_top=lexical,
        dense_top=dense,
    )
