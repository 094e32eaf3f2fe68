"""Sliding windows and the day's budget in Redis: one script a subject, so that processes cannot count past each other.

By the server's clock. People are named by their pseudonyms. Each key lives no longer than its window needs.
"""

from dataclasses import dataclass

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.messages import AcceptedMessage, Platform
from bot.ports import Clock
from bot.questions.admission import APP, Verdict

DAY_S = 86_400
BUDGET_TTL_S = 2 * DAY_S
_VERDICTS = (Verdict.WELCOME, Verdict.REFUSED, Verdict.SILENT)

# What lies ahead of the server's clock was counted before it was set back: it would count as the last minute until then.
# The same id is counted once. As many are refused with a word as are answered in a minute, the rest without.
COUNT = """-- counted, refused | id, per minute, per day
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
for i = 1, 2 do redis.call('ZREMRANGEBYSCORE', KEYS[i], ms + 1000, '+inf') end
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return 0 end
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then return 1 end
local minute, day = tonumber(ARGV[2]), tonumber(ARGV[3])
local window = day > 0 and 86400 or 60
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ms - window * 1000)
local lately = redis.call('ZCOUNT', KEYS[1], ms - 60000 + 1, '+inf')
if (minute == 0 or lately < minute) and (day == 0 or redis.call('ZCARD', KEYS[1]) < day) then
  redis.call('ZADD', KEYS[1], ms, ARGV[1])
  redis.call('EXPIRE', KEYS[1], window)
  return 0
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ms - 60000)
local told = minute > 0 and minute or 20
if redis.call('ZCARD', KEYS[2]) >= told then return 2 end
redis.call('ZADD', KEYS[2], ms, ARGV[1])
redis.call('EXPIRE', KEYS[2], 60)
return 1
"""

RESERVE = """-- day | amount, budget, ttl
if tonumber(redis.call('GET', KEYS[1]) or '0') + tonumber(ARGV[1]) > tonumber(ARGV[2]) then return 0 end
redis.call('INCRBYFLOAT', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
"""

SETTLE = """-- day | difference, ttl
redis.call('INCRBYFLOAT', KEYS[1], ARGV[1])
return redis.call('EXPIRE', KEYS[1], ARGV[2])
"""


@dataclass(frozen=True, slots=True)
class Bound:
    """How many in a minute and in a day; 0 is no bound."""

    per_minute: int = 0
    per_day: int = 0


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of one person, one channel and one API token; of an app in one thread, and in one channel.

    Two bots that answer each other stop after three turns in a thread; one that opens a thread for each answer after five a
    minute.
    """

    user: Bound = Bound()
    channel: Bound = Bound()
    token: Bound = Bound()
    app_in_thread: Bound = Bound(per_day=3)
    app_in_channel: Bound = Bound(per_minute=5, per_day=200)


class RedisLimits:
    """`bot.questions.admission.Limits` for the platforms and the HTTP API."""

    def __init__(self, link: RedisLink, keys: Keyspace, people: Pseudonyms, bounds: Bounds) -> None:
        """Count in this Redis."""
        self._link = link
        self._keys = keys
        self._people = people
        self._bounds = bounds

    async def judge(self, message: AcceptedMessage) -> Verdict:
        """Count a question for the person and for the channel, or for the API token.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        thread = message.thread
        if thread.platform is Platform.HTTP:
            return await self._count(f"token:{message.user_id}", self._bounds.token, message.message_id)
        if thread.platform is Platform.CONSOLE:
            return Verdict.WELCOME
        if (verdict := await self._of_app(message)) is not Verdict.WELCOME:
            return verdict
        person = f"user:{await self._people.of(message.user_id)}"
        verdict = await self._count(person, self._bounds.user, message.message_id)
        if verdict is not Verdict.WELCOME:
            return verdict
        place = f"channel:{thread.platform}/{thread.tenant_id}/{thread.channel_id}"
        return await self._count(place, self._bounds.channel, message.message_id)

    async def _of_app(self, message: AcceptedMessage) -> Verdict:
        """Count what an app asks in its thread and in its channel."""
        thread, app = message.thread, message.route(APP)
        if not app:
            return Verdict.WELCOME
        verdict = await self._count(f"app-thread:{thread.key}", self._bounds.app_in_thread, message.message_id)
        if verdict is not Verdict.WELCOME:
            return verdict
        place = f"app:{app}/{thread.platform}/{thread.tenant_id}/{thread.channel_id}"
        return await self._count(place, self._bounds.app_in_channel, message.message_id)

    async def _count(self, subject: str, bound: Bound, question_id: str) -> Verdict:
        if not (bound.per_minute or bound.per_day) or subject.endswith(":"):
            return Verdict.WELCOME
        keys = [self._keys.of_subject(subject, kind) for kind in ("asked", "over")]
        args: list[str | float] = [question_id, bound.per_minute, bound.per_day]
        return _VERDICTS[int(await self._link.run(COUNT, keys, args))]


class RedisBudget:
    """`bot.budget.Budget`: one counter a day, from midnight UTC."""

    def __init__(self, link: RedisLink, keys: Keyspace, *, clock: Clock, usd_per_day: float) -> None:
        """Count in this Redis; the clock says which day it is."""
        self._link = link
        self._keys = keys
        self._clock = clock
        self._usd_per_day = usd_per_day

    async def reserve(self, usd: float) -> bool:
        """Take an amount out of what is left today; False, taking nothing, when less is left."""
        args: list[str | float] = [repr(usd), repr(self._usd_per_day), BUDGET_TTL_S]
        return bool(await self._link.run(RESERVE, [self._day()], args))

    async def settle(self, *, reserved: float, spent: float) -> None:
        """Put the difference back."""
        await self._link.run(SETTLE, [self._day()], [repr(spent - reserved), BUDGET_TTL_S])

    async def spent_usd(self) -> float:
        """Give what today's calls have cost, reservations included."""
        return float(await self._link.execute("GET", self._day()) or 0.0)

    def _day(self) -> str:
        return self._keys.of_subject("budget", str(int(self._clock.now() // DAY_S)))
