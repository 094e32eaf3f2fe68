"""Limits and budget on real servers: exact under parallel questions, shared by processes, gone when their window is."""

import asyncio
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.limits import Bound, Bounds, RedisBudget, RedisLimits
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.errors import StateUnavailable
from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef
from bot.questions.admission import Verdict
from tests.fakes import FixedClock
from tests.redis_servers import RedisServer
from tests.sample_messages import message

ROOT = Path(__file__).parents[4]
TODAY = 20_000 * 86_400.0
COUNTING = """
import asyncio, json, sys
from collections import Counter
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.adapters.store.client import RedisLink
from bot.adapters.store.limits import Bound, Bounds, RedisLimits
from bot.adapters.store.keys import Keyspace
from tests.sample_messages import message
async def main(url, prefix, name):
    link, keys = RedisLink(url), Keyspace(prefix)
    limits = RedisLimits(link, keys, Pseudonyms(link, keys), Bounds(user=Bound(20)))
    said = await asyncio.gather(*(limits.judge(message(f"{name}{n}")) for n in range(25)))
    print(json.dumps(Counter(said)))
    await link.close()
asyncio.run(main(*sys.argv[1:]))
"""


def limits(link: RedisLink, keys: Keyspace, **bounds: Bound) -> RedisLimits:
    """Build limits over one connection."""
    return RedisLimits(link, keys, Pseudonyms(link, keys), Bounds(**bounds))


def asked(name: str, *, user: str = "U1", channel: str = "C1", platform: Platform = Platform.SLACK) -> AcceptedMessage:
    """Give a question of somebody somewhere."""
    thread = ThreadRef(platform, "T1", channel, "1.1")
    return replace(message(name), user_id=user, thread=thread, message_id=MessageId(name))


async def test_a_person_is_answered_then_told_then_left(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Three in a minute are answered, as many are refused with a word, more get none; deliveries count once; others go on."""
    judge = limits(redis_link, redis_keys, user=Bound(3)).judge
    said = [await judge(asked(f"m{n}")) for n in range(8)]
    assert said == [Verdict.WELCOME] * 3 + [Verdict.REFUSED] * 3 + [Verdict.SILENT] * 2
    assert [await judge(asked(f"m{n}")) for n in (0, 3)] == [Verdict.WELCOME, Verdict.REFUSED]
    assert await judge(asked("other", user="U2")) is Verdict.WELCOME


async def test_a_day_has_a_limit_too(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """The day's limit holds where the minute has none."""
    judge = limits(redis_link, redis_keys, user=Bound(0, 2)).judge
    assert [await judge(asked(f"m{n}")) for n in range(3)] == [Verdict.WELCOME] * 2 + [Verdict.REFUSED]


async def test_a_channel_has_its_own(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Ten people in one channel share its limit; another channel does not."""
    judge = limits(redis_link, redis_keys, channel=Bound(4)).judge
    said = [await judge(asked(f"m{n}", user=f"U{n}")) for n in range(6)]
    assert said == [Verdict.WELCOME] * 4 + [Verdict.REFUSED] * 2
    assert await judge(asked("m9", channel="C2")) is Verdict.WELCOME


async def test_a_token_has_its_own(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """An API token is counted by its name; the playground and the console are not counted."""
    judge = limits(redis_link, redis_keys, token=Bound(1), user=Bound(1), channel=Bound(1)).judge
    said = [await judge(asked(f"m{n}", user="crm", platform=Platform.HTTP)) for n in range(2)]
    assert said == [Verdict.WELCOME, Verdict.REFUSED]
    for platform, user in ((Platform.HTTP, ""), (Platform.CONSOLE, "")):
        assert [await judge(asked(f"c{n}", user=user, platform=platform)) for n in range(2)] == [Verdict.WELCOME] * 2


async def test_the_window_slides(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """A question of more than a minute ago is not counted; what is kept expires by itself and names nobody."""
    judge = limits(redis_link, redis_keys, user=Bound(1)).judge
    await judge(asked("m1"))
    (key,) = [k async for k in _keys(redis_link, redis_keys) if ":asked:" in k]
    assert "U1" not in key
    assert 0 < int(await redis_link.execute("TTL", key)) <= 60
    score = float(await redis_link.execute("ZSCORE", key, "m1"))
    await redis_link.execute("ZADD", key, score - 60_001, "m1")
    assert await judge(asked("m2")) is Verdict.WELCOME


async def _keys(link: RedisLink, keys: Keyspace):
    for name in await link.execute("KEYS", f"{keys.prefix}*"):
        yield str(name)


async def test_two_processes_share_the_count(redis_server: RedisServer, redis_keys: Keyspace) -> None:
    """Two processes with 25 questions each at once: together exactly 20 are answered and 20 refused with a word."""
    started = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", COUNTING, redis_server.url, redis_keys.prefix, name,
            cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        )
        for name in ("a", "b")
    ]  # fmt: skip
    total: Counter[str] = Counter()
    for process in started:
        out, _ = await process.communicate()
        total += Counter(json.loads(out))
    assert total == {"welcome": 20, "refused": 20, "silent": 10}


async def test_a_budget_is_never_overdrawn(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Of fifty parallel reservations of 3 cents out of one dollar 33 are made; what is given back can be taken again."""
    budget = RedisBudget(redis_link, redis_keys, clock=FixedClock(TODAY), usd_per_day=1.0)
    made = await asyncio.gather(*(budget.reserve(0.03) for _ in range(50)))
    assert sum(made) == 33
    await budget.settle(reserved=0.03, spent=0.01)
    assert await budget.spent_usd() == pytest.approx(0.97)
    assert await budget.reserve(0.03)
    assert not await budget.reserve(0.03)


async def test_every_day_has_its_budget(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """At midnight UTC the count begins anew; the key of the day before expires."""
    clock = FixedClock(TODAY + 86_399)
    budget = RedisBudget(redis_link, redis_keys, clock=clock, usd_per_day=0.03)
    assert [await budget.reserve(0.03) for _ in range(2)] == [True, False]
    clock.time += 1
    assert await budget.reserve(0.03)
    ttls = [int(await redis_link.execute("TTL", key)) async for key in _keys(redis_link, redis_keys)]
    assert all(0 < ttl <= 2 * 86_400 for ttl in ttls)


async def test_pseudonyms_are_the_same_everywhere(
    redis_link: RedisLink, redis_server: RedisServer, redis_keys: Keyspace
) -> None:
    """Every process names a person alike, another installation differently; nobody has no name."""
    other_link = RedisLink(redis_server.url)
    first, second = Pseudonyms(redis_link, redis_keys), Pseudonyms(other_link, redis_keys)
    elsewhere = Pseudonyms(redis_link, Keyspace(f"{redis_keys.prefix}x:"))
    try:
        names = [await p.of("U0ANA") for p in (first, second, first, elsewhere)]
    finally:
        await other_link.close()
    assert names[0] == names[1] == names[2] != names[3]
    assert len(names[0]) == 24
    assert await first.of("") == ""


async def test_without_redis_nobody_is_named_or_counted() -> None:
    """Every call says that Redis is away."""
    link, keys = RedisLink("redis://127.0.0.1:1/0"), Keyspace()
    budget = RedisBudget(link, keys, clock=FixedClock(TODAY), usd_per_day=1.0)
    with pytest.raises(StateUnavailable):
        await limits(link, keys, user=Bound(1)).judge(asked("m"))
    with pytest.raises(StateUnavailable):
        await budget.reserve(0.1)
    await link.close()
