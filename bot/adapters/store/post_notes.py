"""Notes on what stands in a thread for a question before its answer does, beside the mark of the answer itself."""

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import POSTED_TTL_S, Keyspace
from bot.messages import AcceptedMessage

NOTE = """-- posted | kind, ts, thread, ttl
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2], 'thread', ARGV[3])
return redis.call('EXPIRE', KEYS[1], ARGV[4])
"""


class RedisPostNotes:
    """Implements `bot.adapters.slack.streaming.PostNotes`."""

    def __init__(self, link: RedisLink, keys: Keyspace) -> None:
        """Keep notes as long as the marks of answers."""
        self._link = link
        self._keys = keys

    async def note(self, message: AcceptedMessage, kind: str, ts: str) -> None:
        """Remember a time stamp; an empty one forgets it.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        await self._link.run(NOTE, [self._key(message)], [kind, ts, message.thread.key, POSTED_TTL_S])

    async def noted(self, message: AcceptedMessage, kind: str) -> str:
        """Give the time stamp, empty when there is none.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        return str(await self._link.execute("HGET", self._key(message), kind) or "")

    def _key(self, message: AcceptedMessage) -> str:
        return self._keys.of_thread(message.thread, "posted", message.message_id)
