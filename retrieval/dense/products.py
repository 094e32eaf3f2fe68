"""Products of many stored vectors with one query: exact, and limited by the memory alone."""

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numpy as np

from retrieval.ports import Vectors

# Below this many rows a second thread costs more than it saves.
_SPLIT = 16_384
_MOST_THREADS = 4


def products(vectors: Vectors, query: Vectors) -> Vectors:
    """Give the product of each row with the query, float32, (n,).

    `einsum` reads rows as they lie; the BLAS of numpy's wheels takes 1.6 times the processor time for the same, and its threads
    wait for each other on a busy machine.

    Args:
        vectors: float32, (n, dim), mapped is fine.
        query: float32, (dim,).

    Raises:
        TypeError: the query is of another type or shape.
    """
    check_query(query)
    found: Vectors = np.empty(len(vectors), np.float32)
    if len(vectors) < _SPLIT:
        _fill(found, vectors, query, slice(None))
        return found
    spans = [slice(*bounds) for bounds in itertools.pairwise(np.linspace(0, len(vectors), _parts() + 1).astype(int))]
    waiting = [_pool().submit(_fill, found, vectors, query, span) for span in spans[1:]]
    _fill(found, vectors, query, spans[0])
    for part in waiting:
        part.result()
    return found


def check_query(query: Vectors) -> None:
    """Refuse what would make numpy convert the whole matrix at every question: ten times slower, and silent.

    Raises:
        TypeError: not float32, or not one dimension.
    """
    if query.dtype != np.float32 or query.ndim != 1:
        raise TypeError(f"a query vector is float32 with one dimension, not {query.dtype} with {query.ndim}")


def _fill(found: Vectors, vectors: Vectors, query: Vectors, span: slice) -> None:
    np.einsum("ij,j->i", vectors[span], query, out=found[span])


@lru_cache(maxsize=1)
def _parts() -> int:
    return min(_MOST_THREADS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@lru_cache(maxsize=1)
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_MOST_THREADS, thread_name_prefix="products")
