"""The embedded server: data outlives every kind of end, one server a folder, nothing left running."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.embedded import embedded_redis
from bot.errors import StateUnavailable
from tests.bot.adapters.serving import eventually, until
from tests.redis_servers import server_binary

PROGRAM = "tests.bot.adapters.store.embedded_program"
ROOT = Path(__file__).parents[4]


async def _get_set(url: str, value: str) -> str | None:
    link = RedisLink(url)
    try:
        before = await link.execute("GET", "k")
        await link.execute("SET", "k", value)
        return None if before is None else str(before)
    finally:
        await link.close()


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def _ends(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while _lives(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not _lives(pid)


def _pid(folder: Path) -> int:
    return int((folder / "redis" / "server.pid").read_text())


@contextmanager
def _process(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str, int]]:
    process = subprocess.Popen(
        [sys.executable, "-m", PROGRAM, str(folder)], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout
    try:
        url, pid = process.stdout.readline().split()
        yield process, url, int(pid)
    finally:
        process.kill()
        process.wait()
        assert process.stdin
        process.stdin.close()
        process.stdout.close()


@pytest.mark.parametrize("kind", ["valkey", pytest.param("redis", marks=pytest.mark.redis_server)])
async def test_data_survives_a_second_start(tmp_path: Path, kind: str) -> None:
    """Stopped in order, the server is gone with its socket, and the next start has what was stored."""
    for value, before in (("one", None), ("two", "one"), ("three", "two")):
        async with embedded_redis(tmp_path, binary=Path(server_binary(kind))) as url:
            assert await _get_set(url, value) == before
            pid = _pid(tmp_path)
        assert _ends(pid)
        assert sorted(path.name for path in (tmp_path / "redis").glob("*.sock")) == []


async def test_the_folder_is_private(tmp_path: Path) -> None:
    """Only its owner can enter the folder with the socket and the data, also when it was there before."""
    (tmp_path / "redis").mkdir(mode=0o755)
    async with embedded_redis(tmp_path) as url:
        assert url == f"unix://{tmp_path}/redis/redis.sock"
        assert (tmp_path / "redis").stat().st_mode & 0o777 == 0o700


async def test_a_killed_server_comes_back(tmp_path: Path) -> None:
    """After kill -9 of the server alone: the owner starts it anew on the same socket, with the data."""
    async with embedded_redis(tmp_path) as url:
        await _get_set(url, "kept")
        pid = _pid(tmp_path)
        os.kill(pid, signal.SIGKILL)
        await until(lambda: _pid(tmp_path) != pid)
        await _eventually_holds(url, "kept")


async def test_what_is_done_leaves_the_file_soon(tmp_path: Path) -> None:
    """What is written over leaves the file long before 50 megabytes of it lie there, so that a restart reads it back at once."""
    async with embedded_redis(tmp_path) as url:
        link = RedisLink(url)

        async def is_no_rewrite_under_way() -> bool:
            return dict(await link.execute("INFO", "persistence"))["aof_rewrite_in_progress"] == 0

        sizes: list[int] = []
        while len(sizes) < 25 and not (sizes and sizes[-1] < max(sizes)):
            await link.many([("SET", "k", "v" * 10_000)] * 200)
            await asyncio.sleep(0.25)  # the server looks ten times a second whether the file has grown
            await eventually(is_no_rewrite_under_way)
            sizes.append(_written(tmp_path))
        await link.close()
        assert sizes[-1] < 8_000_000


def _written(folder: Path) -> int:
    size = 0
    for path in (folder / "redis" / "appendonlydir").iterdir():
        with suppress(FileNotFoundError):  # it is being replaced
            size += path.stat().st_size
    return size


async def _eventually_holds(url: str, value: str) -> None:
    link = RedisLink(url)

    async def holds() -> bool:
        try:
            return bool(await link.execute("GET", "k") == value)
        except StateUnavailable:
            return False

    await eventually(holds)
    await link.close()


async def test_a_killed_owner_leaves_data_and_nothing_running(tmp_path: Path) -> None:
    """After kill -9 of the owner: its server ends with it, and the next process has the data at once."""
    with _process(tmp_path) as (owner, url, pid):
        await _get_set(url, "kept")
        owner.kill()
        await asyncio.to_thread(owner.wait)
        async with embedded_redis(tmp_path) as again:
            assert again == url
            assert await _get_set(again, "next") == "kept"
            assert not _lives(pid)


async def test_owner_and_server_killed_at_once(tmp_path: Path) -> None:
    """After kill -9 of both: stale socket and pid files stop nobody, the data is there."""
    with _process(tmp_path) as (owner, url, pid):
        await _get_set(url, "kept")
        os.kill(pid, signal.SIGKILL)
        owner.kill()
        await asyncio.to_thread(owner.wait)
        async with embedded_redis(tmp_path) as again:
            assert await _get_set(again, "next") == "kept"


async def test_an_orphaned_server_is_ended_first(tmp_path: Path) -> None:
    """A server that outlives its owner (no kernel signal, as on macOS) never writes beside the new one."""
    async with embedded_redis(tmp_path) as url:
        await _get_set(url, "kept")
        pid = _pid(tmp_path)
        os.kill(pid, signal.SIGSTOP)  # SIGTERM waits until it goes on
        owner_lock = tmp_path / "redis" / "owner.lock"
        owner_lock.unlink()  # as if the owner were gone: another process takes a lock of the same name
        opening = asyncio.create_task(_open_once(tmp_path))
        await asyncio.sleep(0.1)
        assert not opening.done()
        os.kill(pid, signal.SIGCONT)
        assert await opening == "kept"
        assert not _lives(pid)


async def _open_once(folder: Path) -> str | None:
    async with embedded_redis(folder) as url:
        return await _get_set(url, "next")


async def test_two_processes_share_one_server(tmp_path: Path) -> None:
    """The second process uses the first one's server; when the first ends, the second serves on at the same address."""
    with _process(tmp_path) as (owner, url, pid):
        async with embedded_redis(tmp_path) as shared:
            assert (shared, _pid(tmp_path)) == (url, pid)
            await _get_set(shared, "kept")
            assert owner.stdin
            owner.stdin.close()
            assert await asyncio.to_thread(owner.wait, 5) == 0
            await _eventually_holds(shared, "kept")
            mine = _pid(tmp_path)
        assert _ends(mine)


async def test_ctrl_c_leaves_no_process(tmp_path: Path) -> None:
    """SIGINT to the process ends it and its server."""
    with _process(tmp_path) as (owner, _, pid):
        owner.send_signal(signal.SIGINT)
        assert owner.stdin
        owner.stdin.close()
        await asyncio.to_thread(owner.wait, 5)
        assert _ends(pid)


async def test_a_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    """Where the socket's path would be too long it lies in a private temporary folder, found by the next process."""
    folder = tmp_path / ("long " * 25).strip() / ("folder%20" * 5)
    async with embedded_redis(folder) as url:
        socket = Path((folder / "redis" / "socket.path").read_text())
        assert socket.parent.stat().st_mode & 0o777 == 0o700
        await _get_set(url, "kept")
        async with embedded_redis(folder) as shared:
            assert shared == url
    assert not socket.parent.exists()
    assert await _open_once(folder) == "kept"


async def test_a_temporary_folder_of_somebody_else_is_not_used(tmp_path: Path) -> None:
    """When the recorded folder has become another's (readable by all), a new private one is made."""
    folder = tmp_path / ("x" * 100)
    async with embedded_redis(folder):
        socket = Path((folder / "redis" / "socket.path").read_text())
    socket.parent.mkdir(mode=0o755)
    try:
        async with embedded_redis(folder) as url:
            assert socket.parent.name not in url
    finally:
        socket.parent.rmdir()


async def test_a_path_with_odd_characters_works(tmp_path: Path) -> None:
    """Spaces, percent signs and non-ASCII letters in the data folder's name survive the URL."""
    async with embedded_redis(tmp_path / "дані 100%") as url:
        assert await _get_set(url, "v") is None


async def test_a_server_that_does_not_start_is_named(tmp_path: Path) -> None:
    """A broken program gives the typed error with the log's path, and the folder can be used again."""
    with pytest.raises(StateUnavailable, match=r"server\.log"):
        async with embedded_redis(tmp_path, binary=Path("/bin/false")):
            pass
    assert await _open_once(tmp_path) is None


@pytest.mark.parametrize("name", ["owner.lock", "server.lock", "server.pid", "socket.path"])
async def test_a_file_that_cannot_be_written_is_an_error_of_ours(tmp_path: Path, name: str) -> None:
    """Whatever of its files cannot be used, the error is typed, no server stays, and the folder works once it can."""
    (tmp_path / "redis" / name).mkdir(parents=True)
    with pytest.raises(StateUnavailable):
        async with embedded_redis(tmp_path):
            pass
    assert list((tmp_path / "redis").glob("*.sock")) == []
    (tmp_path / "redis" / name).rmdir()
    assert await _open_once(tmp_path) is None


async def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    """A file where the folder should be gives the typed error with the path."""
    (tmp_path / "redis").write_text("a file")
    with pytest.raises(StateUnavailable, match="redis"):
        async with embedded_redis(tmp_path):
            pass


def _environment(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


async def test_no_secret_reaches_the_server(tmp_path: Path) -> None:
    """The server's environment holds none of ours."""
    async with embedded_redis(tmp_path):
        environment = _environment(_pid(tmp_path))
    names = {part.partition(b"=")[0] for part in environment.split(b"\0") if part}
    assert names <= {b"PATH", b"LD_LIBRARY_PATH", b"TMPDIR", b"LC_CTYPE"}
