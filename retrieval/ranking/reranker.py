"""The reranker: a cross-encoder that reads question and passage together. Off by default; no model is bundled."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from retrieval.errors import ModelMissing

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

MAX_CHARACTERS = 4_000


class Reranker(Protocol):
    """Scores passages for a question."""

    @property
    def identity(self) -> str:
        """Name of the model."""
        ...

    def scores(self, query: str, passages: Sequence[str]) -> npt.NDArray[np.float32]:
        """Give one score a passage, float32, (n,); larger is better, the scale is the model's own."""
        ...


class CrossEncoderReranker:
    """A `CrossEncoder` of sentence-transformers, loaded from a folder or the local model cache, never from the network."""

    def __init__(self, model: "CrossEncoder", *, identity: str) -> None:
        self._model = model
        self.identity = identity

    def scores(self, query: str, passages: Sequence[str]) -> npt.NDArray[np.float32]:
        """Give one score a passage, float32, (n,); empty for no passages."""
        if not passages:
            return np.zeros(0, np.float32)
        pairs = [(query[:MAX_CHARACTERS], passage[:MAX_CHARACTERS]) for passage in passages]
        found = self._model.predict(pairs, batch_size=16, show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(found, np.float32).reshape(len(passages), -1)[:, -1]


def load_reranker(model: str, *, device: str = "cpu") -> CrossEncoderReranker:
    """Load a cross-encoder.

    Raises:
        ModelMissing: it is not on this machine; the message names it.
    """
    from sentence_transformers import CrossEncoder

    path = Path(model).expanduser()
    if (path.is_absolute() or model.startswith((".", "~"))) and not path.is_dir():
        raise ModelMissing(f"the reranker is missing: there is no folder {path}")
    try:
        loaded = CrossEncoder(str(path) if path.is_dir() else model, device=device, local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelMissing(f"the reranker {model} cannot be loaded: {reason}") from error
    return CrossEncoderReranker(loaded, identity=path.name if path.is_dir() else model)


def reranked(order: Sequence[int], scores: npt.NDArray[np.float32]) -> list[int]:
    """Put places in the order of their scores, largest first; equal ones keep the order they came in."""
    ranks = sorted(range(len(order)), key=lambda i: (-float(scores[i]), i))
    return [order[i] for i in ranks]
