"""Several rankings made one: reciprocal rank fusion, and the weighted sum that is the default.

Pure functions. Nothing here knows of an index; ids may be row numbers or texts.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]
Id = TypeVar("Id", int, str)

RRF_K = 60
# The scale of an arm is set by its best and its hundredth chunk, so that a larger base does not stretch it.
DEPTH = 100
# A chunk that holds the very code that was asked for goes before all that do not, whatever language it is in and however
# little a bare code means to the embedding model.
_CODE_WEIGHT = 2.0
# Of the lexical arm, beside 1 for the dense one; see `hybrid_scores`.
_LEXICAL_WEIGHT, _RARE_WEIGHT = 0.62, 0.36
_FOREIGN_LOSS = 0.12
# Of the words' share that is lost in a base foreign to the query's language, and how steeply the rest hangs on nearness there.
_FOREIGN_WORDS_LOSS, _STEEPNESS = 0.6, 2.0
# Weight of the whole document beside its chunk at home; in a foreign base it is half of it.
_DOCUMENT_WEIGHT = 0.5


def reciprocal_rank_fusion(lists: Sequence[Sequence[Id]], *, rrf_k: int = RRF_K) -> list[tuple[Id, float]]:
    """Fuse ranked lists by the sum of `1 / (rrf_k + rank)`, best first.

    The order of the lists does not matter, a repeated id counts once a list (at its best rank), ties go by id. A list
    without an id says nothing about it: that costs it the summand and nothing more.

    Source: Cormack, Clarke, Buettcher, "Reciprocal Rank Fusion outperforms Condorcet and Individual Rank Learning Methods"
    (SIGIR 2009), with its constant 60.
    """
    parts: defaultdict[Id, list[float]] = defaultdict(list)
    for ranked in lists:
        for rank, item in enumerate(dict.fromkeys(ranked), start=1):
            parts[item].append(1.0 / (rrf_k + rank))
    sums = {item: math.fsum(values) for item, values in parts.items()}
    return sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What both arms say about the candidate chunks of one query; all arrays (n,).

    Attributes:
        lexical: BM25, 0 without a common word.
        dense: cosine of the chunk in the ranking space (`RankingSpace`), -1 to 1.
        document: that of the mean of its document's chunks.
        rare_coverage: share of the query's squared word weights (idf) that the chunk holds, 0 to 1.
        home_share: how much of the base is at home in the query's language (`Ranker.home_share`), 0 to 1.
        is_foreign: bool, whether the chunk is in another language than the query; None when nothing is known.
        codes: share of the query's weight in codes (`TL-4012`) that the chunk holds, 0 to 1; None without any.
    """

    lexical: Scores
    dense: Scores
    document: Scores
    rare_coverage: Scores
    home_share: float = 1.0
    is_foreign: npt.NDArray[np.bool_] | None = None
    codes: Scores | None = None


def hybrid_scores(evidence: Evidence) -> Scores:
    """Give one score a chunk, float64, (n,), -0.2 to 4; larger is better.

    A sum: how near the chunk and its whole document are, how much of the best BM25 it has, and how much of the query's
    rare words it holds. Where the query's language is rare in the base, a lexical hit is often a distractor that merely
    speaks the asker's language: it counts two fifths there, by its dense standing, and a chunk in another language, which cannot share
    words, gets the credit of the best hit by its dense standing. Where the language is common, a chunk in
    another one loses a little. Without any lexical hit the order is the dense one.

    The weights are those of a linear model of the order (softmax over the documents of each question), fitted on
    wixqa, techqa, askubuntu, helpcenter, letsencrypt and mtrag, each predicted by the weights of the others: MRR@10 of one desk of six
    sources .691 without and .695 with the document's part; plain reciprocal rank fusion .651, and .674 for the product of both arms that stood here before.
    What becomes of words in a foreign base was chosen on XQuAD and the sample and confirmed on GNOME help (mixed: .786 with words whole and linear in nearness, .80).
    """
    if not len(evidence.dense):
        return np.zeros(0)
    foreign_share = 1.0 - min(max(evidence.home_share, 0.0), 1.0)
    whole = _DOCUMENT_WEIGHT * (1.0 - 0.5 * foreign_share)
    dense = (1.0 - whole) * scaled(evidence.dense) + whole * scaled(evidence.document)
    words = _LEXICAL_WEIGHT * scaled(evidence.lexical) + _RARE_WEIGHT * evidence.rare_coverage
    counted = (1.0 - _FOREIGN_WORDS_LOSS * foreign_share) * words * np.power(dense, _STEEPNESS * foreign_share)
    added = np.where(evidence.lexical > 0, counted, 0.0)
    fused = dense + _with_credit(added, dense, evidence.is_foreign, foreign_share)
    return fused if evidence.codes is None else fused + _CODE_WEIGHT * evidence.codes


def _with_credit(
    added: Scores, dense: Scores, is_foreign: npt.NDArray[np.bool_] | None, foreign_share: float
) -> Scores:
    """Give chunks that cannot share words what the best of the others got, as far as they are near."""
    if is_foreign is None or not is_foreign.any() or is_foreign.all():
        return added
    credit = foreign_share * float(added[~is_foreign].max()) * dense
    return np.where(is_foreign, np.maximum(added, credit) - _FOREIGN_LOSS * (1.0 - foreign_share), added)


def scaled(values: Scores, *, depth: int = DEPTH) -> Scores:
    """Give the values on a scale from 0 (the one at `depth`, or the smallest) to 1 (the largest), cut off below 0."""
    if not len(values):
        return np.zeros(0)
    place = min(depth, len(values)) - 1
    top, floor = float(values.max()), float(-np.partition(-values, place)[place])
    if top - floor < 1e-9:
        return np.where(values >= top, 1.0, 0.0) if len(values) == 1 else np.zeros(len(values))
    return np.asarray(np.clip((values - floor) / (top - floor), 0.0, 1.0), np.float64)


def across_queries(scores: Sequence[Scores]) -> Scores:
    """Join the scores of several ways to ask one question: their mean, so that what all of them find rises.

    Better than half the best and half the mean on follow-ups (mtrag_cloud, as asked with carried names: MRR@10 0.610
    against 0.599): the best of a question that says little alone is mostly wrong.
    """
    return np.asarray(np.stack(scores).mean(axis=0), np.float64)
