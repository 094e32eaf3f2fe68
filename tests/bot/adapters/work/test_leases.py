"""Leases: shared fairly, given back after an outage, and nothing counts that a worker does without one."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from bot.adapters.store.client import CONNECTIONS, RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.leases import Lease, Leases
from bot.adapters.work.queue import RedisWorkQueue
from bot.adapters.work.stream import LeaseLost, WorkStreams
from bot.errors import StateUnavailable, WorkTaken
from bot.messages import AcceptedMessage
from tests.bot.adapters.serving import all_done, eventually, serving, until
from tests.redis_servers import RedisServer
from tests.sample_messages import message


def _leases(link: RedisLink, keys: Keyspace, worker: str, lease_s: float = 5.0) -> Leases:
    return Leases(link, keys, worker, lease_s=lease_s)


async def _lapse(link: RedisLink, keys: Keyspace) -> None:
    """Let every lease and every worker's presence run out, as time would."""
    await link.execute("DEL", keys.workers, *(keys.of(n, "lease") for n in range(keys.partitions)))


async def test_one_worker_has_all_and_two_share(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """A second worker gets half: the first lets go of what is above its share, and takes it back when it is alone."""
    first, second = (_leases(redis_link, redis_keys, name) for name in "ab")
    await first.beat()
    assert len(first.held) == 16
    await second.beat()
    assert second.held == {}
    await first.beat()
    leaving = [lease for lease in first.held.values() if lease.is_leaving]
    assert len(leaving) == len(list(first.serving())) == 8
    for lease in leaving:
        await first.release(lease)
    await second.beat()
    assert {*first.held} | {*second.held} == set(range(16))
    assert len(second.held) == 8
    await second.sign_off()
    await first.beat()
    assert len(list(first.serving())) == 16


async def test_what_was_leaving_is_swept_when_it_stays(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """A partition that was to be given away, and then is not, has its waiting entries taken up again."""
    first, second = (_leases(redis_link, redis_keys, name) for name in "ab")
    await first.beat()
    for lease in first.held.values():
        lease.is_swept = True
    await second.beat()
    await first.beat()
    leaving = [lease for lease in first.held.values() if lease.is_leaving]
    await second.sign_off()
    await first.beat()
    assert all(not lease.is_leaving and not lease.is_swept for lease in leaving)


class SlowAnswers(RedisLink):
    """A Redis whose answers to a script come late: when `released` is set."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.is_reached = asyncio.Event()
        self.released = asyncio.Event()

    async def run(self, script: str, keys: Sequence[str], args: Sequence[str | float] = ()) -> Any:
        """Run it at once, and answer later."""
        answer = await super().run(script, keys, args)
        self.is_reached.set()
        await self.released.wait()
        return answer


async def test_what_is_let_go_during_a_sweep_is_swept_again(
    redis_server: RedisServer, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """A lane that lets go of its questions while the partition is swept does not leave them for ever."""
    leases, late = _leases(redis_link, redis_keys, "a"), SlowAnswers(redis_server.url)
    await leases.beat()
    (lease, *_) = leases.serving()
    sweeping = asyncio.create_task(WorkStreams(late, redis_keys, worker="a").sweep(lease))
    await late.is_reached.wait()
    lease.doubt()
    late.released.set()
    await sweeping
    await late.close()
    assert not lease.is_swept


async def test_a_sweep_that_fails_is_made_again(redis_keys: Keyspace) -> None:
    """A partition is not taken for swept when Redis went away meanwhile."""
    away = RedisLink("unix:///nowhere/redis.sock")
    lease = Lease(0, "a#1")
    with pytest.raises(StateUnavailable):
        await WorkStreams(away, redis_keys, worker="a").sweep(lease)
    await away.close()
    assert not lease.is_swept


async def test_an_expired_lease_comes_back_when_nobody_had_it(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """After a pause without another holder the leases are the same, so work goes on; otherwise they are lost."""
    first, second = (_leases(redis_link, redis_keys, name) for name in "ab")
    await first.beat()
    before = dict(first.held)
    await _lapse(redis_link, redis_keys)
    await first.beat()
    assert first.held == before
    await _lapse(redis_link, redis_keys)
    await second.beat()
    await first.beat()
    assert not any(first.is_held(lease) for lease in before.values())
    assert {lease.fence for lease in second.held.values()} == {"2"}


async def test_a_lease_lost_and_won_again_is_another(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """When somebody held the partition in between, the new lease has a new token and must be swept."""
    first, second = (_leases(redis_link, redis_keys, name) for name in "ab")
    await first.beat()
    old = first.held[3]
    old.is_swept = True
    await _lapse(redis_link, redis_keys)
    await second.beat()
    await second.sign_off()
    await first.beat()
    assert first.held[3].token != old.token
    assert not first.held[3].is_swept


async def test_after_an_outage_each_gets_back_its_own_first(
    own_redis_server: RedisServer, own_redis_link: RedisLink
) -> None:
    """Redis gone and back with all leases run out: the first beat takes nothing that another worker had in work."""
    keys = Keyspace("outage:", 4)
    first, second = (_leases(own_redis_link, keys, name, lease_s=0.2) for name in "ab")
    await first.beat()
    assert len(first.held) == 4
    own_redis_server.kill()
    for leases in (first, second):
        with pytest.raises(StateUnavailable):
            await leases.beat()
    assert len(first.held) == 4
    own_redis_server.start()
    await asyncio.sleep(0.25)
    await second.beat()
    assert second.held == {}
    before = dict(first.held)
    await first.beat()
    assert first.held == before


async def test_nothing_counts_without_the_lease(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """A worker that lost its lease can neither read, begin, acknowledge, retry, bury nor sweep."""
    queue = RedisWorkQueue(redis_link, redis_keys)
    asked = message()
    await queue.enqueue(asked, claims=["e"])
    await queue.enqueue(message("m2"), claims=["e2"])
    first, second = (_leases(redis_link, redis_keys, name) for name in "ab")
    streams = WorkStreams(redis_link, redis_keys, worker="a")
    await first.beat()
    lease = first.held[redis_keys.partition(asked.thread.key)]
    await streams.sweep(lease)
    [job] = await streams.read(lease, count=1)
    assert await streams.begin(job) == 1
    await _lapse(redis_link, redis_keys)
    await second.beat()
    steps = [
        lambda: streams.begin(job),
        lambda: streams.done(job),
        lambda: streams.retry_later(job),
        lambda: streams.bury(job, reason="r"),
        lambda: streams.read(lease, count=1),
        lambda: streams.sweep(lease),
    ]
    for step in steps:
        with pytest.raises(LeaseLost):
            await step()
    taken = second.held[lease.partition]
    theirs = WorkStreams(redis_link, redis_keys, worker="b")
    [swept] = await theirs.sweep(taken)
    assert (swept.message, await theirs.begin(swept)) == (asked, 2)
    assert [one.message_id for job in await theirs.read(taken, count=5) if (one := job.message)] == ["m2"]


async def test_a_worker_that_slept_learns_it_before_posting(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """While a worker sleeps, another takes over and answers; awake, the first is told `WorkTaken` and answers nothing."""
    queue = RedisWorkQueue(redis_link, redis_keys, lease_s=60.0)  # its next beat is far away
    told: list[str] = []
    begun, awake = asyncio.Event(), asyncio.Event()

    async def sleepy(asked: AcceptedMessage) -> None:
        begun.set()
        await awake.wait()
        try:
            await queue.posted(asked.message_id, asked.thread)
        except WorkTaken:
            told.append("taken")
            raise

    other = RedisWorkQueue(redis_link, redis_keys, lease_s=0.6)
    answered: list[str] = []

    async def handle(asked: AcceptedMessage) -> None:
        answered.append(asked.message_id)

    await queue.enqueue(message(), claims=["e"])
    async with serving(queue, sleepy, drain_s=0.2):
        await begun.wait()
        await _lapse(redis_link, redis_keys)
        async with serving(other, handle):
            await until(lambda: answered == ["m1"])
            awake.set()
            await until(lambda: told == ["taken"])
            await all_done(redis_link, redis_keys)
    assert answered == ["m1"]


@pytest.mark.parametrize("redis_server", ["valkey"], indirect=True)
async def test_leases_are_renewed_while_every_connection_is_taken(
    redis_server: RedisServer, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """A worker whose questions hold all of its connections does not lose its partitions for that."""
    queue, watching = RedisWorkQueue(redis_link, redis_keys, lease_s=0.3), RedisLink(redis_server.url)
    lease, held = redis_keys.of(0, "lease"), set[str | None]()

    async def handle(asked: AcceptedMessage) -> None:
        """Nothing comes."""

    async with serving(queue, handle):
        await eventually(lambda: _is_there(watching, lease))
        blocked = [redis_link.execute("BLPOP", "nothing", 0.6) for _ in range(CONNECTIONS)]
        waiting = asyncio.gather(*blocked)
        while not waiting.done():
            held.add(await watching.execute("GET", lease))
            await asyncio.sleep(0.02)
    await watching.close()
    assert len(held) == 1
    assert None not in held


async def _is_there(link: RedisLink, key: str) -> bool:
    return bool(await link.execute("EXISTS", key))


async def test_work_of_a_lost_lease_is_cancelled(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """At the beat that finds the lease lost, what the worker still does under it is stopped."""
    queue = RedisWorkQueue(redis_link, redis_keys, lease_s=0.3)
    begun, ended = asyncio.Event(), asyncio.Event()

    async def hang(asked: AcceptedMessage) -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    await queue.enqueue(message(), claims=["e"])
    async with serving(queue, hang, drain_s=0.1):
        await begun.wait()
        name = redis_keys.of_thread(message().thread, "lease")
        await redis_link.execute("SET", name, "somebody#99", "EX", 30)
        await asyncio.wait_for(ended.wait(), 30.0)
