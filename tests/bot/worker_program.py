"""A worker process with a small responder; its platform is a Redis list, its log of begun answers another."""

import asyncio
import sys

from bot.adapters.store.client import RedisLink
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.queue import RedisWorkQueue
from bot.messages import AcceptedMessage, Answer, Platform, Reply
from bot.worker import Worker
from tests.sample_messages import answer

HELD_S = 60.0


class SmallDesk:
    """Answers after a while, from a certain message on never, and posts into a list."""

    def __init__(self, link: RedisLink, prefix: str, pause_s: float, held_from: str) -> None:
        self._link = link
        self._prefix = prefix
        self._pause_s = pause_s
        self._held_from = held_from

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Say that it began, take its time, answer."""
        await self._link.execute("RPUSH", f"{self._prefix}begun", f"{sys.argv[3]} {message.message_id}")
        await asyncio.sleep(HELD_S if message.message_id >= self._held_from else self._pause_s)
        return answer(f"answer to {message.message_id}")

    async def post(self, reply: Reply) -> str:
        """Append to the platform's list."""
        length = await self._link.execute("RPUSH", f"{self._prefix}posts", reply.message.message_id)
        return f"post-{length}"


async def main(url: str, prefix: str, *, pause_s: float, lease_s: float, held_from: str) -> None:
    """Serve until killed."""
    link, keys = RedisLink(url), Keyspace(prefix, 16)
    desk = SmallDesk(link, prefix, pause_s, held_from)
    queue = RedisWorkQueue(link, keys, lease_s=lease_s)
    store = RedisThreadStore(link, keys)
    await Worker(queue, desk, store=store, posters={Platform.SLACK: desk}).run()


if __name__ == "__main__":
    times = {"pause_s": float(sys.argv[4]), "lease_s": float(sys.argv[5])}
    asyncio.run(main(sys.argv[1], sys.argv[2], held_from=sys.argv[6] if len(sys.argv) > 6 else "~", **times))
