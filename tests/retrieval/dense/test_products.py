"""Products of many rows are those of the plain matrix product, whatever the number of threads."""

import numpy as np
import pytest

from retrieval.dense.products import _SPLIT, products


@pytest.mark.parametrize("count", [0, 1, 1000, _SPLIT + 1, 3 * _SPLIT])
def test_products_equal_the_matrix_product(count: int) -> None:
    """Below and above the size from which threads share the rows."""
    rng = np.random.default_rng(2)
    vectors, query = rng.standard_normal((count, 24), dtype=np.float32), rng.standard_normal(24, dtype=np.float32)
    found = products(vectors, query)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, vectors @ query, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("query", [np.zeros(24), np.zeros((1, 24), np.float32)])
def test_another_type_or_shape_is_refused(query: np.ndarray) -> None:
    """A float64 query would convert the whole matrix."""
    with pytest.raises(TypeError, match="float32"):
        products(np.zeros((3, 24), np.float32), query)
