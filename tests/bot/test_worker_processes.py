"""Two worker processes on one queue, one of them killed: every question answered once, in order, within seconds."""

import asyncio
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.adapters.store.client import RedisLink
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.leases import LEASE_S
from bot.adapters.work.queue import RedisWorkQueue
from tests.bot.adapters.serving import all_done, eventually
from tests.redis_servers import RedisServer
from tests.sample_messages import message, thread

ROOT = Path(__file__).parents[2]


@contextmanager
def _worker(
    server: RedisServer, arguments: list[str], *, lease_s: float = LEASE_S, held_from: str = "~"
) -> Iterator[subprocess.Popen[bytes]]:
    program = [sys.executable, "-m", "tests.bot.worker_program", server.url, *arguments, str(lease_s), held_from]
    process = subprocess.Popen(program, cwd=ROOT)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


async def _list(link: RedisLink, keys: Keyspace, name: str) -> list[str]:
    return [str(item) for item in await link.execute("LRANGE", f"{keys.prefix}{name}", 0, -1)]


async def _grown(link: RedisLink, keys: Keyspace, name: str, count: int) -> list[str]:
    async def is_grown() -> bool:
        return len(await _list(link, keys, name)) >= count

    await eventually(is_grown, within_s=20)
    return await _list(link, keys, name)


async def _deliver(queue: RedisWorkQueue, name: str, thread_id: str) -> list[bool]:
    """Deliver one mention as Slack may: three times, under both event types, at once."""
    place = f"place:{name}"
    events = [(f"mention:{name}", place), (f"message:{name}", place)] * 3
    return list(await asyncio.gather(*(queue.enqueue(message(name, thread_id=thread_id), claims=c) for c in events)))


async def test_a_killed_worker_costs_seconds_and_no_answer(
    redis_server: RedisServer, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """After kill -9 midway through answers: the other process takes over within 5 s, all are posted once, threads in order."""
    queue, prefix = RedisWorkQueue(redis_link, redis_keys), redis_keys.prefix
    for n in range(18):
        assert sum(await _deliver(queue, f"m{n:02d}", f"t{n % 6}")) == 1
    with _worker(redis_server, [prefix, "doomed", "0.05"], held_from="m06") as doomed:
        # All six first questions are done and all six second ones begun: the kill falls into answers, not between a
        # post and its mark, where only the platform's own record can tell (see the Slack poster).
        await _grown(redis_link, redis_keys, "begun", 12)
        with _worker(redis_server, [prefix, "heir", "0.05"]):
            doomed.kill()
            doomed.wait()
            killed_at = time.monotonic()
            before = len(await _list(redis_link, redis_keys, "posts"))
            await _grown(redis_link, redis_keys, "posts", before + 1)
            waited_s = time.monotonic() - killed_at
            await all_done(redis_link, redis_keys, within_s=20)
            posts = await _list(redis_link, redis_keys, "posts")
    assert sorted(posts) == [f"m{n:02d}" for n in range(18)]
    order = defaultdict(list)
    for name in posts:
        order[int(name[1:]) % 6].append(name)
    assert all(names == sorted(names) for names in order.values())
    assert waited_s < 5.0 + 3.0  # the heir's own start is in it: about a second on a quiet machine
    assert len(await RedisThreadStore(redis_link, redis_keys).turns(thread("t0"))) == 3


async def test_two_live_workers_share_the_work(
    redis_server: RedisServer, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """With both processes alive each answers some threads, and each question is answered once."""
    queue, prefix = RedisWorkQueue(redis_link, redis_keys), redis_keys.prefix
    first, second = ([prefix, name, "0.0"] for name in "ab")
    with _worker(redis_server, first, lease_s=1.5), _worker(redis_server, second, lease_s=1.5):
        await eventually(lambda: _both_hold(redis_link, redis_keys), within_s=30)
        for n in range(40):
            assert sum(await _deliver(queue, f"m{n:02d}", f"t{n}")) == 1
        await all_done(redis_link, redis_keys, within_s=20)
        posts = await _list(redis_link, redis_keys, "posts")
        begun = await _list(redis_link, redis_keys, "begun")
    assert sorted(posts) == [f"m{n:02d}" for n in range(40)]
    assert {line.split()[0] for line in begun} == {"a", "b"}


async def _both_hold(link: RedisLink, keys: Keyspace) -> bool:
    tokens = [await link.execute("GET", keys.of(n, "lease")) for n in range(keys.partitions)]
    return len({str(token).partition("/")[0] for token in tokens if token}) == 2
