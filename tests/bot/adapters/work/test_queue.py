"""Claim and enqueue are one step: of many deliveries exactly one is taken, and nothing lies without a lifetime."""

import asyncio
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.queue import RedisWorkQueue
from bot.errors import StateUnavailable
from bot.messages import AcceptedMessage
from bot.questions.message_json import message_from_json
from tests.bot.adapters.serving import all_done, serving, waiting_entries
from tests.redis_servers import RedisServer
from tests.sample_messages import message, thread, turn

EACH_EXAMPLE_HAS_ITS_OWN_NAMES = [HealthCheck.function_scoped_fixture]


@pytest.fixture
def queue(redis_link: RedisLink, redis_keys: Keyspace) -> RedisWorkQueue:
    """Give a queue with keys of its own."""
    return RedisWorkQueue(redis_link, redis_keys, lease_s=0.6)


async def test_entry_holds_the_message_and_nothing_else(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """The stream entry has one field, the message, which reads back equal."""
    asked = message()
    assert await queue.enqueue(asked, claims=["e1", "c1"])
    [(_, fields)] = await redis_link.execute("XRANGE", redis_keys.of_thread(asked.thread, "work"), "-", "+")
    flat = fields if isinstance(fields, dict) else dict(zip(fields[::2], fields[1::2], strict=True))
    assert list(flat) == ["message"]
    assert message_from_json(flat["message"]) == asked


async def test_any_taken_claim_makes_a_duplicate(queue: RedisWorkQueue) -> None:
    """The same event id, or the same place under another event id, is a duplicate; a new event in the thread is not."""
    assert await queue.enqueue(message(), claims=["event:Ev1", "place:C1/1"])
    assert not await queue.enqueue(message(), claims=["event:Ev1", "place:C1/1"])
    assert not await queue.enqueue(message(), claims=["event:Ev2", "place:C1/1"])
    assert await queue.enqueue(message("m2"), claims=["event:Ev3", "place:C1/2"])


async def test_a_duplicate_claims_the_names_of_its_twin(queue: RedisWorkQueue) -> None:
    """What a duplicate brings along is claimed too: the twin's retry, seen alone, is known."""
    assert await queue.enqueue(message(), claims=["a", "b"])
    assert not await queue.enqueue(message(), claims=["b", "c"])
    assert not await queue.enqueue(message(), claims=["c"])


@settings(max_examples=12, deadline=None, suppress_health_check=EACH_EXAMPLE_HAS_ITS_OWN_NAMES)
@given(copies=st.integers(2, 24), twins=st.integers(1, 3))
def test_of_parallel_deliveries_one_is_claimed(redis_server: RedisServer, copies: int, twins: int) -> None:
    """However many copies of one event arrive at once, in however many forms, over two links, one is enqueued."""
    asyncio.run(_deliver(redis_server, copies, twins))


async def _deliver(server: RedisServer, copies: int, twins: int) -> None:
    links = [RedisLink(server.url), RedisLink(server.url)]
    keys = Keyspace(f"test-{uuid4().hex}:", 4)
    queues = [RedisWorkQueue(link, keys) for link in links]
    deliveries = [queues[n % 2].enqueue(message(), claims=[f"event:{n % twins}", "place"]) for n in range(copies)]
    taken = await asyncio.gather(*deliveries)
    assert sum(taken) == 1
    assert await waiting_entries(links[0], keys) == 1
    for link in links:
        await link.close()


async def test_every_key_has_a_lifetime(queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """After enqueueing, serving, posting and giving up no key of ours lies there for ever; claims last a day at least."""

    async def handle(asked: AcceptedMessage) -> None:
        await queue.mark_posted(asked.message_id, asked.thread, post_id="p", turn=turn())

    for n in range(8):
        await queue.enqueue(message(f"m{n}", thread_id=f"t{n}"), claims=[f"e{n}"])
    await redis_link.execute("XADD", redis_keys.of(3, "work"), "*", "message", "no message of ours")
    async with serving(queue, handle):
        await all_done(redis_link, redis_keys)
        names = await redis_link.execute("KEYS", f"{redis_keys.prefix}*")
        lives = {name: await redis_link.execute("PTTL", name) for name in names}
    assert {name for name, ms in lives.items() if not 0 < ms <= 30 * 86_400_000} == set()
    assert all(ms > 86_400_000 for name, ms in lives.items() if ":claim:" in name)
    kinds = {name.split("}:")[1].split(":")[0] for name in names if "}:" in name}
    assert kinds == {"work", "dead", "lease", "fence", "claim", "posted"}


async def test_keys_of_a_thread_share_a_slot(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """All keys of one message carry the hash tag of its thread's partition."""
    asked = message()
    await queue.enqueue(asked, claims=["e1"])
    await queue.mark_posted(asked.message_id, asked.thread, post_id="p")
    tag = f"{{p{redis_keys.partition(asked.thread.key):02d}}}"
    names = await redis_link.execute("KEYS", f"{redis_keys.prefix}*")
    assert len(names) == 3
    assert all(tag in name for name in names)


async def test_first_posted_mark_stays(queue: RedisWorkQueue) -> None:
    """A reply's id and turn are kept with the message; a later mark changes neither."""
    asked = message()
    assert await queue.posted(asked.message_id, asked.thread) is None
    assert await queue.posted_turn(asked.message_id, asked.thread) is None
    await queue.mark_posted(asked.message_id, asked.thread, post_id="p1", turn=turn("first"))
    await queue.mark_posted(asked.message_id, asked.thread, post_id="p2", turn=turn("second"))
    assert await queue.posted(asked.message_id, asked.thread) == "p1"
    assert await queue.posted_turn(asked.message_id, asked.thread) == turn("first")
    assert await queue.posted(asked.message_id, thread("other")) is None
    assert not await queue.is_post_begun(asked.message_id, asked.thread)


async def test_a_slow_workers_mark_is_waited_for(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """A worker that lost its lease between post and mark, but lives, marks in time: nothing is posted again."""
    slow, heir = (RedisWorkQueue(redis_link, redis_keys, post_grace_s=3.0) for _ in range(2))
    asked, begun = message(), asyncio.Event()
    seen: list[str | None] = []

    async def handle(_: AcceptedMessage) -> None:
        assert await slow.begin_post(asked.message_id, asked.thread) is None
        assert await slow.begin_post(asked.message_id, asked.thread) is None  # its own note is no obstacle
        begun.set()

    await slow.enqueue(asked, claims=["e"])
    async with serving(slow, handle):
        await begun.wait()
    waiting = asyncio.create_task(heir.begin_post(asked.message_id, asked.thread))
    await asyncio.sleep(0.15)
    assert not waiting.done()
    await slow.mark_posted(asked.message_id, asked.thread, post_id="theirs")
    seen.append(await waiting)
    assert seen == ["theirs"]


async def test_a_dead_workers_mark_is_not_waited_for_long(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """When no mark comes the heir posts; the note is its own then."""
    heir = RedisWorkQueue(redis_link, redis_keys, post_grace_s=0.2)
    asked = message()
    await redis_link.execute("HSET", redis_keys.of_thread(asked.thread, "posted", asked.message_id), "by", "dead#1")
    assert await heir.is_post_begun(asked.message_id, asked.thread)
    assert await heir.begin_post(asked.message_id, asked.thread) is None
    assert await heir.posted(asked.message_id, asked.thread) is None
    assert await redis_link.execute("TTL", redis_keys.of_thread(asked.thread, "posted", asked.message_id)) > 0


async def test_a_turn_of_another_version_is_none(
    queue: RedisWorkQueue, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """A posted mark whose turn cannot be read still says that the reply was posted."""
    asked = message()
    await queue.mark_posted(asked.message_id, asked.thread, post_id="p1")
    await redis_link.execute("HSET", redis_keys.of_thread(asked.thread, "posted", asked.message_id), "turn", "{}")
    assert await queue.posted(asked.message_id, asked.thread) == "p1"
    assert await queue.posted_turn(asked.message_id, asked.thread) is None


async def test_full_redis_claims_nothing(own_redis_server: RedisServer, own_redis_link: RedisLink) -> None:
    """While Redis refuses to grow, an event is refused whole: its redelivery is taken once there is room."""
    queue = RedisWorkQueue(own_redis_link, Keyspace("full:", 4))
    await own_redis_link.execute("CONFIG", "SET", "maxmemory", "1")
    with pytest.raises(StateUnavailable):
        await queue.enqueue(message(), claims=["e1"])
    await own_redis_link.execute("CONFIG", "SET", "maxmemory", "0")
    assert await queue.enqueue(message(), claims=["e1"])


async def test_killed_redis_loses_nothing(own_redis_server: RedisServer, own_redis_link: RedisLink) -> None:
    """What was enqueued before kill -9 of Redis is handled after its restart, by the worker that was running."""
    keys = Keyspace("killed:", 4)
    queue = RedisWorkQueue(own_redis_link, keys, lease_s=0.6)
    seen: list[str] = []

    async def handle(asked: AcceptedMessage) -> None:
        seen.append(asked.message_id)

    for n in range(20):
        await queue.enqueue(message(f"m{n}", thread_id=f"t{n % 5}"), claims=[f"e{n}"])
    own_redis_server.kill()
    async with serving(queue, handle):
        with pytest.raises(StateUnavailable):
            await queue.enqueue(message("m20"), claims=["e20"])
        with pytest.raises(StateUnavailable):
            await queue.ping()
        own_redis_server.start()
        await queue.ping()
        assert await queue.enqueue(message("m20"), claims=["e20"])
        await all_done(own_redis_link, keys)
    assert sorted(seen) == sorted(f"m{n}" for n in range(21))
