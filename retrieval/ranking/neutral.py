"""Language-neutral vectors for judging: what a language adds is taken out, what queries and passages share stays.

Raw cosines favour texts of one language: a Chinese question is nearer to Chinese small talk than to the English article that
answers it, and the gate declined one in five cross-lingual questions for that. From each vector the difference between
its language's mean and the mean over languages is taken; both means come from the bundled banks, which hold the same kind of text in
eleven languages. The language of a vector is that of the nearest mean, so nothing has to be known of the text.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from retrieval.ports import Vectors
from retrieval.ranking.space import unit_rows

_BLOCK = 65_536
# As many multiplications as OpenBLAS does on one thread. Above, its threads wait for each other: 400 chunks took 1.1 to 1.8 ms of
# processor time on two busy cores, .26 in parts.
_ALONE = 200_000


@dataclass(frozen=True, slots=True)
class LanguageMeans:
    """`means`: float32, (n_languages, dim), of one kind of vector (queries or passages)."""

    means: Vectors
    _shifts: Vectors = field(init=False, repr=False, compare=False)
    _lengths: Vectors = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Keep what each call would make anew."""
        object.__setattr__(self, "_shifts", self.means - self.means.mean(axis=0))
        object.__setattr__(self, "_lengths", (self.means**2).sum(axis=1))

    @classmethod
    def of(cls, vectors: Vectors, languages: Sequence[str]) -> "LanguageMeans":
        """Take the mean of each language's vectors; `languages` names that of each row."""
        codes = np.asarray(languages, dtype=str)
        return cls(np.stack([vectors[codes == code].mean(axis=0) for code in sorted(set(languages))]))

    def neutral(self, vectors: Vectors) -> Vectors:
        """Give the vectors, float32, (n, dim), without their language; unit rows, inputs unchanged."""
        if not len(vectors):
            return np.asarray(vectors, np.float32)
        parts = []
        for start in range(0, len(vectors), _BLOCK):
            rows = np.asarray(vectors[start : start + _BLOCK], np.float32)
            parts.append(unit_rows(rows - self._shifts[self._nearest(rows)]))
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _nearest(self, rows: Vectors) -> npt.NDArray[np.intp]:
        """Give the place of the nearest mean of each row."""
        count = max(_ALONE // self.means.size, 1)
        near = [rows[start : start + count] @ self.means.T for start in range(0, len(rows), count)]
        return np.asarray((2.0 * np.concatenate(near) - self._lengths).argmax(axis=1), np.intp)

    @property
    def axes(self) -> Vectors:
        """Orthonormal directions in which the means differ, float32, (n_languages - 1, dim)."""
        found: Vectors = np.linalg.svd(self._shifts, full_matrices=False)[2][: max(len(self.means) - 1, 0)]
        return found.astype(np.float32)
