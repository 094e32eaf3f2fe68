"""Claims of `retrieval.dense.nearest` and `coarse`: by way of a copy in bytes the rows, scores and ties are those of an exact search."""

import os
import threading
import time

import numpy as np
import pytest

from retrieval.dense.coarse import PART, CoarseProducts
from retrieval.dense.nearest import _FEWEST_ASKED, _FEWEST_ROWS, _MOST_ROWS, NearestVectors, has_idle_core
from retrieval.dense.products import products
from retrieval.lexical import nearest
from retrieval.pacing import is_anything_paced, paced
from retrieval.ports import Vectors

DIMENSION = 24
RNG = np.random.default_rng(4)


def unit(rows: np.ndarray) -> Vectors:
    """Give rows at unit length; zero stays zero."""
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return np.asarray(rows / lengths, np.float32)


def table(count: int) -> Vectors:
    """Give clustered rows, among them equal ones, a zero row, and some along one axis, which bytes hold worst."""
    centres = RNG.standard_normal((8, DIMENSION))
    rows = unit(centres[RNG.integers(0, 8, count)] + 0.3 * RNG.standard_normal((count, DIMENSION)))
    rows[5:400:7] = rows[4]
    rows[3] = 0.0
    rows[401:420] = unit(np.eye(DIMENSION)[RNG.integers(0, DIMENSION, 19)] + 0.003)
    return rows


def made(vectors: Vectors) -> CoarseProducts:
    """Make the whole copy."""
    *_, whole = CoarseProducts.of_parts(vectors)
    assert whole is not None
    return whole


@pytest.fixture(scope="module")
def vectors() -> Vectors:
    """Give a table of more than one part."""
    return table(PART + 5_000)


def test_what_is_found_is_what_an_exact_search_finds(vectors: Vectors) -> None:
    """Before and after the copy is there, for everybody and for few, bit for bit; a rare audience is searched plainly."""
    search = NearestVectors(vectors)
    masks = [None, RNG.random(len(vectors)) < 0.3, RNG.random(len(vectors)) < 0.001, np.zeros(len(vectors), np.bool_)]
    queries = unit(np.concatenate([vectors[[4, 410]], RNG.standard_normal((_FEWEST_ASKED + 3, DIMENSION))]))
    for number, query in enumerate(np.concatenate([queries, 3 * queries])):
        if number == _FEWEST_ASKED + 1:
            assert search.ready(60.0)
        for allowed in masks:
            scores = products(vectors, query)
            wanted = nearest(scores if allowed is None else np.where(allowed, scores, np.float32(-np.inf)), 150)
            for found, expected in zip(search.find(query, 150, allowed=allowed), wanted, strict=True):
                np.testing.assert_array_equal(found, expected)
                assert found.dtype == expected.dtype
    search.close()
    assert not search.ready(0.0)
    assert len(search.find(queries[0], 3, allowed=None)[0]) == 3


@pytest.mark.parametrize("is_idle", [True, False])
def test_a_search_that_is_begun_ends_with_the_same(vectors: Vectors, *, is_idle: bool) -> None:
    """On threads of the engine and without; what begins meanwhile goes the plain way, and the next one has the copy again."""
    search = NearestVectors(vectors, is_idle=lambda: is_idle)
    search.make()
    first, second = unit(RNG.standard_normal((2, DIMENSION)))
    for query, other in ((first, second), (second, first), (first, first)):
        ends = [search.begin(one, 150, allowed=None) for one in (query, other)]
        for one, end in zip((query, other), ends, strict=True):
            for found, expected in zip(end(), nearest(products(vectors, one), 150), strict=True):
                np.testing.assert_array_equal(found, expected)
    search.close()


def test_whether_a_core_is_idle_is_a_matter_of_the_load() -> None:
    """The answer is that of the system's own number."""
    assert has_idle_core() == (not is_anything_paced() and os.getloadavg()[0] < len(os.sched_getaffinity(0)))


def test_no_core_is_idle_while_paced_work_runs() -> None:
    """On whichever thread, and until the last of it has ended: a new generation that is taken in wants the second core."""
    begun, may_end = threading.Event(), threading.Event()

    def beside() -> None:
        with paced(), paced():
            begun.set()
            may_end.wait(30)

    other = threading.Thread(target=beside)
    other.start()
    assert begun.wait(30)
    seen = is_anything_paced(), has_idle_core()
    may_end.set()
    other.join()
    assert seen == (True, False)
    end = time.monotonic() + 30
    while is_anything_paced() and time.monotonic() < end:  # a copy of another test may still be made
        time.sleep(0.01)
    assert not is_anything_paced()


def test_few_candidates_are_left(vectors: Vectors) -> None:
    """The bound is near enough to be worth it."""
    found = made(vectors).candidates(unit(RNG.standard_normal((1, DIMENSION)))[0], 150, None)
    assert found is not None
    assert 150 <= len(found) < 600


def test_no_copy_is_off_by_more_than_it_says(vectors: Vectors) -> None:
    """Also of rows along one axis; an engine that were would be refused."""
    coarse = made(vectors[:5_000])
    for query in unit(RNG.standard_normal((5, DIMENSION))):
        assert (np.abs(coarse.of_query(query) - products(vectors[:5_000], query)) <= coarse.slack).all()
    wrong = CoarseProducts(coarse._parts, np.full(5_000, 1e-9, np.float32))
    with pytest.raises(RuntimeError, match="exact"):
        wrong._check(vectors[:5_000], coarse._parts[0])


def test_a_small_table_a_huge_one_and_one_that_is_closed_have_no_copy() -> None:
    """It would cost more than it saves, or too much memory."""
    small, closed = (NearestVectors(table(count)) for count in (1_000, _FEWEST_ROWS))
    huge = NearestVectors(np.ones((_MOST_ROWS + 1, 1), np.float32))
    closed.close()
    for search, dimension in ((small, DIMENSION), (closed, DIMENSION), (huge, 1)):
        for _ in range(_FEWEST_ASKED + 3):
            search.find(unit(np.ones((1, dimension)))[0], 5, allowed=None)
        assert not search.ready(5.0)


def test_a_table_may_be_warmed_before_it_is_asked() -> None:
    """Then the first question has the copy; a small table needs none."""
    large, small = NearestVectors(table(_FEWEST_ROWS)), NearestVectors(table(1_000))
    query = unit(np.ones((1, DIMENSION)))[0]
    wanted = large.find(query, 5, allowed=None)
    for search in (large, small):
        search.make()
    assert (large.ready(0.0), small.ready(0.0)) == (True, False)
    np.testing.assert_array_equal(large.find(query, 5, allowed=None)[0], wanted[0])
    large.close()


def test_an_engine_that_cannot_do_it_leaves_the_plain_way() -> None:
    """Rows that are not finite cannot be rounded: the copy is refused, and what is found is what was found before."""
    rows = table(_FEWEST_ROWS)
    rows[7] = np.nan
    search, query = NearestVectors(rows), unit(np.ones((1, DIMENSION)))[0]
    for _ in range(_FEWEST_ASKED + 2):
        before = search.find(query, 5, allowed=None)
    assert not search.ready(60.0)
    np.testing.assert_array_equal(search.find(query, 5, allowed=None)[0], before[0])
