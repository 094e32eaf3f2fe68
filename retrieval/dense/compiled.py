"""The served form on a CPU: an OpenVINO graph with pooling and normalisation inside, and a `tokenizers` tokenizer.

Made once by `compile_model` from the reference model; afterwards loading it imports neither torch nor transformers.
Measured with multilingual-e5-small on two cores: four times as many chunks a second as torch, vectors equal to cosine
0.9999.
"""

import json
import sys
import types
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from retrieval.dense.short_texts import ShortTexts
from retrieval.disk_room import refuse_full
from retrieval.errors import ModelMissing
from retrieval.ports import Vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer

RECORD = "encoder.json"
GRAPH = "model.xml"
_TOKENIZER = "tokenizer.json"
_BATCH = 32
# A process that asks one question never needs the whole tokenizer, which takes 0.7 s to read and 0.2 s to drop; a longer text would
# take longer to cut without it.
_FEW = 4
_SHORT = 400
_TOOLS = "openvino.tools.ovc"
_importing = Lock()
# Below this agreement with the reference the graph is not used (pooling or prompts that it cannot express).
_MIN_AGREEMENT = 0.999
_PROBES = (
    "How do I reset my password?",
    "Як Змінити тариф для робочого простору?",
    "Rechnung Nr. 4711 ist doppelt abgebucht worden, was tun?",
    "ログインできません",
    "error 0x80070005 after update " * 12,
)


@dataclass(frozen=True, slots=True)
class EncoderRecord:
    """What is known of a compiled model without loading it. `form` is "openvino" or "torch"."""

    name: str
    weights: str
    dimension: int
    query_prompt: str
    passage_prompt: str
    max_tokens: int
    pad_id: int
    form: str

    @property
    def identity(self) -> str:
        """Name, weights, prompts and dimension in one text; vectors of two identities never mix."""
        return f"{self.name}@{self.weights}/{self.query_prompt}|{self.passage_prompt}/{self.dimension}"


def read_record(folder: Path) -> EncoderRecord:
    """Read `encoder.json`.

    Raises:
        ModelMissing: it is gone or unreadable; the message names the file.
    """
    path = folder / RECORD
    try:
        return EncoderRecord(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ModelMissing(f"the compiled model is damaged: {path} cannot be read; delete {folder}") from error


def openvino() -> types.ModuleType:
    """Import OpenVINO with its usage statistics barred, and without the tools that convert models.

    Without the consent file of its opt-in tool, `convert_model` sends statistics to a public host. The package falls
    back to a stub when `openvino_telemetry` cannot be imported. It also does without its tools, which take a third of its import.
    """
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # None bars the import
    with _importing:
        is_first = "openvino" not in sys.modules
        if is_first:
            sys.modules[_TOOLS] = None  # type: ignore[assignment]  # as above
        try:
            import openvino as runtime
        finally:
            if is_first:
                del sys.modules[_TOOLS]  # whoever compiles a model imports them

    return runtime  # type: ignore[no-any-return,unused-ignore]


class CompiledEncoder:
    """An `Encoder` on OpenVINO. One thread at a time."""

    def __init__(self, folder: Path, record: EncoderRecord) -> None:
        for name in (GRAPH, "model.bin", _TOKENIZER):
            if not (folder / name).is_file():
                raise ModelMissing(f"the compiled model is damaged: {folder / name} is missing; delete {folder}")
        self._folder = folder
        self._record = record
        self._whole: Tokenizer | None = None
        self._asked = 0
        # The compiler lets go of the interpreter, the tokenizer does not.
        with ThreadPoolExecutor(1) as other:
            request = other.submit(_request_for, folder)
            self._short = ShortTexts.of(folder)
            if self._short is None:
                self._whole = _tokenizer_for(folder, record)
            self._request = request.result()

    @property
    def identity(self) -> str:
        """Name and content hash of weights and prompts."""
        return self._record.identity

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._record.dimension

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, `float32, (len(texts), dimension)`."""
        return self._encode([self._record.query_prompt + t for t in texts])

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, `float32, (len(texts), dimension)`."""
        return self._encode([self._record.passage_prompt + t for t in texts])

    def _encode(self, texts: list[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimension), np.float32)
        if not texts:
            return rows
        ids = self._ids(texts)
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        for start in range(0, len(order), _BATCH):
            members = order[start : start + _BATCH]
            rows[members] = self._infer([ids[i] for i in members])
        return rows

    def _ids(self, texts: list[str]) -> list[list[int]]:
        self._asked += len(texts)
        if self._whole is None and self._short is not None:
            if self._asked <= _FEW and all(len(text) <= _SHORT for text in texts):
                return [self._short.ids(text, self._record.max_tokens) for text in texts]
            self._whole = _tokenizer_for(self._folder, self._record)
        assert self._whole is not None
        return [found.ids for found in self._whole.encode_batch_fast(texts)]

    def _infer(self, ids: list[list[int]]) -> Vectors:
        width = max(1, *(len(row) for row in ids)) if len(ids) > 1 else max(1, len(ids[0]))
        tokens = np.full((len(ids), width), self._record.pad_id, np.int64)
        mask = np.zeros((len(ids), width), np.int64)
        for row, values in enumerate(ids):
            tokens[row, : len(values)] = values
            mask[row, : len(values)] = 1
        self._request.infer({0: tokens, 1: mask}, share_inputs=True)
        return np.array(self._request.get_output_tensor(0).data, dtype=np.float32)


def _tokenizer_for(folder: Path, record: EncoderRecord) -> "Tokenizer":
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
    tokenizer.encode_special_tokens = True  # "</s>" typed by a user is text, not the end of the input
    tokenizer.enable_truncation(record.max_tokens)
    tokenizer.no_padding()
    return tokenizer


def _request_for(folder: Path) -> Any:
    # Pinned threads halve the speed when other processes share the cores.
    options = {"PERFORMANCE_HINT": "LATENCY", "ENABLE_CPU_PINNING": False}
    try:
        return openvino().Core().compile_model(str(folder / GRAPH), "CPU", options).create_infer_request()
    except RuntimeError as error:
        raise ModelMissing(f"the compiled model is damaged: {folder / GRAPH}; delete {folder}") from error


def compile_model(model: "SentenceTransformer", record: EncoderRecord, folder: Path) -> EncoderRecord:
    """Write the served form into `folder` and give its record; form "torch" when the graph cannot stand in.

    The graph is kept only when it agrees with the reference on probe texts (smallest cosine 0.999).

    Raises:
        OSError: the disk is full or must not be written; that says nothing about the graph.
    """
    if not _write_graph(model, folder) or not _agrees(model, record, folder):
        for name in (GRAPH, "model.bin", _TOKENIZER):
            (folder / name).unlink(missing_ok=True)
        record = EncoderRecord(**{**asdict(record), "form": "torch"})
    (folder / RECORD).write_text(json.dumps(asdict(record), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return record


def _write_graph(model: "SentenceTransformer", folder: Path) -> bool:
    import torch

    from retrieval.dense.reference import graph_of

    backend: Any = getattr(getattr(model, "tokenizer", None), "backend_tokenizer", None)
    if backend is None:
        return False
    graph, example = graph_of(model)
    runtime = openvino()
    from openvino.tools.ovc import convert_model

    try:
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # tracing warns about every shape test in the library
            converted = convert_model(graph, example_input=example)
        runtime.save_model(converted, str(folder / GRAPH), compress_to_fp16=True)
    except (RuntimeError, KeyError, TypeError, ValueError):
        # The graph's writer takes back what it wrote: a disk that was full would be kept as a model that has no graph.
        refuse_full(folder, 2 * sum(values.numel() for values in model.parameters()))
        return False
    refuse_full(folder)
    (folder / _TOKENIZER).write_text(backend.to_str(pretty=True), encoding="utf-8")
    return True


def _agrees(model: "SentenceTransformer", record: EncoderRecord, folder: Path) -> bool:
    from retrieval.dense.reference import ReferenceEncoder

    reference = ReferenceEncoder(model, identity="", prompts=(record.query_prompt, record.passage_prompt))
    ours = CompiledEncoder(folder, record)
    pairs = ((reference.encode_queries, ours.encode_queries), (reference.encode_passages, ours.encode_passages))
    return all(float((a(_PROBES) * b(_PROBES)).sum(axis=1).min()) >= _MIN_AGREEMENT for a, b in pairs)
