"""Which sentences of a document are evidence, and how near they are."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from retrieval.passages import EvidenceSentence
from retrieval.ports import Rows, StoredPassage, Vectors
from retrieval.search.evidence import evidence_of
from retrieval.search.queries import PreparedQuery
from retrieval.search.surroundings import Read
from tests.retrieval.search.test_surroundings import stored

# Two dimensions tell sentences apart; the third is what all of them have in common.
COMMON = np.array([0.0, 0.0, 2.0 / 5**0.5], np.float32)


class Space:
    """Means and weights of a base; chunks are equally near."""

    query_mean = COMMON
    sentence_mean = COMMON

    def word_weights(self, words: Sequence[tuple[str, ...]]) -> list[float]:
        return [1.0 for _ in words]

    def ranking_cosines(self, query: Vectors, rows: Rows) -> npt.NDArray[np.float64]:
        return np.zeros(len(rows))


class Encoder:
    """Embeds every text alike; counts them."""

    identity, dimension = "e", 3

    def __init__(self) -> None:
        self.embedded = 0

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self.encode_passages(texts)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded += len(texts)
        return np.tile(np.array([1.0, 0.0, 0.0], np.float32), (len(texts), 1))


def _query(*words: tuple[str, ...], at: float = 0.0) -> PreparedQuery:
    vector = np.array([np.cos(at), np.sin(at), 2.0], np.float32)
    return PreparedQuery("?", "en", words, (vector / np.linalg.norm(vector)).astype(np.float32))


def _chunk(row: int, *sentences: tuple[str, float]) -> StoredPassage:
    chunk = stored(row, "a", *(text for text, _ in sentences))
    rows = np.array([[np.cos(at), np.sin(at), 2.0] for _, at in sentences], np.float32)
    vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return StoredPassage(
        chunk.row, chunk.chunk_id, chunk.card, chunk.heading, chunk.search_text, chunk.sentences, vectors, row
    )


def _evidence(read: Read, *queries: PreparedQuery) -> tuple[EvidenceSentence, ...]:
    return evidence_of(Space(), [read], queries or [_query()], Encoder())[0]  # type: ignore[arg-type]


def test_nearness_leaves_out_what_all_sentences_share() -> None:
    """Raw cosines of unlike sentences are 0.8 and more, nearness tells them apart; the raw ones are kept."""
    near, far = _evidence(Read((_chunk(0, ("one", 0.1), ("two", 1.5)),)))
    assert near.similarity > far.similarity > 0.8
    assert near.nearness - far.nearness > 3 * (near.similarity - far.similarity)


def test_the_words_of_the_question_bring_a_sentence_nearer() -> None:
    """A word whole, another form by its stem at the head of a word, a code; no part of another word."""
    texts = ("It shows TL-4012 then.", "Two readers stand there.", "Nothing else stands here.", "A proofreader stands.")
    chunk = _chunk(0, *((text, 0.5) for text in texts))
    code, stem, plain, part = (
        s.nearness for s in _evidence(Read((chunk,)), _query(("tl-4012",), ("reader", "~reader")))
    )
    assert code == stem > plain == part


def test_the_best_query_counts() -> None:
    """Of two ways to ask the nearer one."""
    chunk = _chunk(0, ("one", 1.5))
    assert _evidence(Read((chunk,)), _query(), _query(at=1.5))[0].similarity > 0.999


def test_evidence_is_what_was_found_what_follows_and_two_others() -> None:
    """The others are the chunks with the nearest sentences; a gap in the text begins a new part."""
    angles = (1.5, 0.2, 1.5, 0.9, 0.8, 1.5, 0.1)
    chunks = tuple(_chunk(row, (f"s{row}", angle)) for row, angle in enumerate(angles))
    found = _evidence(Read(chunks, 3))
    assert [(str(s.text), s.part) for s in found] == [("s1", 0), ("s3", 1), ("s4", 1), ("s6", 2)]
    assert [s.index for s in found] == [0, 1, 2, 3]


def test_what_two_chunks_hold_comes_once() -> None:
    """The overlap only: a step that says the same further down stays."""
    chunks = (_chunk(0, ("one", 0), ("two", 0)), _chunk(1, ("two", 0), ("three", 0), ("one", 0)))
    assert [str(s.text) for s in _evidence(Read(chunks))] == ["one", "two", "three", "one"]


def test_without_sentence_vectors_a_few_are_embedded() -> None:
    """Those with words of the question, then the first ones; the others get a cosine of 0 and are far."""
    encoder = Encoder()
    texts = [*(f"s{n}" for n in range(11)), "The reader is dead."]
    chunk = stored(0, "a", *texts, has_vectors=False)
    found = evidence_of(Space(), [Read((chunk,))], [_query(("reader",))], encoder)[0]  # type: ignore[arg-type]
    assert [s.similarity > 0 for s in found] == [True] * 7 + [False] * 4 + [True]
    assert max(found, key=lambda s: s.nearness).index == 11
    assert max(s.nearness for s in found[7:11]) < min(s.nearness for s in found[:7])
    assert (encoder.embedded, evidence_of(Space(), [], [_query()], encoder)) == (8, [])  # type: ignore[arg-type]
