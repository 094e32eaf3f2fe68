"""Claims of `retrieval.dense.early`."""

from pathlib import Path

import pytest

from retrieval.dense.early import loaded_encoder, start_loading
from retrieval.errors import ModelMissing
from retrieval.ports import Encoder
from tests.conftest import MODELS


def test_what_was_begun_is_given_once(default_encoder: Encoder) -> None:
    """The encoder of the thread, then one of its own."""
    for _ in range(2):  # the second beginning is the same one
        start_loading("", data_dir=MODELS, device="cpu")
    first, second = (loaded_encoder("", data_dir=MODELS, device="cpu") for _ in range(2))
    assert first is not second
    assert first.identity == second.identity == default_encoder.identity


def test_a_model_that_is_missing_is_told_when_it_is_asked_for(tmp_path: Path) -> None:
    """Not on the thread, and not where no model was ever made; asked again, it is told again."""
    for has_models in (False, True):
        if has_models:
            (tmp_path / "models").mkdir()
        start_loading("no/such-model", data_dir=tmp_path)
        for _ in range(2):
            with pytest.raises(ModelMissing, match="no/such-model"):
                loaded_encoder("no/such-model", data_dir=tmp_path)
