"""The rest of the documents that were found."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from retrieval.passages import DocumentCard
from retrieval.ports import Rows, StoredPassage
from retrieval.redaction import EMPTY, RedactedText
from retrieval.search.surroundings import REACH, read_around


def stored(row: int, document: str, *sentences: str, has_vectors: bool = True) -> StoredPassage:
    """Make a chunk; its sentence vectors point where `row` says."""
    texts = tuple(RedactedText.stored(sentence) for sentence in sentences)
    vectors = np.full((len(texts), 2), row, np.float32) if has_vectors else None
    return StoredPassage(row, f"{document}#{row}", DocumentCard(document, EMPTY), EMPTY, EMPTY, texts, vectors, row)


class Chunks:
    """Reads chunks by row."""

    def __init__(self, *chunks: StoredPassage) -> None:
        self.chunks = chunks
        names = sorted({chunk.card.id for chunk in chunks})
        self._owners = np.array([names.index(chunk.card.id) for chunk in chunks], np.int32)

    def passages(self, rows: Rows) -> list[StoredPassage]:
        return [self.chunks[int(row)] for row in rows]

    def documents(self, rows: Rows) -> npt.NDArray[np.int32]:
        return np.asarray(self._owners[rows])


def _rows(chunks: Sequence[StoredPassage], *found: int) -> list[tuple[list[int], int]]:
    read = read_around(Chunks(*chunks), [chunks[row] for row in found], len(chunks))  # type: ignore[arg-type]
    return [([chunk.row for chunk in one.chunks], one.found) for one in read]


def test_the_whole_document_is_read() -> None:
    """Before and behind the chunk that was found, and of no other document."""
    chunks = [stored(n, "aaabbc"[n], f"s{n}") for n in range(6)]
    assert _rows(chunks, 1, 4, 5) == [([0, 1, 2], 1), ([3, 4], 1), ([5], 0)]


def test_only_the_first_three_are_read() -> None:
    """The fourth stays as it was found."""
    chunks = [stored(n, "abcd"[n // 2], f"s{n}") for n in range(8)]
    assert _rows(chunks, 0, 2, 4, 6) == [([0, 1], 0), ([2, 3], 0), ([4, 5], 0), ([6], 0)]


def test_a_long_document_is_read_around_what_was_found() -> None:
    """Twelve chunks on either side."""
    chunks = [stored(n, "a", f"s{n}") for n in range(60)]
    assert _rows(chunks, 30) == [(list(range(30 - REACH, 31 + REACH)), REACH)]


def test_without_sentence_vectors_nothing_is_read() -> None:
    """They would have to be embedded now."""
    chunks = [stored(n, "a", f"s{n}", has_vectors=False) for n in range(2)]
    assert _rows(chunks, 0) == [([0], 0)]
    assert _rows(chunks) == []
