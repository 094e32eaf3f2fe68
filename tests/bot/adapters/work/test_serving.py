"""Serving: order within a thread, threads beside each other, retries, dead letters, orderly stops."""

import asyncio
import time
from collections import defaultdict

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.lanes import RetryPolicy
from bot.adapters.work.queue import RedisWorkQueue
from bot.errors import PlatformUnavailable, StateUnavailable
from bot.messages import AcceptedMessage
from tests.bot.adapters.serving import LEASE_S, all_done, dead_letters, serving, stopped, until, waiting_entries
from tests.redis_servers import RedisServer
from tests.sample_messages import message

QUICK = RetryPolicy(first_pause_s=0.02, longest_pause_s=0.1, max_starts=3, max_age_s=60.0, handle_limit_s=5.0)


@pytest.fixture
def queue(redis_link: RedisLink, redis_keys: Keyspace) -> RedisWorkQueue:
    """Give a queue with keys of its own and short times."""
    return RedisWorkQueue(redis_link, redis_keys, lease_s=LEASE_S, policy=QUICK)


async def _ask(queue: RedisWorkQueue, name: str, thread_id: str) -> None:
    assert await queue.enqueue(message(name, thread_id=thread_id), claims=[name])


async def test_a_thread_is_served_in_order_one_at_a_time(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """Two workers on one queue: within each thread the questions are handled in order and never two at once."""
    order: dict[str, list[str]] = defaultdict(list)
    busy: set[str] = set()

    async def handle(asked: AcceptedMessage) -> None:
        thread_id = asked.thread.thread_id
        assert thread_id not in busy
        busy.add(thread_id)
        await asyncio.sleep(0.003)
        busy.remove(thread_id)
        order[thread_id].append(asked.message_id)

    other = RedisWorkQueue(redis_link, redis_keys, lease_s=LEASE_S, policy=QUICK)
    async with serving(queue, handle), serving(other, handle):
        for n in range(60):
            await _ask(queue, f"m{n:02d}", f"t{n % 6}")
        await all_done(redis_link, redis_keys, within_s=15)
    assert dict(order) == {f"t{k}": [f"m{n:02d}" for n in range(k, 60, 6)] for k in range(6)}


async def test_a_slow_thread_holds_up_nobody(redis_link: RedisLink) -> None:
    """While one thread's answer takes long, another of the same partition is answered."""
    queue = RedisWorkQueue(redis_link, Keyspace(f"one-{time.monotonic_ns()}:", 1), lease_s=LEASE_S, policy=QUICK)
    released, seen = asyncio.Event(), list[str]()

    async def handle(asked: AcceptedMessage) -> None:
        if asked.message_id == "slow":
            await released.wait()
        seen.append(asked.message_id)

    async with serving(queue, handle):
        await _ask(queue, "slow", "a")
        await _ask(queue, "behind", "a")
        await _ask(queue, "quick", "b")
        await until(lambda: seen == ["quick"])
        released.set()
        await until(lambda: seen == ["quick", "slow", "behind"])


async def test_a_question_is_picked_up_at_once(queue: RedisWorkQueue) -> None:
    """From enqueue to handler an idle worker needs milliseconds, not a polling interval."""
    seen = asyncio.Event()

    async def handle(asked: AcceptedMessage) -> None:
        seen.set()

    async with serving(queue, handle):
        await _ask(queue, "warm-up", "a")
        await seen.wait()
        pauses = []
        for n in range(5):
            seen.clear()
            begun = time.monotonic()
            await _ask(queue, f"m{n}", f"t{n}")
            await seen.wait()
            pauses.append(time.monotonic() - begun)
    assert sorted(pauses)[2] < 0.1


@pytest.mark.parametrize("error", [PlatformUnavailable("away"), StateUnavailable("away")])
async def test_a_failure_that_passes_is_tried_until_it_does(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace, error: Exception
) -> None:
    """More often than the limit of starts: such failures do not count. The thread's order is kept, others go on."""
    seen: list[str] = []

    async def handle(asked: AcceptedMessage) -> None:
        seen.append(asked.message_id)
        if asked.message_id == "m1" and (seen.count("m1") < 5 or "m3" not in seen):
            raise error

    async with serving(queue, handle):
        await _ask(queue, "m1", "a")
        await _ask(queue, "m2", "a")
        await _ask(queue, "m3", "b")
        await all_done(redis_link, redis_keys)
    assert seen.count("m1") >= 5
    assert (seen.count("m2"), seen.count("m3")) == (1, 1)
    assert seen[-1] == "m2"
    assert await dead_letters(redis_link, redis_keys) == []


async def test_the_platform_says_how_long_to_wait(queue: RedisWorkQueue) -> None:
    """`retry_after_s` is waited out before the next attempt."""
    times: list[float] = []

    async def handle(asked: AcceptedMessage) -> None:
        times.append(time.monotonic())
        if len(times) == 1:
            raise PlatformUnavailable("slow down", retry_after_s=0.4)

    async with serving(queue, handle):
        await _ask(queue, "m1", "a")
        await until(lambda: len(times) == 2)
    assert 0.4 <= times[1] - times[0] < 1.0


async def test_a_message_that_always_fails_becomes_a_dead_letter(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace, caplog: pytest.LogCaptureFixture
) -> None:
    """A fault of ours is tried as often as allowed, then kept aside whole; the next in the thread is served."""
    seen: list[str] = []

    async def handle(asked: AcceptedMessage) -> None:
        seen.append(asked.message_id)
        if asked.message_id == "bad":
            raise ZeroDivisionError("planted-secret")

    async with serving(queue, handle):
        await _ask(queue, "bad", "a")
        await _ask(queue, "good", "a")
        await all_done(redis_link, redis_keys)
    assert seen == ["bad"] * 3 + ["good"]
    [letter] = await dead_letters(redis_link, redis_keys)
    assert ('"message_id":"bad"' in letter["message"], letter["reason"]) == (True, "too many starts")
    assert "planted-secret" not in caplog.text


@pytest.mark.parametrize("redis_server", ["valkey"], indirect=True)
@pytest.mark.parametrize("ahead_s", [600.0, -600.0])
async def test_clocks_that_differ_by_ten_minutes_lose_nothing(
    redis_link: RedisLink, redis_keys: Keyspace, ahead_s: float
) -> None:
    """A receiver whose clock goes ten minutes before or behind: answered once, retried once, not withdrawn, not given up."""
    queue = RedisWorkQueue(redis_link, redis_keys, lease_s=LEASE_S, policy=RetryPolicy(first_pause_s=0.02))
    asked_at, seen = time.time() + ahead_s, list[bool]()
    await queue.enqueue(message("m1", received_at=asked_at), claims=["m1"])

    async def handle(asked: AcceptedMessage) -> None:
        seen.append(await queue.is_withdrawn(asked, asker=""))
        if len(seen) == 1:
            raise PlatformUnavailable("away")

    async with serving(queue, handle):
        await all_done(redis_link, redis_keys)
    assert seen == [False, False]
    assert await dead_letters(redis_link, redis_keys) == []


async def test_too_old_a_message_is_given_up(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """After its time a message that could only be retried is kept aside."""
    queue = RedisWorkQueue(redis_link, redis_keys, lease_s=LEASE_S, policy=QUICK)
    await queue.enqueue(message("old", received_at=time.time() - 61), claims=["old"])

    async def handle(asked: AcceptedMessage) -> None:
        raise PlatformUnavailable("away")

    async with serving(queue, handle):
        await all_done(redis_link, redis_keys)
    [letter] = await dead_letters(redis_link, redis_keys)
    assert letter["reason"] == "too old: PlatformUnavailable"


async def test_what_cannot_be_read_becomes_a_dead_letter(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """A foreign entry is kept aside as it is and stops nobody."""
    for entry in ("no JSON", '{"v":99}'):
        await redis_link.execute("XADD", redis_keys.of(1, "work"), "*", "message", entry)
    await redis_link.execute("XADD", redis_keys.of(1, "work"), "*", "other", "field")

    async def handle(asked: AcceptedMessage) -> None:
        raise AssertionError

    async with serving(queue, handle):
        await all_done(redis_link, redis_keys)
    letters = await dead_letters(redis_link, redis_keys)
    assert sorted((letter["message"], letter["reason"]) for letter in letters) == [
        ("", "unreadable"),
        ("no JSON", "unreadable"),
        ('{"v":99}', "unreadable"),
    ]


async def test_a_handler_that_hangs_is_ended(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """A handler over its time is cancelled and counts as a fault."""
    policy = RetryPolicy(first_pause_s=0.01, max_starts=2, handle_limit_s=0.05)
    queue = RedisWorkQueue(redis_link, redis_keys, lease_s=LEASE_S, policy=policy)
    ended: list[str] = []

    async def handle(asked: AcceptedMessage) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(asked.message_id)

    async with serving(queue, handle):
        await _ask(queue, "m1", "a")
        await all_done(redis_link, redis_keys)
    assert ended == ["m1", "m1"]


async def test_a_stop_finishes_what_is_in_work(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """Stopped, a worker ends the question in work and leaves the waiting ones to the next worker, which starts at once."""
    seen: list[str] = []
    begun = asyncio.Event()

    async def handle(asked: AcceptedMessage) -> None:
        begun.set()
        await asyncio.sleep(0.1)
        seen.append(asked.message_id)

    await _ask(queue, "m1", "a")
    await _ask(queue, "m2", "a")
    # Leases that end long after the wait below: only those that were given back are free by then.
    first = RedisWorkQueue(redis_link, redis_keys, lease_s=30.0, policy=QUICK)
    async with serving(first, handle) as task:
        await begun.wait()
        await stopped(task)
        assert seen == ["m1"]
        assert await waiting_entries(redis_link, redis_keys) == 1
    other = RedisWorkQueue(redis_link, redis_keys, lease_s=30.0, policy=QUICK)
    async with serving(other, handle):
        await until(lambda: seen == ["m1", "m2"], within_s=10)


async def test_a_stop_does_not_wait_for_ever(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """What is not finished in time goes back, and that start does not count against it."""
    begun = asyncio.Event()

    async def hang(asked: AcceptedMessage) -> None:
        begun.set()
        await asyncio.sleep(60)

    seen: list[str] = []

    async def handle(asked: AcceptedMessage) -> None:
        seen.append(asked.message_id)

    await _ask(queue, "m1", "a")
    for _ in range(QUICK.max_starts + 1):
        begun.clear()
        async with serving(queue, hang, drain_s=0.05):
            await begun.wait()
    async with serving(queue, handle):
        await all_done(redis_link, redis_keys)
    assert seen == ["m1"]
    assert await dead_letters(redis_link, redis_keys) == []


async def test_a_burst_beyond_the_backlog_is_served_whole(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """A worker takes in no more than its backlog at a time, and all of it in the end."""
    policy = RetryPolicy(concurrency=4, backlog=10)
    queue = RedisWorkQueue(redis_link, redis_keys, lease_s=LEASE_S, policy=policy)
    seen: list[str] = []
    at_once = [0, 0]

    async def handle(asked: AcceptedMessage) -> None:
        at_once[0] += 1
        at_once[1] = max(at_once)
        await asyncio.sleep(0.001)
        at_once[0] -= 1
        seen.append(asked.message_id)

    await asyncio.gather(*(_ask(queue, f"m{n}", f"t{n}") for n in range(80)))
    async with serving(queue, handle):
        await all_done(redis_link, redis_keys)
    assert sorted(seen) == sorted(f"m{n}" for n in range(80))
    assert at_once[1] <= 4


async def test_a_second_worker_gets_its_share_of_what_waits(redis_link: RedisLink) -> None:
    """A worker that joins is given a partition: what is in work there is finished by the first, the rest by the second."""
    keys = Keyspace(f"share-{time.monotonic_ns()}:", 2)
    first, second = (RedisWorkQueue(redis_link, keys, lease_s=LEASE_S, policy=QUICK) for _ in range(2))
    names = ["t0", next(f"t{n}" for n in range(1, 50) if _partition(keys, f"t{n}") != _partition(keys, "t0"))]
    seen: list[tuple[str, str]] = []
    released = asyncio.Event()

    async def slow(asked: AcceptedMessage) -> None:
        await released.wait()
        seen.append(("first", asked.message_id))

    async def quick(asked: AcceptedMessage) -> None:
        seen.append(("second", asked.message_id))

    async with serving(first, slow):
        for name in names:
            await _ask(first, f"{name}-in-work", name)
            await _ask(first, f"{name}-waiting", name)
        await until(lambda: first._lanes is not None and len(first._lanes._begun) == 2)
        async with serving(second, quick):
            await until(lambda: first._lanes is not None and len(first._lanes._known) == 4)
            await asyncio.sleep(LEASE_S)  # two beats: the first learns of the second and keeps one partition
            released.set()
            await all_done(redis_link, keys)
    assert sorted(who for who, name in seen if name.endswith("in-work")) == ["first", "first"]
    assert sorted(who for who, name in seen if name.endswith("waiting")) == ["first", "second"]


def _partition(keys: Keyspace, thread_id: str) -> int:
    return keys.partition(message(thread_id=thread_id).thread.key)


async def test_a_stop_without_redis_is_quick(own_redis_server: RedisServer, own_redis_link: RedisLink) -> None:
    """With Redis gone a worker still stops in order."""
    queue = RedisWorkQueue(own_redis_link, Keyspace("stop:", 4), lease_s=LEASE_S, policy=QUICK)
    seen: list[str] = []

    async def handle(asked: AcceptedMessage) -> None:
        seen.append(asked.message_id)

    async with serving(queue, handle, drain_s=0.2) as task:
        await _ask(queue, "m1", "a")
        await until(lambda: seen == ["m1"])
        own_redis_server.kill()
        begun = time.monotonic()
        await stopped(task)
    assert time.monotonic() - begun < 1.5


async def test_a_lease_lost_between_beats_gives_no_work(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """A question that arrives after another worker took the partition is left to it, without waiting for the beat."""
    lazy = RedisWorkQueue(redis_link, redis_keys, lease_s=60.0, policy=QUICK)
    seen: list[str] = []

    async def handle(asked: AcceptedMessage) -> None:
        seen.append(asked.message_id)

    async with serving(lazy, handle, drain_s=0.1):
        await _ask(queue, "m1", "a")
        await until(lambda: seen == ["m1"])
        await all_done(redis_link, redis_keys)
        await redis_link.execute(
            "SET", redis_keys.of_thread(message(thread_id="a").thread, "lease"), "other#9", "EX", 60
        )
        await _ask(queue, "m2", "a")
        await asyncio.sleep(0.2)
        assert seen == ["m1"]
        assert await waiting_entries(redis_link, redis_keys) == 1


async def test_a_lease_that_lapsed_and_came_back_loses_nothing(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """A worker too slow for its beat, whose lease nobody took, takes up again what Redis refused meanwhile."""
    lapsed, seen = asyncio.Event(), list[str]()

    async def handle(asked: AcceptedMessage) -> None:
        seen.append(asked.message_id)
        if len(seen) == 1:
            await redis_link.execute("DEL", *(redis_keys.of(n, "lease") for n in range(redis_keys.partitions)))
            lapsed.set()

    async with serving(queue, handle):
        await _ask(queue, "m1", "a")
        await lapsed.wait()
        await _ask(queue, "m2", "a")
        await all_done(redis_link, redis_keys)
    assert seen[-1] == "m2"
    assert set(seen) == {"m1", "m2"}


async def test_a_start_that_never_ended_may_have_posted(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """A worker without Redis posts and leaves no note; who takes the question up after it looks for the post first."""
    begun: list[bool] = []

    async def handle(asked: AcceptedMessage) -> None:
        begun.append(await queue.is_post_begun(asked.message_id, asked.thread))
        if len(begun) == 1:
            await redis_link.execute("SET", redis_keys.of_thread(asked.thread, "lease"), "other#9", "PX", 300)

    async with serving(queue, handle):
        await _ask(queue, "m1", "a")
        await all_done(redis_link, redis_keys)
    assert begun[0] is False
    assert begun[-1] is True


@pytest.mark.parametrize(
    ("error", "is_begun"), [(StateUnavailable("away"), True), (PlatformUnavailable("away"), False)]
)
async def test_a_start_that_lost_redis_may_have_posted(queue: RedisWorkQueue, error: Exception, is_begun: bool) -> None:
    """Whoever takes the question up next looks for the post, also when the start was taken back in order."""
    begun: list[bool] = []

    async def handle(asked: AcceptedMessage) -> None:
        begun.append(await queue.is_post_begun(asked.message_id, asked.thread))
        if len(begun) == 1:
            raise error

    async with serving(queue, handle):
        await _ask(queue, "m1", "a")
        await until(lambda: len(begun) == 2)
    assert begun == [False, is_begun]
