"""Claims of `retrieval.pacing`: only paced work rests, and only after some work."""

import threading
import time

from retrieval.pacing import _WORK_S, _paced, paced, rest


def work() -> None:
    """Use the processor for longer than work goes on without a rest."""
    end = time.thread_time() + 2 * _WORK_S
    while time.thread_time() < end:
        pass


def is_rested() -> bool:
    """Say whether `rest` rests after some work: the next stretch of work begins behind it."""
    before = _paced.since
    work()
    rest()
    return bool(_paced.since is not None and _paced.since > before + _WORK_S)


def test_paced_work_rests_and_other_work_does_not() -> None:
    """Also inside of one another; another thread is not paced."""
    rest()
    assert getattr(_paced, "since", None) is None
    with paced():
        assert is_rested()
        with paced():
            assert is_rested()
        assert is_rested()
        seen: list[object] = []
        other = threading.Thread(target=lambda: (rest(), seen.append(getattr(_paced, "since", None))))
        other.start()
        other.join()
        assert seen == [None]
    assert _paced.since is None


def test_a_moment_of_work_is_worth_no_rest() -> None:
    """A step of a few microseconds goes on at once."""
    with paced():
        before = _paced.since
        rest()
        assert _paced.since == before
