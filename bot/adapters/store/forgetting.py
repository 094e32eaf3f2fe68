"""Forgetting in Redis: everything of a person, thread, document or place.

First a mark in every partition says what is forgotten and since when, so that what is in work leaves nothing; then all
keys are read once. Reading all of them finds also what an index of keys would have missed.
"""

from collections.abc import Callable, Sequence
from typing import Any

from bot.adapters.store.answers import fields_of
from bot.adapters.store.client import RedisLink, entries
from bot.adapters.store.forgetting_answers import is_answer_of, votes_of
from bot.adapters.store.keys import GONE_TTL_S, WORK_TTL_S, Keyspace
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.adapters.work.stream import GROUP
from bot.lead.forgetting import Forgotten, Subject, SubjectKind
from bot.lead.gaps import gap_from_json
from bot.lead.receipts import Receipt, receipt_from_json
from bot.messages import MessageId, ThreadRef, Turn
from bot.questions.message_json import MessageUnreadable, message_from_json, turn_from_json

PAGE = 500
FOR_EVER = "1e15"  # a deleted message is deleted, whenever it was asked

WITHDRAW = """-- gone, turns, posted, gap | prefix of the turn, until, ttl
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
redis.call('DEL', KEYS[4])
for _, old in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
  if string.sub(old, 1, #ARGV[1]) == ARGV[1] then redis.call('LREM', KEYS[2], 0, old) end
end
return redis.call('HDEL', KEYS[3], 'turn')
"""

# XDEL only marks an entry: its text stays in its node, and so in the server's files, until the whole node is deleted. So
# every stream is made anew, also for entries that were answered long ago. Workers know what they have in work by its id,
# so what is delivered once more is not begun once more.
REMAKE = """-- stream, tries | group or '', ttl, id…
local rows = redis.call('XRANGE', KEYS[1], '-', '+')
local gone = {}
for i = 3, #ARGV do
  gone[ARGV[i]] = true
  redis.call('HDEL', KEYS[2], ARGV[i])
end
redis.call('DEL', KEYS[1])
for _, row in ipairs(rows) do
  if not gone[row[1]] then redis.call('XADD', KEYS[1], row[1], unpack(row[2])) end
end
if ARGV[1] ~= '' then redis.call('XGROUP', 'CREATE', KEYS[1], ARGV[1], '0', 'MKSTREAM') end
return redis.call('EXPIRE', KEYS[1], ARGV[2])
"""


# How the kinds of keys are read of which there are many.
_READS: dict[str, Callable[[str], tuple[str | float, ...]]] = {
    "turns": lambda key: ("LRANGE", key, 0, -1),
    "posted": lambda key: ("HMGET", key, "thread", "turn"),
    "receipt": lambda key: ("GET", key),
    "claim": lambda key: ("GET", key),
    "answer": lambda key: ("GET", key),
    "feedback": lambda key: ("HGETALL", key),
    "incident": lambda key: ("GET", key),
    "gap": lambda key: ("GET", key),
}


class RedisForgetting:
    """Every method raises `StateUnavailable` when Redis is out of reach; all may be done again."""

    def __init__(self, link: RedisLink, keys: Keyspace, people: Pseudonyms) -> None:
        """Forget in this Redis."""
        self._link = link
        self._keys = keys
        self._people = people

    async def subject(self, kind: SubjectKind, subject_id: str) -> Subject:
        """Name who or what is to be forgotten."""
        pseudonym = await self._people.of(subject_id) if kind is SubjectKind.USER else ""
        return Subject(kind, subject_id, pseudonym)

    async def withdraw(self, message_id: MessageId, thread: ThreadRef) -> None:
        """Take a deleted message out: its turn leaves the history, and it is not answered any more."""
        keys = [
            self._keys.of_thread(thread, "gone", "message", message_id),
            self._keys.of_thread(thread, "turns", thread.key),
            self._keys.of_thread(thread, "posted", message_id),
            self._keys.of_thread(thread, "gap", message_id),
        ]
        await self._link.run(WITHDRAW, keys, [f"{message_id}\n", FOR_EVER, GONE_TTL_S])
        kept = (self._keys.of_thread(thread, kind, message_id) for kind in ("answer", "feedback"))
        await self._link.execute("DEL", *kept)

    async def mark(self, subject: Subject) -> None:
        """Mark a subject as forgotten from now on: what was asked before is neither answered nor remembered."""
        seconds, micros = await self._link.execute("TIME")
        now = f"{int(seconds)}.{int(micros):06d}"
        for partition in range(self._keys.partitions):
            name = self._keys.of(partition, "gone", subject.kind, subject.mark)
            await self._link.execute("SET", name, now, "EX", GONE_TTL_S)
        await self._link.execute("INCR", self._keys.of_all("forgettings"))
        await self._link.execute("EXPIRE", self._keys.of_all("forgettings"), WORK_TTL_S)

    async def forget(self, subject: Subject) -> Forgotten:
        """Remove everything of a subject; the receipts of the bot's posts are found and stay."""
        await self.mark(subject)
        sweep = _Sweep(self._link, self._keys, subject)
        async for names in self._link.scan(f"{self._keys.prefix}{{p*", count=PAGE):
            await sweep.clean(names)
        await sweep.drop_claims()
        return sweep.found

    async def drop_receipts(self, receipts: Sequence[Receipt]) -> None:
        """Forget where the bot posted."""
        for receipt in receipts:
            await self._link.execute("DEL", self._keys.of_thread(receipt.thread, "receipt", receipt.message_id))


class _Sweep:
    """One reading of all keys, a page of them in one round trip."""

    def __init__(self, link: RedisLink, keys: Keyspace, subject: Subject) -> None:
        self._link = link
        self._head = len(keys.of(0, ""))
        self._subject = subject
        self._message_ids: set[str] = set()
        self._claims: list[tuple[str, str]] = []
        self.found = Forgotten()

    async def clean(self, page: Sequence[str]) -> None:
        """Look at a page of keys."""
        readable: list[tuple[str, str, str]] = []
        for key in page:
            kind, _, name = key[self._head :].partition(":")
            if kind in _READS:
                readable.append((key, kind, name))
            else:
                await self._clean_other(key, kind, name)
        values = await self._link.many([_READS[kind](key) for key, kind, _ in readable])
        for (key, kind, name), value in zip(readable, values, strict=True):
            await self._clean_read(key, kind, name, value)

    async def _clean_read(self, key: str, kind: str, name: str, value: Any) -> None:
        match kind:
            case "turns":
                await self._turns(key, name, [str(row) for row in value])
            case "posted":
                await self._posted(key, name, *value)
            case "receipt":
                self._receipt(value)
            case "answer" if value and is_answer_of(self._subject, str(value)):
                self._message_ids.add(name)
                await self._drop(key, "answers")
            case "feedback" if value:
                await self._votes(key, name, fields_of(value))
            case "answer" | "feedback":
                pass
            case "gap":
                await self._gap(key, str(value or ""))
            case "incident":
                await self._incident(key, name, str(value or ""))
            case _:
                self._claims.append((key, str(value)))

    async def drop_claims(self) -> None:
        """Drop the claims of the messages that were found."""
        for key, message_id in self._claims:
            if message_id in self._message_ids or self._subject.is_note(message_id):
                await self._drop(key, "claims")

    async def _clean_other(self, key: str, kind: str, name: str) -> None:
        match kind:
            case "work" | "dead":
                await self._stream(key, kind)
            case "asked" | "over":
                await self._counts(key, name)
            case "rewrite":  # kept for an hour, and nobody can tell whose they are
                await self._drop(key, "rewrites")
            case _ if kind != "gone" and self._subject.is_thread(name):
                await self._drop(key, kind)

    async def _turns(self, key: str, thread_key: str, rows: Sequence[str]) -> None:
        is_whole = self._subject.is_thread(thread_key)
        for row in rows:
            message_id, _, text = row.partition("\n")
            turn = _turn(text)
            if is_whole or (turn is not None and self._subject.is_turn(turn)):
                self._message_ids.add(message_id)
                await self._link.execute("LREM", key, 0, row)
                self.found.add("turns")

    async def _posted(self, key: str, message_id: str, thread_key: str | None, text: str | None) -> None:
        turn = _turn(str(text)) if text else None
        if self._subject.is_thread(str(thread_key or "")) or self._subject.is_note(message_id):
            self._message_ids.add(message_id)
            await self._drop(key, "posted")
        elif turn is not None and self._subject.is_turn(turn):
            await self._link.execute("HDEL", key, "turn")
            self.found.add("posted")

    def _receipt(self, text: str | None) -> None:
        receipt = receipt_from_json(str(text)) if text else None
        if receipt is not None and self._subject.is_receipt(receipt):
            self.found.receipts.append(receipt)

    async def _votes(self, key: str, message_id: str, fields: dict[str, str]) -> None:
        own = votes_of(self._subject, message_id, fields)
        if own is None:
            await self._drop(key, "feedback")
        elif own:
            self.found.add("feedback", int(await self._link.execute("HDEL", key, *own)))

    async def _incident(self, key: str, thread_key: str, text: str) -> None:
        if self._subject.is_thread(thread_key) or self._subject.is_named(text):
            await self._drop(key, "incidents")

    async def _gap(self, key: str, text: str) -> None:
        gap = gap_from_json(text)
        if gap is not None and self._subject.is_gap(gap):
            self._message_ids.add(gap.message_id)
            await self._drop(key, "gaps")

    async def _stream(self, key: str, kind: str) -> None:
        start, gone = "-", []
        while rows := entries(await self._link.execute("XRANGE", key, start, "+", "COUNT", PAGE)):
            gone += [row.id for row in rows if self._is_entry(row.fields.get("message", ""))]
            start = f"({rows[-1].id}"
        group = GROUP if kind == "work" else ""
        tries = key.removesuffix(kind) + "tries"
        await self._link.run(REMAKE, [key, tries], [group, WORK_TTL_S, *gone])
        if gone:
            self.found.add(kind, len(gone))

    def _is_entry(self, text: str) -> bool:
        try:
            message = message_from_json(text)
        except MessageUnreadable:
            return False
        if self._subject.is_message(message):
            self._message_ids.add(message.message_id)
            return True
        return False

    async def _counts(self, key: str, name: str) -> None:
        subject = self._subject
        is_person = subject.kind is SubjectKind.USER and name == f"user:{subject.pseudonym}"
        if is_person or (subject.kind is SubjectKind.PLACE and f"{name}/".startswith(f"channel:{subject.id}/")):
            await self._drop(key, "counts")

    async def _drop(self, key: str, kind: str) -> None:
        self.found.add(kind, int(await self._link.execute("DEL", key)))


def _turn(text: str) -> Turn | None:
    try:
        return turn_from_json(text)
    except MessageUnreadable:
        return None
