"""What was there at the start is not visited by collections while the process serves."""

import contextlib
import gc
import weakref

from bot.bootstrap.old_heap import growing_heap, old_heap


class _Knot:
    """Refers to itself, so that only a collection frees it."""

    def __init__(self) -> None:
        self.own = self


def test_what_is_there_is_left_out_and_given_back() -> None:
    """Inside the block nearly every object is frozen, so a full collection has little to visit; after it none is."""
    before = len(gc.get_objects())
    with old_heap():
        assert gc.get_freeze_count() > 0.9 * before
        assert len(gc.get_objects()) < 0.1 * before
    assert gc.get_freeze_count() == 0


def test_knots_of_before_and_of_meanwhile_are_freed() -> None:
    """What nobody uses is collected before the heap is frozen, and what is made later as ever."""
    gone = weakref.ref(_Knot())
    with old_heap():
        assert gone() is None
        later = weakref.ref(_Knot())
        gc.collect()
        assert later() is None


def test_a_growing_heap_is_collected_seldom_and_then_as_before() -> None:
    """What refers to itself is freed all the same, and the usual intervals come back, also after an error."""
    before = gc.get_threshold()
    with contextlib.suppress(ValueError), growing_heap():
        gone = weakref.ref(_Knot())
        young = [[n] for n in range(gc.get_threshold()[0] + 1)]
        assert gone() is None
        assert gc.get_threshold()[0] > 10 * before[0]
        raise ValueError(len(young))
    assert gc.get_threshold() == before
