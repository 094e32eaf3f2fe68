"""`triage chat` in a process of its own, line by line."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]
# A pipe shows no prompt. So a greeting follows each question: what `--show-query` prints before its reply marks the
# end of the reply before it. Greetings are never remembered.
_GREETING = "hello there"
_MARK = f"[searched: {_GREETING}]"


class ChatProcess:
    """One conversation on a console."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, environment: dict[str, str]) -> Self:
        """Start `triage chat` with nothing but these settings."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "scripts.cli", "chat", "--show-query",
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], **environment},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        return cls(process)

    async def new_thread(self) -> None:
        """Begin another thread."""
        await self._write("/new")

    async def ask(self, text: str) -> str:
        """Type one line and give everything that is printed for it."""
        await self._write(f"{text}\n{_GREETING}")
        lines: list[str] = []
        while (line := await self._line()) != _MARK:
            lines.append(line)
        while await self._line():  # the reply to the greeting, up to the blank line behind it
            pass
        return "\n".join(lines)

    async def close(self) -> tuple[int, str]:
        """End the input; give the exit code and what was logged."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        _out, logged = await asyncio.wait_for(self._process.communicate(), 60)
        assert self._process.returncode is not None
        return self._process.returncode, logged.decode()

    async def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        await self._process.stdin.drain()

    async def _line(self) -> str:
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), 60)
        assert line, "the process has ended"
        return line.decode().rstrip("\n")


@asynccontextmanager
async def open_chat(environment: dict[str, str]) -> AsyncIterator[ChatProcess]:
    """Give a running `triage chat`; at its end it must exit with 0 and have logged nothing."""
    chat = await ChatProcess.start(environment)
    try:
        yield chat
    finally:
        ended = await chat.close()
    assert ended == (0, ""), ended
