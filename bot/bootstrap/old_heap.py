"""Garbage collection, where it costs more than it frees: beside an event loop, and while a command makes objects that all stay."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def old_heap() -> Iterator[None]:
    """Collect once, then look no more at what is there now, until the end of the block.

    A full collection visits every object of every module, table of a language and client: 100 ms of processor, holding
    the lock that every thread needs. Among questions it comes every few hundred of them; on a busy machine the loop then
    stood still for 430 ms. Objects made later are collected as ever, and what nothing refers to is freed at once.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


# As many new objects as a run makes of some ten thousand documents; trees of HTML, which refer to themselves, are freed as often.
_OBJECTS = 100_000


@contextmanager
def growing_heap() -> Iterator[None]:
    """Collect a hundredth as often until the end of the block: a run over 50 000 documents spent a fifteenth of its time on it."""
    before = gc.get_threshold()
    gc.set_threshold(_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
