"""Teams with two processes that take events and a worker that dies: exactly one reply each, in the right thread."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.messages import Outcome, Platform, ThreadRef, Turn
from tests.peers.teams_connector import CHANNEL, TENANT_ID, Fault, TeamsConnector
from tests.redis_servers import RedisServer, server_binary
from tests.scenarios.bot_process import BotProcess, running, until
from tests.scenarios.data_folders import make_data_folder
from tests.scenarios.desk import open_link, settled, teams_settings

PRIVATE = ("marta.new@fern-shop.example", "4111 1111 1111 1111")
LOST = f"My mail is {PRIVATE[0]}, my card {PRIVATE[1]}. How do we reset a forgotten console password?"


@dataclass(slots=True)
class TeamsDesk:
    """Teams in front of two doors and a worker on one Redis."""

    peer: TeamsConnector
    redis: RedisServer
    link: RedisLink
    settings: dict[str, str]
    stack: AsyncExitStack
    doors: list[httpx.AsyncClient] = field(default_factory=list)
    processes: list[BotProcess] = field(default_factory=list)
    worker: BotProcess | None = None
    delivered: int = 0

    async def start_worker(self) -> None:
        """Start a process that answers."""
        self.worker = await self._start("worker")
        await self.worker.says('"service": "worker"')

    async def open_door(self) -> None:
        """Start a process that takes events."""
        door = await self._start("teams")
        client = httpx.AsyncClient(base_url=await door.address("Platforms"), trust_env=False, timeout=20)
        self.doors.append(await self.stack.enter_async_context(client))

    async def deliver(self, activity: dict[str, Any], token: str | None = None) -> int:
        """Deliver to the doors by turns; give the status."""
        self.delivered += 1
        token = self.peer.token() if token is None else token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        door = self.doors[self.delivered % 2]
        return (await door.post("/api/messages", json=activity, headers=headers)).status_code

    async def _start(self, role: str) -> BotProcess:
        process = await self.stack.enter_async_context(running(role, self.settings))
        self.processes.append(process)
        return process

    def replies(self, root: str) -> list[str]:
        """Give the texts in a thread."""
        return [s.body["text"] for s in self.peer.activities if s.conversation == f"{CHANNEL};messageid={root}"]

    async def turns(self, root: str) -> tuple[Turn, ...]:
        """Give what is remembered of a thread."""
        return await RedisThreadStore(self.link, Keyspace()).turns(ThreadRef(Platform.TEAMS, TENANT_ID, CHANNEL, root))


@pytest.fixture
async def desk(sample_index: Path, tmp_path: Path) -> AsyncIterator[TeamsDesk]:
    """Run two doors and a worker, as processes, on a Redis of their own."""
    server = RedisServer(server_binary("valkey"))
    server.start()
    data_dir = make_data_folder(tmp_path / "data", index=sample_index)
    try:
        async with TeamsConnector() as peer, open_link(server.url) as link, AsyncExitStack() as stack:
            settings = {"REDIS_URL": server.url, "TRIAGE_DATA_DIR": str(data_dir), **teams_settings(peer)}
            desk = TeamsDesk(peer, server, link, settings, stack)
            await asyncio.gather(desk.open_door(), desk.open_door(), desk.start_worker())
            yield desk
    finally:
        server.close()


async def test_conversation(desk: TeamsDesk) -> None:
    """Retries, a follow-up, forged tokens and kill -9 in the middle of a question: one reply each, turns remembered."""
    await _three_deliveries_and_a_follow_up(desk)
    await _forged_tokens(desk)
    await _killed_in_the_middle(desk)
    assert [await process.stop() for process in desk.processes if process.is_running] == [0, 0, 0]
    assert len(desk.peer.activities) == 4
    _nothing_private(desk)


async def _three_deliveries_and_a_follow_up(desk: TeamsDesk) -> None:
    question = desk.peer.activity("How do I install the Till app on an iPad?", number="1700000000001")
    assert [await desk.deliver(question) for _ in range(3)] == [200, 200, 200]
    await settled(desk.link)
    follow_up = desk.peer.activity("And on Android?", number="1700000000002", root="1700000000001")
    assert [await desk.deliver(follow_up) for _ in range(2)] == [200, 200]
    await settled(desk.link)
    replies = desk.replies("1700000000001")
    assert ["kb-109" in reply for reply in replies] == [True, True]
    turns = await desk.turns("1700000000001")
    assert [(t.question, t.outcome) for t in turns] == [
        ("How do I install the Till app on an iPad?", Outcome.ANSWERED),
        ("And on Android?", Outcome.ANSWERED),
    ]
    assert all("kb-109" in turn.cited_ids for turn in turns)


async def _forged_tokens(desk: TeamsDesk) -> None:
    """Another signer, another audience, another service URL, none at all: 401 at both doors, and no question."""
    activity = desk.peer.activity("What does TL-2203 mean?", number="1700000000003")
    async with TeamsConnector() as stranger:
        forged = stranger.token(serviceurl=desk.peer.service_url)
    elsewhere = desk.peer.token(serviceurl="http://127.0.0.1:9/teams/")
    for token in (forged, desk.peer.token(aud="somebody-else"), elsewhere, ""):
        assert [await desk.deliver(activity, token) for _ in range(2)] == [401, 401]
    await settled(desk.link)
    assert desk.replies("1700000000003") == []


async def _killed_in_the_middle(desk: TeamsDesk) -> None:
    """The worker has picked the question up and Teams is away; it dies, and the next one answers, in order."""
    desk.peer.faults.append(Fault(503, retry_after="60"))
    lost = desk.peer.activity(LOST, number="1700000000004")
    assert await desk.deliver(lost) == 200
    await until(lambda: not desk.peer.faults)
    assert desk.worker is not None
    await desk.worker.kill()
    follow_up = desk.peer.activity("how long is the link valid?", number="1700000000005", root="1700000000004")
    assert [await desk.deliver(a) for a in (lost, follow_up, lost, follow_up)] == [200] * 4
    assert desk.replies("1700000000004") == []
    await desk.start_worker()
    await settled(desk.link)
    replies = desk.replies("1700000000004")
    assert len(replies) == 2
    assert "kb-101" in replies[0]
    questions = [turn.question for turn in await desk.turns("1700000000004")]
    assert questions[0].endswith("How do we reset a forgotten console password?")
    assert questions[1:] == ["how long is the link valid?"]


def _nothing_private(desk: TeamsDesk) -> None:
    """No personal value in what Redis ever wrote, in what was posted, or in any log; logs are JSON lines."""
    posted = repr([sent.body for sent in desk.peer.activities])
    logs = "\n".join(line for process in desk.processes for line in [*process.lines, *process.log])
    kept = desk.redis.written() + (posted + logs).encode()
    assert [value for value in PRIVATE if value.encode() in kept] == []
    assert "forgotten console password" not in logs
    assert all(line.startswith("{") for process in desk.processes for line in process.log)
