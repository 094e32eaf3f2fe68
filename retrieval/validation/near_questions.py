"""Which texts lie nearest to each other by their vectors, whatever words and language they are in."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from retrieval.ports import Vectors

# Nearest neighbours of each that count, and the least cosine; both must be the other's.
_NEIGHBOURS = 3
LEAST_COSINE = 0.88
_BLOCK = 512


def mutual_neighbours(names: Sequence[str], vectors: Mapping[str, Vectors]) -> list[tuple[int, int, float]]:
    """Give pairs of places of names that are among each other's nearest, with their cosine, the smaller place first.

    Args:
        names: of what is compared; those without a vector are left out.
        vectors: unit rows by name, float32, (dim,).
    """
    places = [place for place, name in enumerate(names) if name in vectors]
    if len(places) < 2:
        return []
    matrix = np.stack([vectors[names[place]] for place in places]).astype(np.float32)
    nearest = [_nearest(matrix, start) for start in range(0, len(places), _BLOCK)]
    neighbours = [frozenset(row.tolist()) for block, _ in nearest for row in block]
    found = []
    for row, (others, cosines) in enumerate(
        (o, c) for block, values in nearest for o, c in zip(block.tolist(), values.tolist(), strict=True)
    ):
        for other, cosine in zip(others, cosines, strict=True):
            if row < other and cosine >= LEAST_COSINE and row in neighbours[other]:
                found.append((places[row], places[other], float(cosine)))
    return found


def _nearest(matrix: Vectors, start: int) -> tuple[npt.NDArray[np.int64], Vectors]:
    """Give the nearest rows of each row of a block, `int64, (n, k)`, and their cosines."""
    cosines = matrix[start : start + _BLOCK] @ matrix.T
    rows = np.arange(len(cosines))
    cosines[rows, start + rows] = -1.0
    many = min(_NEIGHBOURS, cosines.shape[1] - 1)
    chosen = np.argpartition(-cosines, many - 1, axis=1)[:, :many].astype(np.int64)
    return chosen, np.take_along_axis(cosines, chosen, axis=1)
