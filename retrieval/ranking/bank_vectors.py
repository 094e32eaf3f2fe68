"""Vectors of the bundled banks: those of the bundled model lie beside the texts, another model's are made.

Making them is 3,100 short texts, some 13 s of the first index of a new base. `python -m scripts.write_bank_vectors` writes the
file anew after the banks or the model changed; until then it is left unread, for it names the model and the texts it was made of.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from retrieval.ports import Encoder, Vectors
from retrieval.ranking.banks import Banks, bundled_banks

FILE = Path(__file__).with_name("bank_vectors.npz")
Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class BankVectors:
    """Raw vectors, float32, (n, dim), unit rows: ordinary and off-topic texts as queries and as passages, desk questions as queries."""

    queries: Vectors
    passages: Vectors
    desk: Vectors


def bank_vectors(encoder: str, *, embed_passages: Embed, embed_queries: Embed, path: Path = FILE) -> BankVectors:
    """Give the vectors of the bundled banks.

    Args:
        encoder: identity of the model.
        embed_passages: gives raw vectors with the passage prompt, (n, dim); called where none lie ready.
        embed_queries: the same with the query prompt.
        path: where those of one model lie.
    """
    return _ready(encoder, path) or _made(bundled_banks(), embed_passages, embed_queries)


def write_bank_vectors(encoder: Encoder, path: Path = FILE) -> None:
    """Write the vectors of one model, in half precision (cosines move by at most .0005)."""
    made = _made(bundled_banks(), encoder.encode_passages, encoder.encode_queries)
    queries, passages, desk = (rows.astype(np.float16) for rows in (made.queries, made.passages, made.desk))
    of = np.array(_made_of(encoder.identity))
    np.savez_compressed(path, made_of=of, queries=queries, passages=passages, desk=desk)


def _ready(encoder: str, path: Path) -> BankVectors | None:
    with np.load(path, allow_pickle=False) as kept:
        if str(kept["made_of"]) != _made_of(encoder):
            return None
        return BankVectors(*(_unit(kept[role].astype(np.float32)) for role in ("queries", "passages", "desk")))


def _made(banks: Banks, embed_passages: Embed, embed_queries: Embed) -> BankVectors:
    both = (*banks.ordinary, *banks.off_topic)
    return BankVectors(embed_queries(both), embed_passages(both), embed_queries(banks.desk))


def _made_of(encoder: str) -> str:
    banks = bundled_banks()
    texts = "\n".join((encoder, *banks.ordinary, *banks.off_topic, *banks.desk))
    return hashlib.sha256(texts.encode()).hexdigest()


def _unit(rows: Vectors) -> Vectors:
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit
