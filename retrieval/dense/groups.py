"""Groups of short questions that mean the same, whatever their language.

multilingual-e5-small puts questions of one language close together, so from each the mean of its language is taken, drawn to
the mean of a known base where a language has few. Then groups are joined while the mean cosine between them is high enough
(average linkage; Sokal and Michener 1958, here by SciPy). Growing groups around their densest place instead joined chains of
different questions: pairs of banking77 that are together rightly 0.14 against 0.47, at a share found of 0.40 against 0.30.
"""

from collections.abc import Sequence

import numpy as np

from retrieval.ports import Vectors

# Mean cosine between two groups that are one. banking77: 75 of 100 questions stand in a group of mostly their own intent,
# confirmed on clinc150 with 89; nine languages of one FAQ with 97.
LEAST = 0.40
# A table of all pairs: 100 MB at 5 000.
MOST = 5_000
_SHRINK = 20


def without_language(vectors: Vectors, languages: Sequence[str], mean: Vectors) -> Vectors:
    """Take from each vector what its language and all questions have in common.

    Args:
        vectors: raw query vectors, float32, (n, dim), unit rows; unchanged.
        languages: language code of each.
        mean: raw mean of questions of the desk, float32, (dim,), for which few questions give way.

    Returns:
        float32, (n, dim), unit rows.
    """
    overall = _drawn(vectors, mean)
    moved = np.empty_like(vectors)
    codes = np.asarray(languages, dtype=str)
    for code in np.unique(codes):
        members = codes == code
        moved[members] = vectors[members] - _drawn(vectors[members], overall)
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    rows: Vectors = (moved / np.maximum(lengths, 1e-9)).astype(np.float32)
    return rows


def group_rows(rows: Vectors, *, least: float = LEAST) -> list[list[int]]:
    """Group rows by average linkage.

    Args:
        rows: float32, (n, dim), unit rows, at most `MOST`.
        least: mean cosine from which two groups are one, 0 to 1.

    Returns:
        The numbers of the rows, the nearest to the middle first; larger groups first, every row in exactly one.
    """
    if len(rows) < 2:
        return [[row] for row in range(len(rows))]
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import pdist

    distances = np.maximum(pdist(rows, "cosine"), 0.0)
    labels = fcluster(linkage(distances, "average"), 1.0 - least, "distance")
    groups = [_inside_out(rows, np.flatnonzero(labels == label)) for label in np.unique(labels)]
    return sorted(groups, key=lambda group: (-len(group), min(group)))


def _inside_out(rows: Vectors, members: "np.ndarray[tuple[int], np.dtype[np.intp]]") -> list[int]:
    middle = rows[members].mean(axis=0)
    return [int(row) for row in members[np.argsort(-(rows[members] @ middle), kind="stable")]]


def _drawn(vectors: Vectors, mean: Vectors) -> Vectors:
    drawn: Vectors = ((vectors.sum(axis=0) + _SHRINK * mean) / (len(vectors) + _SHRINK)).astype(np.float32)
    return drawn
