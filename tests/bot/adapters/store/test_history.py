"""History in a real Redis: kept once, bounded, forgotten in time."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.store.client import RedisLink
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.errors import StateUnavailable
from bot.messages import MessageId, Platform, ThreadKey
from retrieval.redaction import RedactedText
from tests.redis_servers import RedisServer
from tests.sample_messages import thread, turn


@pytest.fixture
def store(redis_link: RedisLink, redis_keys: Keyspace) -> RedisThreadStore:
    """Give a store with keys of its own."""
    return RedisThreadStore(redis_link, redis_keys, ttl_s=1_000, max_turns=20)


async def test_turns_come_back_oldest_first_and_sealed(store: RedisThreadStore) -> None:
    """A thread's turns are equal to what was given, in order; another thread has none of them."""
    for n in range(3):
        await store.remember(thread(), turn(f"q{n}"), message_id=MessageId(f"m{n}"))
    kept = await store.turns(thread())
    assert kept == (turn("q0"), turn("q1"), turn("q2"))
    assert all(isinstance(one.question, RedactedText) for one in kept)
    assert await store.turns(thread("other")) == ()
    assert await store.turns(thread(platform=Platform.TEAMS)) == ()


async def test_a_message_adds_one_turn_however_often(store: RedisThreadStore) -> None:
    """Remembered again, also at the same time, a message leaves one turn and one cost: the first."""
    await asyncio.gather(*(store.remember(thread(), turn("q"), message_id=MessageId("m")) for _ in range(10)))
    await store.remember(thread(), turn("later"), message_id=MessageId("m"))
    await store.remember(thread(), turn("next"), message_id=MessageId("m2"))
    assert await store.turns(thread()) == (turn("q"), turn("next"))
    assert await store.cost_usd(thread()) == pytest.approx(0.5)


async def test_twenty_turns_are_kept_and_all_costs(store: RedisThreadStore) -> None:
    """The oldest turns go, what they cost stays counted."""
    for n in range(23):
        await store.remember(thread(), turn(f"q{n}"), message_id=MessageId(f"m{n}"))
    kept = await store.turns(thread())
    assert [one.question for one in kept] == [f"q{n}" for n in range(3, 23)]
    assert await store.cost_usd(thread()) == pytest.approx(23 * 0.25)


async def test_an_unknown_price_makes_the_sum_unknown(store: RedisThreadStore) -> None:
    """A thread without turns costs nothing; one turn of unknown cost makes the thread's unknown."""
    assert await store.cost_usd(thread()) == 0.0
    await store.remember(thread(), turn(cost_usd=1e-7), message_id=MessageId("m1"))
    assert await store.cost_usd(thread()) == pytest.approx(1e-7)
    await store.remember(thread(), turn(cost_usd=None), message_id=MessageId("m2"))
    assert await store.cost_usd(thread()) is None


async def test_every_key_has_a_lifetime_that_a_write_renews(
    store: RedisThreadStore, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """History and cost expire together, counted from the newest turn."""
    await store.remember(thread(), turn(), message_id=MessageId("m1"))
    names = [redis_keys.of_thread(thread(), kind, thread().key) for kind in ("turns", "cost")]
    for name in names:
        await redis_link.execute("EXPIRE", name, 10)
    await store.remember(thread(), turn(), message_id=MessageId("m2"))
    assert [990 < await redis_link.execute("TTL", name) <= 1_000 for name in names] == [True, True]


async def test_an_expired_thread_is_a_new_one(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """After its lifetime a thread has no turns and no cost: a follow-up stands alone."""
    store = RedisThreadStore(redis_link, redis_keys, ttl_s=1)
    await store.remember(thread(), turn(), message_id=MessageId("m1"))
    assert len(await store.turns(thread())) == 1
    for kind in ("turns", "cost"):
        await redis_link.execute("PEXPIRE", redis_keys.of_thread(thread(), kind, thread().key), 1)
    await asyncio.sleep(0.02)
    assert (await store.turns(thread()), await store.cost_usd(thread())) == ((), 0.0)


async def test_a_turn_of_another_version_is_left_out(
    store: RedisThreadStore, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """An entry that cannot be read costs that turn, not the thread."""
    await store.remember(thread(), turn("q"), message_id=MessageId("m1"))
    await redis_link.execute("RPUSH", redis_keys.of_thread(thread(), "turns", thread().key), 'm2\n{"v":99}')
    assert await store.turns(thread()) == (turn("q"),)


async def test_a_forgotten_thread_leaves_nothing(store: RedisThreadStore) -> None:
    """Forgetting deletes turns and cost."""
    await store.remember(thread(), turn(), message_id=MessageId("m1"))
    await store.forget(thread())
    assert (await store.turns(thread()), await store.cost_usd(thread())) == ((), 0.0)


async def test_without_redis_each_call_says_so(
    own_redis_server: RedisServer, own_redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """With the server gone every method raises `StateUnavailable`; back again, everything is there."""
    store = RedisThreadStore(own_redis_link, redis_keys)
    await store.remember(thread(), turn("kept"), message_id=MessageId("m1"))
    own_redis_server.kill()
    calls = [
        lambda: store.turns(thread()),
        lambda: store.remember(thread(), turn(), message_id=MessageId("m2")),
        lambda: store.cost_usd(thread()),
        lambda: store.forget(thread()),
        store.ping,
    ]
    for call in calls:
        with pytest.raises(StateUnavailable):
            await call()
    own_redis_server.start()
    await store.ping()
    assert await store.turns(thread()) == (turn("kept"),)


@given(st.text(st.characters(exclude_categories=()), max_size=30), st.integers(1, 999))
def test_every_thread_has_a_partition(key: str, partitions: int) -> None:
    """Any key, lone surrogates included, falls into one of the partitions, the same each time, and names it in braces."""
    keys = Keyspace("p:", partitions)
    partition = keys.partition(ThreadKey(key))
    assert 0 <= partition < partitions
    assert partition == Keyspace("q:", partitions).partition(ThreadKey(key))
    assert keys.of(partition, "work") == f"p:{{p{partition:02d}}}:work"


@pytest.mark.parametrize(("prefix", "partitions"), [("a{b", 16), ("a}b", 16), ("ok:", 0), ("ok:", 1000)])
def test_a_key_space_that_would_break_the_tags_is_refused(prefix: str, partitions: int) -> None:
    """Braces in the prefix would move every key into one slot."""
    with pytest.raises(ValueError, match="partitions"):
        Keyspace(prefix, partitions)
