"""A process that has imported everything and forks bots on demand, so that a start costs milliseconds.

Run as `python -m tests.chaos.zygote`. Each line on stdin is one bot to start (JSON); each line on stdout tells of one:
`{"name", "pid"}` started, `{"name", "ready"}` serves, `{"name", "at"}` has come to the step where it was told to stop,
`{"name", "ended"}` gone.
"""

import asyncio
import gc
import json
import os
import select
import signal
from contextlib import suppress
from typing import Any

from bot.adapters.model.chat import AnthropicChat, ChatOptions
from retrieval.redaction import Redactor
from tests.chaos.bot_program import BotOptions, serve
from tests.warm import warm

# Logs that libraries print must not come between these lines.
_OUT = os.dup(1)
os.dup2(2, 1)


def main() -> None:
    """Fork until stdin ends, then kill what is left."""
    names: dict[int, str] = {}
    rest = b""
    _warm()
    while True:
        ready, _, _ = select.select([0], [], [], 0.02)
        _reap(names)
        if not ready:
            continue
        heard = os.read(0, 65_536)
        if not heard:
            break
        *lines, rest = (rest + heard).split(b"\n")
        for line in lines:
            _fork(BotOptions(**json.loads(line)), names)
    for pid in names:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _warm() -> None:
    """Load what bots need, and leave it out of their garbage collection, which would copy and visit all of it each time."""
    warm()
    asyncio.run(AnthropicChat(ChatOptions(api_key="none", base_url="http://127.0.0.1:9"), redactor=Redactor()).warm())
    gc.collect()
    gc.freeze()


def tell(**values: Any) -> None:
    """Write one line in one piece."""
    os.write(_OUT, (json.dumps(values) + "\n").encode())


def _fork(options: BotOptions, names: dict[int, str]) -> None:
    pid = os.fork()
    if pid == 0:
        _child(options)
    names[pid] = options.name
    tell(name=options.name, pid=pid)


def _child(options: BotOptions) -> None:
    code = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        asyncio.run(serve(options, tell))
        code = 0
    finally:
        os._exit(code)


def _reap(names: dict[int, str]) -> None:
    while names:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        tell(name=names.pop(pid), ended=os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
