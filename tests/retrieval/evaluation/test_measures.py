"""Referees of `retrieval.evaluation.measures`: by hand, and by a plain second version."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.evaluation.measures import (
    bootstrap_intervals,
    hit,
    mean_measures,
    ndcg,
    recall,
    reciprocal_rank,
    wilson_interval,
)

IDS = st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True)


def test_by_hand() -> None:
    """Second of three relevant ids at rank 2, another at rank 4."""
    ranked, relevant = ["x", "a", "y", "b"], ["a", "b", "c"]
    assert (hit(ranked, relevant, 1), hit(ranked, relevant, 2)) == (0, 1)
    assert recall(ranked, relevant, 4) == pytest.approx(2 / 3)
    assert reciprocal_rank(ranked, relevant, 10) == 0.5
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    assert ndcg(ranked, relevant, 10) == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal)


@given(IDS, IDS, st.integers(1, 10))
def test_measures_are_shares_and_agree_with_each_other(ranked: list[str], relevant: list[str], k: int) -> None:
    """All lie in 0 to 1, and are above 0 together or not at all."""
    values = [measure(ranked, relevant, k) for measure in (hit, recall, reciprocal_rank, ndcg)]
    assert all(0 <= value <= 1 + 1e-12 for value in values)
    assert len({value > 0 for value in values}) == 1


@given(IDS.filter(bool))
def test_the_ideal_order_has_ndcg_one(relevant: list[str]) -> None:
    """All relevant first."""
    assert ndcg([*relevant, "z"], relevant, 10) == pytest.approx(1.0)


def test_means_and_intervals() -> None:
    """Means are over questions; the interval holds the mean, is the same each time, and shrinks to a point for equal values."""
    assert mean_measures([(["a"], ["a"]), (["b"], ["a"])])["hit@1"] == 0.5
    assert mean_measures([])["mrr@10"] == 0.0
    two = np.array([[0.0], [1.0]] * 50)
    ((low, high),) = bootstrap_intervals(two)
    assert low < 0.5 < high
    np.testing.assert_array_equal(bootstrap_intervals(two), [[low, high]])
    np.testing.assert_array_equal(bootstrap_intervals(np.ones((9, 1))), [[1.0, 1.0]])
    np.testing.assert_array_equal(bootstrap_intervals(np.zeros((0, 1))), [[0.0, 0.0]])


def test_wilson_interval() -> None:
    """Against the values that Wilson's formula has in Agresti and Coull (1998) and its edges."""
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson_interval(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson_interval(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
