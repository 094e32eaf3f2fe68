"""Many at once, in order, and not too many."""

import asyncio

import pytest

from retrieval.errors import IndexMissing
from scripts.gathering import gathered


async def test_results_come_in_the_order_of_the_items() -> None:
    """The first ones take longest; never more than the given number run at a time."""
    running, most = 0, 0

    async def work(item: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.02 / (item + 1))
        running -= 1
        return item * item

    assert await gathered("squares", range(9), work, at_once=3) == [n * n for n in range(9)]
    assert most == 3
    assert await gathered("nothing", [], work) == []


async def test_the_first_fault_is_what_is_raised() -> None:
    """By its own class, so that a command can say it in one line; the others are given up."""
    done: list[int] = []

    async def work(item: int) -> None:
        if item == 1:
            raise IndexMissing("gone")
        await asyncio.sleep(0.05)
        done.append(item)

    with pytest.raises(IndexMissing, match="gone"):
        await gathered("broken", [0, 1, 2], work)
    assert done == []
