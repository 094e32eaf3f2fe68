"""Exact search for the vectors nearest to a query; after some questions by way of a copy in bytes that is made meanwhile."""

import os
import threading
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from retrieval.dense.coarse import CoarseProducts
from retrieval.dense.products import products
from retrieval.lexical.selection import Rows, Scores, nearest
from retrieval.pacing import is_anything_paced, paced
from retrieval.ports import Vectors

# Below so many rows the copy saves less than asking it costs; above so many it takes half a gigabyte. Before so many questions it is
# not worth making.
_FEWEST_ROWS, _MOST_ROWS, _FEWEST_ASKED = 16_384, 500_000, 8


def has_idle_core() -> bool:
    """Say whether fewer threads wanted to run in the last minute than there are cores, and none of this process works beside searches.

    On a busy machine a search that waits for a second thread waits for its turn twice: 2.4 ms became 4.2 at load 6 on two cores.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return not is_anything_paced() and hasattr(os, "getloadavg") and os.getloadavg()[0] < cores


class NearestVectors:
    """The rows of a table nearest to a query. Safe to share between threads. Close it when done.

    Args:
        vectors: float32, (n, dim), unit rows, mapped is fine.
        is_idle: whether a begun search may use further threads; asked at each.
    """

    def __init__(self, vectors: Vectors, *, is_idle: Callable[[], bool] | None = None) -> None:
        self._vectors = vectors
        self._is_idle = is_idle or has_idle_core
        self._asked = 0
        self._coarse: CoarseProducts | None = None
        self._making: threading.Thread | None = None
        self._is_closed = threading.Event()
        self._alone = threading.Lock()

    def find(self, query: Vectors, n: int, *, allowed: npt.NDArray[np.bool_] | None) -> tuple[Rows, Scores]:
        """Give rows and products of the `n` nearest, best first, ties in row order.

        Args:
            query: float32, (dim,).
            n: how many at most.
            allowed: bool, (n_rows,), the rows that may be given; None for all.
        """
        return self.begin(query, n, allowed=allowed)()

    def begin(
        self, query: Vectors, n: int, *, allowed: npt.NDArray[np.bool_] | None
    ) -> Callable[[], tuple[Rows, Scores]]:
        """Begin a search and give what ends it, on this thread and in any case; arguments and result are those of `find`."""
        coarse = self._taken()
        if coarse is None:
            return lambda: self._plain(query, n, allowed)
        if self._is_idle():
            coarse.begin(query)
        return lambda: self._end(coarse, query, n, allowed)

    def _end(
        self, coarse: CoarseProducts, query: Vectors, n: int, allowed: npt.NDArray[np.bool_] | None
    ) -> tuple[Rows, Scores]:
        try:
            rows = coarse.candidates(query, n, allowed)
        finally:
            self._alone.release()
        if rows is None:
            return self._plain(query, n, allowed)
        places, scores = nearest(products(np.take(self._vectors, rows, axis=0), query), n)
        return rows[places], scores

    def _plain(self, query: Vectors, n: int, allowed: npt.NDArray[np.bool_] | None) -> tuple[Rows, Scores]:
        scores = products(self._vectors, query)
        return nearest(scores if allowed is None else np.where(allowed, scores, np.float32(-np.inf)), n)

    def _taken(self) -> CoarseProducts | None:
        """Take the copy for one search; None when there is none, or another search is at it: the plain way gives the same."""
        self._asked += 1
        coarse = self._coarse
        if coarse is None:
            if self._making is None and self._asked > _FEWEST_ASKED and self._is_worth_it:
                self._make_beside()
            return None
        return coarse if self._alone.acquire(blocking=False) else None

    def _make_beside(self) -> None:
        with self._alone:
            if self._making is None and not self._is_closed.is_set():
                # Not a daemon: a process that ends inside the engine aborts. It looks between two parts whether it is still wanted.
                self._making = threading.Thread(target=self._make, name="coarse vectors")
                self._making.start()

    def _make(self) -> None:
        try:
            with paced():
                for made in CoarseProducts.of_parts(self._vectors):
                    if self._is_closed.is_set():
                        return
                    self._coarse = made
        except (RuntimeError, ImportError, MemoryError):
            return  # an engine that cannot do it leaves the plain way

    @property
    def _is_worth_it(self) -> bool:
        return _FEWEST_ROWS <= len(self._vectors) <= _MOST_ROWS

    def make(self) -> None:
        """Make the copy now, on this thread: before a table is served, and not while somebody waits."""
        if self._making is None and self._coarse is None and self._is_worth_it:
            self._make()

    def ready(self, timeout_s: float) -> bool:
        """Wait until the copy that is being made is there; say whether there is one."""
        if self._making is not None:
            self._making.join(timeout_s)
        return self._coarse is not None

    def close(self) -> None:
        """Let go of the copy, and of the thread that makes one."""
        self._is_closed.set()
        self._coarse = None
