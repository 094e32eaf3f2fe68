"""Sparse postings: for every token the documents that hold it, in arrays that can be memory-mapped."""

import itertools
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Postings:
    """Columns of a term-document matrix.

    Attributes:
        blob: uint8, the sorted tokens in UTF-8, one after the other.
        bounds: int64, (n_tokens + 1,), where each token begins in `blob`.
        offsets: int64, (n_tokens + 1,), where each token's postings begin.
        rows: int32, (n_postings,), row of the document, ascending within a token.
        counts: int32, (n_postings,), how often the token stands there (1 and upward).
        lengths: int32, (n_documents,), tokens of each document.
    """

    blob: npt.NDArray[np.uint8]
    bounds: Longs
    offsets: Longs
    rows: Ints
    counts: Ints
    lengths: Ints
    # Plain buffers over three of the arrays: reading one number of an array costs ten times as much.
    _letters: memoryview = field(init=False, repr=False, compare=False)
    _bounds: memoryview = field(init=False, repr=False, compare=False)
    _offsets: memoryview = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Open the buffers; the arrays are contiguous, in memory or mapped."""
        object.__setattr__(self, "_letters", memoryview(self.blob.data))
        object.__setattr__(self, "_bounds", memoryview(self.bounds.data))
        object.__setattr__(self, "_offsets", memoryview(self.offsets.data))

    @property
    def n_documents(self) -> int:
        """Number of rows."""
        return len(self.lengths)

    @property
    def n_tokens(self) -> int:
        """Number of distinct tokens."""
        return len(self.bounds) - 1

    def find(self, token: str) -> int:
        """Give the position of a token, −1 for an unknown one. Binary search: nothing is loaded at start."""
        wanted = token.encode("utf-8", "surrogatepass")
        place = bisect_left(range(self.n_tokens), wanted, key=self._token)
        return place if place < self.n_tokens and self._token(place) == wanted else -1

    def token(self, position: int) -> str:
        """Give the token at a position."""
        return self._token(position).decode("utf-8", "surrogatepass")

    def span(self, position: int) -> slice:
        """Give where the postings of the token at a position lie in `rows` and `counts`."""
        return slice(self._offsets[position], self._offsets[position + 1])

    def frequencies(self) -> Longs:
        """Give the number of documents of each token, int64, (n_tokens,)."""
        return np.diff(self.offsets)

    def _token(self, position: int) -> bytes:
        return bytes(self._letters[self._bounds[position] : self._bounds[position + 1]])


def build_postings(corpus: Iterable[Sequence[str]]) -> Postings:
    """Count tokens. Each document is a list of tokens; the result does not depend on hash seeds."""
    ids: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    terms, lengths = array("i"), array("i")
    for tokens in corpus:
        terms.extend(map(ids.__getitem__, tokens))  # no Python code for a token
        lengths.append(len(tokens))
    encoded = [token.encode("utf-8", "surrogatepass") for token in ids]
    order = sorted(range(len(encoded)), key=encoded.__getitem__)
    rank = np.empty(len(encoded), np.int32)
    rank[order] = np.arange(len(encoded), dtype=np.int32)
    blob = np.frombuffer(b"".join(encoded[i] for i in order), np.uint8)
    bounds = np.cumsum([0, *(len(encoded[i]) for i in order)], dtype=np.int64)
    sizes = np.array(lengths, np.int32)
    return Postings(blob, bounds, *_counted(np.array(terms, np.int32), rank, sizes), sizes)


def _counted(terms: Ints, rank: Ints, lengths: Ints) -> tuple[Longs, Ints, Ints]:
    """Give offsets, rows and counts. One array of 8 bytes a token is sorted in place: 60 million tokens take half a gigabyte."""
    count = max(len(lengths), 1)
    keys = rank[terms].astype(np.int64)
    keys *= count
    keys += np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    keys.sort()
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])) if len(keys) else np.empty(0, np.int64)
    counts = np.diff(starts, append=len(keys)).astype(np.int32)
    keys = keys[starts]
    offsets = np.searchsorted(keys, np.arange(rank.size + 1, dtype=np.int64) * count)
    return offsets.astype(np.int64), (keys % count).astype(np.int32), counts
