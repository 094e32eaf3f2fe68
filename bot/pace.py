"""When a piece of work may go on: one in a turn of the event loop, and none while its turns take long.

In one process that receives and works, a delivery is acknowledged within some turns of the loop. Where the machine gives
the process too little, hundreds of questions that begin, are checked and posted would make each turn last for seconds.
Those that have not begun are safe in Redis, and wait there instead; those whose model has answered go before them.
"""

import asyncio

LATE_S = 0.03  # one turn of the loop: an acknowledgement takes some six of them
PAUSE_S = 0.01
LONGEST_S = 0.5  # then it begins all the same: a loop that is always late still answers
LONGEST_ON_S = 0.1  # for what has begun: its asker waits, and it holds its place among the questions in work


class Pace:
    """Lets questions begin, and go on, one after the other."""

    def __init__(
        self, *, late_s: float = LATE_S, longest_s: float = LONGEST_S, longest_on_s: float = LONGEST_ON_S
    ) -> None:
        """Hold a question back while a turn takes longer than `late_s` seconds, at most the longest of each kind, in seconds."""
        self._late_s = late_s
        self._longest_s = longest_s
        self._longest_on_s = longest_on_s
        self._next = asyncio.Lock()
        self._next_on = asyncio.Lock()
        self._going_on = 0

    async def turn(self) -> None:
        """Wait until a question may begin."""
        async with self._next:
            await self._in_time(self._longest_s, is_first=True)

    async def go_on(self) -> None:
        """Wait until one that has begun may go on: before it is checked, and before it is posted."""
        self._going_on += 1
        try:
            async with self._next_on:
                await self._in_time(self._longest_on_s, is_first=False)
        finally:
            self._going_on -= 1

    async def _in_time(self, longest_s: float, *, is_first: bool) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + longest_s
        while True:
            began = loop.time()
            await asyncio.sleep(0)
            now = loop.time()
            is_quick = now - began < self._late_s and not (is_first and self._going_on)
            if is_quick or now >= until:
                return
            await asyncio.sleep(PAUSE_S if now - began >= self._late_s else 0)
