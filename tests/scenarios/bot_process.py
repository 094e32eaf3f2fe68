"""`python -m bot …` in a process of its own, with its lines and its log."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
START_LIMIT_S = 240.0  # the first start embeds the sample: 10 s alone on two cores, over a minute on a busy machine
_ADDRESS = re.compile(r"http://[\d.:]+/")


async def until(condition: Callable[[], bool], limit_s: float = 60.0) -> None:
    """Wait for a condition.

    Raises:
        TimeoutError: it did not come true in time.
    """
    async with asyncio.timeout(limit_s):
        while not condition():  # noqa: ASYNC110 - other processes set no event of ours
            await asyncio.sleep(0.02)


class BotProcess:
    """One running process of the bot. `lines` is what it printed, `log` what it wrote to stderr."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.lines: list[str] = []
        self.log: list[str] = []
        self._reading = [
            asyncio.create_task(_read(process.stdout, self.lines)),
            asyncio.create_task(_read(process.stderr, self.log)),
        ]

    @classmethod
    async def start(cls, role: str, environment: dict[str, str]) -> Self:
        """Start with nothing but these settings, and do not wait."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", role,
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], **environment},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        return cls(process)

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    async def says(self, word: str, limit_s: float = START_LIMIT_S) -> str:
        """Wait for a line, printed or logged, that holds a word, and give it."""

        def found() -> str:
            return next((line for line in [*self.lines, *self.log] if word in line), "")

        await until(lambda: bool(found()) or not self.is_running, limit_s)
        assert found(), f"the process ended with {self._process.returncode}: {self.lines} {self.log}"
        return found()

    async def address(self, name: str) -> str:
        """Give the address that the process prints for its `Playground` or its `Platforms`."""
        return _ADDRESS.findall(await self.says(f"{name}: "))[0]

    async def ended(self, limit_s: float = 60.0) -> int:
        """Wait for the end and give the exit code."""
        code = await asyncio.wait_for(self._process.wait(), limit_s)
        await asyncio.gather(*self._reading)
        return code

    async def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop, and give the exit code."""
        self._process.send_signal(number)
        return await self.ended()

    async def kill(self) -> None:
        """Kill -9, if it still runs."""
        if self.is_running:
            self._process.kill()
        await self.ended()


@asynccontextmanager
async def running(role: str, environment: dict[str, str]) -> AsyncIterator[BotProcess]:
    """Give a process; whatever happens, it is gone at the end."""
    process = await BotProcess.start(role, environment)
    try:
        yield process
    finally:
        await process.kill()


async def _read(stream: asyncio.StreamReader | None, lines: list[str]) -> None:
    assert stream is not None
    async for line in stream:
        lines += [line.decode().rstrip("\n")]
