"""The door to an index: search, the topic gate, similarity. The work is done in the rooms beside it."""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from retrieval.index import OpenIndex
from retrieval.passages import EvidenceSentence, GateScore, GateVerdict, Passage, Ranking, SourceText
from retrieval.ports import Encoder, Scores, StoredPassage, Vectors
from retrieval.ranking.calibration import Calibration
from retrieval.search import PreparedQuery, gather, prepare_queries
from retrieval.search.copies import best_of_each, without_copies
from retrieval.search.evidence import evidence_of
from retrieval.search.judging import features_of, without
from retrieval.search.pool import Pool
from retrieval.search.priors import by_priors
from retrieval.search.queries import joint_question
from retrieval.search.scoring import Method, fused_scores, order, relevance
from retrieval.search.surroundings import read_around

# Passages read beyond `top_k`, so that copies which are left out find successors; more only when these do not suffice.
_SPARE, _MOST_SPARE = 4, 16
# Documents that are looked at for one that is held back.
_HELD = 4

# One or two words say too little to be judged by meaning; a word in over a quarter of the chunks (weight 1.4) names nothing.
_BARE_WORDS, _COMMON = 2, 1.4


class Retriever:
    """Searches one generation of an index. Safe to share between threads when the encoder is.

    Args:
        index: the opened index.
        encoder: the model that made its vectors.
    """

    def __init__(self, index: OpenIndex, encoder: Encoder) -> None:
        self._index = index
        self._encoder = encoder
        # Both hash whole tables: 50 ms at 5 000 documents, so they are named once and not at every search.
        self._index_id = index.manifest.index_id
        self._calibration_id = index.ranker.calibration.id
        self._quotes = True

    @classmethod
    def open(cls, index_dir: Path, *, encoder: Encoder) -> Self:
        """Open the current generation of the index in a folder.

        Raises:
            IndexMissing: there is none, or a file is gone.
            IndexDamaged: a file is truncated or not what its name says.
            IndexMismatch: another model made it.
        """
        return cls(OpenIndex.open(index_dir, encoder_identity=encoder.identity), encoder)

    @property
    def index_id(self) -> str:
        """Name of the contents."""
        return self._index_id

    @property
    def calibration(self) -> Calibration:
        """What turns features into relevance here."""
        return self._index.ranker.calibration

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages of the documents, ISO 639-1, sorted."""
        return tuple(code for code in self._index.manifest.languages if code)

    def speakers(self, words: Sequence[str]) -> Mapping[str, int]:
        """Give for each language how many of some words stand in its documents."""
        return self._index.speakers(words)

    @property
    def hosts(self) -> frozenset[str]:
        """Hosts of the documents' own addresses, of those that are not held back."""
        return self._index.hosts

    @property
    def document_count(self) -> int:
        """How many documents the index holds, quarantined ones included."""
        return self._index.manifest.counts.documents

    @property
    def is_empty(self) -> bool:
        """Whether the knowledge base holds nothing."""
        return not self._index.manifest.counts.chunks

    def search(
        self,
        queries: Sequence[str],
        *,
        audience: frozenset[str] | None = None,
        top_k: int = 8,
        method: str = Method.HYBRID,
    ) -> Ranking:
        """Rank documents by their best passage.

        Args:
            queries: the question as asked, then other ways to say it.
            audience: labels that the asker may see; None for everything.
            top_k: how many documents at most.
            method: one of `Method`.

        Raises:
            ValueError: no such method.
            RetrievalError: the index cannot be read.
        """
        return self._search(self._index, queries, audience, top_k, Method(method))

    def held(self, queries: Sequence[str], *, audience: frozenset[str] | None = None) -> tuple[str, ...]:
        """Name the documents that wait for a decision and would be the first to answer, were they not held back.

        Their texts are not given. A document counts when it passes the plain cut and nothing that may be shown is more
        relevant: a faint likeness to a planted text is no sign of an answer.

        Raises:
            RetrievalError: the index cannot be read.
        """
        if not self._index.has_waiting:
            return ()
        ranking = self._search(self._index.with_waiting(), queries, audience, _HELD, Method.HYBRID)
        shown = [p.relevance for p in ranking.passages if not p.document.quarantined]
        least = max((ranking.cut, *shown))
        held = (p for p in ranking.passages if p.document.quarantined and p.relevance >= least)
        return tuple(passage.document.id for passage in held)

    def _search(
        self, index: OpenIndex, queries: Sequence[str], audience: frozenset[str] | None, top_k: int, wanted: Method
    ) -> Ranking:
        prepared = prepare_queries(queries, self._encoder, index.manifest.languages)
        pool = gather(index, prepared, audience=audience)
        if not len(pool.rows):  # a blank question, an empty base, or nothing that the asker may see
            return self._ranking(())
        fused = fused_scores(pool, index.ranker)
        is_hybrid = wanted == Method.HYBRID
        scores = fused.copy() if is_hybrid else order(index, pool, index.ranker, wanted, audience=audience)
        places = best_of_each(scores, pool.documents)
        places = places[np.isfinite(scores[places])][: top_k + _MOST_SPARE]
        stored = index.passages(pool.rows[places[: top_k + _SPARE]])
        if is_hybrid:
            stored, places = by_priors(stored, places, scores)
        kept = without_copies(stored, top_k)
        if len(kept) < top_k and len(places) > len(stored):
            stored += index.passages(pool.rows[places[len(stored) :]])
            kept = without_copies(stored, top_k)
        texts = {int(place): str(one.search_text) for place, one in zip(places, stored, strict=False)}
        judged = relevance(pool, index.ranker, fused=fused, texts=texts)
        chosen = [
            _Chosen(stored[i], int(places[i]), tuple(stored[copy].card.id for copy in copies))
            for i, copies in kept.items()
        ]
        evidence: Sequence[tuple[EvidenceSentence, ...]] = [()] * len(chosen)
        if self._quotes:
            read = read_around(index, [one.stored for one in chosen], index.manifest.counts.chunks)
            evidence = evidence_of(index, read, prepared, self._encoder)
        pairs = zip(chosen, evidence, strict=True)
        return self._ranking(tuple(_passage(one, sentences, pool, scores, judged) for one, sentences in pairs))

    def _ranking(self, passages: tuple[Passage, ...]) -> Ranking:
        calibration = self._index.ranker.calibration
        band = calibration.band(max((passage.relevance for passage in passages), default=-1.0))
        cuts = calibration.answered, calibration.uncertain
        size = self._index.manifest.counts.documents
        return Ranking(passages, band, *cuts, self._index_id, self._calibration_id, self._index.hosts, size)

    def gate(self, text: str, previous: str | None = None) -> GateScore:
        """Judge whether a question belongs here, together with the thread's previous question when it is a follow-up."""
        alone = prepare_queries([text], self._encoder, self.languages)
        if not alone:
            return GateScore(GateVerdict.ANSWER, 1.0)
        joint = prepare_queries([joint_question(text, previous)], self._encoder, self.languages) if previous else []
        asked = alone[0]
        return self._index.ranker.judge(
            asked.vector, joint[0].vector if joint else None, is_named=self._is_named(asked)
        )

    def _is_named(self, query: PreparedQuery) -> bool:
        """Tell whether a query is one or two bare words that the base holds: a product, a code, "VPN". Meaning says little of them."""
        if not 0 < len(query.words) <= _BARE_WORDS:
            return False
        *weights, unknown = self._index.word_weights((*query.words, ("",)))
        return max(weights) < unknown and max(weights) >= _COMMON

    def among(self, documents: npt.NDArray[np.bool_]) -> Self:
        """Give a view that finds only these documents, bool, (n_documents,) in the order of `document_ids`. Not to be closed."""
        view = copy(self)
        view._index = self._index.among(documents)  # noqa: SLF001 - a copy of this very object
        return view

    def without(self, names: Collection[str]) -> Self:
        """Give a view that finds everything but these documents. Not to be closed."""
        if not names:
            return self
        left = frozenset(names)
        ids = self.document_ids
        return self.among(np.fromiter((name not in left for name in ids), np.bool_, len(ids)))

    def order_only(self) -> Self:
        """Give a view whose passages hold no sentences: without their vectors in the index those are encoded at every search. Not to be closed."""
        view = copy(self)
        view._quotes = False  # noqa: SLF001 - a copy of this very object
        return view

    @property
    def document_ids(self) -> tuple[str, ...]:
        """Ids of all documents, held back ones too, in the order of their rows."""
        return tuple(sorted(self._index.manifest.documents))

    def features(self, queries: Sequence[str], *, held_out: Collection[str] = ()) -> Scores:
        """Give what relevance is judged by for the first passages of a question, for calibration.

        Args:
            queries: the question as asked, then other ways to say it.
            held_out: ids of documents that are taken as not in the base.

        Returns:
            One row a query and passage, float64, (n, k), columns as in `retrieval.ranking.relevance.FEATURES`.
        """
        prepared = prepare_queries(queries, self._encoder, self._index.manifest.languages)
        pool = gather(self._index, prepared, audience=None)
        rows = [row for name in held_out if (row := self._index.texts.document_row(name)) is not None]
        return features_of(self._index, without(pool, rows) if rows else pool, self._index.ranker)

    def query_vectors(self, questions: Sequence[str]) -> Vectors:
        """Encode questions, float32, (n, dim), unit rows, to be compared with each other."""
        return self._encoder.encode_queries(list(questions))

    @property
    def query_mean(self) -> Vectors:
        """What raw query vectors have in common here, float32, (dim,)."""
        return self._index.query_mean

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> list[list[float]]:
        """Give raw cosines of texts, `len(left)` rows of `len(right)`, both encoded as passages."""
        if not left or not right:
            return [[] for _ in left]
        rows = self._encoder.encode_passages(list(left)) @ self._encoder.encode_passages(list(right)).T
        return [[float(value) for value in row] for row in np.asarray(rows)]

    def document(self, document_id: str, *, audience: frozenset[str] | None = None) -> SourceText | None:
        """Give one source whole, None when it is unknown, quarantined, or not for this audience."""
        return self._index.source(document_id, audience=audience)

    def ping(self) -> None:
        """Raise the typed error when the index cannot be read now."""
        self._index.texts.documents([0])

    def close(self) -> None:
        """Close the index."""
        self._index.close()

    def warm(self) -> None:
        """Make what questions would wait for or be slower without; it takes 2 µs a chunk."""
        self._index.warm()

    def free(self) -> None:
        """Let go of the ids of a closed index in small steps, where dropping them would make others wait."""
        self._index.free()


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A passage that is given back, its place in the pool, and the documents that were left out as copies of it."""

    stored: StoredPassage
    place: int
    copies: tuple[str, ...]


def _passage(
    chosen: _Chosen, sentences: tuple[EvidenceSentence, ...], pool: Pool, scores: Scores, judged: Scores
) -> Passage:
    """Put a passage together; `scores` of the order and `judged` (relevance) are those of the pool."""
    stored, place = chosen.stored, chosen.place
    return Passage(
        stored.chunk_id,
        stored.card,
        stored.heading,
        sentences,
        bm25=max(float(query.lexical.scores[place]) for query in pool.queries),
        cosine=max(float(query.cosine[place]) for query in pool.queries),
        fused=float(scores[place]),
        relevance=float(judged[place]),
        copies=chosen.copies,
    )
