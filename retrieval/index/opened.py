"""An index opened for searching: arrays mapped into memory, texts read on demand. The embedded `CandidateSource`."""

import itertools
from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from typing import Self, cast

import numpy as np
import numpy.typing as npt

from retrieval.dense.nearest import NearestVectors
from retrieval.dense.products import check_query, products
from retrieval.errors import IndexMismatch, IndexMissing
from retrieval.index.arrays import Rows as RowTables
from retrieval.index.arrays import check_file, map_array, map_postings
from retrieval.index.cards import card_of
from retrieval.index.entries import OPEN, WAITING
from retrieval.index.fit import check_codes, check_dimension
from retrieval.index.manifest import Manifest, read_manifest
from retrieval.index.texts import StoredChunk, Texts
from retrieval.lexical import (
    LexicalMatch,
    PostingsBM25,
    best,
    keyword_scores,
    match_words,
    tfidf_norms,
    tfidf_scores,
    tokenize,
    word_weights,
)
from retrieval.lexical.postings import Floats, Ints
from retrieval.pacing import rest
from retrieval.passages import DocumentCard, SourceText
from retrieval.ports import Candidates, Cosines, Rows, Scores, StoredPassage, Vectors
from retrieval.ranking.ranker import DOCUMENT_MEANS, JUDGED_BY, RANKING, TRANSLATED, Ranker
from retrieval.ranking.scope import sampled
from retrieval.redaction import RedactedText
from retrieval.screening import host_of

_MASKS = 64
_FREED = 500
_CARDS = 4_096
# Sentences that a mean is taken of: more would be read from the disk at the first question for the same mean.
_MEAN_OF = 2_048


class OpenIndex:
    """One generation of an index. Holds its files open, so a later generation does not disturb it."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        files = manifest.files
        self.manifest = manifest
        self.vectors = cast("Vectors", map_array(folder, files, "vectors.npy", np.float32))
        self.ranking = cast("Vectors", map_array(folder, files, RANKING, np.float32))
        self.document_means = cast("Vectors", map_array(folder, files, DOCUMENT_MEANS, np.float32))
        self.rows = RowTables(
            cast("Ints", map_array(folder, files, "documents.npy", np.int32)),
            cast("Ints", map_array(folder, files, "chunks.npy", np.int32)),
        )
        self.bm25 = PostingsBM25(
            map_postings(folder, files),
            weights=cast("Floats", map_array(folder, files, "posting_weights.npy", np.float32)),
        )
        check_dimension((self.vectors, self.ranking, self.document_means), manifest.dimension)
        check_codes(self.rows, manifest, len(self.vectors))
        self._nearest = NearestVectors(self.ranking)
        self._sentences = map_array(folder, files, "sentences.npy", np.float16) if "sentences.npy" in files else None
        self.texts = Texts(check_file(folder, files, "texts.sqlite"))
        self._states: tuple[int, ...] = (OPEN,)
        self._among: npt.NDArray[np.bool_] | None = None
        self._masks: dict[frozenset[str] | None, npt.NDArray[np.bool_]] = {}
        self._cards: dict[int, DocumentCard] = {}
        self._norms: Scores | None = None
        self._hosts: frozenset[str] | None = None
        self._sentence_mean: Vectors | None = None
        rest()
        self.ranker = Ranker.open(
            {
                role: cast("Vectors", map_array(folder, files, role, np.float32))
                for role in JUDGED_BY
                if role in files or role != TRANSLATED  # made before ranking version 6 without it
            },
            stored=manifest.calibration,
            encoder=manifest.encoder,
            languages=self.languages(np.arange(len(self.vectors), dtype=np.int32)),
        )

    @classmethod
    def open(cls, folder: Path, *, encoder_identity: str) -> Self:
        """Open the current generation.

        Raises:
            IndexMissing: no index, or a file is gone.
            IndexDamaged: a file is truncated or not what its name says.
            IndexMismatch: made by another embedding model.
        """
        manifest = read_manifest(folder)
        if manifest.encoder != encoder_identity:
            raise IndexMismatch(
                f"the index in {folder} was made by {manifest.encoder}, the embedding model is {encoder_identity};"
                " set EMBEDDING_MODEL to the first or build the index again"
            )
        try:
            return cls(folder, manifest)
        except IndexMissing:
            # A writer may have dropped the generation between the two reads.
            fresh = read_manifest(folder)
            if fresh == manifest:
                raise
            return cls(folder, fresh)

    def lexical(
        self, tokens: Sequence[str], n: int, *, audience: frozenset[str] | None, scorer: str = "bm25"
    ) -> Candidates:
        """Give the best chunks by "bm25", "tfidf" or "keyword"; only those that share a token."""
        if scorer == "bm25":
            mask = self.mask(audience)
            return Candidates(*self.bm25.top(tokens, n, allowed=None if mask.all() else mask))
        if scorer == "keyword":
            scores = keyword_scores(self.bm25.postings, tokens)
        else:
            if self._norms is None:
                self._norms = tfidf_norms(self.bm25.postings)
            scores = tfidf_scores(self.bm25.postings, self._norms, tokens)
        return Candidates(*best(scores * self.mask(audience), n))

    def dense(self, query: Vectors, n: int, *, audience: frozenset[str] | None, language: str = "") -> Candidates:
        """Give the chunks nearest to one raw unit query vector, `float32, (dim,)`, in the ranking space."""
        return self.begin_dense(query, n, audience=audience, language=language)()

    def begin_dense(
        self, query: Vectors, n: int, *, audience: frozenset[str] | None, language: str = ""
    ) -> Callable[[], Candidates]:
        """Begin what `dense` does and give what ends it."""
        check_query(query)
        mask = self.mask(audience)
        moved = self.ranker.moved(query, language)
        end = self._nearest.begin(moved, n, allowed=None if mask.all() else mask)
        return lambda: Candidates(*end())

    def match(self, words: Sequence[tuple[str, ...]], rows: Rows) -> LexicalMatch:
        """Give BM25 and coverage of given chunks; `words` as `group_words` gives them."""
        return match_words(self.bm25, words, rows)

    def cosines(self, query: Vectors, rows: Rows, *, language: str = "") -> Cosines:
        """Give the cosines of given chunks with one raw query vector, `float32, (dim,)`."""
        # `take` gathers rows of a mapped table in two thirds of the time that an index takes.
        vectors, moved = np.take(self.vectors, rows, axis=0), self.ranker.moved(query, language)
        return Cosines(
            ranking=products(np.take(self.ranking, rows, axis=0), moved).astype(np.float64),
            document=products(np.take(self.document_means, self.documents(rows), axis=0), moved).astype(np.float64),
            neutral=self.ranker.cosines(query, vectors),
            raw=products(vectors, query).astype(np.float64),
        )

    def ranking_cosines(self, query: Vectors, rows: Rows) -> Scores:
        """Give the cosines in the ranking space alone, as of a query of unknown language, float64, (n,)."""
        return products(np.take(self.ranking, rows, axis=0), self.ranker.space.of_query(query)).astype(np.float64)

    def word_weights(self, words: Sequence[tuple[str, ...]]) -> list[float]:
        """Give the weight (idf) of each word; `words` as `group_words` gives them."""
        return word_weights(self.bm25, words)

    @property
    def query_mean(self) -> Vectors:
        """What raw query vectors have in common, float32, (dim,)."""
        return self.ranker.space.query_mean

    @property
    def sentence_mean(self) -> Vectors:
        """The mean of the sentence vectors, float32, (dim,); without them that of the chunks."""
        if self._sentence_mean is None:
            held = self.vectors if self._sentences is None or not len(self._sentences) else self._sentences
            rows = np.asarray(held[sampled(len(held), _MEAN_OF)], np.float32)
            self._sentence_mean = rows.sum(axis=0) / max(len(rows), 1)
        return self._sentence_mean

    def documents(self, rows: Rows) -> Rows:
        """Give the row of the document of each chunk."""
        return np.asarray(self.rows.chunks[rows, 0])

    def speakers(self, words: Sequence[str]) -> dict[str, int]:
        """Give for each language how many of some words stand in its chunks, each in any of them."""
        codes = [(place, name) for place, name in enumerate(self.manifest.languages) if name]
        return {name: sum(self._stands(word, place) for word in words) for place, name in codes}

    def _stands(self, word: str, code: int) -> bool:
        language, postings = self.manifest.languages[code], self.bm25.postings
        places = (self.bm25.find(token) for token in tokenize(word, (language,)))
        return any((self.rows.chunks[postings.rows[postings.span(at)], 1] == code).any() for at in places if at >= 0)

    def languages(self, rows: Rows) -> Sequence[str]:
        """Give the language of each chunk, empty when unknown."""
        return [self.manifest.languages[code] for code in self.rows.chunks[rows, 1]]

    def passages(self, rows: Rows) -> list[StoredPassage]:
        """Read chunks, in the order asked."""
        chunks = self.texts.chunks([int(row) for row in rows])
        cards = self._cards_of({chunk.document for chunk in chunks})
        return [self._passage(chunk, cards[chunk.document]) for chunk in chunks]

    def _cards_of(self, documents: set[int]) -> dict[int, DocumentCard]:
        """Read the cards of documents, the lately read ones from memory: a question reads those of its best documents twice."""
        found = {row: card for row in documents if (card := self._cards.get(row)) is not None}
        missing = sorted(documents - found.keys())
        fresh = dict(zip(missing, map(card_of, self.texts.facts(missing)), strict=True)) if missing else {}
        if len(self._cards) + len(fresh) > _CARDS:
            self._cards.clear()
        self._cards.update(fresh)
        return found | fresh

    def source(self, document_id: str, *, audience: frozenset[str] | None) -> SourceText | None:
        """Give one document whole, None when it is unknown, quarantined, or not for this audience."""
        row = self.texts.document_row(document_id)
        if row is None:
            return None
        item = self.texts.documents([row])[0]
        is_visible = audience is None or bool(audience & set(item.document.visibility))
        if item.screening.quarantined or not is_visible or not (self._among is None or self._among[row]):
            return None
        return SourceText(card_of(item), RedactedText.stored(item.document.evidence), self.hosts)

    def mask(self, audience: frozenset[str] | None) -> npt.NDArray[np.bool_]:
        """Give which chunks may be returned, bool, (n_chunks,)."""
        mask = self._masks.get(audience)
        if mask is None:
            visible = [audience is None or bool(audience & set(labels)) for labels in self.manifest.visibilities]
            is_open = np.isin(self.rows.documents[:, 1], self._states)
            documents = np.asarray(visible, np.bool_)[self.rows.documents[:, 0]] & is_open
            if self._among is not None:
                documents &= self._among
            mask = documents[self.rows.chunks[:, 0]]
            if len(self._masks) >= _MASKS:
                self._masks.clear()
            self._masks[audience] = mask
        return mask

    @property
    def has_waiting(self) -> bool:
        """Whether a document is held back until somebody decides about it."""
        return bool((self.rows.documents[:, 1] == WAITING).any())

    def with_waiting(self) -> Self:
        """Give a view that also finds what waits for a decision: to tell that it is there, never to show it."""
        view = copy(self)
        view._states, view._masks = (OPEN, WAITING), {}  # noqa: SLF001 - a copy of this very object
        return view

    def among(self, documents: npt.NDArray[np.bool_]) -> Self:
        """Give a view that finds only these documents, bool, (n_documents,) in the order of their ids; words keep their weights."""
        view = copy(self)
        view._among, view._masks = documents, {}  # noqa: SLF001 - a copy of this very object
        return view

    @property
    def hosts(self) -> frozenset[str]:
        """Hosts of the documents' own addresses, of those that are not held back."""
        if self._hosts is None:
            found = self.texts.addresses()
            self._hosts = frozenset(filter(None, map(host_of, found)))
        return self._hosts

    def close(self) -> None:
        """Close the texts; mapped arrays go with the object."""
        self._nearest.close()
        self.texts.close()

    def warm(self) -> None:
        """Make what questions would wait for or be slower without."""
        self._nearest.make()

    def free(self) -> None:
        """Let go of the ids of a closed index in steps: in one go it holds the interpreter for 10 ms at 50 000, while searches wait.

        Tables stay: a question under way may hold a view of this index, and is told that it is closed by its texts.
        """
        documents = self.manifest.documents
        while documents:
            for name in list(itertools.islice(documents, _FREED)):
                del documents[name]
            rest()

    def _passage(self, chunk: StoredChunk, card: DocumentCard) -> StoredPassage:
        vectors = None
        if self._sentences is not None:
            end = chunk.first_sentence + len(chunk.sentences)
            vectors = np.asarray(self._sentences[chunk.first_sentence : end], np.float32)
        return StoredPassage(
            chunk.row,
            chunk.id,
            card,
            RedactedText.stored(chunk.heading),
            RedactedText.stored(chunk.search_text),
            tuple(RedactedText.stored(sentence) for sentence in chunk.sentences),
            vectors,
            int(self.rows.chunks[chunk.row, 2]),
        )
