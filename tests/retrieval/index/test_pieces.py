"""The chunks of an index that is made, with where each comes from."""

import numpy as np

from retrieval.index.entries import NEW
from retrieval.index.pieces import Pieces


def test_where_chunks_come_from_is_counted_out_once() -> None:
    """Vectors, postings and sentences are put together by one array of rows."""
    made = Pieces(sources=[3, NEW, 0])
    np.testing.assert_array_equal(made.origin, np.asarray([3, NEW, 0], np.int32))
    assert made.origin.dtype == np.int32
    assert made.origin is made.origin
