"""The cross-encoder path is real: a small model built here is loaded and orders passages."""

from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import ModelMissing, RerankerFailed
from retrieval.ranking import CrossEncoderReranker, load_reranker, reranked
from tests.cross_encoders import build_overlap_model, share_of_words, words_of

QUESTION = "how do I reset my password"
PASSAGES = ("refund invoice", "password only", "How do I reset my password?", "reset password settings", "nothing here")


@pytest.fixture(scope="module")
def reranker(tmp_path_factory: pytest.TempPathFactory) -> CrossEncoderReranker:
    """A model for which words in common win."""
    folder = tmp_path_factory.mktemp("models") / "overlap"
    return load_reranker(str(build_overlap_model(folder, words_of(QUESTION, *PASSAGES))))


def test_the_model_orders_by_what_it_reads(reranker: CrossEncoderReranker) -> None:
    """One float32 score a passage, larger for the one that answers: the order is the model's and not that of the input."""
    scores = reranker.scores(QUESTION, PASSAGES)
    assert scores.dtype == np.float32
    assert scores.shape == (5,)
    shares = [share_of_words(QUESTION, passage) for passage in PASSAGES]
    assert reranked(range(5), scores) == sorted(range(5), key=lambda i: -shares[i])
    assert reranked(range(5), scores)[:3] == [2, 3, 1]
    assert reranker.identity == "overlap"


def test_scores_do_not_depend_on_the_batch(reranker: CrossEncoderReranker) -> None:
    """The same alone, beside a text that is far too long, and again; none for no passages."""
    passages = [*PASSAGES, "password " * 3000, ""]
    scores = reranker.scores(QUESTION, passages)
    assert np.isfinite(scores).all()
    np.testing.assert_allclose(reranker.scores(QUESTION, passages[1:2]), scores[1:2], atol=1e-6)
    np.testing.assert_array_equal(reranker.scores(QUESTION, passages), scores)
    assert reranker.scores("x", []).shape == (0,)


def test_order_follows_the_scores() -> None:
    """Largest first, equal ones as they came."""
    assert reranked([7, 3, 9, 4], np.array([0.1, 0.9, 0.1, 0.5], np.float32)) == [3, 4, 7, 9]


def test_missing_model_is_named(tmp_path: Path) -> None:
    """A folder that is not there, and one without a model, are named."""
    with pytest.raises(ModelMissing, match="no folder /nowhere"):
        load_reranker("/nowhere/reranker")
    with pytest.raises(ModelMissing, match="cannot be loaded"):
        load_reranker(str(tmp_path))


class _Broken:
    """Stands where the vendor's model stands, and does what a broken one does."""

    def __init__(self, result: object) -> None:
        self.result = result

    def predict(self, pairs: list[tuple[str, str]], **_options: object) -> object:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (RuntimeError("out of memory"), "broke off: RuntimeError"),
        (np.zeros(3), "broke off: ValueError"),
        (np.array([np.nan, 1.0]), "no number"),
    ],
)
def test_a_model_that_breaks_off_is_a_typed_error(result: object, said: str) -> None:
    """The vendor's errors, a wrong number of scores and NaN have one name."""
    broken = CrossEncoderReranker(_Broken(result), identity="broken")  # type: ignore[arg-type]
    with pytest.raises(RerankerFailed, match=said):
        broken.scores("q", ["a", "b"])
