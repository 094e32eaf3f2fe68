"""Tests that a few of many texts stand for all of them."""

import numpy as np
import numpy.typing as npt
import pytest

from retrieval.ports import Vectors
from retrieval.ranking.space import unit_rows
from retrieval.ranking.spread import spread

Places = npt.NDArray[np.intp]
DIMENSION = 32
LARGE, SMALL, MOST = 3_000, 40, 300


def around(centre: int, count: int, seed: int) -> Vectors:
    """Give vectors of texts on one subject."""
    rows = np.random.default_rng(seed).normal(0, 0.08, (count, DIMENSION)).astype(np.float32)
    rows[:, centre] += 1.0
    return unit_rows(rows)


@pytest.fixture(scope="module")
def vectors() -> Vectors:
    """A large subject, and behind it a small one that is as manifold."""
    return np.concatenate([around(0, LARGE, 1), around(1, SMALL, 2)])


def names(count: int) -> list[str]:
    """Name texts."""
    return [f"text {number}" for number in range(count)]


def test_few_texts_are_all_taken() -> None:
    """Without a need to choose no vector is looked at."""
    assert spread(names(5), lambda _: pytest.fail("looked at"), 5).places.tolist() == [0, 1, 2, 3, 4]
    assert spread([], lambda _: pytest.fail("looked at"), 5).places.tolist() == []


def test_a_small_subject_keeps_its_texts(vectors: Vectors) -> None:
    """Of forty texts beside three thousand every tenth would be four; as many are taken as asked for, each once, in order."""
    taken = spread(names(LARGE + SMALL), lambda places: vectors[places], MOST).places
    assert len(taken) == MOST
    assert (np.diff(taken) > 0).all()
    assert (taken >= LARGE).sum() > 3 * SMALL * MOST / (LARGE + SMALL)


def test_new_texts_leave_most_as_it_was(vectors: Vectors) -> None:
    """An update encodes what is newly taken; with every tenth by place a few texts in front would move all of them."""
    known = names(LARGE + SMALL)
    before = {known[place] for place in spread(known, lambda places: vectors[places], MOST).places}
    more = [*(f"new {number}" for number in range(7)), *known]
    wider = np.concatenate([around(0, 7, 3), vectors])
    after = {more[place] for place in spread(more, lambda places: wider[places], MOST).places}
    assert len(before & after) > 0.9 * MOST


def test_copies_are_taken_when_nothing_else_is_left() -> None:
    """Texts with one vector are still different texts, half a character in one of them too."""
    same = np.full((600, 4), 0.5, np.float32)
    assert len(set(spread([*names(599), "\ud83d"], lambda places: same[places], 500).places.tolist())) == 500


def test_each_text_is_stood_for_once(vectors: Vectors) -> None:
    """The counts are those of all texts, so that a mean over what was taken is about the mean of all."""
    found = spread(names(LARGE + SMALL), lambda places: vectors[places], MOST)
    assert found.stands_for.sum() == LARGE + SMALL
    assert found.stands_for.min() >= 1
    mean, whole = np.average(vectors[found.places], axis=0, weights=found.stands_for), vectors.mean(axis=0)
    assert np.abs(mean - whole).max() < np.abs(vectors[found.places].mean(axis=0) - whole).max() / 2
    assert spread(names(3), lambda places: vectors[places], MOST).stands_for.tolist() == [1, 1, 1]
