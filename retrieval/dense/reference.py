"""The reference path: `SentenceTransformer` loads any model, defines prompts, pooling and normalisation.

Importing it costs four to ten seconds and 400 MB, so it is used once to compile a model, on a GPU, and for models
whose graph cannot be compiled.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from logging import ERROR
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from retrieval.errors import ModelMissing
from retrieval.ports import Vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_PASSAGE_PROMPTS = ("document", "passage", "corpus")


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the model library from talking on stderr: while a graph is traced it warns of what is asked of every attribute."""
    from transformers.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity(ERROR)
    bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call,unused-ignore]  # transformers leaves it untyped
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call,unused-ignore]  # as above


def load_reference(source: Path, *, device: str) -> "SentenceTransformer":
    """Load a SentenceTransformer folder without any network call; float32 on a CPU.

    Raises:
        ModelMissing: the folder is not a complete model; the message carries the loader's reason.
    """
    import torch
    from sentence_transformers import SentenceTransformer

    try:
        with quiet():
            # A half-precision checkpoint would stay half on a CPU, which is slow and less exact there.
            kinds = {"dtype": torch.float32} if device == "cpu" else {}
            model = SentenceTransformer(str(source), device=device, local_files_only=True, model_kwargs=kinds)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelMissing(f"the embedding model in {source} cannot be loaded: {reason}") from error
    return model.eval()


def prompts_of(model: "SentenceTransformer", name: str) -> tuple[str, str]:
    """Give the model's own query and passage prompt; the E5 family is helped out where its folder names none."""
    known: dict[str, str] = {k: v for k, v in (model.prompts or {}).items() if v}
    default = known.get(model.default_prompt_name or "", "")
    query = known.get("query", default)
    passage = next((known[k] for k in _PASSAGE_PROMPTS if k in known), default)
    if not known and "e5" in name.lower() and "instruct" not in name.lower():
        return "query: ", "passage: "
    return query, passage


class ReferenceEncoder:
    """An `Encoder` on torch. Texts arrive cleaned; prompts are put in front here."""

    def __init__(self, model: "SentenceTransformer", *, identity: str, prompts: tuple[str, str]) -> None:
        self._model = model
        self._prompts = prompts
        self.identity = identity
        self.dimension = int(model.get_embedding_dimension() or 0)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, `float32, (len(texts), dimension)`."""
        return self._encode(texts, self._prompts[0])

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, `float32, (len(texts), dimension)`."""
        return self._encode(texts, self._prompts[1])

    def _encode(self, texts: Sequence[str], prompt: str) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        rows = self._model.encode(
            list(texts), prompt=prompt, batch_size=32, normalize_embeddings=True, show_progress_bar=False
        )
        return np.ascontiguousarray(rows, dtype=np.float32)


def graph_of(model: "SentenceTransformer") -> tuple[Any, dict[str, Any]]:
    """Wrap the whole model as one traced function of token ids and mask, with example inputs."""
    import torch

    class Graph(torch.nn.Module):  # type: ignore[misc,unused-ignore]  # torch is untyped for mypy here
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            features = {"input_ids": input_ids, "attention_mask": attention_mask}
            rows = self.model(features)["sentence_embedding"]
            return torch.nn.functional.normalize(rows, p=2, dim=1)

    ones = torch.ones(2, 8, dtype=torch.int64)
    return Graph().eval(), {"input_ids": ones, "attention_mask": ones.clone()}
