"""The history of threads in Redis."""

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import HISTORY_TTL_S, HISTORY_TURNS, Keyspace
from bot.adapters.store.scripts import REMEMBER
from bot.messages import MessageId, ThreadRef, Turn
from bot.questions.message_json import MessageUnreadable, turn_from_json, turn_to_json


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
