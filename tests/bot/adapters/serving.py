"""A worker's serving loop for tests: handles messages with a given function and says what it did."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.queue import RedisWorkQueue
from bot.ports import Handler

LEASE_S = 0.6


@asynccontextmanager
async def serving(queue: RedisWorkQueue, handle: Handler, *, drain_s: float = 2.0) -> AsyncIterator[asyncio.Task[None]]:
    """Serve as long as the block runs, then stop in order."""
    task = asyncio.create_task(queue.serve(handle, drain_s=drain_s))
    try:
        yield task
    finally:
        await stopped(task)


async def stopped(task: asyncio.Task[None]) -> None:
    """Cancel and wait."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def until(condition: Callable[[], bool], *, within_s: float = 30.0) -> None:
    """Wait for a condition; fail when it does not come true in time."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - watches from outside
            await asyncio.sleep(0.005)


async def eventually(condition: Callable[[], Awaitable[bool]], *, within_s: float = 30.0) -> None:
    """Wait for a condition that must be asked for; fail when it does not come true in time."""
    async with asyncio.timeout(within_s):
        while not await condition():  # noqa: ASYNC110 - other processes tell no event
            await asyncio.sleep(0.01)


async def all_done(link: RedisLink, keys: Keyspace, *, within_s: float = 30.0) -> None:
    """Wait until every work stream is empty."""

    async def is_empty() -> bool:
        return await waiting_entries(link, keys) == 0

    await eventually(is_empty, within_s=within_s)


async def waiting_entries(link: RedisLink, keys: Keyspace) -> int:
    """Count the entries of all work streams."""
    return sum([int(await link.execute("XLEN", keys.of(n, "work"))) for n in range(keys.partitions)])


async def dead_letters(link: RedisLink, keys: Keyspace) -> list[dict[str, str]]:
    """Give the fields of all dead letters."""
    found: list[dict[str, str]] = []
    for n in range(keys.partitions):
        for _, fields in await link.execute("XRANGE", keys.of(n, "dead"), "-", "+"):
            flat = fields if isinstance(fields, dict) else dict(zip(fields[::2], fields[1::2], strict=True))
            found.append(flat)
    return found
