"""The first hour: `python -m bot all` on an empty data folder, stopped, started again, and started wrongly."""

import signal
import socket
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import httpx
import pytest

from bot.bootstrap.sample_index import EXAMPLES
from tests.scenarios.bot_process import BotProcess, running
from tests.scenarios.data_folders import make_data_folder

DEAD = "redis://127.0.0.1:1/0"  # nobody listens on the port of tcpmux


@asynccontextmanager
async def playground(data_dir: Path, **more: str) -> AsyncIterator[tuple[BotProcess, httpx.AsyncClient]]:
    """Start everything as `make run` does; give the process and a browser at the address that it printed."""
    async with running("all", {"TRIAGE_DATA_DIR": str(data_dir), **more}) as bot:
        address = await bot.address("Playground")
        async with httpx.AsyncClient(base_url=address, trust_env=False, timeout=30) as browser:
            yield bot, browser


async def asked(browser: httpx.AsyncClient, question: str) -> str:
    """Ask in the one thread of the test, and give the reply as the page gets it."""
    response = await browser.post("/playground/ask", json={"question": question, "thread": "first"})
    assert response.status_code == 200, response.text
    return response.text


def processes_of(data_dir: Path) -> list[str]:
    """Give the command lines of all processes that name the data folder: the embedded Redis is one."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:  # it ended meanwhile
            continue
        if str(data_dir) in line:
            found.append(line)
    return found


def new_folder(tmp_path: Path) -> Path:
    """Give a data folder without an index; every ninth text is still to be embedded, since all take half a minute."""
    folder = make_data_folder(tmp_path / "data", is_warm=True)
    with closing(sqlite3.connect(folder / "vectors.sqlite")) as kept:
        kept.execute("DELETE FROM vectors WHERE rowid % 9 = 0")
        kept.commit()
    return folder


async def refused(environment: dict[str, str]) -> str:
    """Start what cannot be started, and give its one line."""
    async with running("all", environment) as bot:
        assert await bot.ended(60) == 2
        assert len(bot.log) == 1
        return bot.log[0]


async def test_first_and_second_start(tmp_path: Path) -> None:
    """The sample is indexed, asked and stopped without a trace; the second start embeds nothing and remembers the thread."""
    data_dir = new_folder(tmp_path)
    async with playground(data_dir) as (bot, browser):
        assert "chunks, 0 embedded" not in await bot.says("documents of the sample")
        assert (await browser.get("/livez")).json() == {"live": True}
        ready = await browser.get("/readyz")
        assert (ready.status_code, ready.json()["parts"]) == (200, {"redis": "up", "index": "up"})
        page = (await browser.get("/")).text
        assert [question for question in EXAMPLES if question not in page] == []
        assert "kb-110" in await asked(browser, "What does the Starter plan cost per month?")
        assert processes_of(data_dir) != []
        assert await bot.stop(signal.SIGTERM) == 0
        assert processes_of(data_dir) == []
    async with playground(data_dir) as (bot, browser):
        assert "chunks, 0 embedded" in await bot.says("documents of the sample")
        assert "kb-110" in await asked(browser, "And on yearly billing?")
        assert await bot.stop(signal.SIGINT) == 0
        assert processes_of(data_dir) == []
        assert not [line for line in bot.log if '"level": "error"' in line]


async def test_interrupt_while_indexing(tmp_path: Path) -> None:
    """Ctrl-C and SIGTERM during the first minute end the process at once and quietly; the next start goes on."""
    data_dir = new_folder(tmp_path)
    for number in (signal.SIGINT, signal.SIGTERM):
        async with running("all", {"TRIAGE_DATA_DIR": str(data_dir)}) as bot:
            await bot.says("Indexing the bundled sample")
            assert await bot.stop(number) == 0
            assert bot.log == []
    assert processes_of(data_dir) == []


async def test_port_taken(sample_index: Path, tmp_path: Path) -> None:
    """A taken port that was asked for is named with its setting, in one line, and nothing is left running."""
    data_dir = make_data_folder(tmp_path / "data", index=sample_index)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = await refused({"TRIAGE_DATA_DIR": str(data_dir), "TRIAGE_PORT": str(port)})
    assert line == f"triage: port {port} on 127.0.0.1 is taken; TRIAGE_PORT chooses another"
    assert processes_of(data_dir) == []


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("TRIAGE_DATADIR", "x", "unknown setting TRIAGE_DATADIR; did you mean TRIAGE_DATA_DIR?"),
        ("TRIAGE_PORT", "secret-value", "TRIAGE_PORT: Input should be a valid integer"),
        ("SLACK_BOT_TOKEN", "xoxb-secret-value", "SLACK_BOT_TOKEN needs SLACK_APP_TOKEN"),
    ],
)
async def test_wrong_setting(name: str, value: str, says: str, tmp_path: Path) -> None:
    """A setting that does not fit is named in one line without its value, and nothing is made."""
    line = await refused({"TRIAGE_DATA_DIR": str(tmp_path / "data"), name: value})
    assert says in line
    assert "secret-value" not in line
    assert not (tmp_path / "data").exists()


async def test_redis_is_away(sample_index: Path, tmp_path: Path) -> None:
    """With a dead `REDIS_URL` the bot starts, says that it is not ready, and answers without history."""
    data_dir = make_data_folder(tmp_path / "data", index=sample_index)
    async with playground(data_dir, REDIS_URL=DEAD) as (bot, browser):
        ready = await browser.get("/readyz")
        assert (ready.status_code, ready.json()) == (
            503,
            {"ready": False, "parts": {"redis": "down", "index": "up"}},
        )
        assert "kb-110" in await asked(browser, "What does the Starter plan cost per month?")
        assert "could not read the earlier messages" in await asked(browser, "What does the Team plan cost per month?")
        assert (await browser.get("/livez")).status_code == 200
        assert await bot.stop() == 0
