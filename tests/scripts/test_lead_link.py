"""`triage lead-link`: a link that the running bot opens, or one line that none would."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from bot.adapters.files.private_port import FILE, port_written_down, written_down
from bot.adapters.lead_page import build_lead_page
from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.web.lead_access import RedisLeadDoor
from bot.adapters.web.listeners import health_routes, private_application
from scripts.cli import main
from tests.bot.adapters.lead_page.test_routes import Desk
from tests.redis_servers import RedisServer
from tests.web_server import serving

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)


@pytest.fixture
def data(own_redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the data folder of a shell on this Redis."""
    monkeypatch.setenv("REDIS_URL", own_redis_server.url)
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "data").mkdir(mode=0o700)
    return tmp_path / "data"


@asynccontextmanager
async def bot_on(redis_url: str) -> AsyncIterator[httpx.AsyncClient]:
    """Serve health and the lead's page over this Redis."""
    link = RedisLink(redis_url)
    routers = [health_routes(None, None), build_lead_page(Desk(), RedisLeadDoor(link, Keyspace()))]
    async with serving(private_application(routers)) as client:
        yield client
    await link.close()


async def test_a_link_leads_to_the_bot_that_runs(
    data: Path, own_redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The link alone on standard output, to the port that the bot wrote down, whatever TRIAGE_PORT says; making it did not spend it."""
    monkeypatch.setenv("TRIAGE_PORT", "1")
    async with bot_on(own_redis_server.url) as client:
        port = client.base_url.port
        assert port
        with written_down(data, port):
            assert await asyncio.to_thread(main, ["lead-link"]) == 0
        first = capsys.readouterr().out.strip()
        assert await asyncio.to_thread(main, ["lead-link", "--port", str(port)]) == 0
        assert first != capsys.readouterr().out.strip()
        assert first.startswith(f"http://127.0.0.1:{port}/lead?link=")
        secret = parse_qs(urlsplit(first).query)["link"][0]
        assert (await client.post("/lead/enter", data={"link": secret})).status_code == 303


async def test_where_no_bot_answers_there_is_no_link(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing on standard output, one line, exit 2: nobody there, what a killed bot left over, and another program."""
    (data / FILE).write_text('{"port": 1, "pid": 1}', "utf-8")
    async with serving(private_application([])) as other:
        for arguments in (["lead-link"], ["lead-link", "--port", str(other.base_url.port)]):
            assert await asyncio.to_thread(main, arguments) == 2
            told = capsys.readouterr()
            assert (told.out, told.err.count("\n")) == ("", 1)
            assert "no bot answers on port" in told.err


async def test_a_bot_on_another_redis_is_told(
    data: Path, redis_server: RedisServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its page would say that the link was used; the line names what to set."""
    async with bot_on(
        redis_server.url.replace("/0", "/1") if redis_server.url.endswith("/0") else redis_server.url
    ) as bot:
        assert await asyncio.to_thread(main, ["lead-link", "--port", str(bot.base_url.port)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "another Redis; set REDIS_URL" in told.err


def test_the_port_stands_in_the_folder_while_the_bot_runs(data: Path, tmp_path: Path) -> None:
    """Its own entry goes at the end, that of a bot that began later stays; a folder that is not there costs nothing."""
    with written_down(data, 8701):
        assert port_written_down(data) == 8701
    assert port_written_down(data) == 0
    with written_down(data, 8701):
        (data / FILE).write_text(json.dumps({"port": 8702, "pid": os.getpid() + 1}), "utf-8")
    assert port_written_down(data) == 8702
    with written_down(tmp_path / "none", 8701):
        assert port_written_down(tmp_path / "none") == 0
