"""What was loaded at the start is left out of garbage collection, so that no full one stops the event loop."""

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
