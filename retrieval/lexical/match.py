"""How much of a query given chunks hold: BM25, the share of the query's weight, and the most that the query can reach."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.lexical.bm25 import PostingsBM25, positive_idf
from retrieval.lexical.postings import Ints
from retrieval.lexical.selection import Scores

# Letters and at least two digits in one token.
_CODE = re.compile(r"(?=.*[^\W\d_])(?=.*\d.*\d).{4,64}")


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
    scores, coverage, rare, codes = np.zeros((4, len(rows)))
    total = squares = maximum = weight_of_codes = 0.0
    known_codes = all_codes = 0
    for forms in words:
        is_code = bool(_CODE.fullmatch(forms[0]))
        all_codes += is_code
        holds, weight = np.zeros(len(rows), np.bool_), 0.0
        for position in (bm25.find(form) for form in forms):
            if position < 0:
                continue
            values = bm25.posting_weights(position, rows)
            scores += values
            holds |= values > 0
            weight = max(weight, _idf(bm25, position))
        if weight and is_code:
            known_codes += 1
            codes += holds
        weight = weight or float(positive_idf(bm25.corpus_size, np.zeros(1))[0])
        coverage += weight * holds
        rare += weight**2 * holds
        total += weight
        squares += weight**2
        weight_of_codes += weight * is_code
        # A chunk holds a word as written and as the stem of its own language; further stems are of others.
        maximum += weight * min(len(forms), 2) * (bm25.k1 + 1)
    share = known_codes / all_codes if all_codes else None
    return LexicalMatch(
        scores=scores,
        coverage=coverage / max(total, 1e-12),
        codes=codes / max(known_codes, 1),
        maximum=maximum,
        known_codes=share,
        rare_coverage=rare / max(squares, 1e-12),
        codes_weight=weight_of_codes / max(total, 1e-12),
    )


def codes_in(words: Sequence[tuple[str, ...]]) -> list[str]:
    """Give the codes of a query, casefolded; `words` as `group_words` gives them."""
    return [forms[0] for forms in words if _CODE.fullmatch(forms[0])]


def word_weights(bm25: PostingsBM25, words: Sequence[tuple[str, ...]]) -> list[float]:
    """Give the weight (idf) of each word: that of its rarest form; a word of no chunk weighs as much as the rarest."""
    unknown = float(positive_idf(bm25.corpus_size, np.zeros(1))[0])
    found = ([_idf(bm25, p) for p in map(bm25.find, forms) if p >= 0] for forms in words)
    return [max(weights, default=unknown) for weights in found]


def _idf(bm25: PostingsBM25, position: int) -> float:
    span = bm25.postings.span(position)
    return float(positive_idf(bm25.corpus_size, np.array([span.stop - span.start], np.float64))[0])
