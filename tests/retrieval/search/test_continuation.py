"""Evidence that goes on in the next chunk."""

from collections.abc import Sequence

import numpy as np

from retrieval.passages import DocumentCard
from retrieval.ports import Rows, StoredPassage
from retrieval.redaction import EMPTY, RedactedText
from retrieval.search.continuation import with_continuation


def _stored(row: int, document: str, *sentences: str, has_vectors: bool = True) -> StoredPassage:
    texts = tuple(RedactedText.stored(sentence) for sentence in sentences)
    vectors = np.full((len(texts), 2), row, np.float32) if has_vectors else None
    return StoredPassage(row, f"{document}#{row}", DocumentCard(document, EMPTY), EMPTY, EMPTY, texts, vectors, row)


class Chunks:
    """Reads chunks by row."""

    def __init__(self, *chunks: StoredPassage) -> None:
        self.chunks = chunks

    def passages(self, rows: Rows) -> list[StoredPassage]:
        return [self.chunks[int(row)] for row in rows]


def _sentences(chunks: Sequence[StoredPassage], *rows: int) -> list[list[str]]:
    found = with_continuation(Chunks(*chunks), [chunks[row] for row in rows], len(chunks))  # type: ignore[arg-type]
    for passage in found:
        assert passage.vectors is None or len(passage.vectors) == len(passage.sentences)
    return [[str(sentence) for sentence in passage.sentences] for passage in found]


def test_the_next_chunk_of_the_document_is_added_once() -> None:
    """Its overlap is not repeated; another document's chunk and the end of the index add nothing."""
    chunks = (_stored(0, "a", "one", "two"), _stored(1, "a", "two", "three"), _stored(2, "b", "four"))
    assert _sentences(chunks, 0, 1, 2) == [["one", "two", "three"], ["two", "three"], ["four"]]


def test_only_the_first_three_go_on() -> None:
    """The fourth stays as it was found."""
    chunks = [_stored(n, "abcd"[n // 2], f"s{n}") for n in range(8)]
    assert _sentences(chunks, 0, 2, 4, 6) == [["s0", "s1"], ["s2", "s3"], ["s4", "s5"], ["s6"]]


def test_without_sentence_vectors_nothing_is_added() -> None:
    """They would have to be embedded now."""
    chunks = (_stored(0, "a", "one", has_vectors=False), _stored(1, "a", "two", has_vectors=False))
    assert _sentences(chunks, 0) == [["one"]]
