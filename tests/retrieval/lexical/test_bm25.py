"""Referees of `retrieval.lexical.bm25`: a plain loop, and rank_bm25's own classes when given their idf."""

import math
import random
from collections import Counter

import numpy as np
import pytest
import rank_bm25
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.lexical import Formula, PostingsBM25, best

WORDS = [f"w{i}" for i in range(40)]
CORPUS = st.lists(st.lists(st.sampled_from(WORDS), max_size=20), max_size=12)
QUERY = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=6)


def zipf_corpus(n: int) -> list[list[str]]:
    """Make texts in which a few words are frequent and most are rare."""
    rng = random.Random(3)
    return [[f"w{int(rng.paretovariate(0.7)) % 400}" for _ in range(rng.randint(1, 50))] for _ in range(n)]


def plain_loop(corpus: list[list[str]], query: list[str]) -> list[float]:
    """Score by the formula as it stands in the docstring, one document and one word at a time."""
    average = sum(map(len, corpus)) / len(corpus) if corpus else 0
    scores = []
    for document in corpus:
        counts, score = Counter(document), 0.0
        for word in query:
            frequency = sum(word in other for other in corpus)
            idf = math.log(1 + (len(corpus) - frequency + 0.5) / (frequency + 0.5))
            norm = 1 - 0.75 + 0.75 * len(document) / average if average else 1
            score += idf * counts[word] * 2.5 / (counts[word] + 1.5 * norm)
        scores.append(score)
    return scores


@settings(max_examples=100, deadline=None)
@given(CORPUS, QUERY)
def test_scores_equal_a_plain_loop(corpus: list[list[str]], query: list[str]) -> None:
    """With our idf, for any corpus, empty documents and repeated words included."""
    np.testing.assert_allclose(PostingsBM25(corpus).get_scores(query), plain_loop(corpus, query), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("reference", "formula", "delta"),
    [
        (rank_bm25.BM25Okapi, Formula.OKAPI, 1.0),
        (rank_bm25.BM25L, Formula.L, 0.5),
        (rank_bm25.BM25Plus, Formula.PLUS, 1.0),
    ],
)
def test_scores_equal_rank_bm25_when_given_its_idf(reference: type, formula: Formula, delta: float) -> None:
    """All three classes of rank_bm25, whole and in batches."""
    corpus = zipf_corpus(300)
    theirs = reference(corpus)
    ours = PostingsBM25(corpus, idf=theirs.idf, formula=formula, delta=delta)
    for query in [*corpus[:10], ["w1", "w1", "unknown"]]:
        np.testing.assert_allclose(ours.get_scores(query), theirs.get_scores(query), rtol=1e-4, atol=1e-4)
        rows = [0, 5, 299]
        np.testing.assert_allclose(
            ours.get_batch_scores(query, rows), theirs.get_batch_scores(query, rows), rtol=1e-4, atol=1e-4
        )


def test_the_interface_of_rank_bm25_is_kept() -> None:
    """Attributes and methods that code for rank_bm25 reads give the same."""
    corpus = zipf_corpus(40)
    theirs, ours = rank_bm25.BM25Okapi(corpus), PostingsBM25(corpus)
    assert isinstance(ours, rank_bm25.BM25)
    assert ours.corpus_size == theirs.corpus_size
    assert ours.avgdl == pytest.approx(theirs.avgdl)
    assert ours.doc_len == theirs.doc_len
    assert ours.doc_freqs == theirs.doc_freqs
    assert ours.idf.keys() == theirs.idf.keys()
    assert ours.get_top_n(corpus[3], list(range(40)), n=1) == [3]


@pytest.mark.parametrize("corpus", [[], [[], []], [["a"]], [["a"], ["a"]], [["a"], ["b"]]])
def test_small_corpora_give_no_error_and_no_negative_score(corpus: list[list[str]]) -> None:
    """rank_bm25 divides by zero on the first two and gives 0 or less for a word that is there on the others."""
    scores = PostingsBM25(corpus).get_scores(["a"])
    assert len(scores) == len(corpus)
    assert all((score > 0) == ("a" in document) for score, document in zip(scores, corpus, strict=True))


def test_a_text_needs_a_tokenizer() -> None:
    """A query or document given as text is refused, or tokenized, never read letter by letter."""
    with pytest.raises(TypeError):
        PostingsBM25([["a"]]).get_scores("a")
    with pytest.raises(TypeError):
        PostingsBM25(["a b"])
    assert PostingsBM25(["a b", "c"], str.split).get_scores("a c").tolist() == pytest.approx([0.6, 0.8], abs=0.2)


def test_texts_must_match_the_index() -> None:
    """`get_top_n` refuses a list of another length."""
    with pytest.raises(ValueError, match="do not match"):
        PostingsBM25([["a"]]).get_top_n(["a"], [])


def test_ties_go_by_row_and_unknown_words_find_nothing() -> None:
    """Equal scores keep the order of the corpus; without a common word nothing is found."""
    scorer = PostingsBM25([["b"], ["a", "x"], ["a", "y"], ["a", "z"]])
    rows, scores = scorer.top(["a"], 2)
    assert rows.tolist() == [1, 2]
    assert scores[0] == scores[1]
    assert scorer.top(["unknown"], 5)[0].size == 0


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), max_size=30), st.integers(1, 10))
def test_best_equals_a_full_sort(values: list[float], n: int) -> None:
    """The partial sort gives what sorting everything gives."""
    expected = [row for row in sorted(range(len(values)), key=lambda row: (-values[row], row)) if values[row] > 0][:n]
    assert best(np.array(values), n)[0].tolist() == expected


@settings(max_examples=50, deadline=None)
@given(CORPUS.filter(bool), QUERY)
def test_scores_of_rows_equal_the_full_scores(corpus: list[list[str]], query: list[str]) -> None:
    """Looking rows up in the postings gives what scoring everything gives."""
    scorer = PostingsBM25(corpus)
    rows = np.arange(len(corpus), dtype=np.int32)
    np.testing.assert_allclose(scorer.scores_of(query, rows), scorer.get_scores(query))


@settings(max_examples=50, deadline=None)
@given(CORPUS, QUERY, st.integers(1, 6), st.randoms(use_true_random=False))
def test_the_best_of_allowed_rows(corpus: list[list[str]], query: list[str], n: int, chance: random.Random) -> None:
    """`top` gives what sorting the scores of the allowed rows gives, to the last digit."""
    scorer = PostingsBM25(corpus)
    allowed = np.array([chance.random() < 0.7 for _ in corpus], np.bool_)
    for mask in (None, allowed):
        scores = scorer.get_scores(query) * (1 if mask is None else mask)
        expected = [row for row in sorted(range(len(corpus)), key=lambda row: (-scores[row], row)) if scores[row] > 0]
        rows, found = scorer.top(query, n, allowed=mask)
        assert rows.tolist() == expected[:n]
        assert found.tolist() == scores[rows].tolist()


@given(st.lists(st.text(max_size=4), max_size=40), st.text(max_size=4))
def test_every_token_is_found(tokens: list[str], other: str) -> None:
    """The binary search finds each token at the position that gives it back, and no other."""
    postings = PostingsBM25([tokens]).postings
    for token in {*tokens, other}:
        position = postings.find(token)
        assert (position >= 0) == (token in tokens)
        assert position < 0 or postings.token(position) == token
