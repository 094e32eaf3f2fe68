"""The reranker: a cross-encoder that reads question and passage together. Off by default; no model is bundled."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from retrieval.errors import ModelMissing, RerankerFailed

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

MAX_CHARACTERS = 4_000
# What torch and tokenizers raise when a batch does not fit the model or the memory.
_BREAKS = (RuntimeError, ValueError, IndexError, TypeError, KeyError, OSError, MemoryError)


class Reranker(Protocol):
    """Scores passages for a question."""

    @property
    def identity(self) -> str:
        """Name of the model."""
        ...

    def scores(self, query: str, passages: Sequence[str]) -> npt.NDArray[np.float32]:
        """Give one score a passage, float32, (n,); larger is better, the scale is the model's own.

        Raises:
            RerankerFailed: the model broke off.
        """
        ...


class CrossEncoderReranker:
    """A `CrossEncoder` of sentence-transformers, loaded from a folder or the local model cache, never from the network."""

    def __init__(self, model: "CrossEncoder", *, identity: str) -> None:
        self._model = model
        self.identity = identity

    def scores(self, query: str, passages: Sequence[str]) -> npt.NDArray[np.float32]:
        """Give one score a passage, float32, (n,); empty for no passages.

        A model of several classes is read by its last one, which is "relevant" in those that are published.

        Raises:
            RerankerFailed: the model broke off, or a score is no number.
        """
        if not passages:
            return np.zeros(0, np.float32)
        pairs = [(query[:MAX_CHARACTERS], passage[:MAX_CHARACTERS]) for passage in passages]
        try:
            found = self._model.predict(pairs, batch_size=16, show_progress_bar=False, convert_to_numpy=True)
            scores = np.asarray(found, np.float32).reshape(len(passages), -1)[:, -1]
        except _BREAKS as error:
            raise RerankerFailed(f"the reranker {self.identity} broke off: {type(error).__name__}") from error
        if not np.isfinite(scores).all():
            raise RerankerFailed(f"the reranker {self.identity} gave a score that is no number")
        return scores


def load_reranker(model: str, *, device: str = "cpu") -> CrossEncoderReranker:
    """Load a cross-encoder.

    Raises:
        ModelMissing: it is not on this machine; the message names it.
    """
    from sentence_transformers import CrossEncoder
    from transformers.utils.logging import disable_progress_bar

    path = Path(model).expanduser()
    if (path.is_absolute() or model.startswith((".", "~"))) and not path.is_dir():
        raise ModelMissing(f"the reranker is missing: there is no folder {path}")
    try:
        disable_progress_bar()  # type: ignore[no-untyped-call]  # it would be drawn on every stderr, terminal or not
        loaded = CrossEncoder(str(path) if path.is_dir() else model, device=device, local_files_only=True)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ModelMissing(f"the reranker {model} cannot be loaded: {reason}") from error
    return CrossEncoderReranker(loaded, identity=path.name if path.is_dir() else model)


def reranked(order: Sequence[int], scores: npt.NDArray[np.float32]) -> list[int]:
    """Put places in the order of their scores, largest first; equal ones keep the order they came in."""
    ranks = sorted(range(len(order)), key=lambda i: (-float(scores[i]), i))
    return [order[i] for i in ranks]
