"""Everything on one desk: `python -m bot all` inside this process, with Redis, Slack, Teams and a console around it."""

import asyncio
import itertools
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.bootstrap.processes import Role, run_process
from config.settings import Settings
from tests.environment import settings_of
from tests.peers.slack_api import APP_TOKEN, BOT_TOKEN, SlackPeer
from tests.peers.slack_payloads import SECRET
from tests.peers.teams_connector import CLIENT_ID, CLIENT_SECRET, ISSUER, TENANT_ID, TeamsConnector
from tests.redis_servers import RedisServer
from tests.scenarios.chat_process import ChatProcess, open_chat
from tests.scenarios.doors import API_TOKEN, ApiDoor, ConsoleDoor, Door, TeamsDoor, slack_over_http, slack_over_socket

_ADDRESS = re.compile(r"http://[\d.:]+/")
SETTLE_LIMIT_S = 20.0


def teams_settings(peer: TeamsConnector) -> dict[str, str]:
    """Give the settings of a bot that belongs to this Bot Connector."""
    return {
        "CLIENT_ID": CLIENT_ID,
        "CLIENT_SECRET": CLIENT_SECRET,
        "TENANT_ID": TENANT_ID,
        "TRIAGE_TEAMS_OPENID_URL": peer.openid_url,
        "TRIAGE_TEAMS_TOKEN_ISSUER": ISSUER,
        "TRIAGE_TEAMS_LOGIN_URL": peer.login_url,
    }


def slack_settings(peer: SlackPeer) -> dict[str, str]:
    """Give the settings of a bot that is installed in this Slack."""
    return {
        "SLACK_BOT_TOKEN": BOT_TOKEN,
        "SLACK_APP_TOKEN": APP_TOKEN,
        "SLACK_SIGNING_SECRET": SECRET,
        "SLACK_API_BASE_URL": peer.base_url,
    }


async def settled(link: RedisLink) -> None:
    """Wait until the work queue is empty: whatever will be posted is posted then, and its turn stored."""
    keys = Keyspace()
    streams = [keys.of(partition, "work") for partition in range(keys.partitions)]
    async with asyncio.timeout(SETTLE_LIMIT_S):
        while sum([int(await link.execute("XLEN", stream)) for stream in streams]):  # noqa: ASYNC110 - Redis tells nobody
            await asyncio.sleep(0.02)


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around the bot."""

    redis: RedisServer
    link: RedisLink
    slack: SlackPeer
    teams: TeamsConnector
    chat: ChatProcess


class Desk:
    """The running bot, and the ways to it."""

    def __init__(self, around: Around, private: httpx.AsyncClient, public: httpx.AsyncClient) -> None:
        self._around = around
        self._private = private
        self._public = public
        self._doors = itertools.count()

    def door(self, name: str) -> Door:
        """Give a new door, whose threads nobody has used."""
        around = self._around
        match name:
            case "slack over HTTP":
                return slack_over_http(around.slack, self._public, self._settled)
            case "slack over Socket Mode":
                return slack_over_socket(around.slack, self._settled)
            case "teams":
                return TeamsDoor(around.teams, self._public, self._settled, number=next(self._doors))
            case "console":
                return ConsoleDoor(around.chat)
            case _:
                return ApiDoor(self._private, f"scenario-{next(self._doors)}")

    def kept(self) -> bytes:
        """Give all that Redis ever wrote and all that was posted."""
        posted = [repr(post.raw) for post in self._around.slack.posts]
        posted += [repr(sent.body) for sent in self._around.teams.activities]
        return self._around.redis.written() + "\n".join(posted).encode()

    async def _settled(self) -> None:
        await settled(self._around.link)


@asynccontextmanager
async def open_desk(redis: RedisServer, data_dir: Path) -> AsyncIterator[Desk]:
    """Run the bot with all its doors until the end of the block, then stop it as a signal would.

    Args:
        redis: a server of its own.
        data_dir: with model and index.
    """
    base = {"REDIS_URL": redis.url, "TRIAGE_DATA_DIR": str(data_dir)}
    async with SlackPeer() as slack, TeamsConnector() as teams, open_link(redis.url) as link, open_chat(base) as chat:
        api = {"TRIAGE_API_TOKEN": API_TOKEN, "TRIAGE_API_LABELS": "public,internal"}
        settings = settings_of(**base, **api, **slack_settings(slack), **teams_settings(teams))
        async with running_bot(settings) as (private, public):
            await slack.connected()
            yield Desk(Around(redis, link, slack, teams, chat), private, public)


@asynccontextmanager
async def open_link(url: str) -> AsyncIterator[RedisLink]:
    """Give a connection to Redis."""
    link = RedisLink(url)
    try:
        yield link
    finally:
        await link.close()


@asynccontextmanager
async def running_bot(settings: Settings) -> AsyncIterator[tuple[httpx.AsyncClient, httpx.AsyncClient]]:
    """Run `python -m bot all` as a task; give clients for its private and its public listener."""
    stop = asyncio.Event()
    announced: asyncio.Queue[str] = asyncio.Queue()
    running = asyncio.create_task(
        run_process(Role.ALL, settings, stop, announced.put_nowait, lambda _page: None), name="bot"
    )
    try:
        addresses = [_ADDRESS.findall(await asyncio.wait_for(announced.get(), 60))[0] for _ in range(2)]
        clients = [httpx.AsyncClient(base_url=a, trust_env=False, timeout=60) for a in addresses]
        async with clients[0] as private, clients[1] as public:
            yield private, public
    finally:
        stop.set()
        await asyncio.wait_for(running, 60)
