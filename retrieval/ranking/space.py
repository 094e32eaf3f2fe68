"""The ranking space: vectors moved so that language and form weigh less than meaning, used to order and never to judge.

multilingual-e5-small puts texts of one language close to each other, whatever they say. So from each chunk the difference
between its language's mean and the mean of all is taken, then the mean of all; from each query the mean of the base's own
headings, asked as queries. The vector of the heading is mixed into its chunk. Measured as MRR@10 of the dense arm: a base
of mixed languages 0.587 → 0.785, questions in other languages than the base 0.793 → 0.888, English sets between
-0.02 and +0.06.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.ports import Vectors

HEADING_WEIGHT = 0.2
# A language with few chunks has no mean worth taking: its mean is drawn to that of all by as many chunks.
_SHRINK = 20
_BLOCK = 4_096


@dataclass(frozen=True, slots=True)
class RankingSpace:
    """What a query vector loses before it is compared with ranking vectors.

    `query_mean`: what all queries have in common, float32, (dim,). `axes`: orthonormal directions in which languages differ,
    float32, (k, dim), see `LanguageMeans.axes`; None for none.
    """

    query_mean: Vectors
    axes: Vectors | None = None

    def of_query(self, vector: Vectors, *, foreign_share: float = 0.0) -> Vectors:
        """Move one raw unit query vector, float32, (dim,), into the space; unit length.

        Args:
            vector: as the model gives it.
            foreign_share: how much of the base is foreign to the query's language, 0 to 1. As far as it is, the query loses the
                axes: its language would else be nearer to some chunks than to others.
        """
        moved = vector - self.query_mean
        if foreign_share > 0 and self.axes is not None:
            moved = moved - np.float32(foreign_share) * ((self.axes @ moved) @ self.axes)
        unit: Vectors = unit_rows(moved[None, :])[0]
        return unit


def ranking_vectors(
    vectors: Vectors, headings: Vectors, languages: Sequence[str], *, sharers: Sequence[int]
) -> Vectors:
    """Move chunk vectors into the space.

    Args:
        vectors: raw, float32, (n, dim), unit rows; unchanged.
        headings: raw passage vectors of each chunk's title or heading, float32, (n, dim).
        languages: language code of each chunk.
        sharers: how many documents have the heading of each chunk, 1 and upward: "FAQ" over fifty says little of each.

    Returns:
        float32, (n, dim), unit rows.
    """
    if not len(vectors):
        return np.zeros_like(vectors)
    weights = (HEADING_WEIGHT / np.sqrt(np.maximum(sharers, 1)))[:, None]
    names, codes = np.unique(np.asarray(languages, dtype=str), return_inverse=True)
    means = [_means(rows, codes, len(names)) for rows in (vectors, headings)] if headings is not vectors else []
    own, head = means or [_means(vectors, codes, len(names))] * 2
    result: Vectors = np.empty(vectors.shape, np.float32)
    # By blocks: the tables of the steps between would be as large as the index, in float64.
    for start in range(0, len(vectors), _BLOCK):
        rows = slice(start, start + _BLOCK)
        centred = own.of(vectors[rows], codes[rows])
        of_heading = centred if headings is vectors else head.of(headings[rows], codes[rows])
        mixed = (1.0 - weights[rows]) * centred + weights[rows] * of_heading
        result[rows] = unit_rows(mixed.astype(np.float32))
    return result


def document_means(ranking: Vectors, documents: npt.NDArray[np.int32]) -> Vectors:
    """Give the mean of each document's chunks in the space: what the whole document is about.

    Args:
        ranking: as `ranking_vectors` gives them, float32, (n, dim).
        documents: row of each chunk's document, int32, (n,).

    Returns:
        float32, (rows up to the last document with a chunk, dim), unit rows; zero for a document without chunks.
    """
    means = np.zeros((int(documents.max(initial=-1)) + 1, ranking.shape[1]), np.float32)
    # Chunk by chunk of each document, in the order of `add.at` and so to the same last bit, at a fifth of its time.
    order = np.argsort(documents, kind="stable")
    sizes = np.bincount(documents, minlength=len(means))
    nth = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    for place in range(int(sizes.max(initial=0))):
        rows = order[nth == place]
        for start in range(0, len(rows), _BLOCK):
            part = rows[start : start + _BLOCK]
            means[documents[part]] += ranking[part]
    return _scale(means, means)


def query_space(
    heading_queries: Vectors, fallback: Vectors, *, weights: npt.NDArray[np.intp] | None = None
) -> RankingSpace:
    """Make the space out of headings encoded as queries, (k, dim); with few of them the fallback bank weighs in.

    Args:
        heading_queries: float32, (k, dim).
        fallback: ordinary questions, float32, (m, dim).
        weights: for how many headings each stands, (k,); None for one each.
    """
    count = len(heading_queries)
    total = np.zeros(fallback.shape[1], np.float32)
    if count:
        total = count * np.average(heading_queries, axis=0, weights=weights)
    mean = (total + _SHRINK * fallback.mean(axis=0)) / (count + _SHRINK)
    return RankingSpace(mean.astype(np.float32))


def unit_rows(rows: Vectors) -> Vectors:
    """Give the rows at unit length, float32; an all-zero row stays zero."""
    return _scale(rows, np.empty(rows.shape, np.float32))


def _scale(rows: Vectors, result: Vectors) -> Vectors:
    """Put the rows at unit length into `result`, by blocks: tables as large as the index between cost more than the work on them."""
    for start in range(0, len(rows), _BLOCK):
        part = rows[start : start + _BLOCK]
        lengths = np.linalg.norm(part, axis=1, keepdims=True)
        np.divide(part, np.maximum(lengths, 1e-9), out=result[start : start + _BLOCK], casting="same_kind")
    return result


@dataclass(frozen=True, slots=True)
class _Means:
    """The mean of all rows, float32, (dim,), and how far that of each language lies from it, (n_languages, dim)."""

    overall: Vectors
    shifts: Vectors

    def of(self, rows: Vectors, codes: npt.NDArray[np.intp]) -> Vectors:
        """Take both from rows whose languages have these codes."""
        centred: Vectors = rows - self.overall
        centred -= self.shifts[codes]
        return centred


def _means(vectors: Vectors, codes: npt.NDArray[np.intp], languages: int) -> _Means:
    overall: Vectors = vectors.mean(axis=0)
    shifts = np.empty((languages, vectors.shape[1]), np.float32)
    for code in range(languages):
        members = codes == code
        count = int(members.sum())
        mean = (vectors[members].sum(axis=0) + _SHRINK * overall) / (count + _SHRINK)
        shifts[code] = mean - overall
    return _Means(overall, shifts)
