"""Fusion ignores what must not matter and never loses a good hit."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retrieval.ranking import Evidence, across_queries, hybrid_scores, reciprocal_rank_fusion
from retrieval.ranking.fusion import scaled

RANKED = st.lists(st.lists(st.integers(0, 30), max_size=12), max_size=4)


def _evidence(lexical, dense, rare_coverage, share=1.0, **more):
    """Give evidence of documents of one chunk each."""
    near = np.array(dense, float)
    return Evidence(np.array(lexical, float), near, near, np.array(rare_coverage, float), share, **more)


@given(RANKED, st.randoms())
def test_order_of_the_lists_does_not_matter(lists, random) -> None:
    """Shuffled lists give the very same sums."""
    shuffled = list(lists)
    random.shuffle(shuffled)
    assert reciprocal_rank_fusion(lists) == reciprocal_rank_fusion(shuffled)


@given(RANKED)
def test_fusion_equals_the_plain_formula(lists) -> None:
    """Each id has the exact sum of 1 / (60 + rank) over the lists, once a list; best first, ties by id."""
    expected = {}
    for item in {i for ranked in lists for i in ranked}:
        ranks = [list(dict.fromkeys(ranked)).index(item) + 1 for ranked in lists if item in ranked]
        expected[item] = math.fsum(1 / (60 + rank) for rank in ranks)
    fused = reciprocal_rank_fusion(lists)
    assert dict(fused) == expected
    assert fused == sorted(fused, key=lambda pair: (-pair[1], pair[0]))


def test_an_empty_list_is_no_penalty() -> None:
    """A question without lexical tokens keeps the dense order."""
    dense = ["b", "a", "c"]
    assert [item for item, _ in reciprocal_rank_fusion([[], dense])] == dense


def test_constant_is_a_parameter() -> None:
    """A small constant makes first places count more."""
    assert reciprocal_rank_fusion([["a"]], rrf_k=10) == [("a", 1 / 11)]


def test_lexical_hit_decides_between_near_equals() -> None:
    """Of two chunks with like cosines the one that holds the query's words is first."""
    scores = hybrid_scores(_evidence([0.0, 9.0, 0.0], [0.61, 0.60, 0.10], [0.0, 0.9, 0.0]))
    assert scores.argmax() == 1


def test_without_lexical_hits_the_dense_order_stays() -> None:
    """No common word anywhere: the fused order is the dense one."""
    dense = [0.2, 0.9, 0.5, 0.7]
    scores = hybrid_scores(_evidence([0.0] * 4, dense, [0.0] * 4))
    assert np.argsort(-scores).tolist() == np.argsort(-np.array(dense)).tolist()


def test_glue_words_of_a_distractor_do_not_win() -> None:
    """In a base of other languages a weakly covering lexical hit stays below the dense best."""
    scores = hybrid_scores(_evidence([0.0, 3.0, 0.0], [0.9, 0.4, 0.1], [0.0, 0.3, 0.0], share=0.25))
    assert scores.argmax() == 0


def test_another_language_loses_nothing_for_sharing_no_word() -> None:
    """The nearest chunk stays first though a distractor in the asker's language holds half of the words."""
    arguments = [0.0, 9.0, 0.0], [0.90, 0.86, 0.1], [0.0, 0.5, 0.0], 0.05
    assert hybrid_scores(_evidence(*arguments)).argmax() == 1
    assert hybrid_scores(_evidence(*arguments, is_foreign=np.array([True, False, False]))).argmax() == 0
    alone = hybrid_scores(_evidence(*arguments, is_foreign=np.array([True, True, True])))
    np.testing.assert_array_equal(alone, hybrid_scores(_evidence(*arguments)))


def test_of_two_translations_the_askers_own_is_first() -> None:
    """Where the base speaks the asker's language, an equally near chunk in another one comes after."""
    scores = hybrid_scores(
        _evidence([0.0] * 3, [0.9, 0.9, 0.1], [0.0] * 3, 0.9, is_foreign=np.array([True, False, False]))
    )
    assert scores.argmax() == 1


def test_a_far_word_hit_counts_less_the_more_foreign_the_base() -> None:
    """A chunk that shares the query's words and is half as near: first at home, not where the base is in other languages."""
    arguments = [9.0, 0.0, 0.0], [0.5, 0.9, 0.1], [0.9, 0.0, 0.0]
    assert hybrid_scores(_evidence(*arguments, share=1.0)).argmax() == 0
    gains = [
        float(np.subtract(*hybrid_scores(_evidence(*arguments, share=share))[:2])) for share in (1.0, 0.6, 0.3, 0.0)
    ]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] < 0


def test_the_whole_document_decides_between_equal_chunks() -> None:
    """Of two chunks as near and as rich in words the one whose document is about the question is first."""
    same, documents = np.array([0.8, 0.8, 0.1]), np.array([0.4, 0.7, 0.1])
    assert hybrid_scores(Evidence(np.zeros(3), same, documents, np.zeros(3))).argmax() == 1


@given(
    st.lists(st.tuples(st.floats(0, 30), st.floats(-1, 1), st.floats(0, 1)), min_size=1, max_size=40),
    st.floats(-1, 2),
)
def test_scores_are_finite_and_bounded(rows, share) -> None:
    """Any evidence gives scores from 0 to 2, one a chunk, and leaves its arrays as they are."""
    lexical, dense, coverage = (np.array(column) for column in zip(*rows, strict=True))
    before = dense.copy()
    scores = hybrid_scores(Evidence(lexical, dense, dense, coverage, share))
    assert scores.shape == dense.shape
    assert np.isfinite(scores).all()
    assert (scores >= 0).all()
    assert (scores <= 2).all()
    np.testing.assert_array_equal(dense, before)


def test_nothing_gives_nothing() -> None:
    """No candidates, no scores."""
    assert hybrid_scores(_evidence([], [], [])).shape == (0,)
    assert scaled(np.zeros(0)).shape == (0,)


def test_scale_is_set_by_the_best_hundred() -> None:
    """More chunks far below do not move the scaled values of the best ones."""
    few = np.linspace(1, 0.5, 100)
    many = np.concatenate([few, np.full(5000, 0.01)])
    np.testing.assert_allclose(scaled(many)[:100], scaled(few))
    assert scaled(np.array([3.0])).tolist() == [1.0]
    assert scaled(np.array([2.0, 2.0])).tolist() == [0.0, 0.0]


def test_a_bad_rewrite_cannot_push_out_a_good_hit() -> None:
    """The best chunk of the question as asked stays before what only the rewrite found."""
    asked, rewrite = np.array([1.8, 0.2, 0.1]), np.array([0.0, 0.9, 1.7])
    assert across_queries([asked, rewrite]).argmax() == 0
    np.testing.assert_array_equal(across_queries([asked]), asked)


def test_the_very_code_goes_first_in_any_language() -> None:
    """A chunk that holds the code asked for beats nearer ones, also from another language, and says nothing without a code."""
    dense, nothing = np.array([0.9, 0.8, 0.1]), np.zeros(3)
    foreign = np.array([False, False, True])
    bare = {"share": 0.5, "is_foreign": foreign}
    with_code = hybrid_scores(_evidence(nothing, dense, nothing, **bare, codes=np.array([0.0, 0.0, 1.0])))
    assert int(with_code.argmax()) == 2
    without = hybrid_scores(_evidence(nothing, dense, nothing, **bare, codes=nothing))
    assert np.array_equal(without, hybrid_scores(_evidence(nothing, dense, nothing, **bare)))
