"""What speaks for a passage being an answer, in numbers that mean the same in a base of any size."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.ports import Vectors

Scores = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int32]

# Names of the columns that `relevance_features` gives, in order.
FEATURES = (
    "cosine",
    "above_bank",
    "lexical_share",
    "cosine_gap",
    "lexical_gap",
    "is_foreign",
    "foreign_above_bank",
    "foreign_cosine_gap",
)
_BANK_TOP = 10


@dataclass(frozen=True, slots=True)
class RawEvidence:
    """Raw scores of the candidate chunks of one query; arrays are (n,).

    Attributes:
        cosine: raw cosine with the query.
        lexical: BM25.
        max_lexical: what a chunk would score that holds every word of the query often, unknown words included.
        documents: row of each chunk's document.
        is_foreign: whether the chunk is in another language than the query; no word can then be expected to match.
        bank_level: how near the query is to texts of no base, see `bank_level`.
    """

    cosine: Scores
    lexical: Scores
    max_lexical: float
    documents: Rows
    is_foreign: npt.NDArray[np.bool_]
    bank_level: float


def relevance_features(evidence: RawEvidence) -> Scores:
    """Give one row a chunk, float64, (n, 8), columns as in `FEATURES`.

    None of them drifts with the size of the base: BM25 is divided by the most that the query can reach, and the gaps are to the best
    chunk of another document, which unrelated documents do not move.
    """
    share = evidence.lexical / max(evidence.max_lexical, 1e-9)
    above = evidence.cosine - evidence.bank_level
    gap = evidence.cosine - _best_elsewhere(evidence.cosine, evidence.documents)
    lexical_gap = share - _best_elsewhere(share, evidence.documents)
    foreign = evidence.is_foreign.astype(np.float64)
    own = 1.0 - foreign
    columns = (evidence.cosine, above, share * own, gap, lexical_gap * own, foreign, foreign * above, foreign * gap)
    return np.stack(columns, axis=1)


def bank_level(query: Vectors, bank: Vectors) -> float:
    """Give the mean of the ten largest cosines of a query with the bundled banks' passages.

    Some questions are near to everything; what counts is how much nearer a passage is than texts of no base.
    """
    if not len(bank):
        return 0.0
    found = bank @ query
    top = min(_BANK_TOP, len(found))
    return float(np.partition(found, len(found) - top)[-top:].mean())


def _best_elsewhere(values: Scores, documents: Rows) -> Scores:
    """Give for each chunk the largest value among the chunks of other documents; its own value without any."""
    names, of_chunk = np.unique(documents, return_inverse=True)
    if len(names) < 2:
        return values.copy()
    best = np.full(len(names), -np.inf)
    np.maximum.at(best, of_chunk, values)
    first, second = np.argsort(-best, kind="stable")[:2]
    elsewhere = np.full(len(names), best[first])
    elsewhere[first] = best[second]
    return np.asarray(elsewhere[of_chunk], np.float64)
