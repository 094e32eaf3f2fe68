"""When the bot last took events in, and what it may have missed: in Redis, shared by all receivers of a platform.

Every receiver whose way in is open beats. The first beat after a silence opens a gap; it stays open, whoever dies, until
one receiver has looked through it.
"""

from dataclasses import dataclass

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import WORK_TTL_S, Keyspace

GAP_S = 120.0
HOLD_S = 60.0

# A second silence while a gap is open makes it longer.
# A clock that was set back leaves `seen` ahead of now: its own receiver takes it back at once (beats may also pass each other by
# seconds), another one when nobody has
# moved it for as long as a gap, by the server's clock. A receiver whose clock is ahead of others' thus opens no gap.
BEAT = """-- intake | now, gap, ttl, receiver
local seen, by, at = unpack(redis.call('HMGET', KEYS[1], 'seen', 'by', 'at'))
local server = tonumber(redis.call('TIME')[1])
if seen and tonumber(seen) > tonumber(ARGV[1]) then
  local still = at and server - tonumber(at) or 0
  if still > tonumber(ARGV[2]) then
    seen = ARGV[1] - still
  elseif by == ARGV[4] and tonumber(seen) - ARGV[1] > ARGV[2] / 2 then
    seen = nil
  end
end
if seen and tonumber(ARGV[1]) - tonumber(seen) > tonumber(ARGV[2]) then
  redis.call('HSETNX', KEYS[1], 'from', seen)
  redis.call('HSET', KEYS[1], 'to', ARGV[1])
end
if not seen or tonumber(seen) <= tonumber(ARGV[1]) then
  redis.call('HSET', KEYS[1], 'seen', ARGV[1], 'by', ARGV[4], 'at', server)
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
return redis.call('HMGET', KEYS[1], 'from', 'to')
"""

# Held further ahead than anybody holds: a clock was set back meanwhile.
HOLD = """-- intake | holder, now, until
local holder, till = unpack(redis.call('HMGET', KEYS[1], 'holder', 'until'))
local most = 2 * tonumber(ARGV[3]) - tonumber(ARGV[2])
if holder and holder ~= ARGV[1] and tonumber(till) > tonumber(ARGV[2]) and tonumber(till) <= most then return 0 end
redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'until', ARGV[3])
return 1
"""

CLOSE = """-- intake | from, to
local from, to = unpack(redis.call('HMGET', KEYS[1], 'from', 'to'))
redis.call('HDEL', KEYS[1], 'holder', 'until')
if from ~= ARGV[1] or to ~= ARGV[2] then return 0 end
return redis.call('HDEL', KEYS[1], 'from', 'to')
"""


@dataclass(frozen=True, slots=True)
class Gap:
    """A time without intake, in seconds since the epoch: from the last moment that is known to have been open."""

    start: float
    end: float


class IntakeRecord:
    """The record of one platform. Every method raises `StateUnavailable` when Redis is out of reach."""

    def __init__(self, link: RedisLink, keys: Keyspace, *, platform: str, me: str, gap_s: float = GAP_S) -> None:
        """Keep it in this Redis; `me` names this receiver, a silence of more than `gap_s` seconds is a gap."""
        self._link = link
        self._key = keys.of_all(f"intake-{platform}")
        self._me = me
        self._gap_s = gap_s

    async def beat(self, now: float) -> Gap | None:
        """Say that events come in now; give the gap that is open, if there is one."""
        start, end = await self._link.run(BEAT, [self._key], [repr(now), self._gap_s, WORK_TTL_S, self._me])
        return None if start is None or end is None else Gap(float(start), float(end))

    async def hold(self, now: float) -> bool:
        """Take the gap for this receiver, or keep it, for a minute; False while another one has it."""
        return bool(await self._link.run(HOLD, [self._key], [self._me, now, repr(now + HOLD_S)]))

    async def close(self, gap: Gap) -> bool:
        """Forget a gap that was looked through; False when it has become longer meanwhile."""
        return bool(await self._link.run(CLOSE, [self._key], [repr(gap.start), repr(gap.end)]))
