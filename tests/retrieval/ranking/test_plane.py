"""The plane lies between two sets and ignores the axes it is told to."""

import numpy as np

from retrieval.ranking.plane import fit_plane, sides


def _cloud(seed: int, centre: list[float]) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (np.asarray(centre) + 0.1 * rng.standard_normal((200, len(centre)))).astype(np.float32)


def test_sides_of_two_clouds() -> None:
    """Rows of the first set come out near +1, of the second near -1, also with very unequal numbers."""
    inside, outside = _cloud(1, [1, 0, 0]), _cloud(2, [0, 1, 0])[:20]
    plane = fit_plane(inside, outside, np.zeros((0, 3), np.float32))
    assert plane.dtype == np.float32
    assert sides(inside, plane).mean() > 0.8
    assert sides(outside, plane).mean() < -0.8


def test_given_axes_do_not_matter() -> None:
    """Moving a row along such an axis changes nothing, though both sets differ most there."""
    inside, outside = _cloud(1, [1, 0, 5]), _cloud(2, [0, 1, -5])
    axis = np.array([[0, 0, 1]], np.float32)
    plane = fit_plane(inside, outside, axis)
    moved = inside + 3 * axis
    assert np.allclose(sides(inside, plane), sides(moved, plane), atol=1e-4)
    assert (sides(inside, plane) > 0).all()


def test_one_row_each() -> None:
    """A single row on each side gives finite numbers."""
    plane = fit_plane(np.array([[1, 0]], np.float32), np.array([[0, 1]], np.float32), np.zeros((0, 2), np.float32))
    assert np.isfinite(plane).all()
    assert sides(np.array([[1, 0]], np.float32), plane)[0] > 0
