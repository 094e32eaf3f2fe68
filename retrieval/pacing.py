"""Work that nobody waits for, done in small steps with rests between, so that those who wait are served meanwhile."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

# Of the time of its thread, paced work takes a third: with a fifth searches beside it were no faster (RESULTS.md). A rest is worth its
# cost after a millisecond of work.
_RESTS, _WORK_S, _LONGEST_S = 2, 0.001, 0.1
_paced = threading.local()
_alone = threading.Lock()
_running = 0


@contextmanager
def paced() -> Iterator[None]:
    """Have what this thread does rest whenever it calls `rest`; elsewhere `rest` does nothing."""
    before = getattr(_paced, "since", None)
    _paced.since = time.thread_time()
    _count(1)
    try:
        yield
    finally:
        _count(-1)
        _paced.since = before


def is_anything_paced() -> bool:
    """Say whether a thread of this process does paced work now: a core that looks idle is wanted again at once."""
    return _running > 0


def _count(change: int) -> None:
    global _running  # noqa: PLW0603  (one count for the process, under its lock)
    with _alone:
        _running += change


def rest() -> None:
    """Rest for twice the processor time that passed since the last rest, where the thread is paced. Called between small steps."""
    since = getattr(_paced, "since", None)
    if since is None:
        return
    worked = time.thread_time() - since
    if worked >= _WORK_S:
        time.sleep(min(_RESTS * worked, _LONGEST_S))
        _paced.since = time.thread_time()
