"""A desk that works by itself: the real door, work queue, worker, signal and notes on a real Redis and a loopback Slack."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from fastapi import FastAPI

from bot.adapters.model.chat import AnthropicChat
from bot.adapters.slack import (
    SlackNotes,
    SlackParts,
    SlackPoster,
    SlackWorking,
    Streams,
    WorkingPoster,
    WorkingResponder,
    build_client,
    build_slack_app,
    mount_slack,
)
from bot.adapters.store.client import RedisLink
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.post_notes import RedisPostNotes
from bot.adapters.work.lanes import RetryPolicy
from bot.adapters.work.queue import RedisWorkQueue
from bot.flow import Ports
from bot.messages import Platform
from bot.pipeline import Pipeline
from bot.ports import AnswerRequest, ChatModel, ModelAnswer, ModelRewrite, RewriteRequest
from bot.worker import Worker
from retrieval.language import language_of
from retrieval.passages import Passage
from retrieval.redaction import Redactor
from tests.bot.adapters.model.chat_samples import passage
from tests.fake_state import FakeClock
from tests.fakes import FakePassageSource
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_payloads import SECRET, Json, signed_json

SOURCE = passage(visibility=("public",), lang="en")


@dataclass(slots=True)
class SlowModel:
    """A model that begins to answer at once and is done `needs_s` seconds later, by the clock."""

    model: ChatModel
    clock: FakeClock
    needs_s: float
    answering: int = 0

    async def answer(self, request: AnswerRequest) -> ModelAnswer:
        self.answering += 1
        until = self.clock.now() + self.needs_s
        while self.clock.now() < until:  # noqa: ASYNC110 - the clock sets no event
            await asyncio.sleep(0.005)
        self.answering -= 1
        return await self.model.answer(request)

    async def rewrite(self, request: RewriteRequest) -> ModelRewrite:
        return await self.model.rewrite(request)

    async def ping(self) -> None:
        await self.model.ping()


@dataclass(slots=True)
class LiveDesk:
    """The way in, and who is behind it."""

    peer: SlackPeer
    clock: FakeClock
    model: SlowModel
    http: httpx.AsyncClient
    threads: RedisThreadStore

    async def deliver(self, body: Json, *, retry: int = 0) -> int:
        """Deliver an event over signed HTTP; give the status."""
        raw, headers = signed_json(body, retry=retry)
        return (await self.http.post("/slack/events", content=raw, headers=headers)).status_code


@asynccontextmanager
async def live_desk(
    peer: SlackPeer,
    link: RedisLink,
    keys: Keyspace,
    chat: AnthropicChat,
    *,
    needs_s: float = 0.0,
    at_once: int = 8,
    source: Passage = SOURCE,
    is_early: bool = False,
) -> AsyncIterator[LiveDesk]:
    """Serve with one worker that has so many questions in work at once. The clock begins now; it moves by hand.

    `is_early`: answers are streamed while the model writes.
    """
    clock, redactor = FakeClock(time.time()), Redactor()
    queue = RedisWorkQueue(link, keys, lease_s=0.6, policy=RetryPolicy(concurrency=at_once))
    threads, client = RedisThreadStore(link, keys), build_client(BOT_TOKEN, base_url=peer.base_url)
    notes = RedisPostNotes(link, keys)
    working = SlackWorking(client, notes, clock)
    streams = Streams(client, notes, clock, is_early=True) if is_early else None
    model = SlowModel(chat, clock, needs_s)
    ports = Ports(
        FakePassageSource(source),
        lambda text: redactor.redact(text).text,
        clock,
        threads,
        model=model,
        language_of=language_of,
        is_leak=chat.leaks,
    )
    poster = WorkingPoster(SlackPoster(client, clock=clock, streams=streams), working)
    responder = WorkingResponder(Pipeline(ports), working)
    worker = Worker(queue, responder, store=threads, posters={Platform.SLACK: poster})
    web = FastAPI()
    parts = SlackParts(queue, threads, redactor, clock, working=working)
    mount_slack(web, build_slack_app(client, parts, signing_secret=SECRET))
    serving = asyncio.create_task(worker.run(notes={Platform.SLACK: SlackNotes(client)}))
    transport = httpx.ASGITransport(app=web, raise_app_exceptions=True)
    async with httpx.AsyncClient(transport=transport, base_url="http://bot.test") as http:
        yield LiveDesk(peer, clock, model, http, threads)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
