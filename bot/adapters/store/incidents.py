"""Incidents in Redis: one key each, which expires with the incident, and a list of them by their end."""

import json
import math

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.desk.incidents import MOST, Incident
from bot.messages import Platform, ThreadRef
from bot.ports import Clock
from retrieval.redaction import RedactedText

_SUBJECT = "incidents"

# Both keys lie in one partition. The list outlives its last incident by nothing.
DECLARE = """-- list, incident | member, until, json, now, ttl, most
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[4])
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[6]) then return 0 end
redis.call('SET', KEYS[2], ARGV[3], 'EX', ARGV[5])
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
redis.call('EXPIRE', KEYS[1], math.max(1, math.ceil(tonumber(last[2]) - tonumber(ARGV[4]))))
return 1
"""


class RedisIncidents:
    """`bot.desk.incidents.Incidents` in Redis, shared by all processes. Raises `StateUnavailable` when it is out of reach."""

    def __init__(self, link: RedisLink, keys: Keyspace, clock: Clock) -> None:
        """Keep incidents in this Redis until they end by this clock."""
        self._link = link
        self._clock = clock
        self._keys = keys
        self._list = keys.of_subject(_SUBJECT, "incidents")

    async def declare(self, incident: Incident) -> bool:
        """Have it stand until its end; telling it twice changes nothing."""
        now, member = self._clock.now(), incident.thread.key
        ttl_s = max(1, math.ceil(incident.until - now))
        args: list[str | float] = [member, repr(incident.until), _written(incident), repr(now), ttl_s, MOST]
        return bool(await self._link.run(DECLARE, [self._list, self._key(member)], args))

    async def standing(self) -> tuple[Incident, ...]:
        """Give those that have not ended, the next to end first."""
        now = self._clock.now()
        members = await self._link.execute("ZRANGEBYSCORE", self._list, f"({now!r}", "+inf")
        if not members:
            return ()
        rows = await self._link.many([("GET", self._key(str(member))) for member in members])
        found = (_read(str(row)) for row in rows if row)  # one that was forgotten leaves its name only
        return tuple(incident for incident in found if incident is not None and incident.until > now)

    async def end(self, incident: Incident) -> None:
        """End one now."""
        member = incident.thread.key
        await self._link.many([("DEL", self._key(member)), ("ZREM", self._list, member)])

    def _key(self, member: str) -> str:
        # The thread's key is the name, so that whoever forgets its place or thread finds it.
        return f"{self._list.removesuffix(f'incidents:{_SUBJECT}')}incident:{member}"


def _written(incident: Incident) -> str:
    thread = incident.thread
    return json.dumps(
        {
            "text": incident.text,
            "until": incident.until,
            "labels": incident.labels,
            "thread": [thread.platform, thread.tenant_id, thread.channel_id, thread.thread_id],
            "offset_s": incident.offset_s,
        },
        ensure_ascii=False,
    )


def _read(text: str) -> Incident | None:
    """Read an incident back; None when another version wrote it."""
    try:
        row = json.loads(text)
        platform, tenant_id, channel_id, thread_id = row["thread"]
        return Incident(
            text=RedactedText.stored(str(row["text"])),
            until=float(row["until"]),
            labels=tuple(str(label) for label in row["labels"]),
            thread=ThreadRef(Platform(platform), str(tenant_id), str(channel_id), str(thread_id)),
            offset_s=int(row["offset_s"]),
        )
    except (KeyError, TypeError, ValueError):
        return None
