"""Bots that are forked on demand, and what they tell of themselves."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.chaos.bot_program import BotOptions

ROOT = Path(__file__).parents[2]


async def until(condition: Any, limit_s: float = 60.0) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(limit_s):
        while not condition():  # noqa: ASYNC110 - other processes set no event of ours
            await asyncio.sleep(0.01)


@dataclass(slots=True)
class Bot:
    """One forked bot: what it told of itself."""

    options: BotOptions
    pid: int = 0
    address: str = ""
    is_ready: bool = False
    at: str = ""
    ended: int | None = None
    lags_ms: list[int] = field(default_factory=list)
    rss_mb: list[float] = field(default_factory=list)
    acks: list[list[float]] = field(default_factory=list)  # whole, Redis, redaction, in ms

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send it a signal, if it still runs."""
        if self.pid and self.ended is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def release(self) -> None:
        """Let it go on from the step that it waits at."""
        Path(self.options.folder, f"release-{self.options.name}").touch()


class Zygote:
    """The process that forks bots, one for a whole run: importing everything takes it two seconds of processor."""

    def __init__(self, folder: Path) -> None:
        """Start it; what bots write goes to `log` in the folder."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("SLACK", "REDIS", "TRIAGE"))}
        environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        with (folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.chaos.zygote"], cwd=ROOT, env=environment,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.told, self._orders = self._process.stdout.fileno(), self._process.stdin
        os.set_blocking(self.told, False)

    def order(self, options: BotOptions) -> None:
        """Have a bot forked."""
        self._orders.write((json.dumps(asdict(options)) + "\n").encode())
        self._orders.flush()

    def close(self) -> None:
        """End it; it kills what is left."""
        self._process.communicate(timeout=30)


class Nursery:
    """The bots of one stage and its corners, by their names, and what the zygote tells of them. Close it when done."""

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote
        self._bots: dict[str, Bot] = {}
        self._rest = b""
        asyncio.get_running_loop().add_reader(zygote.told, self._read)

    async def start(self, options: BotOptions) -> Bot:
        """Fork a bot and wait until it serves; its name must be its own."""
        bot = self._bots[options.name] = Bot(options)
        self._zygote.order(options)
        await until(lambda: bot.is_ready or bot.ended is not None)
        assert bot.ended is None, f"{options.name} ended with {bot.ended}"
        return bot

    def close(self) -> None:
        """Listen no more."""
        asyncio.get_running_loop().remove_reader(self._zygote.told)

    def _read(self) -> None:
        try:
            heard = os.read(self._zygote.told, 65_536)
        except BlockingIOError:
            return
        *lines, self._rest = (self._rest + heard).split(b"\n")
        for line in lines:
            if line.startswith(b"{"):
                self._take(json.loads(line))

    def _take(self, told: dict[str, Any]) -> None:
        bot = self._bots.get(told.get("name", ""))
        if bot is None:  # of a stage before
            return
        bot.pid = told.get("pid", bot.pid)
        bot.is_ready = told.get("ready", bot.is_ready)
        bot.address = told.get("address", bot.address)
        bot.at = told.get("at", bot.at)
        bot.ended = told.get("ended", bot.ended)
        if "lag_ms" in told:
            bot.lags_ms.append(told["lag_ms"])
            bot.rss_mb.append(told["rss_mb"])
            bot.acks += told["acks"]
