"""A replica takes over, and the name of Redis leads to it from then on: nothing is lost, nothing doubled, no restart."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from tests.bot.adapters.slack.redis_bot import Bot, serving_bot
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import Json, event_body, mention
from tests.redis_servers import RedisServer, server_binary


class Name:
    """What REDIS_URL names: new connections go to whom it points to now, those that stand stay where they are."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.url = f"redis://127.0.0.1:{port}"
        self._path = ""
        self.carrying: list[tuple[asyncio.Task[Any] | None, asyncio.StreamWriter]] = []

    def points_to(self, server: RedisServer) -> None:
        """Lead to another server."""
        self._path = server.url.removeprefix("unix://")

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection."""
        self.carrying.append((asyncio.current_task(), writer))
        with suppress(OSError):
            there_reader, there_writer = await asyncio.open_unix_connection(self._path)
            self.carrying.append((None, there_writer))
            await asyncio.gather(_pump(reader, there_writer), _pump(there_reader, writer))
        writer.close()

    async def close(self) -> None:
        """End every connection."""
        for task, writer in self.carrying:
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while some := await reader.read(65_536):
            writer.write(some)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def _name() -> AsyncIterator[Name]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        made = Name(free.getsockname()[1])
    server = await asyncio.start_server(made.carry, "127.0.0.1", made.port)
    yield made
    server.close()
    await made.close()


@pytest.fixture
def pair() -> Iterator[tuple[RedisServer, RedisServer]]:
    """Give two servers of Debian's Redis."""
    servers = RedisServer(server_binary("redis")), RedisServer(server_binary("redis"))
    try:
        for server in servers:
            server.start()
        yield servers
    finally:
        for server in servers:
            server.close()


async def _follow(replica: RedisLink, primary: RedisLink) -> None:
    """Have one server copy another, and wait until it does."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    await primary.execute("CONFIG", "SET", "port", port, "repl-diskless-sync-delay", 0)
    await replica.execute("REPLICAOF", "127.0.0.1", port)
    async with asyncio.timeout(20):
        while "connected" not in (await replica.execute("ROLE"))[1:]:  # noqa: ASYNC110 - the server sets no event
            await asyncio.sleep(0.02)


async def _heard(bot: Bot, body: Json) -> int:
    """Deliver as Slack does, again until it is acknowledged; give how often."""
    for tries in range(1, 6):
        if await bot.deliver(body) == 200:
            return tries
        await asyncio.sleep(0.2)
    raise AssertionError("never acknowledged")


@pytest.mark.parametrize("old", ["gone", "a replica now"])
async def test_a_replica_takes_over(
    peer: SlackPeer, redis_keys: Keyspace, pair: tuple[RedisServer, RedisServer], old: str
) -> None:
    """Claims, history and questions in the queue are on the new primary; connections to the old one are given up."""
    first, second = pair
    links = RedisLink(first.url), RedisLink(second.url)
    await _follow(links[1], links[0])
    async with _name() as name:
        name.points_to(first)
        link = RedisLink(name.url)
        async with serving_bot(peer, link, redis_keys) as bot:
            before, after = mention("before it takes over"), mention("after it took over")
            assert await bot.deliver(event_body(before)) == 200
            await bot.replies(before["ts"], 1)
            await links[0].execute("WAIT", 1, 1000)
            name.points_to(second)
            await links[1].execute("REPLICAOF", "NO", "ONE")
            if old == "gone":
                first.kill()
            else:
                await _follow(links[0], links[1])
            assert await _heard(bot, event_body(after)) <= 3
            assert await bot.replies(after["ts"], 1) == ["Answer to: after it took over"]
            assert await _heard(bot, event_body(before)) <= 2
            follow_up = mention("and now?", thread_ts=before["ts"])
            assert await _heard(bot, event_body(follow_up)) <= 2
            await bot.replies(before["ts"], 2)
            assert len(peer.posts) == 3
        await link.close()
    for one in links:
        await one.close()
