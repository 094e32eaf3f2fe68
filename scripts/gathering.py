"""Many questions at once, but not too many: for commands that take each of a file through the flow."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

AT_ONCE = 4

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


async def gathered(
    name: str, items: Sequence[_Item], work: Callable[[_Item], Awaitable[_Result]], *, at_once: int = AT_ONCE
) -> list[_Result]:
    """Do the work for every item, a few at a time, and give the results in the order of the items.

    Args:
        name: what is counted, for the progress bar on a terminal.
        items: what is worked on.
        work: one piece; an error ends all and is raised.
        at_once: how many run at a time.
    """
    from tqdm import tqdm

    slots = asyncio.Semaphore(at_once)
    with tqdm(total=len(items), desc=name, unit="", file=sys.stderr, disable=not sys.stderr.isatty()) as bar:

        async def one(item: _Item) -> _Result:
            async with slots:
                result = await work(item)
            bar.update()
            return result

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(item)) for item in items]
        except ExceptionGroup as errors:  # the first one is what the command reports
            raise errors.exceptions[0] from None
    return [task.result() for task in tasks]
