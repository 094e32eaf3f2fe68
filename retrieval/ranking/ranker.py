"""The door of this room: what an index stores for ranking, made once, and the ranker that a search uses.

The index builder calls `build_ranking` with the chunks and their raw vectors and stores the arrays under their roles and
the calibration in the manifest. The retriever opens a `Ranker` over them. Per query:

    moved = ranker.moved(raw, language)                    # for the dense arm over "ranking.npy"
    fused = hybrid_scores(Evidence(bm25, moved_cosines, …, ranker.home_share(language)))
    relevance = ranker.relevance(RawEvidence(...))         # from `ranker.cosines`; one number a chunk
    band = ranker.calibration.band(max of the shown passages)
    verdict = ranker.judge(raw, joint)
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from retrieval.errors import IndexMismatch
from retrieval.passages import GateScore
from retrieval.ports import Vectors
from retrieval.ranking.bank_vectors import bank_vectors
from retrieval.ranking.banks import bundled_banks
from retrieval.ranking.bundled import OwnText, bundled_calibration, calibrated_on, is_bundled_model
from retrieval.ranking.calibration import Calibration
from retrieval.ranking.labels import BaseTexts, labels_of
from retrieval.ranking.neutral import LanguageMeans
from retrieval.ranking.relevance import RawEvidence, off_topic_level, relevance_features
from retrieval.ranking.scope import (
    MAX_CHUNKS,
    ScopeBanks,
    ScopeGate,
    ScopeLabels,
    ScopeNumbers,
    measure_scope,
    sampled,
)
from retrieval.ranking.space import RankingSpace, document_means, query_space, ranking_vectors
from retrieval.ranking.translations import translated_share

Rows = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float64]
Embed = Callable[[Sequence[str]], Vectors]

# Roles of the arrays in an index.
RANKING, DOCUMENT_MEANS, *JUDGED_BY = ROLES = (
    "ranking.npy",
    "document_means.npy",
    "query_mean.npy",
    "labels.npy",
    "bank_queries.npy",
    "bank_passages.npy",
    "scope_plane.npy",
    "translated.npy",
)
QUERY_MEAN, LABELS, BANK_QUERIES, BANK_PASSAGES, PLANE, TRANSLATED = JUDGED_BY
# A shorter chunk is mostly its heading already; embedding that too would cost a third of the indexing for nothing.
_SHORT_WORDS = 40
# From this share of translated documents on (`translated_share`) a question is at home in the documents of its own language.
_MOSTLY = 0.5
# A language of most of the base is at home by as much more as it is over this, wholly from four fifths on: a few texts in other
# languages must not change its questions (one desk with 1.7 % of them: wixqa MRR@10 .842 without, .856).
_COMMON = 0.6


@dataclass(frozen=True, slots=True)
class RankingParts:
    """What the index stores: float32 arrays by role, and the calibration for the manifest."""

    arrays: dict[str, Vectors]
    calibration: Calibration


def build_ranking(
    base: BaseTexts, vectors: Vectors, *, encoder: str, embed_passages: Embed, embed_queries: Embed
) -> RankingParts:
    """Make everything that ranking stores with an index.

    Args:
        base: labels, languages, sizes and documents of the chunks.
        vectors: raw passage vectors of the chunks, float32, (n, dim); unchanged.
        encoder: identity of the model.
        embed_passages: gives raw vectors with the passage prompt, (n, dim); may come from a cache.
        embed_queries: the same with the query prompt.
    """
    bank = bank_vectors(encoder, embed_passages=embed_passages, embed_queries=embed_queries)
    passages = LanguageMeans.of(bank.passages, bundled_banks().languages)
    labels, weights = labels_of(
        base, embed_queries, lambda chunks: passages.neutral(vectors[chunks]), dimension=bank.queries.shape[1]
    )
    with ThreadPoolExecutor(1, "calibration") as beside:  # each is nearly all numpy, which lets go of the interpreter
        calibrating = beside.submit(_calibrated, base, vectors, labels, (bank.queries, bank.passages), encoder=encoder)
        headings = _heading_vectors(base, vectors, embed_passages)
        ranking = ranking_vectors(vectors, headings, base.languages, sharers=_sharers(base))
        ordinary, means = bank.queries[: len(bundled_banks().ordinary)], document_means(ranking, base.documents)
        translated = _translated(base, means)
        calibration, plane = calibrating.result()
    arrays = {
        RANKING: ranking,
        DOCUMENT_MEANS: means,
        QUERY_MEAN: query_space(labels.vectors[: labels.named], ordinary, weights=weights).query_mean,
        # What any desk is asked stands beside the labels, not among them: the threshold is measured on the base's own.
        LABELS: np.concatenate([labels.vectors, bank.desk]) if len(labels.vectors) else labels.vectors,
        BANK_QUERIES: bank.queries,
        BANK_PASSAGES: bank.passages,
        PLANE: plane,
        TRANSLATED: np.array([translated], np.float32),
    }
    return RankingParts(arrays, calibration)


def _translated(base: BaseTexts, means: Vectors) -> float:
    languages = dict(zip(base.documents.tolist(), base.languages, strict=True))
    return translated_share(means, [languages.get(row, "") for row in range(len(means))])


def _calibrated(
    base: BaseTexts, vectors: Vectors, labels: ScopeLabels, bank: tuple[Vectors, Vectors], *, encoder: str
) -> tuple[Calibration, Vectors]:
    """Give the calibration with the gate's numbers, and the gate's plane; `labels` and `bank` (as queries, as passages) are raw."""
    banks = bundled_banks()
    queries, passages = (LanguageMeans.of(rows, banks.languages) for rows in bank)
    neutral = replace(labels, vectors=queries.neutral(labels.vectors))
    asked, ordinary = queries.neutral(bank[0]), len(banks.ordinary)
    scope_banks = ScopeBanks(asked[:ordinary], asked[ordinary:], queries.axes)
    numbers, plane = measure_scope(neutral, scope_banks)
    if is_bundled_model(encoder):
        return replace(bundled_calibration(encoder), gate=numbers.to_json()), plane
    places = sampled(len(vectors), MAX_CHUNKS)
    own = OwnText(
        chunks=passages.neutral(vectors[places]),
        chunk_documents=base.documents[places],
        chunk_languages=np.asarray(base.languages, dtype=str)[places],
        labels=neutral.vectors[: labels.named],
        label_documents=labels.documents[: labels.named],
        off_topic=scope_banks.off_topic,
        bank=passages.neutral(bank[1])[ordinary:],
    )
    return replace(calibrated_on(own, encoder), gate=numbers.to_json()), plane


class Ranker:
    """Ranking over one index. Safe to share between threads: it changes nothing."""

    def __init__(self, arrays: Mapping[str, Vectors], *, calibration: Calibration, languages: Sequence[str]) -> None:
        self.calibration = calibration
        banks = bundled_banks()
        bank_queries, bank = (np.asarray(arrays[role], np.float32) for role in (BANK_QUERIES, BANK_PASSAGES))
        if not len(bank_queries) == len(bank) == len(banks.languages):
            raise IndexMismatch("the index was made with other bundled texts than this version has; build it again")
        self._queries, self._passages = (
            LanguageMeans.of(bank_queries, banks.languages),
            LanguageMeans.of(bank, banks.languages),
        )
        self.space = RankingSpace(np.asarray(arrays[QUERY_MEAN], np.float32), self._queries.axes)
        self._off_topic = self._passages.neutral(bank)[len(banks.ordinary) :]
        # An index of an earlier version does not tell whether its documents are translated.
        self._home_shares = _home_shares(languages, float(arrays[TRANSLATED][0]) if TRANSLATED in arrays else 0.0)
        ordinary, asked = len(banks.ordinary), self._queries.neutral(bank_queries)
        self._gate = ScopeGate(
            self._queries.neutral(np.asarray(arrays[LABELS], np.float32)),
            ScopeBanks(ordinary=asked[:ordinary], off_topic=asked[ordinary:], axes=self._queries.axes),
            plane=np.asarray(arrays[PLANE], np.float32),
            numbers=_numbers(calibration),
        )

    @classmethod
    def open(
        cls,
        arrays: Mapping[str, Vectors],
        *,
        stored: Mapping[str, Any],
        encoder: str,
        languages: Sequence[str],
    ) -> "Ranker":
        """Open over the stored arrays.

        Args:
            arrays: by role, those of `JUDGED_BY`; the others are the dense arm's own.
            stored: the calibration of the manifest.
            encoder: identity of the model that asks now.
            languages: language of each chunk.

        Raises:
            IndexMismatch: no calibration, one of another version, or one of another model; or made with other bundled texts.
        """
        calibration = Calibration.from_json(stored, encoder=encoder)
        return cls(arrays, calibration=calibration, languages=languages)

    def judge(self, alone: Vectors, joint: Vectors | None = None, *, is_named: bool = False) -> GateScore:
        """Judge whether a question belongs to this base, from raw query vectors, float32, (dim,); see `ScopeGate.judge`."""
        both = None if joint is None else self._neutral(joint)
        return self._gate.judge(self._neutral(alone), both, is_named=is_named)

    def cosines(self, query: Vectors, rows: Vectors) -> Scores:
        """Give language-neutral cosines of a raw query vector, (dim,), and raw passage vectors, (n, dim): what relevance is judged by."""
        return np.asarray(self._passages.neutral(rows) @ self._neutral(query), np.float64)

    def moved(self, query: Vectors, language: str) -> Vectors:
        """Give a raw query vector, float32, (dim,), in the ranking space; `language` is that of the query, empty when unknown."""
        return self.space.of_query(query, foreign_share=1.0 - self.home_share(language))

    def home_share(self, language: str) -> float:
        """Give how much of the base is at home in a language, 0 to 1; 1 for an unknown language ("").

        That is the share of its chunks in the language, all of it from four fifths on. Where most documents are translated, it is how many there are for each of
        the most common language: what is asked in German and stands in German need not be looked for in English.
        """
        return self._home_shares.get(language, 0.0) if language else 1.0

    def strangers(self, query: Vectors) -> Scores:
        """Give `off_topic_level` of a raw query vector against the bundled off-topic texts, language-neutral."""
        return off_topic_level(self._neutral(query), self._off_topic)

    def relevance(self, evidence: RawEvidence) -> Scores:
        """Give the calibrated relevance of each chunk, 0 to 1, float64, (n,)."""
        return self.calibration.relevance(relevance_features(evidence))

    def _neutral(self, query: Vectors) -> Vectors:
        row: Vectors = self._queries.neutral(query[None, :])[0]
        return row


def _home_shares(languages: Sequence[str], translated: float) -> dict[str, float]:
    # Counted and not sorted: `np.unique` of a million texts takes seconds at every start.
    counts = Counter(languages)
    if translated >= _MOSTLY:
        return {code: count / max(counts.values()) for code, count in counts.items()}
    shares = {code: count / len(languages) for code, count in counts.items()}
    return {code: min(share + max(share - _COMMON, 0.0), 1.0) for code, share in shares.items()}


def _sharers(base: BaseTexts) -> list[int]:
    """Give how many documents have the label of each chunk."""
    owners = Counter(label for label, _ in set(zip(base.labels, base.documents.tolist(), strict=True)))
    return [owners[label] for label in base.labels]


def _heading_vectors(base: BaseTexts, vectors: Vectors, embed: Embed) -> Vectors:
    """Give the vector of each chunk's label; short chunks stand for themselves, and `vectors` itself when all are short."""
    long = [
        i
        for i, (label, words) in enumerate(zip(base.labels, base.words, strict=True))
        if label and words > _SHORT_WORDS
    ]
    names = list(dict.fromkeys(base.labels[i] for i in long))
    if not names:
        return vectors
    places = {name: place for place, name in enumerate(names)}
    result = vectors.copy()
    result[long] = embed(names)[[places[base.labels[i]] for i in long]]
    return result


def _numbers(calibration: Calibration) -> ScopeNumbers:
    try:
        return ScopeNumbers.from_json(calibration.gate)
    except KeyError as error:
        raise IndexMismatch(f"the calibration of the index has no gate number {error}; build the index again") from None
