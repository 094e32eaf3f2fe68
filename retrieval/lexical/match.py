"""How much of a query given chunks hold: BM25, the share of the query's weight, and the most that the query can reach."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from retrieval.lexical.bm25 import PostingsBM25, positive_idf
from retrieval.lexical.postings import Ints
from retrieval.lexical.selection import Scores

# Letters and at least two digits in one token.
_CODE = re.compile(r"\A(?=.*[^\W\d_])(?=.*\d.*\d).{4,64}")


@dataclass(frozen=True, slots=True)
class LexicalMatch:
    """Of given chunks and one query.

    Attributes:
        scores: BM25, float64, (n,), 0 without a common token.
        coverage: share of the words' weight (idf) that the chunk holds in any form, float64, (n,), 0 to 1.
        codes: share of the codes in the query (`TL-4012`, `0x80070005`) that the chunk holds, float64, (n,), 0 to 1; 0 when the
            query has none, or no chunk of the base holds one.
        maximum: what a chunk would score that holds every word of the query often; words that no chunk holds weigh as much as the
            rarest.
        known_codes: share of the query's codes that some chunk of the base holds, 0 to 1; None when it has no code.
        rare_coverage: as `coverage`, by squared weights, so that rare words count more, float64, (n,), 0 to 1.
        codes_weight: share of the words' weight that the codes carry, 0 to 1: 1 for a bare code, little for a pasted log.
    """

    scores: Scores
    coverage: Scores
    codes: Scores
    maximum: float
    known_codes: float | None
    rare_coverage: Scores
    codes_weight: float


def match_words(bm25: PostingsBM25, words: Sequence[tuple[str, ...]], rows: Ints) -> LexicalMatch:
    """Match a query against chunks.

    Args:
        bm25: the scorer of the index.
        words: groups as `group_words` gives them; each is one word in several forms.
        rows: int32, (n,), the chunks.
    """
    unknown = _unknown_weight(bm25)
    scores, coverage, rare, codes = np.zeros((4, len(rows)))
    weights, is_code, is_known = np.zeros((3, len(words)))
    maximum = 0.0
    for number, forms in enumerate(words):
        found, holds, weight = _match_word(bm25, forms, rows)
        is_code[number], is_known[number] = bool(_CODE.fullmatch(forms[0])), weight > 0
        weights[number] = weight = weight or unknown
        scores += found
        coverage += weight * holds
        rare += weight**2 * holds
        codes += is_code[number] * is_known[number] * holds
        # A chunk holds a word as written and as the stem of its own language; further stems are of others.
        maximum += weight * min(len(forms), 2) * (bm25.k1 + 1)
    known, total = float(is_code @ is_known), max(float(weights.sum()), 1e-12)
    return LexicalMatch(
        scores=scores,
        coverage=coverage / total,
        codes=codes / max(known, 1.0),
        maximum=maximum,
        known_codes=known / float(is_code.sum()) if is_code.any() else None,
        rare_coverage=rare / max(float(weights @ weights), 1e-12),
        codes_weight=float(weights @ is_code) / total,
    )


def _match_word(bm25: PostingsBM25, forms: tuple[str, ...], rows: Ints) -> tuple[Scores, npt.NDArray[np.bool_], float]:
    """Give BM25 of one word in all its forms, which chunks hold it, and its weight; 0 when no chunk of the base does."""
    scores, holds, weight = np.zeros(len(rows)), np.zeros(len(rows), np.bool_), 0.0
    for position in (bm25.find(form) for form in forms):
        if position >= 0:
            values = bm25.posting_weights(position, rows)
            scores += values
            holds |= values > 0
            weight = max(weight, _idf(bm25, position))
    return scores, holds, weight


def codes_in(words: Sequence[tuple[str, ...]]) -> list[str]:
    """Give the codes of a query, casefolded; `words` as `group_words` gives them."""
    return [forms[0] for forms in words if _CODE.fullmatch(forms[0])]


def word_weights(bm25: PostingsBM25, words: Sequence[tuple[str, ...]]) -> list[float]:
    """Give the weight (idf) of each word: that of its rarest form; a word of no chunk weighs as much as the rarest."""
    unknown = _unknown_weight(bm25)
    found = ([_idf(bm25, p) for p in map(bm25.find, forms) if p >= 0] for forms in words)
    return [max(weights, default=unknown) for weights in found]


def _unknown_weight(bm25: PostingsBM25) -> float:
    """Give the weight of a word that no chunk holds: that of the rarest."""
    return _idf_of(bm25.corpus_size, 0)


def _idf(bm25: PostingsBM25, position: int) -> float:
    span = bm25.postings.span(position)
    return _idf_of(bm25.corpus_size, span.stop - span.start)


@lru_cache(maxsize=8_192)
def _idf_of(documents: int, holders: int) -> float:
    """Give the weight of a word that so many documents hold; asked four times a word and question."""
    return float(positive_idf(documents, np.array([holders], np.float64))[0])
