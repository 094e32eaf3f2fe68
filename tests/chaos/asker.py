"""Asks at a rate from a process of its own, so that a loop which also plays Slack and the model is not what is measured.

Run as `python -m tests.chaos.asker ADDRESS RATE SECONDS`: each line on stdout is one question (JSON): `event`, `at_s` when
it was sent first, `ms` until it was acknowledged, retries included, `heard` what each delivery ended with.
"""

import asyncio
import gc
import json
import sys
import time
from dataclasses import asdict, dataclass

import aiohttp

from tests.peers.slack_payloads import Json, event_body, mention, signed_json

QUESTION = "why does sync fail with error 500?"
ACK_LIMIT_S = 3.5  # Slack waits three seconds, and our own machine may be busy
# Slack's own clock is at once, after a minute, after five.
RETRIES_S = (0.0, 0.2, 1.0, 3.0, 6.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """What became of one question: when it was sent first, how long until it was acknowledged, how each delivery ended."""

    event: Json
    at_s: float
    ms: float
    heard: list[str]


class Asker:
    """Delivers as Slack does, and writes down how long each acknowledgement took."""

    def __init__(self, http: aiohttp.ClientSession, address: str) -> None:
        self._http = http
        self._url = f"{address}slack/events"
        self.told: list[Asked] = []

    async def ask(self, event: Json, at_s: float) -> None:
        """Deliver one question until it is acknowledged, or Slack would give up."""
        body, heard = event_body(event), list[str]()
        began = time.perf_counter()
        for number, wait_s in enumerate(RETRIES_S):
            await asyncio.sleep(wait_s)
            heard.append(await self._deliver(body, number))
            if heard[-1] == "200":
                break
        ms = (time.perf_counter() - began) * 1000
        self.told.append(Asked(event, round(at_s, 3), round(ms, 2), heard))

    async def run(self, rate: float, seconds: float) -> None:
        """Send so many a second."""
        asking: list[asyncio.Task[None]] = []
        began = time.perf_counter()
        while (passed := time.perf_counter() - began) < seconds:
            while len(asking) < passed * rate:
                asking.append(asyncio.create_task(self.ask(mention(QUESTION), passed)))
            await asyncio.sleep(0.005)
        await asyncio.gather(*asking)

    async def _deliver(self, body: Json, retry: int) -> str:
        raw, headers = signed_json(body, retry=min(retry, 3))
        try:
            async with self._http.post(self._url, data=raw, headers=headers) as answer:
                return str(answer.status)
        except (aiohttp.ClientError, TimeoutError) as error:
            return type(error).__name__


async def main(address: str, rate: float, seconds: float) -> None:
    """Ask, then tell."""
    gc.freeze()
    connector, timeout = aiohttp.TCPConnector(limit=0), aiohttp.ClientTimeout(total=ACK_LIMIT_S)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as http:
        asker = Asker(http, address)
        await asker.run(rate, seconds)
    for line in asker.told:
        print(json.dumps(asdict(line)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2]), float(sys.argv[3])))
