"""Door, queue and worker in one process, on a Redis that tests take away."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx
from fastapi import FastAPI

from bot.adapters.slack import SlackParts, SlackPoster, build_client, build_slack_app, mount_slack
from bot.adapters.store.client import RedisLink
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.queue import RedisWorkQueue
from bot.bootstrap import SystemClock
from bot.messages import Platform
from bot.worker import Worker
from retrieval.redaction import Redactor
from tests.fake_state import EchoResponder
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_payloads import SECRET, Json, signed_json


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


@asynccontextmanager
async def serving_bot(peer: SlackPeer, link: RedisLink, keys: Keyspace) -> AsyncIterator[Bot]:
    """Serve until the end of the block."""
    made = Bot(peer, link, keys)
    serving = asyncio.create_task(made.worker.run())
    try:
        yield made
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await serving
        await made.http.aclose()
