"""What the retriever needs from an engine and from a model, so that another one can stand behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from retrieval.lexical.match import LexicalMatch
from retrieval.passages import DocumentCard
from retrieval.redaction.redacted_text import RedactedText

Vectors = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float64]


class Encoder(Protocol):
    """Turns text into unit vectors. Safe to call from one thread at a time."""

    @property
    def identity(self) -> str:
        """Name and content hash of the weights and prompts; vectors of two identities never mix."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Give `float32, (len(texts), dimension)`, unit rows, with the model's query prompt."""
        ...

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Give `float32, (len(texts), dimension)`, unit rows, with the model's passage prompt."""
        ...


@dataclass(frozen=True, slots=True)
class Candidates:
    """Rows of chunks and their scores, best first: `int32, (n,)` and `float64, (n,)`."""

    rows: Rows
    scores: Scores


class Cosines(NamedTuple):
    """Cosines of chunks with one query, float64, (n,) each, -1 to 1.

    Attributes:
        ranking: of the chunk in the ranking space.
        document: of the mean of its document's chunks in the ranking space.
        neutral: without what the languages add.
        raw: as the model gives it.
    """

    ranking: Scores
    document: Scores
    neutral: Scores
    raw: Scores


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A chunk with its document, as it is read for the rows that a search returns.

    `vectors`: float32, (n_sentences, dim), unit rows, of the evidence sentences; None when the index holds none.
    `group` is equal for chunks of the same words.
    """

    row: int
    chunk_id: str
    card: DocumentCard
    heading: RedactedText
    search_text: RedactedText
    sentences: tuple[RedactedText, ...]
    vectors: Vectors | None
    group: int


class CandidateSource(Protocol):
    """An engine that holds the chunks of one index. Quarantined documents and those outside `audience` never come back.

    `audience` None means everything that is not quarantined. All methods raise `RetrievalError` when the engine fails.
    """

    def lexical(
        self, tokens: Sequence[str], n: int, *, audience: frozenset[str] | None, scorer: str = "bm25"
    ) -> Candidates:
        """Give the best chunks by "bm25", "tfidf" or "keyword"; only those that share a token."""
        ...

    def dense(self, query: Vectors, n: int, *, audience: frozenset[str] | None, language: str = "") -> Candidates:
        """Give the chunks nearest to one raw unit query vector, `float32, (dim,)`, in the ranking space.

        `language` is that of the query, empty when unknown.
        """
        ...

    def begin_dense(
        self, query: Vectors, n: int, *, audience: frozenset[str] | None, language: str = ""
    ) -> Callable[[], Candidates]:
        """Begin what `dense` does and give what ends it, to be called on this thread and in any case."""
        ...

    def match(self, words: Sequence[tuple[str, ...]], rows: Rows) -> LexicalMatch:
        """Give BM25 and coverage of given chunks; `words` as `group_words` gives them."""
        ...

    def cosines(self, query: Vectors, rows: Rows, *, language: str = "") -> Cosines:
        """Give the cosines of given chunks with one raw query vector, `float32, (dim,)`; `language` as in `dense`."""
        ...

    def ranking_cosines(self, query: Vectors, rows: Rows) -> Scores:
        """Give the first of them alone, as of a query of unknown language, float64, (n,)."""
        ...

    def word_weights(self, words: Sequence[tuple[str, ...]]) -> list[float]:
        """Give the weight (idf) of each word; `words` as `group_words` gives them."""
        ...

    @property
    def query_mean(self) -> Vectors:
        """What raw query vectors have in common, float32, (dim,)."""
        ...

    @property
    def sentence_mean(self) -> Vectors:
        """The mean of the sentence vectors, float32, (dim,)."""
        ...

    def documents(self, rows: Rows) -> Rows:
        """Give the row of the document of each chunk."""
        ...

    def languages(self, rows: Rows) -> Sequence[str]:
        """Give the language of each chunk, empty when unknown."""
        ...

    def passages(self, rows: Rows) -> list[StoredPassage]:
        """Read chunks, in the order asked."""
        ...
