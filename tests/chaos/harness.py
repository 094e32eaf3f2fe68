"""What a chaos run stands on: a Redis to be killed, a loopback Slack, bots to be killed, and the books of both."""

import asyncio
import json
import math
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import aiohttp

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.bootstrap.old_heap import old_heap
from bot.errors import StateUnavailable
from retrieval.dense.vector_cache import VectorCache
from retrieval.documents import Document
from retrieval.index import Tools, update_index
from retrieval.redaction import Redactor
from tests.bot.adapters.serving import dead_letters, waiting_entries
from tests.chaos import asker
from tests.chaos.asker import ACK_LIMIT_S, RETRIES_S, Asked
from tests.chaos.bot_program import BotOptions
from tests.chaos.bots import ROOT, Bot, Nursery, Zygote, until
from tests.fakes import HashEncoder
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import Json, event_body, signed_json
from tests.peers.slack_posts import Post
from tests.redis_servers import RedisServer

IS_FULL = os.environ.get("CHAOS") == "full"
ARTICLES = (
    Document("kb-101", "Sync fails", "When sync fails with error 500, restart the sync agent and sign in again."),
    Document("kb-102", "Reset a password", "To reset a password open Settings, then Security, and choose Reset."),
    Document("kb-103", "Export invoices", "To export invoices open Billing, choose a month and press Export."),
)
ANSWER = "restart the sync agent"
QUESTION = asker.QUESTION
T = TypeVar("T")


def cpu_s(pid: int) -> float:
    """Give the processor time of a process, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Stage:
    """Everything of one run."""

    def __init__(self, server: RedisServer, peer: SlackPeer, folder: Path, nursery: Nursery) -> None:
        self.server = server
        self.peer = peer
        self.folder = folder
        self.index = folder / "index"
        self.bots: dict[str, Bot] = {}
        self.asked: list[Json] = []
        self.heard: Counter[str] = Counter()  # what deliveries over HTTP ended with: a status, or the client's error
        self._nursery = nursery
        # httpx looks through all requests under way for each one that ends: with hundreds it measured itself, not the bot.
        self._http = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(total=ACK_LIMIT_S)
        )
        self.new_prefix()

    def new_prefix(self) -> None:
        """Begin on an empty queue."""
        self.prefix = f"chaos-{uuid4().hex[:8]}:"

    @asynccontextmanager
    async def corner(self, peer: SlackPeer | None = None) -> AsyncIterator["Stage"]:
        """Give a stage beside this one: queue and bots of its own, the same Redis, and the same Slack if no other is given.

        Cases wait for leases and retries most of their time: several at once take little longer than one.
        """
        folder = self.folder / uuid4().hex[:8]
        folder.mkdir()
        made = Stage(self.server, peer or self.peer, folder, self._nursery)
        made.index = self.index
        try:
            yield made
        finally:
            await made.close()

    def arm(self) -> None:
        """From now on bots die or wait at their steps."""
        (self.folder / "armed").touch()

    def disarm(self) -> None:
        """Bots come through every step."""
        (self.folder / "armed").unlink(missing_ok=True)

    async def start(self, name: str = "", **options: Any) -> Bot:
        """Fork a bot and wait until it serves."""
        name = name or f"bot-{uuid4().hex[:6]}"
        made = BotOptions(
            name=f"{name}-{uuid4().hex[:6]}", redis=self.server.url, prefix=self.prefix,
            folder=str(self.folder),
            **{"slack": self.peer.base_url, "index": str(self.index), **options},
        )  # fmt: skip
        bot = self.bots[name] = await self._nursery.start(made)
        return bot

    async def stop_all(self) -> None:
        """Kill every bot and wait for their ends."""
        for bot in self.bots.values():
            bot.kill()
        await until(lambda: all(bot.ended is not None for bot in self.bots.values()))
        self.bots.clear()

    @property
    def receivers(self) -> list[Bot]:
        """The bots that take events in now."""
        return [b for b in self.bots.values() if b.options.receives and b.is_ready and b.ended is None and b.address]

    async def ask(self, event: Json, *, turn: int = 0, body: Json | None = None) -> bool:
        """Deliver as Slack does: again after each wait until it is acknowledged; give whether it was in the end."""
        for number, wait_s in enumerate(RETRIES_S):
            await asyncio.sleep(wait_s)
            receivers = self.receivers
            if receivers:
                bot = receivers[(turn + number) % len(receivers)]
                if await self._deliver(bot, body or event_body(event), number) == 200:
                    return True
        return False

    async def asked_at(self, rate: float, seconds: float) -> list[Asked]:
        """Have another process ask so many questions a second of the first door; give what became of each."""
        asking = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.chaos.asker", self.receivers[0].address, str(rate), str(seconds),
            cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        told, _ = await asking.communicate()
        return [Asked(**json.loads(line)) for line in told.splitlines()]

    async def send(self, body: Json, *, socket: int = -1, limit_s: float = 60.0) -> bool:
        """Deliver over a socket, again until it is acknowledged."""
        async with asyncio.timeout(limit_s):
            while True:
                with suppress(ConnectionError, IndexError, TimeoutError):
                    if await self.peer.deliver(
                        body, wait_s=3, socket=socket if socket < len(self.peer.sockets) else -1
                    ):
                        return True
                await asyncio.sleep(0.1)

    async def _deliver(self, bot: Bot, body: Json, retry: int) -> int:
        raw, headers = signed_json(body, retry=min(retry, 3))
        status, said = 0, ""
        try:
            async with self._http.post(f"{bot.address}slack/events", data=raw, headers=headers) as answer:
                status = answer.status
        except (aiohttp.ClientError, TimeoutError) as error:
            said = type(error).__name__
        self.heard[said or str(status)] += 1
        return status

    def replies(self, event: Json) -> list[str]:
        """Give the posts that answer one question, in its thread."""
        key = event["ts"]
        root = event.get("thread_ts") or key
        posts = self.peer.thread(root)
        return [p.shown for p in posts if _key(p) == key or (not _key(p) and root == key)]

    def cpu_s(self, name: str) -> float:
        """Give the processor time of the bots whose names begin so."""
        return sum(cpu_s(bot.pid) for bot in self.bots.values() if bot.options.name.startswith(name))

    async def settled(self, limit_s: float = 120.0) -> None:
        """Wait until the queue is empty; one that does not get there says how much waits and how much was answered meanwhile."""
        link, keys, waiting = RedisLink(self.server.url), Keyspace(self.prefix, 16), -1
        until_s, before = time.monotonic() + limit_s, len(self.peer.posts)
        try:
            while time.monotonic() < until_s:
                with suppress(StateUnavailable):  # Redis may be away at the moment
                    waiting = await waiting_entries(link, keys)
                    if waiting == 0:
                        return
                await asyncio.sleep(0.05)
        finally:
            await link.close()
        raise TimeoutError(
            f"{waiting} wait after {limit_s:g} s, {len(self.peer.posts) - before} were answered in these"
        )

    async def buried(self) -> int:
        """Count the dead letters."""
        link = RedisLink(self.server.url)
        try:
            return len(await dead_letters(link, Keyspace(self.prefix, 16)))
        finally:
            await link.close()

    def books(self, events: list[Json]) -> tuple[int, int, bool]:
        """Give how many questions have no answer, how many have more than one, and whether every thread is in order."""
        number = {event["ts"]: n for n, event in enumerate(events)}
        answered: Counter[tuple[str, str]] = Counter()
        threads: dict[str, list[int]] = defaultdict(list)
        for post in self.peer.posts:
            key = _key(post)
            if not post.is_streaming:
                answered[post.thread_ts, key or post.thread_ts] += 1
            if key in number:
                threads[post.thread_ts].append(number[key])
        in_order = all(numbers == sorted(numbers) for numbers in threads.values())
        counts = [answered[event.get("thread_ts") or event["ts"], event["ts"]] for event in events]
        return counts.count(0), sum(count > 1 for count in counts), in_order

    async def close(self) -> None:
        """End its bots."""
        await self.stop_all()
        await self._http.close()


def _key(post: Post) -> str:
    """Give the time stamp of the question that a post answers; empty for a stream that is open."""
    return str(post.metadata.get("event_payload", {}).get("key", "")).rpartition(":")[2]


@asynccontextmanager
async def stage(server: RedisServer, folder: Path, zygote: Zygote) -> AsyncIterator[Stage]:
    """Give a stage on a server of its own."""
    tools = Tools(HashEncoder(), VectorCache(folder / "vectors.sqlite", HashEncoder().identity), Redactor())
    update_index(folder / "index", ARTICLES, tools)
    async with SlackPeer() as peer:
        nursery = Nursery(zygote)
        made = Stage(server, peer, folder, nursery)
        try:
            with old_heap():  # this loop plays Slack: collecting what pytest has loaded stops it for a second
                yield made
        finally:
            await made.close()
            nursery.close()


async def at_once(cases: Iterable[T], play: Callable[[T], Awaitable[None]], *, most: int) -> None:
    """Play cases side by side, so many at a time; they wait for leases and retries most of their time."""
    slots = asyncio.Semaphore(most)

    async def one(case: T) -> None:
        async with slots:
            await play(case)

    async with asyncio.TaskGroup() as playing:
        for case in cases:
            playing.create_task(one(case))


@dataclass(slots=True)
class Watch:
    """Durations in seconds, and their percentiles in milliseconds."""

    seconds: list[float] = field(default_factory=list)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Add the duration of a block; blocks of several tasks may overlap."""
        began = time.perf_counter()
        yield
        self.seconds.append(time.perf_counter() - began)

    def at(self, share: float) -> float:
        """Give a percentile."""
        ordered = sorted(self.seconds)
        return round(1000 * ordered[max(math.ceil(share * len(ordered)) - 1, 0)], 1) if ordered else 0.0

    def __str__(self) -> str:
        return f"p50 {self.at(0.5)}, p95 {self.at(0.95)}, p99 {self.at(0.99)}, most {self.at(1)} ms"
