"""A full queue, long waits, questions that kill workers: bounded, told, and nobody else's loss."""

import asyncio
from uuid import uuid4

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.lanes import RetryPolicy
from bot.adapters.work.queue import RedisWorkQueue
from bot.errors import PlatformUnavailable, QueueFull
from bot.messages import AcceptedMessage
from bot.questions.access import QUEUE_FULL
from tests.bot.adapters.serving import LEASE_S, all_done, dead_letters, serving, until
from tests.sample_messages import message

pytestmark = pytest.mark.parametrize("redis_server", ["valkey"], indirect=True)


def _one_partition() -> Keyspace:
    return Keyspace(f"one-{uuid4().hex[:8]}:", 1)


async def test_beyond_the_limit_a_question_gets_its_word_and_beyond_twice_is_not_taken(redis_link: RedisLink) -> None:
    """Two are answered, two are told that the queue is full, the fifth is not acknowledged and leaves no claim."""
    keys = _one_partition()
    queue = RedisWorkQueue(redis_link, keys, lease_s=LEASE_S, policy=RetryPolicy(most_waiting=2))
    for n in range(4):
        assert await queue.enqueue(message(f"m{n}", thread_id=f"t{n}"), claims=[f"m{n}"])
    for _ in range(2):
        with pytest.raises(QueueFull):
            await queue.enqueue(message("m4", thread_id="t4"), claims=["m4"])
    seen: dict[str, str] = {}

    async def handle(asked: AcceptedMessage) -> None:
        seen[asked.message_id] = asked.refusal

    async with serving(queue, handle):
        await until(lambda: len(seen) == 4)
        await all_done(redis_link, keys)  # a question is handled a moment before it is out of the queue
        assert await queue.enqueue(message("m4", thread_id="t4"), claims=["m4"])
        await until(lambda: len(seen) == 5)
    assert seen == {"m0": "", "m1": "", "m2": QUEUE_FULL, "m3": QUEUE_FULL, "m4": ""}


async def test_a_refused_question_keeps_its_own_reason(redis_link: RedisLink) -> None:
    """Who may not ask is told that, full queue or not."""
    queue = RedisWorkQueue(redis_link, _one_partition(), lease_s=LEASE_S, policy=RetryPolicy(most_waiting=1))
    await queue.enqueue(message("m0"), claims=["m0"])
    refused = AcceptedMessage(**{**_fields(message("m1")), "refusal": "refused_guest"})
    await queue.enqueue(refused, claims=["m1"])
    seen: list[str] = []

    async def handle(asked: AcceptedMessage) -> None:
        seen.append(asked.refusal)

    async with serving(queue, handle):
        await until(lambda: len(seen) == 2)
    assert seen == ["", "refused_guest"]


async def test_who_waits_long_is_told_once(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """The question in work is not told, the ones behind it are, each once, oldest first; a failing note ends nothing."""
    policy = RetryPolicy(told_after_s=0.0, concurrency=1)
    queue = RedisWorkQueue(redis_link, redis_keys, lease_s=LEASE_S, policy=policy)
    released, told = asyncio.Event(), list[str]()

    async def handle(asked: AcceptedMessage) -> None:
        await released.wait()

    async def tell(asked: AcceptedMessage) -> None:
        told.append(asked.message_id)
        raise PlatformUnavailable("away")

    for n in range(3):
        await queue.enqueue(message(f"m{n}", thread_id="t"), claims=[f"m{n}"])
    serve = asyncio.create_task(queue.serve(handle, on_waiting=tell, drain_s=0.1))
    await until(lambda: len(told) == 2, within_s=10)
    released.set()
    await all_done(redis_link, redis_keys)
    serve.cancel()
    await asyncio.gather(serve, return_exceptions=True)
    assert told == ["m1", "m2"]


async def test_given_up_is_told_and_kept_aside_all_the_same(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """The asker of a question that is given up is told; when that fails too, the question is still a dead letter."""
    policy = RetryPolicy(first_pause_s=0.01, max_starts=1)
    queue = RedisWorkQueue(redis_link, redis_keys, lease_s=LEASE_S, policy=policy)
    told: list[str] = []

    async def handle(asked: AcceptedMessage) -> None:
        raise ZeroDivisionError

    async def tell(asked: AcceptedMessage) -> None:
        told.append(asked.message_id)
        if asked.message_id == "m1":
            raise PlatformUnavailable("away")

    for name in ("m1", "m2"):
        await queue.enqueue(message(name), claims=[name])
    serve = asyncio.create_task(queue.serve(handle, on_given_up=tell, drain_s=0.1))
    await all_done(redis_link, redis_keys)
    serve.cancel()
    await asyncio.gather(serve, return_exceptions=True)
    assert told == ["m1", "m2"]
    assert len(await dead_letters(redis_link, redis_keys)) == 2


async def test_what_may_kill_workers_is_handled_alone(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Questions over which workers died twice run one at a time, while others run beside them."""
    queue = RedisWorkQueue(redis_link, redis_keys, lease_s=LEASE_S)
    suspects = [f"s{n}" for n in range(4)]
    busy, most, fresh = set[str](), 0, asyncio.Event()

    async def handle(asked: AcceptedMessage) -> None:
        nonlocal most
        if asked.message_id == "fresh":
            fresh.set()
            return
        busy.add(asked.message_id)
        most = max(most, len(busy))
        await asyncio.wait_for(fresh.wait(), 30)
        await asyncio.sleep(0.02)
        busy.remove(asked.message_id)

    for name in suspects:
        asked = message(name, thread_id=name)
        await queue.enqueue(asked, claims=[name])
        work = redis_keys.of_thread(asked.thread, "work")
        (entry, _), *_ = reversed(await redis_link.execute("XRANGE", work, "-", "+"))
        await redis_link.execute("HSET", redis_keys.of_thread(asked.thread, "tries"), entry, 2)
    async with serving(queue, handle):
        await until(lambda: bool(busy))
        await queue.enqueue(message("fresh", thread_id="fresh"), claims=["fresh"])
        await all_done(redis_link, redis_keys)
    assert most == 1


def _fields(asked: AcceptedMessage) -> dict[str, object]:
    return {name: getattr(asked, name) for name in AcceptedMessage.__slots__}
