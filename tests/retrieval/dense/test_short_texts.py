"""A short text is cut into the same ids without the whole tokenizer."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from retrieval.dense.compiled import CompiledEncoder, read_record
from retrieval.dense.short_texts import ShortTexts
from retrieval.ports import Encoder
from tests.conftest import MODELS
from tests.retrieval.dense.test_encoders import ODD


def compiled_folder() -> Path:
    """Give the compiled form of the bundled model."""
    return next((MODELS / "models").glob("multilingual-e5-small-*/openvino"))


@pytest.fixture(scope="module")
def whole(default_encoder: Encoder) -> Tokenizer:
    """Give the whole tokenizer, set as the encoder sets it."""
    tokenizer = Tokenizer.from_file(str(compiled_folder() / "tokenizer.json"))
    tokenizer.encode_special_tokens = True
    tokenizer.enable_truncation(64)
    tokenizer.no_padding()
    return tokenizer


@pytest.fixture(scope="module")
def short(whole: Tokenizer) -> ShortTexts:
    """Open the table of pieces."""
    found = ShortTexts.of(compiled_folder())
    assert found is not None
    return found


def has_whole(encoder: CompiledEncoder) -> bool:
    """Tell whether the whole tokenizer was read."""
    return encoder._whole is not None


QUESTIONS = [
    "query: How do I reset my password?",
    "query: Як Змінити тариф для робочого простору?",
    "query: ログインできません ｶﾞ e\u0301",
    "query: error 0x80070005 <unk> ～~ ▁ ▁▁a \U0010ffff\x07",
    "query: " + "ﷺ" * 100,
]


@pytest.mark.parametrize("text", [*QUESTIONS, *(text[:400] for text in ODD if "\ud800" not in text)])
def test_ids_are_those_of_the_whole_tokenizer(short: ShortTexts, whole: Tokenizer, text: str) -> None:
    """Scripts, unknown letters, typed special tokens, folded signs, and the cut at the length of the model."""
    assert short.ids(text, 64) == whole.encode(text).ids


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_ids_of_any_text(short: ShortTexts, whole: Tokenizer, text: str) -> None:
    """The same for texts that nobody would write."""
    assert short.ids(text, 64) == whole.encode(text).ids


def test_another_kind_of_tokenizer_has_no_table(tiny_model: Path, tmp_path: Path) -> None:
    """A word tokenizer, a damaged table and a folder that is no model are served by the whole tokenizer."""
    shutil.copy(tiny_model / "tokenizer.json", tmp_path)
    assert ShortTexts.of(tmp_path) is None
    assert json.loads((tmp_path / "pieces" / "shell.json").read_text()) == {}
    assert ShortTexts.of(tmp_path) is None
    (tmp_path / "pieces" / "shell.json").write_text("{")
    assert ShortTexts.of(tmp_path) is None
    assert ShortTexts.of(tmp_path / "nowhere") is None


def test_the_whole_tokenizer_is_read_when_it_pays(default_encoder: Encoder) -> None:
    """A first question needs only the table; a long text or a handful of texts loads the whole, with the same vectors."""
    encoder = CompiledEncoder(compiled_folder(), read_record(compiled_folder()))
    first = encoder.encode_queries(["How do I reset my password?"])
    assert not has_whole(encoder)
    encoder.encode_passages(["word " * 200])
    assert has_whole(encoder)
    assert (encoder.encode_queries(["How do I reset my password?"]) == first).all()
    crowd = CompiledEncoder(compiled_folder(), read_record(compiled_folder()))
    crowd.encode_queries(["one", "two", "three", "four", "five"])
    assert has_whole(crowd)
