"""Slack with two operating-system processes on one Redis: exactly one reply each, in the right thread."""

import asyncio
import json
import multiprocessing
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from retrieval.dense.vector_cache import VectorCache
from retrieval.documents import Document
from retrieval.index import Tools, update_index
from retrieval.redaction import Redactor
from tests.fakes import HashEncoder
from tests.peers.slack_api import Fault, SlackPeer
from tests.peers.slack_payloads import (
    ANA,
    Json,
    command_fields,
    direct_message,
    event_body,
    mention,
    message,
    signed_form,
    signed_json,
    twin_of,
)
from tests.redis_servers import RedisServer
from tests.scenarios import slack_process

# What a bot imports and loads takes four seconds of processor: once, then it is forked. Each is a process of its own all the same.
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["tests.scenarios.slack_preload"])
ARTICLES = (
    Document(
        "kb-101",
        "Sync fails",
        "When sync fails with error 500, restart the sync agent and sign in again.",
        visibility=("public",),
    ),
    Document("kb-102", "Reset a password", "To reset a password open Settings, then Security, and choose Reset."),
)


class BotProcess:
    """One running process of the bot."""

    def __init__(self, process: BaseProcess, told: Connection) -> None:
        self._process = process
        self._told = told
        self.address = ""
        self.begins: list[str] = []
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, *arguments: str) -> "BotProcess":
        told, telling = FORKS.Pipe(duplex=False)
        process = FORKS.Process(target=slack_process.run, args=(telling, *arguments), daemon=True)
        await asyncio.to_thread(process.start)
        telling.close()
        started = cls(process, told)
        await until(lambda: bool(started.address), 30)
        return started

    async def _read(self) -> None:
        lines = asyncio.StreamReader()
        pipe = os.fdopen(os.dup(self._told.fileno()), "rb")
        self._told.close()
        loop = asyncio.get_running_loop()
        reading, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), pipe)
        async for line in lines:
            told = json.loads(line)
            self.address = told.get("address", self.address)
            self.begins += [told["begins"]] if "begins" in told else []
        reading.close()

    async def kill(self) -> None:
        """Kill -9."""
        self._process.kill()
        await asyncio.to_thread(self._process.join)
        await self._reading

    async def post(self, path: str, signed: tuple[bytes, dict[str, str]]) -> int:
        """Deliver over signed HTTP; give the status."""
        raw, headers = signed
        async with httpx.AsyncClient(base_url=self.address, trust_env=False) as http:
            return (await http.post(path, content=raw, headers=headers)).status_code


async def until(condition: Callable[[], bool], limit_s: float = 60) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(limit_s):
        while not condition():  # noqa: ASYNC110 - other processes set no event of ours
            await asyncio.sleep(0.02)


class Desk:
    """Slack, and the processes that serve it."""

    def __init__(self, peer: SlackPeer, bots: list[BotProcess], arguments: tuple[str, ...]) -> None:
        self.peer = peer
        self.bots = bots
        self._arguments = arguments
        self._turn = 0
        self.asked: list[Json] = []

    async def event(self, body: Json, *, retry: int = 0) -> None:
        """Deliver an event, by turns over Socket Mode to one process and over HTTP to the other."""
        self._turn += 1
        self.asked.append(body["event"])
        number = self._turn // 2 % len(self.bots)
        if self._turn % 2:
            assert await self.peer.deliver(body, retry=retry, socket=number) is not None
        else:
            assert await self.bots[number].post("/slack/events", signed_json(body, retry=retry)) == 200

    async def replies(self, event: Json, count: int = 1) -> list[str]:
        """Wait until the thread of an event has so many replies, and give them."""
        root = event.get("thread_ts") or event["ts"]
        await until(lambda: len(self.peer.thread(root)) >= count)
        return [post.shown for post in self.peer.thread(root)]

    async def busy_with(self, event: Json) -> BotProcess:
        """Give the process that works on the question of an event."""
        await until(lambda: any(self._has(bot, event) for bot in self.bots))
        return next(bot for bot in self.bots if self._has(bot, event))

    @staticmethod
    def _has(bot: BotProcess, event: Json) -> bool:
        return any(begun.endswith(event["ts"]) for begun in bot.begins)

    async def kill(self, bot: BotProcess) -> None:
        """Kill -9 a process."""
        await bot.kill()
        self.bots.remove(bot)

    async def start_another(self) -> None:
        """Start a process beside those that run."""
        self.bots.append(await BotProcess.start(*self._arguments))


@asynccontextmanager
async def two_processes(
    server: RedisServer, folder: Path, articles: Sequence[Document] = ARTICLES, *, model: str = ""
) -> AsyncIterator[Desk]:
    """Run two processes on a new index and a new Slack, and with the model at an address."""
    tools = Tools(HashEncoder(), VectorCache(folder / "vectors.sqlite", HashEncoder().identity), Redactor())
    update_index(folder / "index", articles, tools)
    async with SlackPeer() as peer, AsyncExitStack() as stack:
        arguments = (server.url, f"scenario-{uuid4().hex[:8]}:", peer.base_url, str(folder / "index"), model)
        bots = list(await asyncio.gather(BotProcess.start(*arguments), BotProcess.start(*arguments)))
        desk = Desk(peer, bots, arguments)
        stack.push_async_callback(lambda: asyncio.gather(*(bot.kill() for bot in desk.bots)))
        yield desk


@pytest.fixture
async def desk(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[Desk]:
    """Give a Slack served by two processes."""
    async with two_processes(redis_server, tmp_path) as made:
        yield made


@pytest.mark.parametrize("redis_server", ["valkey"], indirect=True)  # the queue's own tests run on both servers
async def test_conversation(desk: Desk) -> None:
    """Retries, twin events, follow-up, direct message, command, kill -9 at work and after posting: one reply each."""
    retried, twins = mention("why does sync fail with error 500?"), mention("how do I reset a password?")
    for retry in range(3):
        await desk.event(event_body(retried, event_id="Ev0RETRIED"), retry=retry)
    for body in (event_body(twins), event_body(twin_of(twins)), event_body(twins), event_body(twin_of(twins))):
        await desk.event(body)
    direct = direct_message("reset a password")
    await desk.event(event_body(direct))
    chatter = message("I have got this one", thread_ts=retried["ts"], parent_user_id=ANA)
    await desk.event(event_body(chatter))
    for asked in (retried, twins, direct):
        await desk.replies(asked)

    follow_up = mention("and how do I sign in again?", thread_ts=retried["ts"])
    await desk.event(event_body(follow_up))
    await desk.replies(follow_up, 2)

    fields = command_fields("reset a password", response_url=desk.peer.response_url())
    for bot in desk.bots:
        assert await bot.post("/slack/commands", signed_form(fields)) == 200
    await until(lambda: bool(desk.peer.responses))
    assert "reset a password" in desk.peer.responses[0]["text"]

    await _kill_at_work(desk)
    await _kill_after_posting(desk)
    await _nothing_more(desk, posts=7, responses=1)


async def _kill_at_work(desk: Desk) -> None:
    """The process that works on a question is killed; the other one answers it."""
    slow = mention("sync fails slowly, error 500")
    await desk.event(event_body(slow))
    await desk.kill(await desk.busy_with(slow))
    assert len(await desk.replies(slow)) == 1
    await desk.start_another()
    await desk.event(event_body(slow))


async def _kill_after_posting(desk: Desk) -> None:
    """The process dies when its reply stands and Slack's answer has not come: the reply is found, not posted again."""
    for last_call in ("chat.postMessage", "chat.stopStream"):  # whole or streamed, as the process chooses
        desk.peer.faults[last_call] = Fault(is_done=True, is_held=True)
    unmarked = mention("password reset, please")
    await desk.event(event_body(unmarked))
    await desk.replies(unmarked)
    calls = desk.peer.calls.count("conversations.replies")
    await desk.kill(await desk.busy_with(unmarked))
    desk.peer.faults.clear()
    await until(lambda: desk.peer.calls.count("conversations.replies") > calls)
    after = mention("does sync work again?", thread_ts=unmarked["ts"])
    await desk.event(event_body(after))
    await desk.replies(after, 2)


async def _nothing_more(desk: Desk, *, posts: int, responses: int) -> None:
    """Nothing comes later, and each reply stands under the root of its own question."""
    await asyncio.sleep(0.9)
    answered = [post.metadata["event_payload"]["key"].rpartition(":")[2] for post in desk.peer.posts]
    assert (len(answered), len(set(answered)), len(desk.peer.responses)) == (posts, posts, responses)
    roots = {event["ts"]: event.get("thread_ts") or event["ts"] for event in desk.asked}
    assert all(post.thread_ts == roots[ts] for post, ts in zip(desk.peer.posts, answered, strict=True))
