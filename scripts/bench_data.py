"""The synthetic base of `triage bench`: words by Zipf's law and clustered unit vectors, the same for every run."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from retrieval.ports import Vectors

DIMENSION = 384
_VOCABULARY = 50_000
_CLUSTERS = 200
_WORDS = (40, 80)
_QUERY_WORDS = 8
_BLOCK = 50_000

Numbers = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class SyntheticBase:
    """Texts as word numbers: a million chunks as Python lists would fill the memory.

    Attributes:
        names: the words.
        words: int32, the numbers of all words, chunk after chunk.
        bounds: int64, (chunks + 1,), where each chunk begins in `words`.
        queries: as words, eight each.
        query_vectors: float32, (n_queries, 384), unit rows.
    """

    names: tuple[str, ...]
    words: Numbers
    bounds: npt.NDArray[np.int64]
    queries: tuple[tuple[str, ...], ...]
    query_vectors: Vectors

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return len(self.bounds) - 1

    def tokens(self) -> Iterator[list[str]]:
        """Give the words of each chunk."""
        for start, end in itertools.pairwise(self.bounds.tolist()):
            yield [self.names[number] for number in self.words[start:end].tolist()]


def synthetic_base(chunks: int, *, queries: int = 60, seed: int = 7) -> SyntheticBase:
    """Make a base of the given size."""
    rng = np.random.default_rng(seed)
    names = tuple(_word(number) for number in range(_VOCABULARY))
    lengths = rng.integers(*_WORDS, size=chunks)
    words = _zipf(rng, int(lengths.sum()))
    asked = [_zipf(rng, _QUERY_WORDS).tolist() for _ in range(queries)]
    return SyntheticBase(
        names=names,
        words=words,
        bounds=np.cumsum([0, *lengths], dtype=np.int64),
        queries=tuple(tuple(names[number] for number in numbers) for numbers in asked),
        query_vectors=_clustered(rng, queries, _centres()),
    )


def write_vectors(chunks: int, path: Path, *, seed: int = 11) -> None:
    """Write clustered unit vectors, float32, (chunks, 384), block by block."""
    rng, centres = np.random.default_rng(seed), _centres()
    written = np.lib.format.open_memmap(path, "w+", np.float32, (chunks, DIMENSION), version=(1, 0))
    for start in range(0, chunks, _BLOCK):
        end = min(start + _BLOCK, chunks)
        written[start:end] = _clustered(rng, end - start, centres)
    written.flush()


def _zipf(rng: np.random.Generator, count: int) -> Numbers:
    """Draw word numbers with probability about 1 / (rank + 2.7)."""
    weights = 1.0 / (np.arange(_VOCABULARY) + 2.7)
    cumulative = np.cumsum(weights / weights.sum())
    parts = [
        np.minimum(np.searchsorted(cumulative, rng.random(min(_BLOCK, count - start))), _VOCABULARY - 1)
        for start in range(0, count, _BLOCK)
    ]
    return np.concatenate(parts).astype(np.int32)


def _word(number: int) -> str:
    """Spell a number in consonants and vowels: a word that no stemmer shortens much."""
    letters = "bdfgklmnprtvz"
    text = ""
    for _ in range(4):
        number, place = divmod(number, len(letters))
        text += letters[place] + "aeiou"[(number + place) % 5]
    return text


def _centres() -> Vectors:
    return np.random.default_rng(3).standard_normal((_CLUSTERS, DIMENSION), dtype=np.float32)


def _clustered(rng: np.random.Generator, count: int, centres: Vectors) -> Vectors:
    rows = centres[rng.integers(0, _CLUSTERS, count)] + 0.6 * rng.standard_normal((count, DIMENSION), dtype=np.float32)
    unit: Vectors = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return unit
