"""The nearest of many vectors in two steps, without an approximation: products with a copy in bytes leave a few hundred rows.

The copy of a row is off by at most the length of what rounding took from it, so a row whose product with the copy lies lower than
that below the n-th best can be left out unseen. What is left is compared as it is stored: rows, scores and ties are those of an exact
search. 100 000 vectors of 384 numbers: 2.1 ms of processor time where all float32 products take 7.4, 100 MB of memory, 0.2 s to make.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from retrieval.dense.compiled import openvino
from retrieval.dense.products import products
from retrieval.lexical.selection import floor_of_best
from retrieval.pacing import rest
from retrieval.ports import Rows, Vectors

# Rows of one compiled part: with smaller ones calling costs as much as computing, with larger ones making takes long at a time.
# Rounded by blocks, so that the numbers between stay in the cache and not in the memory.
PART, _BLOCK = 65_536, 1_024
_LEVELS = 127
# Sums of float32 products in another order differ by less; unit vectors.
_ROUNDING = 1e-4
_OPTIONS = {
    "PERFORMANCE_HINT": "LATENCY",
    "INFERENCE_NUM_THREADS": 1,
    "ENABLE_CPU_PINNING": False,
    # What is computed in half precision, or with a rounded query, would be off by more than the bound says.
    "INFERENCE_PRECISION_HINT": "f32",
    "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0,
}


@dataclass(frozen=True, slots=True)
class _Part:
    """A compiled part: what it is asked is written to `asked`, (1, dim), what it answers is read from `answer`, (1, rows)."""

    request: Any
    rows: slice
    asked: Vectors
    answer: Vectors


class CoarseProducts:
    """Products of one query with the copy of all rows. For one thread at a time.

    `slack`: float32, (n,), how far the copy of each row is off for a query of unit length.
    """

    def __init__(self, parts: tuple[_Part, ...], slack: npt.NDArray[np.float32]) -> None:
        self._parts = parts
        self.slack = slack
        self._has_begun = False

    @classmethod
    def of_parts(cls, vectors: Vectors) -> Iterator[Self | None]:
        """Make the copy part by part: give None after each but the last, so that the caller may stop or wait, then the whole.

        Args:
            vectors: float32, (n, dim), unit rows; read once and not kept.

        Raises:
            RuntimeError: the engine cannot be had, or computes otherwise than is promised here.
        """
        slack = np.empty(len(vectors), np.float32)
        parts: list[_Part] = []
        size = -(-len(vectors) // max(-(-len(vectors) // PART), 1))  # parts of one size: they are asked at once
        for start in range(0, len(vectors), size):
            rows = slice(start, min(start + size, len(vectors)))
            part, slack[rows] = _part(vectors[rows], rows)
            parts.append(part)
            made = cls(tuple(parts), slack)
            made._check(vectors[rows], part)
            yield made if rows.stop == len(vectors) else None

    def begin(self, query: Vectors) -> None:
        """Let the engine compute on threads of its own, all parts at once; `of_query` waits for them."""
        for part in self._parts:
            part.asked[0] = query
            part.request.start_async()
        self._has_begun = True

    def of_query(self, query: Vectors) -> Vectors:
        """Give the products, float32, (n,); with `begin` before it that of the same query."""
        has_begun, self._has_begun = self._has_begun, False
        found: Vectors = np.concatenate([_awaited(p) if has_begun else _ask(p, query) for p in self._parts])
        return found

    def candidates(self, query: Vectors, n: int, allowed: npt.NDArray[np.bool_] | None) -> Rows | None:
        """Give the rows among which the `n` of the largest products are, ascending; None when fewer than `n` are allowed.

        Args:
            query: float32, (dim,).
            n: how many are wanted.
            allowed: bool, (n_rows,); None for all.
        """
        near = self.of_query(query)
        slack = self.slack * np.float32(np.linalg.norm(query))
        low = near - slack
        if allowed is not None:
            low[~allowed] = -np.inf
        least = floor_of_best(low, n)
        if not np.isfinite(least):
            return None
        near += slack
        found = np.flatnonzero(near >= least)
        return (found if allowed is None else found[allowed[found]]).astype(np.int32)

    def _check(self, vectors: Vectors, part: _Part) -> None:
        """Compare a part with exact products: an engine of another machine may round where this one does not."""
        query = vectors[len(vectors) // 2]
        off = np.abs(_ask(part, query) - products(vectors, query))
        if not (off <= self.slack[part.rows] * np.linalg.norm(query)).all():
            raise RuntimeError("products with bytes are not as exact as they should be")


def _awaited(part: _Part) -> Vectors:
    part.request.wait()
    found: Vectors = part.answer[0]
    return found


def _ask(part: _Part, query: Vectors) -> Vectors:
    part.asked[0] = query
    part.request.infer()
    found: Vectors = part.answer[0]
    return found


def _part(vectors: Vectors, rows: slice) -> tuple[_Part, Vectors]:
    """Give a compiled part over vectors, float32, (n, dim), and how far each row of it is off."""
    levels, scale, slack = (
        np.empty(vectors.shape, np.int8),
        np.empty((len(vectors), 1), np.float32),
        np.empty(len(vectors)),
    )
    with np.errstate(invalid="ignore"):  # a row that is no number is told of by the check
        for start in range(0, len(vectors), _BLOCK):
            block = slice(start, start + _BLOCK)
            levels[block], scale[block], slack[block] = _rounded(vectors[block])
            rest()
    asked, answer = np.zeros((1, vectors.shape[1]), np.float32), np.zeros((1, len(vectors)), np.float32)
    request = _request(levels, scale)
    rest()
    # The engine reads and writes these very arrays: handing them over at each call costs 0.1 ms.
    request.set_input_tensor(openvino().Tensor(asked, shared_memory=True))
    request.set_output_tensor(openvino().Tensor(answer, shared_memory=True))
    return _Part(request, rows, asked, answer), slack.astype(np.float32)


def _rounded(vectors: Vectors) -> tuple[npt.NDArray[np.int8], Vectors, Vectors]:
    """Give levels, the scale of each row, and how far each is off."""
    scale = np.abs(vectors).max(axis=1, keepdims=True) / np.float32(_LEVELS)
    scale[scale == 0] = 1.0
    levels = np.rint(vectors / scale)
    off = np.linalg.norm(vectors - levels * scale, axis=1) + np.float32(_ROUNDING)
    return levels.astype(np.int8), scale, off


def _request(levels: npt.NDArray[np.int8], scale: Vectors) -> Any:
    runtime = openvino()
    from openvino import opset13 as operations

    asked = operations.parameter([1, levels.shape[1]], runtime.Type.f32)
    # Engines know this form and read the bytes as they are, multiplied by the scale of a row.
    held = operations.multiply(operations.convert(operations.constant(levels), "f32"), operations.constant(scale))
    graph = runtime.Model([operations.matmul(asked, held, False, True)], [asked])
    return runtime.Core().compile_model(graph, "CPU", _OPTIONS).create_infer_request()
