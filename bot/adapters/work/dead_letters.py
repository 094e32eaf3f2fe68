"""Questions that were given up: to be looked at, put back into the queue, or thrown away."""

import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from bot.adapters.store.client import RedisLink, StreamEntry, entries
from bot.adapters.store.keys import WORK_TTL_S, Keyspace
from bot.messages import AcceptedMessage
from bot.questions.message_json import MessageUnreadable, message_from_json

PAGE = 200

# The entry moves in one step, so that a retry that is interrupted neither loses nor doubles the question.
PUT_BACK = """-- dead, work | dead entry, ttl
local rows = redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[1])
if #rows == 0 then return 0 end
local fields = rows[1][2]
for i = 1, #fields, 2 do
  if fields[i] == 'message' then redis.call('XADD', KEYS[2], '*', 'message', fields[i + 1]) end
end
redis.call('EXPIRE', KEYS[2], ARGV[2])
return redis.call('XDEL', KEYS[1], ARGV[1])
"""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """One question that was given up.

    `id` names it for `retry` and `drop`: its partition and its place there. `given_up_at` is seconds since the epoch;
    `message` is None when the entry cannot be read, and then it can only be dropped.
    """

    id: str
    given_up_at: float
    reason: str
    message: AcceptedMessage | None

    @property
    def age_s(self) -> float:
        """Seconds since it was given up."""
        return max(time.time() - self.given_up_at, 0.0)


class DeadLetters:
    """The dead letters of all partitions. Every method raises `StateUnavailable` when Redis is out of reach."""

    def __init__(self, link: RedisLink, keys: Keyspace) -> None:
        """Read and change them in this Redis."""
        self._link = link
        self._keys = keys

    async def all(self) -> AsyncIterator[DeadLetter]:
        """Give every one, by partition and oldest first."""
        for partition in range(self._keys.partitions):
            start = "-"
            while rows := await self._page(partition, start):
                for row in rows:
                    yield _letter(partition, row)
                start = f"({rows[-1].id}"

    async def retry(self, letter_id: str) -> bool:
        """Put one back at the end of the queue; False when there is no such one, or it cannot be read."""
        found = await self._find(letter_id)
        if found is None or found.message is None:
            return False
        partition, entry = _place(letter_id)
        keys = [self._keys.of(partition, kind) for kind in ("dead", "work")]
        return bool(await self._link.run(PUT_BACK, keys, [entry, WORK_TTL_S]))

    async def drop(self, letter_id: str) -> bool:
        """Throw one away; False when there is no such one."""
        if await self._find(letter_id) is None:
            return False
        partition, entry = _place(letter_id)
        return bool(await self._link.execute("XDEL", self._keys.of(partition, "dead"), entry))

    async def _find(self, letter_id: str) -> DeadLetter | None:
        partition, entry = _place(letter_id)
        if not 0 <= partition < self._keys.partitions or not _is_entry(entry):
            return None
        rows = entries(await self._link.execute("XRANGE", self._keys.of(partition, "dead"), entry, entry))
        return _letter(partition, rows[0]) if rows else None

    async def _page(self, partition: int, start: str) -> Sequence[StreamEntry]:
        key = self._keys.of(partition, "dead")
        return entries(await self._link.execute("XRANGE", key, start, "+", "COUNT", PAGE))


def _letter(partition: int, row: StreamEntry) -> DeadLetter:
    try:
        message = message_from_json(row.fields.get("message", ""))
    except MessageUnreadable:
        message = None
    given_up_at = int(row.id.partition("-")[0]) / 1000
    return DeadLetter(f"{partition:02d}-{row.id}", given_up_at, row.fields.get("reason", ""), message)


def _place(letter_id: str) -> tuple[int, str]:
    partition, _, entry = letter_id.strip().partition("-")
    return (int(partition) if partition.isascii() and partition.isdigit() else -1), entry


def _is_entry(entry: str) -> bool:
    left, _, right = entry.partition("-")
    return all(part.isascii() and part.isdigit() and len(part) <= 20 for part in (left, right))
