"""Keys, lifetimes and Lua of everything in Redis, and the history of threads.

Every key carries the partition of its thread as a hash tag (`triage:{p07}:…`), so that one script touches one slot of
a cluster, and every key has a lifetime. Scripts take keys and arguments in the order that their first line names.
Longer than other modules, since keys and scripts that must agree stand beside each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

from bot.adapters.store.client import RedisLink
from bot.messages import MessageId, ThreadKey, ThreadRef, Turn
from bot.questions.message_json import MessageUnreadable, turn_from_json, turn_to_json

CLAIM_TTL_S = 2 * 86_400  # platforms deliver again within hours; the promise is 24 h
POSTED_TTL_S = 7 * 86_400
RECEIPT_TTL_S = 30 * 86_400
GONE_TTL_S = 2 * 86_400  # longer than any question is on its way
WORK_TTL_S = 30 * 86_400  # renewed by every enqueue and every sweep of the lease holder
HISTORY_TTL_S = 14 * 86_400
HISTORY_TURNS = 20
DEAD_LETTERS = 10_000  # kept for each partition, newest win

# A taken claim makes the event a duplicate; its other names are claimed all the same, so that a third delivery under
# the twin's name is known too. XADD comes first: should Redis refuse it (full), no claim is left behind.
# Where more waits than `soft`, the question is stored as one that gets a word at once, beyond `hard` not at all.
ENQUEUE = """-- work, claim… | json, claim ttl, work ttl, message id, json with the word, soft, hard
for i = 2, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then
    for j = 2, #KEYS do redis.call('SET', KEYS[j], ARGV[4], 'NX', 'EX', ARGV[2]) end
    return false
  end
end
local waiting = redis.call('XLEN', KEYS[1])
if waiting >= tonumber(ARGV[7]) then return 'full' end
local body = waiting >= tonumber(ARGV[6]) and ARGV[5] or ARGV[1]
local id = redis.call('XADD', KEYS[1], '*', 'message', body)
redis.call('EXPIRE', KEYS[1], ARGV[3])
for i = 2, #KEYS do redis.call('SET', KEYS[i], ARGV[4], 'EX', ARGV[2]) end
return id
"""

# Entries are `message id LF json`: the prefix is compared without decoding. At most twenty are looked at.
REMEMBER = """-- turns, cost, gone… | entry, prefix, kept, ttl, cost or '', asked at
for i = 3, #KEYS do
  local at = redis.call('GET', KEYS[i])
  if at and tonumber(at) >= tonumber(ARGV[6]) then return 0 end
end
for _, old in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if string.sub(old, 1, #ARGV[2]) == ARGV[2] then return 0 end
end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('LTRIM', KEYS[1], -tonumber(ARGV[3]), -1)
if ARGV[5] == '' then redis.call('HSET', KEYS[2], 'unknown', 1)
else redis.call('HINCRBYFLOAT', KEYS[2], 'usd', ARGV[5]) end
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return 1
"""

# What was forgotten since the question was asked is not kept.
KEEP = """-- answer or gap, gone… | json, ttl, asked at
for i = 2, #KEYS do
  local at = redis.call('GET', KEYS[i])
  if at and tonumber(at) >= tonumber(ARGV[3]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1
"""

# What was forgotten meanwhile leaves no turn; the receipt is kept, so that the post can be found and deleted.
MARK_POSTED = """-- posted, receipt, gone… | post id, turn or '', ttl, thread, asked at, receipt or '', receipt ttl
local is_gone = false
for i = 3, #KEYS do
  local at = redis.call('GET', KEYS[i])
  if at and tonumber(at) >= tonumber(ARGV[5]) then is_gone = true end
end
redis.call('HSETNX', KEYS[1], 'post_id', ARGV[1])
redis.call('HSET', KEYS[1], 'thread', ARGV[4])
if ARGV[2] ~= '' and not is_gone then redis.call('HSETNX', KEYS[1], 'turn', ARGV[2]) end
redis.call('EXPIRE', KEYS[1], ARGV[3])
if ARGV[6] ~= '' then redis.call('SET', KEYS[2], ARGV[6], 'EX', ARGV[7], 'NX') end
return 1
"""

# Guards the post: nil lease means that nobody else took over.
POSTED = """-- posted, lease | token or ''
local holder = redis.call('GET', KEYS[2])
if ARGV[1] ~= '' and holder and holder ~= ARGV[1] then return {0, false} end
return {1, redis.call('HGET', KEYS[1], 'post_id')}
"""

# A worker that was too slow for its lease may be between its post and its mark: its note says so.
BEGIN_POST = """-- posted, lease | token or '', ttl, 1 to wait for another's mark
local holder = redis.call('GET', KEYS[2])
if ARGV[1] ~= '' and holder and holder ~= ARGV[1] then return {0, false} end
local post_id, by = unpack(redis.call('HMGET', KEYS[1], 'post_id', 'by'))
if post_id then return {1, post_id} end
if by and by ~= ARGV[1] and ARGV[3] == '1' then return {2, false} end
redis.call('HSET', KEYS[1], 'by', ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return {1, false}
"""

MAY_STAND = """-- posted | token, ttl
redis.call('HSETNX', KEYS[1], 'by', ARGV[1])
return redis.call('EXPIRE', KEYS[1], ARGV[2])
"""

# Counts live workers by the server's clock, so that clocks that disagree do no harm. After it was set back, whoever lives
# comes again with the next beat, and the dead do not count until then.
CHECK_IN = """-- workers | worker, ttl ms, key ttl s
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ms - ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], ms + 1, '+inf')
redis.call('ZADD', KEYS[1], ms, ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return redis.call('ZCARD', KEYS[1])
"""

# The token is `worker#fence`. An expired lease goes back to its holder with the same fence as long as nobody held it
# since: what that holder has in work is still its own.
LEASE = """-- lease, fence | worker, held fence or '', ttl ms, fence ttl s
local holder = redis.call('GET', KEYS[1])
local mine = ARGV[1] .. '#' .. ARGV[2]
if holder and holder ~= mine then return false end
if ARGV[2] ~= '' and redis.call('GET', KEYS[2]) == ARGV[2] then
  redis.call('SET', KEYS[1], mine, 'PX', ARGV[3])
  return ARGV[2]
end
local fence = redis.call('INCR', KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[4])
redis.call('SET', KEYS[1], ARGV[1] .. '#' .. fence, 'PX', ARGV[3])
return tostring(fence)
"""

RELEASE = """-- lease | token
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
"""

_FENCED = """if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
"""

# Everything that was delivered and not acknowledged, oldest first, whoever held it.
SWEEP = (
    "-- lease, work | token, group, worker, start, count, work ttl\n"
    + _FENCED
    + """local made = redis.pcall('XGROUP', 'CREATE', KEYS[2], ARGV[2], '0', 'MKSTREAM')
if type(made) == 'table' and made.err and not string.find(made.err, 'BUSYGROUP') then return made end
redis.call('EXPIRE', KEYS[2], ARGV[6])
local got = redis.call('XAUTOCLAIM', KEYS[2], ARGV[2], ARGV[3], 0, ARGV[4], 'COUNT', ARGV[5])
return {got[1], got[2]}
"""
)

READ = (
    "-- lease, work | token, group, worker, count\n"
    + _FENCED
    + """local got = redis.call('XREADGROUP', 'GROUP', ARGV[2], ARGV[3], 'COUNT', ARGV[4], 'STREAMS', KEYS[2], '>')
if not got then return {} end
return got[1][2]
"""
)

# Counts the starts of an entry; a start that ended in order is taken back by RETRY_LATER or DONE, so what stays
# are workers that died over it.
BEGIN = (
    "-- lease, tries | token, entry, ttl\n"
    + _FENCED
    + """local tries = redis.call('HINCRBY', KEYS[2], ARGV[2], 1)
redis.call('EXPIRE', KEYS[2], ARGV[3])
return tries
"""
)

RETRY_LATER = (
    "-- lease, tries | token, entry\n"
    + _FENCED
    + """return redis.call('HINCRBY', KEYS[2], ARGV[2], -1)
"""
)

DONE = (
    "-- lease, work, tries | token, group, entry\n"
    + _FENCED
    + """redis.call('XACK', KEYS[2], ARGV[2], ARGV[3])
redis.call('XDEL', KEYS[2], ARGV[3])
redis.call('HDEL', KEYS[3], ARGV[3])
return 1
"""
)

BURY = (
    "-- lease, work, tries, dead | token, group, entry, json, reason, kept, ttl\n"
    + _FENCED
    + """redis.call('XADD', KEYS[4], 'MAXLEN', '~', ARGV[6], '*', 'message', ARGV[4], 'reason', ARGV[5], 'entry', ARGV[3])
redis.call('EXPIRE', KEYS[4], ARGV[7])
redis.call('XACK', KEYS[2], ARGV[2], ARGV[3])
redis.call('XDEL', KEYS[2], ARGV[3])
redis.call('HDEL', KEYS[3], ARGV[3])
return 1
"""
)


@dataclass(frozen=True, slots=True)
class Keyspace:
    """Names of all keys. `partitions` must be the same in every process of one installation."""

    prefix: str = "triage:"
    partitions: int = 16

    def __post_init__(self) -> None:
        """Refuse a prefix that would take the hash tag's place."""
        if "{" in self.prefix or "}" in self.prefix or not 1 <= self.partitions <= 999:
            raise ValueError("a key prefix holds no braces, and there are 1 to 999 partitions")

    def partition(self, thread: ThreadKey) -> int:
        """Give the partition of a thread, 0 to `partitions` - 1."""
        return crc32(thread.encode("utf-8", "surrogatepass")) % self.partitions

    def of(self, partition: int, *parts: str) -> str:
        """Name a key of a partition: `work`, `dead`, `lease`, `fence`, `tries`, or a kind with a name."""
        return ":".join((f"{self.prefix}{{p{partition:02d}}}", *parts))

    def of_thread(self, thread: ThreadRef, *parts: str) -> str:
        """Name a key in the partition of a thread."""
        return self.of(self.partition(thread.key), *parts)

    def all_of(self, kind: str) -> str:
        """Give the glob for the keys of a kind with a name, in every partition."""
        return f"{self.prefix}{{p*}}:{kind}:*"

    def gone(
        self, thread: ThreadRef, message_id: MessageId, *, asker: str = "", cited: Sequence[str] = ()
    ) -> list[str]:
        """Name the marks under which a message, its thread, place, asker or sources may have been forgotten."""
        place = f"{thread.platform}/{thread.tenant_id}"
        named = [
            ("place", place),
            ("place", f"{place}/{thread.channel_id}"),
            ("thread", thread.key),
            ("thread", thread.thread_id),
        ]
        named += [("message", message_id), *([("user", asker)] if asker else [])]
        named += [("document", document_id) for document_id in cited]
        return [self.of_thread(thread, "gone", kind, name) for kind, name in named]

    def of_subject(self, subject: str, kind: str) -> str:
        """Name a key of a person, a channel, an API token or the budget; keys of one subject share its partition."""
        return self.of(self.partition(ThreadKey(subject)), kind, subject)

    def of_all(self, kind: str) -> str:
        """Name a key of the whole installation: `hash-key`, `forgettings`, `forget-requests`."""
        return f"{self.prefix}{kind}"

    @property
    def writable(self) -> str:
        """Name the key by which it is seen that Redis takes writes."""
        return f"{self.prefix}writable"

    @property
    def workers(self) -> str:
        """Name the set of live workers."""
        return f"{self.prefix}workers"


class RedisThreadStore:
    """History of threads in Redis lists; every write renews the lifetime."""

    def __init__(
        self, link: RedisLink, keys: Keyspace, *, ttl_s: int = HISTORY_TTL_S, max_turns: int = HISTORY_TURNS
    ) -> None:
        """Keep at most `max_turns` turns of a thread, for `ttl_s` seconds after its newest."""
        self._link = link
        self._keys = keys
        self._ttl_s = ttl_s
        self._max_turns = max_turns

    async def turns(self, thread: ThreadRef) -> tuple[Turn, ...]:
        """Give the kept turns, oldest first; empty for a new or expired thread.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        rows = await self._link.execute("LRANGE", self._keys.of_thread(thread, "turns", thread.key), 0, -1)
        return tuple(turn for row in rows if (turn := _turn(str(row).partition("\n")[2])) is not None)

    async def remember(self, thread: ThreadRef, turn: Turn, *, message_id: MessageId) -> None:
        """Append a turn once: the same message id a second time changes nothing.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        prefix = f"{message_id}\n"
        keys = [self._keys.of_thread(thread, kind, thread.key) for kind in ("turns", "cost")]
        keys += self._keys.gone(thread, message_id, asker=turn.asker, cited=turn.cited_ids)
        cost = "" if turn.cost_usd is None else repr(turn.cost_usd)
        entry = prefix + turn_to_json(turn)
        args: list[str | float] = [entry, prefix, self._max_turns, self._ttl_s, cost, repr(turn.asked_at)]
        await self._link.run(REMEMBER, keys, args)

    async def cost_usd(self, thread: ThreadRef) -> float | None:
        """Give what all turns of a thread cost, dropped ones included; None when one of them is unknown.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        key = self._keys.of_thread(thread, "cost", thread.key)
        unknown, usd = await self._link.execute("HMGET", key, "unknown", "usd")
        return None if unknown else float(usd or 0.0)

    async def forget(self, thread: ThreadRef) -> None:
        """Delete the history of a thread.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        await self._link.execute("DEL", *(self._keys.of_thread(thread, kind, thread.key) for kind in ("turns", "cost")))

    async def ping(self) -> None:
        """Raise `StateUnavailable` when out of reach."""
        await self._link.ping()


def _turn(text: str) -> Turn | None:
    try:
        return turn_from_json(text)
    except MessageUnreadable:  # written by another version; history without it is better than no answer
        return None
