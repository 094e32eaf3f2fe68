"""The two plain scorers that the others are compared with: words in common, and TF-IDF cosine."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from retrieval.lexical.bm25 import positive_idf
from retrieval.lexical.postings import Postings
from retrieval.lexical.selection import Scores


def keyword_scores(postings: Postings, query: Sequence[str]) -> Scores:
    """Give how many distinct tokens of the query each document holds, float64, (n_documents,)."""
    scores = np.zeros(postings.n_documents)
    for token in dict.fromkeys(query):
        if (position := postings.find(token)) >= 0:
            scores[postings.rows[postings.span(position)]] += 1
    return scores


def tfidf_norms(postings: Postings) -> Scores:
    """Give the length of each document's TF-IDF vector, float64, (n_documents,); 1 for a document without tokens."""
    weights = _weights(postings)
    squares = np.bincount(postings.rows, weights=weights**2, minlength=postings.n_documents)
    return np.sqrt(np.where(squares > 0, squares, 1.0))


def tfidf_scores(postings: Postings, norms: Scores, query: Sequence[str]) -> Scores:
    """Give the cosine of `(1 + log tf) · idf` vectors, 0 to 1, float64, (n_documents,)."""
    scores = np.zeros(postings.n_documents)
    length = 0.0
    for token, count in Counter(query).items():
        if (position := postings.find(token)) < 0:
            continue
        span = postings.span(position)
        idf = float(positive_idf(postings.n_documents, np.array([span.stop - span.start], np.float64))[0])
        weight = (1 + np.log(count)) * idf
        length += weight**2
        scores[postings.rows[span]] += weight * idf * (1 + np.log(postings.counts[span]))
    return scores / (norms * np.sqrt(length)) if length else scores


def _weights(postings: Postings) -> Scores:
    idf = positive_idf(postings.n_documents, postings.frequencies().astype(np.float64))
    return (1 + np.log(postings.counts)) * np.repeat(idf, postings.frequencies())
