"""Sources that are no more, taken out of Redis: turns cite them no longer, and answers and rewrites made of them go."""

from collections.abc import Collection

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.answers.kept_json import kept_from_json
from bot.lead.receipts import Receipt, receipt_from_json, receipt_to_json
from bot.lead.withdrawn import without_sources
from bot.questions.message_json import MessageUnreadable, turn_from_json, turn_to_json

_PAGE = 500

# Only the very entry that was read is replaced: a thread may have gone on meanwhile.
REPLACE_TURN = """-- turns | old, new
for i, row in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if row == ARGV[1] then redis.call('LSET', KEYS[1], i - 1, ARGV[2]) return 1 end
end
return 0
"""


class RedisSourceWithdrawals:
    """Implements `bot.lead.withdrawn.SourceWithdrawals`, and finds the bot's posts that rest on a source.

    Every method reads all keys once and raises `StateUnavailable` when Redis is out of reach; all may be done again.
    """

    def __init__(self, link: RedisLink, keys: Keyspace) -> None:
        """Work on this Redis."""
        self._link = link
        self._keys = keys

    async def withdraw(self, ids: Collection[str]) -> dict[str, int]:
        """Take sources out of kept turns and answers, and drop every kept rewrite; gives what was changed, by kind."""
        counts = {"turns": 0, "answers": 0, "rewrites": 0}
        for key in await self._names("turns"):
            counts["turns"] += await self._clean_turns(key, ids)
        for key in await self._names("answer"):
            text = await self._link.execute("GET", key)
            kept = kept_from_json(str(text)) if text else None
            if kept is not None and set(kept.as_turn.cited_ids) & set(ids):
                counts["answers"] += int(await self._link.execute("DEL", key))
        for key in await self._names("rewrite"):  # nobody can tell what they were made of
            counts["rewrites"] += int(await self._link.execute("DEL", key))
        return counts

    async def receipts(self, document_id: str) -> list[Receipt]:
        """Give where the bot's posts stand that cite a document, oldest first."""
        found = []
        for key in await self._names("receipt"):
            text = await self._link.execute("GET", key)
            receipt = receipt_from_json(str(text)) if text else None
            if receipt is not None and document_id in receipt.cited:
                found.append(receipt)
        return sorted(found, key=lambda receipt: receipt.at)

    async def cited(self) -> tuple[int, frozenset[str]]:
        """Give how many posts are remembered, and what they cite."""
        names = await self._names("receipt")
        found = [
            receipt_from_json(str(text)) for text in await self._link.many([("GET", name) for name in names]) if text
        ]
        receipts = [receipt for receipt in found if receipt is not None]
        return len(receipts), frozenset(name for receipt in receipts for name in receipt.cited)

    async def keep_receipt(self, receipt: Receipt) -> None:
        """Write a receipt as it is now; its lifetime stays."""
        key = self._keys.of_thread(receipt.thread, "receipt", receipt.message_id)
        await self._link.execute("SET", key, receipt_to_json(receipt), "XX", "KEEPTTL")

    async def drop_receipt(self, receipt: Receipt) -> None:
        """Forget where a post stood."""
        await self._link.execute("DEL", self._keys.of_thread(receipt.thread, "receipt", receipt.message_id))

    async def _clean_turns(self, key: str, ids: Collection[str]) -> int:
        count = 0
        for row in await self._link.execute("LRANGE", key, 0, -1):
            message_id, _, text = str(row).partition("\n")
            try:
                turn = without_sources(turn_from_json(text), ids)
            except MessageUnreadable:
                continue
            if turn is not None:
                count += int(await self._link.run(REPLACE_TURN, [key], [row, f"{message_id}\n{turn_to_json(turn)}"]))
        return count

    async def _names(self, kind: str) -> list[str]:
        return sorted({name async for page in self._link.scan(self._keys.all_of(kind), count=_PAGE) for name in page})
