"""Waiting for a Redis server that starts: one that reads its file back is not one that hangs."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

START_LIMIT_S = 10.0
# 64 MB of an append-only file took 6.6 s on two cores with a load of 13; killing the server then would only begin it anew.
LOAD_LIMIT_S = 300.0
_PING_LIMIT_S = 0.5


class StartWatch:
    """How long the first answer of one server is waited for."""

    def __init__(self, *, now: Callable[[], float] = time.monotonic) -> None:
        """Begin to wait."""
        self._now = now
        self._begun = now()
        self._limit_s = START_LIMIT_S

    @property
    def is_over(self) -> bool:
        """Whether it should have answered by now."""
        return self._now() - self._begun > self._limit_s

    async def is_ready(self, socket: Path) -> bool:
        """Tell whether the server serves; `LOAD_LIMIT_S` seconds in all are granted to one that says that it loads."""
        said = await _said(socket)
        if said.startswith(b"-LOADING"):
            self._limit_s = LOAD_LIMIT_S
        return said.startswith(b"+PONG")


async def _said(socket: Path) -> bytes:
    """Give the first line of the server's answer to a PING, empty without one."""
    try:
        async with asyncio.timeout(_PING_LIMIT_S):
            reader, writer = await asyncio.open_unix_connection(socket)
            try:
                writer.write(b"PING\r\n")
                return await reader.readline()
            finally:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()
    except OSError:  # a time-out is one too
        return b""
