"""What lies in the work queue, for metrics: counts and ages, by the server's clock."""

import asyncio
from dataclasses import dataclass

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.stream import GROUP

FIGURES = """-- work, dead | group
local now = redis.call('TIME')
local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)
local pending = redis.pcall('XPENDING', KEYS[1], ARGV[1])
local count, oldest = 0, ''
if not pending.err then count, oldest = pending[1], pending[2] or '' end
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
return {redis.call('XLEN', KEYS[1]), first[1] and first[1][1] or '', count, oldest, redis.call('XLEN', KEYS[2]), ms}
"""


@dataclass(frozen=True, slots=True)
class QueueFigures:
    """All partitions together; ages in seconds, 0 when there is nothing.

    `entries` are all that wait or are in work, `pending` those that a worker has taken.
    """

    entries: int = 0
    oldest_s: float = 0.0
    pending: int = 0
    oldest_pending_s: float = 0.0
    dead_letters: int = 0

    def plus(self, other: "QueueFigures") -> "QueueFigures":
        """Give both together: sums of counts, the greater of the ages."""
        return QueueFigures(
            self.entries + other.entries,
            max(self.oldest_s, other.oldest_s),
            self.pending + other.pending,
            max(self.oldest_pending_s, other.oldest_pending_s),
            self.dead_letters + other.dead_letters,
        )


async def read_figures(link: RedisLink, keys: Keyspace) -> QueueFigures:
    """Read them now.

    Raises:
        StateUnavailable: Redis is out of reach.
    """

    async def of(partition: int) -> QueueFigures:
        names = [keys.of(partition, kind) for kind in ("work", "dead")]
        entries, oldest, pending, oldest_pending, dead, now_ms = await link.run(FIGURES, names, [GROUP])
        ages = (_age_s(str(entry), int(now_ms)) for entry in (oldest, oldest_pending))
        return QueueFigures(int(entries), next(ages), int(pending), next(ages), int(dead))

    total = QueueFigures()
    for figures in await asyncio.gather(*(of(partition) for partition in range(keys.partitions))):
        total = total.plus(figures)
    return total


def _age_s(entry_id: str, now_ms: int) -> float:
    return max(now_ms - int(entry_id.partition("-")[0]), 0) / 1000 if entry_id else 0.0
