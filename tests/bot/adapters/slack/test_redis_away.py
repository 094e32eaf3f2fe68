"""Redis dies while questions arrive, and comes back: nothing is lost, nothing doubled (case G1), on real servers."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import suppress

import httpx
import pytest
from fastapi import FastAPI

from bot.adapters.redis_client import RedisLink
from bot.adapters.redis_state import Keyspace, RedisThreadStore
from bot.adapters.slack import SlackParts, SlackPoster, build_client, build_slack_app, mount_slack
from bot.adapters.work_queue import RedisWorkQueue
from bot.bootstrap import SystemClock
from bot.messages import Platform
from bot.worker import Worker
from retrieval.redaction import Redactor
from tests.fake_state import EchoResponder
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_payloads import SECRET, Json, event_body, mention, signed_json
from tests.redis_servers import RedisServer


class Bot:
    """Door, queue and worker in this process, on a Redis of its own."""

    def __init__(self, peer: SlackPeer, link: RedisLink, keys: Keyspace) -> None:
        self.peer = peer
        queue, threads = RedisWorkQueue(link, keys, lease_s=0.6), RedisThreadStore(link, keys)
        client, clock = build_client(BOT_TOKEN, base_url=peer.base_url), SystemClock()
        slack = build_slack_app(client, SlackParts(queue, threads, Redactor(), clock), signing_secret=SECRET)
        web = FastAPI()
        mount_slack(web, slack)
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(app=web), base_url="http://bot.test")
        posters = {Platform.SLACK: SlackPoster(client, clock=clock)}
        self.worker = Worker(queue, EchoResponder(), store=threads, posters=posters)

    async def deliver(self, body: Json) -> int:
        raw, headers = signed_json(body)
        return (await self.http.post("/slack/events", content=raw, headers=headers)).status_code

    async def replies(self, root: str, count: int) -> list[str]:
        async with asyncio.timeout(10):
            while len(self.peer.thread(root)) < count:  # noqa: ASYNC110 - the peer sets no event for it
                await asyncio.sleep(0.02)
        return [post.text for post in self.peer.thread(root)]


@pytest.fixture
async def bot(peer: SlackPeer, own_redis_link: RedisLink, redis_keys: Keyspace) -> AsyncIterator[Bot]:
    """Give a serving bot."""
    made = Bot(peer, own_redis_link, redis_keys)
    serving = asyncio.create_task(made.worker.run())
    yield made
    serving.cancel()
    with suppress(asyncio.CancelledError):
        await serving
    await made.http.aclose()


async def test_redis_dies_and_comes_back(bot: Bot, own_redis_server: RedisServer) -> None:
    """While Redis is dead deliveries fail fast; the redelivery is answered once, and the thread goes on."""
    first, second = mention("before the fall"), mention("while it is away")
    assert await bot.deliver(event_body(first)) == 200
    await bot.replies(first["ts"], 1)
    own_redis_server.kill()
    body = event_body(second)
    began = time.monotonic()
    assert await bot.deliver(body) == 500
    assert time.monotonic() - began < 2.5
    own_redis_server.start()
    assert [await bot.deliver(body) for _ in range(2)] == [200, 200]
    assert await bot.replies(second["ts"], 1) == ["Answer to: while it is away"]
    follow_up = mention("and now?", thread_ts=first["ts"])
    assert await bot.deliver(event_body(follow_up)) == 200
    assert await bot.replies(first["ts"], 2) == ["Answer to: before the fall", "Answer to: and now?"]
    assert len(bot.peer.posts) == 3


async def test_hanging_redis_is_no_acknowledgement(bot: Bot, own_redis_server: RedisServer) -> None:
    """A Redis that answers nothing is given up within Slack's three seconds, and the retry is answered once."""
    body = event_body(mention("hello?"))
    own_redis_server.pause()
    try:
        began = time.monotonic()
        assert await bot.deliver(body) == 500
        assert time.monotonic() - began < 2.5
    finally:
        own_redis_server.resume()
    assert await bot.deliver(body) == 200
    await bot.replies(body["event"]["ts"], 1)
    assert len(bot.peer.posts) == 1
