"""Waiting for a server that starts: one that reads its file back is waited for, one that says nothing is not."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.adapters.store.start import LOAD_LIMIT_S, START_LIMIT_S, StartWatch

LOADING = b"-LOADING Redis is loading the dataset in memory\r\n"


class Clock:
    """Seconds that the test lets pass."""

    def __init__(self) -> None:
        self.s = 1_000.0

    def __call__(self) -> float:
        return self.s


@asynccontextmanager
async def _server(folder: Path, said: bytes) -> AsyncIterator[Path]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(said)
        writer.close()

    socket = folder / "s"
    server = await asyncio.start_unix_server(answer, socket)
    async with server:
        yield socket


async def test_a_server_that_loads_is_waited_for(tmp_path: Path) -> None:
    """Once it has said that it loads, it has minutes, also while it is too busy to say so again; then it is ready."""
    clock = Clock()
    watch = StartWatch(now=clock)
    async with _server(tmp_path, LOADING) as socket:
        assert not await watch.is_ready(socket)
    clock.s += START_LIMIT_S + 1
    assert not watch.is_over
    (tmp_path / "again").mkdir()
    async with _server(tmp_path / "again", b"+PONG\r\n") as socket:
        assert await watch.is_ready(socket)
    clock.s += LOAD_LIMIT_S
    assert watch.is_over


@pytest.mark.parametrize("said", [b"", b"-ERR what\r\n"])
async def test_a_server_that_says_nothing_is_given_up(tmp_path: Path, said: bytes) -> None:
    """No socket, no word or another word: ten seconds."""
    clock = Clock()
    watch = StartWatch(now=clock)
    assert not await watch.is_ready(tmp_path / "nowhere")
    async with _server(tmp_path, said) as socket:
        assert not await watch.is_ready(socket)
    clock.s += START_LIMIT_S - 1
    assert not watch.is_over
    clock.s += 2
    assert watch.is_over
