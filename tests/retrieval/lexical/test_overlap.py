"""Claims of `retrieval.lexical.overlap` against plain loops."""

import math
from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.lexical import build_postings, keyword_scores, tfidf_norms, tfidf_scores

WORDS = [f"w{i}" for i in range(12)]
CORPUS = st.lists(st.lists(st.sampled_from(WORDS), max_size=10), min_size=1, max_size=8)
QUERY = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=5)


@settings(max_examples=80, deadline=None)
@given(CORPUS, QUERY)
def test_keyword_counts_distinct_words(corpus: list[list[str]], query: list[str]) -> None:
    """The score is the number of distinct words of the query in the document."""
    expected = [len(set(document) & set(query)) for document in corpus]
    assert keyword_scores(build_postings(corpus), query).tolist() == expected


@settings(max_examples=80, deadline=None)
@given(CORPUS, QUERY)
def test_tfidf_is_the_cosine_of_plain_vectors(corpus: list[list[str]], query: list[str]) -> None:
    """Against vectors written out word by word."""

    def vector(tokens: list[str]) -> np.ndarray:
        counts = Counter(tokens)
        values = []
        for word in WORDS:
            frequency = sum(word in document for document in corpus)
            idf = math.log(1 + (len(corpus) - frequency + 0.5) / (frequency + 0.5)) if frequency else 0.0
            values.append((1 + math.log(counts[word])) * idf if counts[word] else 0.0)
        return np.array(values)

    postings = build_postings(corpus)
    scores = tfidf_scores(postings, tfidf_norms(postings), query)
    asked = vector(query)
    for document, score in zip(corpus, scores, strict=True):
        held = vector(document)
        length = np.linalg.norm(asked) * np.linalg.norm(held)
        np.testing.assert_allclose(score, asked @ held / length if length else 0.0, atol=1e-9)
