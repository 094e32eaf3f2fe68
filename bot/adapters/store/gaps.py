"""Questions that nobody could answer, in Redis: one key each, so that each expires by itself and can be forgotten alone."""

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.scripts import KEEP
from bot.lead.gaps import Gap, gap_from_json, gap_to_json

GAPS_TTL_S = 30 * 86_400
_PAGE = 1_000


class RedisGaps:
    """A `GapStore`. Every method raises `StateUnavailable` when Redis is out of reach."""

    def __init__(self, link: RedisLink, keys: Keyspace, *, ttl_s: int = GAPS_TTL_S) -> None:
        """Keep each gap for `ttl_s` seconds."""
        self._link = link
        self._keys = keys
        self._ttl_s = ttl_s

    async def note(self, gap: Gap) -> None:
        """Keep a gap once."""
        keys = [self._keys.of_thread(gap.thread, "gap", gap.message_id)]
        keys += self._keys.gone(gap.thread, gap.message_id, asker=gap.asker, cited=gap.cited)
        await self._link.run(KEEP, keys, [gap_to_json(gap), self._ttl_s, repr(gap.asked_at)])

    async def all(self, *, since: float = 0.0) -> list[Gap]:
        """Give the gaps asked at or after a time (seconds since the epoch), oldest first."""
        found = []
        async for names in self._link.scan(self._keys.all_of("gap"), count=_PAGE):
            values = await self._link.many([("GET", name) for name in names])
            gaps = (gap_from_json(str(value)) for value in values if value)  # None: expired in between
            found += [gap for gap in gaps if gap is not None and gap.asked_at >= since]
        unique = {gap.message_id: gap for gap in found}  # SCAN may give a key twice
        return sorted(unique.values(), key=lambda gap: (gap.asked_at, gap.message_id))
