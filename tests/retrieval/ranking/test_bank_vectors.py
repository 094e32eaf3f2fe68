"""The vectors of the bundled banks lie ready for the bundled model."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from retrieval.ports import Encoder, Vectors
from retrieval.ranking.bank_vectors import bank_vectors, write_bank_vectors
from retrieval.ranking.banks import bundled_banks
from tests.fakes import HashEncoder


def _never(_texts: Sequence[str]) -> Vectors:
    pytest.fail("nothing is to be encoded (python -m scripts.write_bank_vectors)")


def test_the_bundled_model_encodes_no_bank(default_encoder: Encoder) -> None:
    """They are of the present banks and model, and agree with what it gives now."""
    ready = bank_vectors(default_encoder.identity, embed_passages=_never, embed_queries=_never)
    banks = bundled_banks()
    both = (*banks.ordinary, *banks.off_topic)
    assert ready.queries.shape == ready.passages.shape == (len(both), default_encoder.dimension)
    rows = range(0, len(both), 150)
    queries = default_encoder.encode_queries([both[row] for row in rows])
    passages = default_encoder.encode_passages([both[row] for row in rows])
    desk = default_encoder.encode_queries(banks.desk[:5])
    for kept, now in ((ready.queries[rows], queries), (ready.passages[rows], passages), (ready.desk[:5], desk)):
        assert kept.dtype == np.float32
        np.testing.assert_allclose(kept, now, atol=0.001)


def test_another_model_encodes_them() -> None:
    """Vectors of one model are never taken for those of another."""
    encoder = HashEncoder()
    made = bank_vectors(encoder.identity, embed_passages=encoder.encode_passages, embed_queries=encoder.encode_queries)
    np.testing.assert_array_equal(made.desk, encoder.encode_queries(bundled_banks().desk))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """Unit rows in half precision come back as they were."""
    encoder = HashEncoder()
    write_bank_vectors(encoder, tmp_path / "banks.npz")
    ready = bank_vectors(encoder.identity, embed_passages=_never, embed_queries=_never, path=tmp_path / "banks.npz")
    np.testing.assert_allclose(np.linalg.norm(ready.passages, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(ready.desk, encoder.encode_queries(bundled_banks().desk), atol=0.001)
