"""The wall clock is set back or forward under a running bot: nothing is lost, nobody is shut out, nothing is kept too long."""

import time
from dataclasses import replace

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.intake_record import Gap, IntakeRecord
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.limits import DAY_S, Bound, Bounds, RedisBudget, RedisLimits
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.adapters.store.scripts import CHECK_IN
from bot.adapters.work.lanes import Lanes, RetryPolicy
from bot.adapters.work.leases import Lease
from bot.adapters.work.stream import Job, WorkStreams
from bot.questions.admission import Verdict
from tests.fake_state import FakeClock
from tests.sample_messages import message

NOW = 1_700_000_000.25
HOUR = 3_600.0


@pytest.mark.parametrize("ahead_s", [-2 * HOUR, 2 * HOUR])
def test_a_question_does_not_age_by_a_clock_that_is_set(ahead_s: float) -> None:
    """Taken in just now, it stays young whatever the wall clock says later; what it waited before counts, and never less than 0."""
    asked = replace(message(), received_at=time.time() - ahead_s)
    job = Job(Lease(0, "a#1"), "1-0", "", asked)
    at_once = max(ahead_s, 0.0)
    assert at_once <= job.age_s() < at_once + 5
    later = replace(job, message=replace(asked, received_at=time.time()), taken_at=(time.time(), time.monotonic() - 70))
    assert 70 <= later.age_s() < 75


async def test_nobody_is_told_to_wait_for_a_clock_that_is_set_forward(redis_keys: Keyspace) -> None:
    """A question that was taken in before the clock went two hours ahead has not waited two hours."""

    async def handle(_asked: object) -> None:
        raise AssertionError

    link = RedisLink("unix:///nowhere/redis.sock")
    lanes = Lanes(WorkStreams(link, redis_keys, worker="a"), handle, RetryPolicy())
    before_jump = (time.time() - 2 * HOUR, time.monotonic())
    lanes.add(Job(Lease(0, "a#1"), "1-0", "", replace(message(), received_at=before_jump[0]), taken_at=before_jump))
    assert lanes.longest_waiting() is None
    await lanes.drain(0.0)
    await link.close()


@pytest.fixture
def records(redis_link: RedisLink, redis_keys: Keyspace) -> tuple[IntakeRecord, IntakeRecord]:
    """Give two receivers."""
    one, two = (IntakeRecord(redis_link, redis_keys, platform="slack", me=name) for name in ("one", "two"))
    return one, two


async def test_a_silence_is_seen_though_the_clock_was_set_back(records: tuple[IntakeRecord, IntakeRecord]) -> None:
    """After its clock went back an hour, a receiver's next silence is a gap, not only an hour later."""
    one, _ = records
    assert await one.beat(NOW + HOUR) is None
    assert await one.beat(NOW) is None
    assert await one.beat(NOW + 300) == Gap(NOW, NOW + 300)


async def test_a_clock_that_is_ahead_of_others_opens_no_gap(records: tuple[IntakeRecord, IntakeRecord]) -> None:
    """Two receivers whose clocks differ by five minutes beat in turns: nobody was away."""
    one, two = records
    assert [await who.beat(NOW + n + ahead) for n in range(0, 60, 10) for who, ahead in ((one, 300), (two, 0))] == [
        None
    ] * 12


async def test_a_new_receiver_behind_a_clock_that_was_wrong(
    records: tuple[IntakeRecord, IntakeRecord], redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """The only receiver died with its clock an hour ahead: the next one sees how long nobody beat, by the server's clock."""
    one, two = records
    await one.beat(NOW + HOUR)
    silent_since = int((await redis_link.execute("TIME"))[0]) - 600
    await redis_link.execute("HSET", redis_keys.of_all("intake-slack"), "at", str(silent_since))
    gap = await two.beat(NOW)
    assert gap is not None
    assert gap.end == NOW
    assert gap.start == pytest.approx(NOW - 600, abs=5)
    assert await two.close(gap)
    assert await two.beat(NOW + 10) is None


async def test_a_gap_is_not_held_by_the_dead_after_the_clock_was_set_back(
    records: tuple[IntakeRecord, IntakeRecord],
) -> None:
    """A holder that died an hour ahead of now holds nothing; one that holds now does."""
    one, two = records
    assert await one.hold(NOW + HOUR)
    assert await two.hold(NOW)
    assert not await one.hold(NOW + 30)


async def test_the_dead_count_as_dead_after_the_servers_clock_was_set_back(
    redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """A worker that checked in an hour ahead of the server's clock takes nobody's share of the partitions."""
    ahead_ms = (int((await redis_link.execute("TIME"))[0]) + HOUR) * 1000
    await redis_link.execute("ZADD", redis_keys.workers, ahead_ms, "dead")
    assert await redis_link.run(CHECK_IN, [redis_keys.workers], ["alive", 3_000, 60]) == 1


async def test_nobody_is_shut_out_after_the_servers_clock_was_set_back(
    redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """What was counted an hour ahead is not of the last minute."""
    people = Pseudonyms(redis_link, redis_keys)
    limits = RedisLimits(redis_link, redis_keys, people, Bounds(user=Bound(per_minute=2, per_day=5)))
    ahead_ms = (int((await redis_link.execute("TIME"))[0]) + HOUR) * 1000
    subject = f"user:{await people.of(message().user_id)}"
    for kind in ("asked", "over"):
        for number in range(5):
            await redis_link.execute("ZADD", redis_keys.of_subject(subject, kind), ahead_ms + number, f"m{number}")
    verdicts = [await limits.judge(message(f"new-{number}")) for number in range(3)]
    assert verdicts == [Verdict.WELCOME, Verdict.WELCOME, Verdict.REFUSED]


async def test_each_day_has_its_own_budget_whichever_way_the_clock_goes(
    redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """Set forward over midnight and back again, what was spent of a day stays spent, and no day's bound is passed."""
    clock = FakeClock(NOW)
    budget = RedisBudget(redis_link, redis_keys, clock=clock, usd_per_day=1.0)
    assert await budget.reserve(0.8)
    clock.time += DAY_S
    assert [await budget.reserve(0.8), await budget.reserve(0.8)] == [True, False]
    clock.time -= DAY_S
    assert [await budget.reserve(0.3), await budget.reserve(0.2)] == [False, True]
    assert await budget.spent_usd() == pytest.approx(1.0)
