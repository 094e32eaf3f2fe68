"""What the retriever needs from an engine and from a model, so that another one can stand behind it."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]


class Encoder(Protocol):
    """Turns text into unit vectors. Safe to call from one thread at a time."""

    @property
    def identity(self) -> str:
        """Name and content hash of the weights and prompts; vectors of two identities never mix."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Give `float32, (len(texts), dimension)`, unit rows, with the model's query prompt."""
        ...

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Give `float32, (len(texts), dimension)`, unit rows, with the model's passage prompt."""
        ...
