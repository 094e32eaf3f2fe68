"""Gives the encoder of a model, making its compiled form at first use."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from retrieval.dense.compiled import (
    RECORD,
    CompiledEncoder,
    EncoderRecord,
    compile_model,
    read_record,
)
from retrieval.dense.model_home import ModelHome, create_model, find_model, home_of, model_bytes, weights_hash
from retrieval.ports import Encoder, Vectors

# 512 tokens are about 2,000 letters of English; 20,000 letters would keep the tokenizer busy for nothing.
MAX_CHARACTERS = 8000


def load_encoder(model: str, *, data_dir: Path, device: str = "auto") -> Encoder:
    """Load an embedding model; "" means the bundled multilingual-e5-small.

    On a CPU the compiled form is served: made once (about 15 s for the bundled model), then loaded in about a second without
    torch. `device` is "auto" (a GPU when there is one), "cpu" or "cuda".

    Args:
        model: A hub name, a folder, or "" for the bundled model.
        data_dir: Data folder; models live in `data_dir/models`.
        device: Where the model runs.

    Raises:
        ModelMissing: the model is not on this machine; the message names the missing folder or file.
    """
    home, folder, record = _made(model, data_dir)
    return CleaningEncoder(_loaded(home, folder, record, device))


def late_encoder(model: str, *, data_dir: Path, device: str = "auto") -> Encoder:
    """Give the encoder of a model, which is loaded with the first text: a run that embeds nothing needs its name alone.

    Args:
        model: as for `load_encoder`.
        data_dir: as for `load_encoder`.
        device: as for `load_encoder`.

    Raises:
        ModelMissing: the model is not on this machine. One that is damaged is told of with the first text.
    """
    home, folder, record = _made(model, data_dir)
    return CleaningEncoder(_LateEncoder(record, partial(_loaded, home, folder, record, device)))


def is_made(model: str, data_dir: Path) -> bool:
    """Say whether the served form of a model lies in the data folder, so that loading it takes a second and not minutes.

    Raises:
        ModelMissing: as for `load_encoder`, of a model that is not the bundled one.
    """
    return (home_of(model, data_dir) / "openvino" / RECORD).is_file()


def prepare_default_model(data_dir: Path) -> str:
    """Export and compile the bundled model when that has not been done yet; give its identity."""
    return load_encoder("", data_dir=data_dir, device="cpu").identity


class _LateEncoder:
    def __init__(self, record: EncoderRecord, load: Callable[[], Encoder]) -> None:
        self.identity = record.identity
        self.dimension = record.dimension
        self._load = load
        self._encoder: Encoder | None = None

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self._now().encode_queries(texts)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        return self._now().encode_passages(texts)

    def _now(self) -> Encoder:
        if self._encoder is None:
            self._encoder = self._load()
        return self._encoder


class CleaningEncoder:
    """Guards an encoder against what breaks it, and promises unit rows.

    NUL bytes cut a text short in some engines, lone surrogates are no UTF-8, and very long texts block it for
    seconds; an all-zero row (a model without tokens for a text) becomes a fixed unit vector.
    """

    def __init__(self, inner: Encoder) -> None:
        self._inner = inner

    @property
    def identity(self) -> str:
        """Name and content hash of the weights and prompts."""
        return self._inner.identity

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._inner.dimension

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, `float32, (len(texts), dimension)`."""
        return _unit(self._inner.encode_queries([cleaned(t) for t in texts]))

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, `float32, (len(texts), dimension)`."""
        return _unit(self._inner.encode_passages([cleaned(t) for t in texts]))


def cleaned(text: str) -> str:
    """Give the text that is encoded: NUL bytes and lone surrogates replaced by blanks, cut to 8,000 characters."""
    cut = text[:MAX_CHARACTERS].replace("\x00", " ")
    return cut if cut.isascii() else "".join(" " if "\ud800" <= c <= "\udfff" else c for c in cut)


def _unit(rows: Vectors) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    bad = ~np.isfinite(lengths[:, 0]) | (lengths[:, 0] < 1e-6)
    result: Vectors = (rows / np.where(bad[:, None], 1.0, lengths)).astype(np.float32)
    if bad.any():
        result[bad] = 0.0
        result[bad, 0] = 1.0
    return result


def _made(model: str, data_dir: Path) -> tuple[ModelHome, Path, EncoderRecord]:
    """Find a model, make its compiled form where there is none, and give where both are with the record."""
    home = find_model(model, data_dir)
    folder = home.home / "openvino"
    if not (folder / RECORD).is_file():
        create_model(folder, lambda scratch: _compile(home, scratch), needs=model_bytes(home.source))
    return home, folder, read_record(folder)


def _loaded(home: ModelHome, folder: Path, record: EncoderRecord, device: str) -> Encoder:
    if _wants_cuda(device):
        return _reference(home, record, "cuda")
    return _reference(home, record, "cpu") if record.form == "torch" else CompiledEncoder(folder, record)


def _compile(home: ModelHome, scratch: Path) -> None:
    from retrieval.dense.reference import load_reference, prompts_of, quiet

    model = load_reference(home.source, device="cpu")
    query, passage = prompts_of(model, home.name)
    pad = getattr(getattr(model, "tokenizer", None), "pad_token_id", None)
    record = EncoderRecord(
        name=home.name,
        weights=weights_hash(home.source),
        dimension=int(model.get_embedding_dimension() or 0),
        query_prompt=query,
        passage_prompt=passage,
        max_tokens=min(int(model.max_seq_length or 512), 512),
        pad_id=int(pad or 0),
        form="openvino",
    )
    with quiet():
        compile_model(model, record, scratch)


def _reference(home: ModelHome, record: EncoderRecord, device: str) -> Encoder:
    from retrieval.dense.reference import ReferenceEncoder, load_reference

    model = load_reference(home.source, device=device)
    return ReferenceEncoder(model, identity=record.identity, prompts=(record.query_prompt, record.passage_prompt))


def _wants_cuda(device: str) -> bool:
    if device == "auto":
        # Asking torch costs seconds; without the driver's file there is nothing to ask.
        return Path("/proc/driver/nvidia/version").exists() and _cuda_works()
    return device == "cuda"


def _cuda_works() -> bool:
    import torch

    return bool(torch.cuda.is_available())
