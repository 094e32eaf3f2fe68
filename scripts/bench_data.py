"""The synthetic base of `triage bench`: words by Zipf's law and clustered unit vectors, the same for every run."""

import itertools
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


@dataclass(frozen=True, slots=True)
class SyntheticBase:
    """`tokens` of each chunk, `queries` as tokens, `vectors` float32, (n, 384) and `query_vectors`, unit rows."""

    tokens: tuple[tuple[str, ...], ...]
    queries: tuple[tuple[str, ...], ...]
    vectors: Vectors
    query_vectors: Vectors


def synthetic_base(chunks: int, *, queries: int = 60, seed: int = 7) -> SyntheticBase:
    """Make a base of the given size."""
    rng = np.random.default_rng(seed)
    names = np.array([_word(i) for i in range(_VOCABULARY)])
    lengths = rng.integers(*_WORDS, size=chunks)
    drawn = _zipf(rng, int(lengths.sum()))
    bounds = np.cumsum([0, *lengths])
    words = names[drawn]
    return SyntheticBase(
        tokens=tuple(tuple(words[a:b].tolist()) for a, b in itertools.pairwise(bounds.tolist())),
        queries=tuple(tuple(names[_zipf(rng, _QUERY_WORDS)].tolist()) for _ in range(queries)),
        vectors=_clustered(rng, chunks),
        query_vectors=_clustered(rng, queries),
    )


def mapped(vectors: Vectors, folder: Path) -> Vectors:
    """Write vectors and map them into memory, as an index does."""
    path = folder / f"vectors-{len(vectors)}.npy"
    np.save(path, vectors)
    loaded: Vectors = np.load(path, mmap_mode="r")
    return loaded


def _zipf(rng: np.random.Generator, count: int) -> npt.NDArray[np.int64]:
    """Draw word numbers with probability about 1 / (rank + 2.7)."""
    weights = 1.0 / (np.arange(_VOCABULARY) + 2.7)
    cumulative = np.cumsum(weights / weights.sum())
    return np.minimum(np.searchsorted(cumulative, rng.random(count)), _VOCABULARY - 1)


def _word(number: int) -> str:
    """Spell a number in consonants and vowels: a word that no stemmer shortens much."""
    letters = "bdfgklmnprtvz"
    text = ""
    for _ in range(4):
        number, place = divmod(number, len(letters))
        text += letters[place] + "aeiou"[(number + place) % 5]
    return text


def _clustered(rng: np.random.Generator, count: int) -> Vectors:
    centres = rng.normal(size=(_CLUSTERS, DIMENSION)).astype(np.float32)
    rows = centres[rng.integers(0, _CLUSTERS, count)] + 0.6 * rng.standard_normal((count, DIMENSION), dtype=np.float32)
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit
