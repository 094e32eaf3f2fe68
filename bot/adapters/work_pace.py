"""When a question may begin: one in a turn of the event loop, and none while its turns take long.

In one process that receives and works, a delivery is acknowledged within some turns of the loop. Where the machine gives
the process too little, hundreds of questions that begin and end would make each turn last for seconds; those that have
not begun are safe in Redis, and wait there instead.
"""

import asyncio

LATE_S = 0.03  # one turn of the loop: an acknowledgement takes some six of them
PAUSE_S = 0.01
LONGEST_S = 0.5  # then it begins all the same: a loop that is always late still answers


class Pace:
    """Lets questions begin one after the other."""

    def __init__(self, *, late_s: float = LATE_S, longest_s: float = LONGEST_S) -> None:
        """Hold a question back while a turn takes longer than `late_s` seconds, at most `longest_s` of them."""
        self._late_s = late_s
        self._longest_s = longest_s
        self._next = asyncio.Lock()

    async def turn(self) -> None:
        """Wait until a question may begin."""
        async with self._next:
            loop = asyncio.get_running_loop()
            until = loop.time() + self._longest_s
            while True:
                began = loop.time()
                await asyncio.sleep(0)
                now = loop.time()
                if now - began < self._late_s or now >= until:
                    return
                await asyncio.sleep(PAUSE_S)
