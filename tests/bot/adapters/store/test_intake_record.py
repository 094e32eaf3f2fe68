"""The record of intake: a silence opens one gap, one receiver looks through it, and it outlives whoever dies."""

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.intake_record import Gap, IntakeRecord
from bot.adapters.store.keys import Keyspace

START = 1_700_000_000.25


@pytest.fixture
def records(redis_link: RedisLink, redis_keys: Keyspace) -> tuple[IntakeRecord, IntakeRecord]:
    """Give two receivers."""
    one, two = (IntakeRecord(redis_link, redis_keys, platform="slack", me=name) for name in ("one", "two"))
    return one, two


async def test_a_silence_of_more_than_two_minutes_is_a_gap(records: tuple[IntakeRecord, IntakeRecord]) -> None:
    """The first beat ever and beats within two minutes open none; a longer silence opens one that every receiver sees."""
    one, two = records
    assert [await one.beat(START + n) for n in (0, 120, 60, 240)] == [None] * 4
    gap = Gap(START + 240, START + 400)
    assert await two.beat(START + 400) == gap
    assert await one.beat(START + 401) == gap
    assert await one.close(gap)
    assert await two.beat(START + 402) is None


async def test_one_receiver_holds_a_gap(records: tuple[IntakeRecord, IntakeRecord]) -> None:
    """While one works on it the other does not; after a minute without a word the other takes it."""
    one, two = records
    await one.beat(START)
    await one.beat(START + 200)
    held = [await one.hold(START), await two.hold(START + 59), await one.hold(START + 30), await two.hold(START + 91)]
    assert held == [True, False, True, True]


async def test_a_second_silence_makes_an_open_gap_longer(records: tuple[IntakeRecord, IntakeRecord]) -> None:
    """What was looked through before it became longer is not closed."""
    one, two = records
    await one.beat(START)
    first = await one.beat(START + 200)
    second = await two.beat(START + 500)
    assert (first, second) == (Gap(START, START + 200), Gap(START, START + 500))
    assert first is not None
    assert second is not None
    assert [await one.close(first), await two.close(second)] == [False, True]


async def test_the_record_has_a_lifetime(
    records: tuple[IntakeRecord, IntakeRecord], redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """Nothing of it stays for ever."""
    await records[0].beat(START)
    assert 0 < await redis_link.execute("TTL", redis_keys.of_all("intake-slack")) <= 30 * 86_400
