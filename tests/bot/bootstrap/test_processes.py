"""What each role is made of: which tokens it needs, which services it runs, and what it announces."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from bot.adapters.files.private_port import port_written_down
from bot.bootstrap.processes import Role, run_process
from config.settings import ConfigError
from tests.environment import settings_of
from tests.peers.slack_api import SlackPeer
from tests.peers.teams_connector import CLIENT_ID, TeamsConnector
from tests.redis_servers import RedisServer
from tests.scenarios.bot_process import until
from tests.scenarios.data_folders import make_data_folder
from tests.scenarios.desk import slack_settings, teams_settings

pytestmark = pytest.mark.parametrize("redis_server", ["valkey"], indirect=True)
SLACK = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_SIGNING_SECRET": "s", "SLACK_API_BASE_URL": "http://127.0.0.1:1/"}


@pytest.fixture
def base(redis_server: RedisServer, tmp_path: Path) -> dict[str, str]:
    """Give the settings of a data folder without an index, on the shared Redis."""
    return {"REDIS_URL": redis_server.url, "TRIAGE_DATA_DIR": str(make_data_folder(tmp_path / "data"))}


@asynccontextmanager
async def process(role: Role, environment: dict[str, str]) -> AsyncIterator[list[str]]:
    """Run a role until the end of the block; give what it announces."""
    lines: list[str] = []
    stop = asyncio.Event()
    running = asyncio.create_task(run_process(role, settings_of(**environment), stop, lines.append, lambda _page: None))
    try:
        yield lines
        assert not running.done(), running.exception()
    finally:
        stop.set()
        await asyncio.wait_for(running, 60)


@pytest.mark.parametrize(
    ("role", "environment", "names"),
    [
        (Role.SLACK, {}, "SLACK_APP_TOKEN"),
        (Role.SLACK, SLACK, "SLACK_APP_TOKEN"),
        (Role.TEAMS, {}, "CLIENT_ID"),
        (Role.WORKER, {}, "neither has tokens"),
        (Role.ALL, {"TRIAGE_LEAD_CHANNEL": "C0LEADS"}, "names a Slack channel, and SLACK_BOT_TOKEN"),
        (Role.HTTP, {**SLACK, "TRIAGE_LEAD_CHANNEL": "19:x@thread.tacv2"}, "names a Teams conversation, and CLIENT_ID"),
    ],
)
async def test_a_role_without_its_tokens_is_refused(
    role: Role, environment: dict[str, str], names: str, base: dict[str, str]
) -> None:
    """The setting that is missing is named before anything is opened."""
    with pytest.raises(ConfigError, match=names):
        await run_process(role, settings_of(**base, **environment), asyncio.Event(), print, print)


async def test_a_worker_without_the_secret_is_refused(base: dict[str, str], sample_index: Path) -> None:
    """A worker for Teams needs the secret to post."""
    (Path(base["TRIAGE_DATA_DIR"]) / "index").symlink_to(sample_index)
    settings = settings_of(**base, CLIENT_ID=CLIENT_ID)
    with pytest.raises(ConfigError, match="CLIENT_SECRET"):
        await run_process(Role.WORKER, settings, asyncio.Event(), print, print)


async def test_slack_alone_holds_a_socket(base: dict[str, str]) -> None:
    """Role `slack` connects by Socket Mode, shows its health on a loopback port and needs no index."""
    async with SlackPeer() as peer, process(Role.SLACK, {**base, **slack_settings(peer)}) as lines:
        await peer.connected()
        assert gc.get_freeze_count() > 0  # a full collection would stop the loop
        await until(lambda: "auth.test" in peer.calls)
        (line,) = lines
        assert line.startswith("Health: http://127.0.0.1:")
        async with httpx.AsyncClient(base_url=line.split()[1].removesuffix("readyz"), trust_env=False) as client:
            assert "triage_redis_up 1.0" in (await client.get("/metrics")).text
            assert [(await client.get(path)).status_code for path in ("/livez", "/", "/api/v1/ask")] == [200, 404, 404]


async def test_teams_alone_serves_the_public_paths(base: dict[str, str]) -> None:
    """Role `teams` needs no index; its listener has the messaging endpoint and `/livez`, and nothing of the private one."""
    async with TeamsConnector() as peer, process(Role.TEAMS, {**base, **teams_settings(peer)}) as lines:
        await until(lambda: len(lines) == 2)
        address = lines[1].split()[1]
        async with httpx.AsyncClient(base_url=address, trust_env=False) as client:
            assert (await client.get("/livez")).status_code == 200
            assert (await client.post("/api/messages", json={})).status_code == 401
            assert [(await client.get(path)).status_code for path in ("/", "/readyz", "/metrics")] == [404] * 3
            assert (await client.post("/slack/events", json={})).status_code == 404


async def test_http_serves_pages_and_platforms(base: dict[str, str], sample_index: Path) -> None:
    """Role `http` has both listeners; with a platform the playground opens only by the printed link."""
    (Path(base["TRIAGE_DATA_DIR"]) / "index").symlink_to(sample_index)
    async with TeamsConnector() as peer, process(Role.HTTP, {**base, **teams_settings(peer), **SLACK}) as lines:
        await until(lambda: len(lines) == 2)
        page, platforms = (line.split()[1] for line in lines)
        assert port_written_down(Path(base["TRIAGE_DATA_DIR"])) == httpx.URL(page).port
        async with httpx.AsyncClient(trust_env=False, follow_redirects=True) as client:
            assert (await client.get(page.partition("?")[0])).status_code == 401
            assert (await client.get(page)).status_code == 200
            assert (await client.get(f"{page.partition('?')[0]}readyz")).json()["parts"] == {
                "redis": "up",
                "index": "up",
            }
            assert "triage_answers" in (await client.get(f"{page.partition('?')[0]}metrics")).text
            assert (await client.post(f"{platforms}slack/events", content=b"{}")).status_code == 401
    assert port_written_down(Path(base["TRIAGE_DATA_DIR"])) == 0
