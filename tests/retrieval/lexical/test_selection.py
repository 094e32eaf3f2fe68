"""The partial selection gives what a full sort gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.lexical.selection import best, floor_of_best, nearest

VALUES = st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 1.0, 2.0]), max_size=60)


@given(VALUES, st.integers(1, 6))
def test_nearest_equals_a_full_sort(values: list[float], n: int) -> None:
    """Any sign counts, rows that are not allowed (−inf) never come, ties go by row."""
    order = sorted(range(len(values)), key=lambda row: (-values[row], row))
    expected = [row for row in order if values[row] > -np.inf][:n]
    rows, scores = nearest(np.array(values, np.float32), n)
    assert rows.tolist() == expected
    assert scores.tolist() == [values[row] for row in expected]
    assert [rows.dtype, scores.dtype] == [np.dtype(np.int32), np.dtype(np.float64)]


@given(VALUES, st.integers(0, 6))
def test_the_floor_lets_through_at_least_what_is_wanted(values: list[float], n: int) -> None:
    """The bound is one of the values and at least `n` of them reach it; without enough values there is none."""
    least = floor_of_best(np.array(values, np.float64), n)
    assert sum(value >= least for value in values) >= min(n, len(values))
    assert least in (-np.inf, *values)


def test_the_floor_lets_few_more_through() -> None:
    """Of 100 000 scores about as many as are wanted are left to sort."""
    scores = np.random.default_rng(1).random(100_000)
    assert 200 <= int((scores >= floor_of_best(scores, 200)).sum()) < 260


@pytest.mark.parametrize("select", [best, nearest])
def test_none_of_none(select: type) -> None:
    """No scores, or none wanted, give no rows."""
    assert select(np.zeros(0), 5)[0].size == 0
    assert select(np.ones(5), 0)[0].size == 0
