"""Incidents in a real Redis: each expires by itself, all processes see them, and forgetting takes them out."""

from dataclasses import replace

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.forgetting import RedisForgetting
from bot.adapters.store.incidents import RedisIncidents
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.desk.incidents import MOST, Incident
from bot.lead.forgetting import SubjectKind
from bot.messages import Platform, ThreadRef
from retrieval.redaction import RedactedText
from tests.fake_state import FakeClock

NOW = 1_800_000_000.0


def _incident(number: int = 1, *, minutes: float = 60, text: str = "Card payments fail") -> Incident:
    thread = ThreadRef(Platform.SLACK, "T0HOME", "C0SUP", f"command:{number}")
    return Incident(RedactedText.stored(text), NOW + 60 * minutes, ("internal",), thread, 7_200)


@pytest.fixture
def clock() -> FakeClock:
    """Give the clock by which incidents end."""
    return FakeClock(NOW)


@pytest.fixture
def incidents(redis_link: RedisLink, redis_keys: Keyspace, clock: FakeClock) -> RedisIncidents:
    """Give a store with keys of its own."""
    return RedisIncidents(redis_link, redis_keys, clock)


async def test_what_was_told_comes_back_until_it_ends(incidents: RedisIncidents, clock: FakeClock) -> None:
    """The next to end first, the same once, and none after its end."""
    late, soon = _incident(1, minutes=90), _incident(2, minutes=30)
    for one in (late, soon, late):
        assert await incidents.declare(one)
    assert await incidents.standing() == (soon, late)
    clock.time += 45 * 60
    assert await incidents.standing() == (late,)
    await incidents.end(late)
    assert await incidents.standing() == ()
    await incidents.end(late)


async def test_every_key_expires(incidents: RedisIncidents, redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Each incident with its own end, the list with the last one's."""
    await incidents.declare(_incident(1, minutes=90))
    await incidents.declare(_incident(2, minutes=30))
    _, names = await redis_link.execute("SCAN", "0", "MATCH", f"{redis_keys.prefix}*", "COUNT", 1000)
    lives = sorted([int(await redis_link.execute("TTL", name)) for name in names])
    assert [round(life / 60) for life in lives] == [30, 90, 90]


async def test_too_many_are_refused(incidents: RedisIncidents, clock: FakeClock) -> None:
    """Twenty stand; one that stands may be told again, and ended ones make room."""
    for number in range(MOST):
        assert await incidents.declare(_incident(number))
    assert not await incidents.declare(_incident(99))
    assert await incidents.declare(_incident(3))
    clock.time += 3_601
    assert await incidents.declare(replace(_incident(99), until=clock.time + 60))


async def test_what_another_version_wrote_is_left_out(
    incidents: RedisIncidents, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """An unreadable one hides no other."""
    await incidents.declare(_incident(1))
    await incidents.declare(_incident(2))
    _, names = await redis_link.execute("SCAN", "0", "MATCH", f"{redis_keys.prefix}*incident:*:1", "COUNT", 1000)
    await redis_link.execute("SET", names[0], "[]")
    assert [one.thread.thread_id for one in await incidents.standing()] == ["command:2"]


@pytest.mark.parametrize(
    ("kind", "subject", "left"),
    [
        (SubjectKind.PLACE, "slack/T0HOME", 0),
        (SubjectKind.PLACE, "slack/T0HOME/C0OTHER", 2),
        (SubjectKind.THREAD, "command:1", 1),
        (SubjectKind.USER, "U0BENKOW", 1),
        (SubjectKind.DOCUMENT, "kb-777", 1),
    ],
)
async def test_forgetting_takes_incidents_out(
    incidents: RedisIncidents, redis_link: RedisLink, redis_keys: Keyspace, kind: SubjectKind, subject: str, left: int
) -> None:
    """A place, a thread, and whoever or whatever the text names."""
    await incidents.declare(_incident(1, text="Ask @U0BENKOW, kb-777 is wrong"))
    await incidents.declare(_incident(2))
    forgetting = RedisForgetting(redis_link, redis_keys, Pseudonyms(redis_link, redis_keys))
    await forgetting.forget(await forgetting.subject(kind, subject))
    assert len(await incidents.standing()) == left
