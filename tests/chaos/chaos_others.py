"""Peers that others wrote: a Slack that knows no streams (`emulate`), a model that scripts faults and judges (`llmock`).

Without `make peers` each is skipped visibly, and fails where CI is set.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack import build_client
from tests.chaos.bots import until
from tests.chaos.harness import ANSWER, IS_FULL, QUESTION, Stage
from tests.peers.emulate import CHANNEL, PERSON_TOKEN, running_emulate
from tests.peers.llmock import running_llmock
from tests.peers.slack_api import BOT_TOKEN
from tests.peers.slack_payloads import Json, event_body, mention, message, twin_of

pytestmark = pytest.mark.parametrize("own_redis_server", ["redis"], indirect=True)

WITHIN_S = 15.0
AT_ONCE = 4
GOOD = {"type": "reply", "text": "Restart the sync agent and sign in again [S1].", "times": None}
# What llmock does before it answers well, and whether a model's words are right then, or quotes.
FAULTS: list[tuple[str, list[dict[str, Any]]]] = [
    ("well", []),
    ("429 once", [{"type": "fail", "status": 429, "retry_after": 1}]),
    ("500 twice", [{"type": "fail", "status": 500, "times": 2}]),
    ("529 for long", [{"type": "fail", "status": 529, "times": None}]),
    ("429 for an hour", [{"type": "fail", "status": 429, "retry_after": 3600, "times": None}]),
    ("401", [{"type": "fail", "status": 401, "times": None}]),
    ("stall", [{"type": "delay", "seconds": 60, "times": None}]),
    ("slow", [{"type": "delay", "seconds": 2, "times": None}]),
    ("refusal", [{"type": "reply", "text": "I cannot help with that.", "finish_reason": "refusal", "times": None}]),
    ("cut", [{"type": "reply", "text": "Restart the sync", "finish_reason": "max_tokens", "times": None}]),
    ("chatter", [{"type": "reply", "text": "Hello! LLMock handled this.", "times": None}]),
]


@dataclass(slots=True)
class OtherSlack:
    """`emulate` as a person sees it, and the bot's user there."""

    client: AsyncWebClient
    url: str
    bot: str

    async def say(self, text: str, root: str = "") -> Json:
        """Write a message that mentions the bot; give its event."""
        words = f"<@{self.bot}> {text}"
        thread = {"thread_ts": root} if root else {}
        posted = await self.client.api_call("chat.postMessage", json={"channel": CHANNEL, "text": words, **thread})
        return {**message(words, ts=str(posted["ts"]), channel=CHANNEL, **thread), "type": "app_mention"}

    async def answers(self, event: Json) -> list[str]:
        """Give the posts that answer a question, by the key that they carry."""
        root = event.get("thread_ts") or event["ts"]
        found = await self.client.api_call(
            "conversations.replies", data={"channel": CHANNEL, "ts": root, "include_all_metadata": "true"}
        )
        keys = [
            (post.get("metadata") or {}).get("event_payload", {}).get("key", "")
            for post in found["messages"]
            if post["ts"] != root
        ]
        return [key for key in keys if key.endswith(event["ts"])]


@asynccontextmanager
async def _other_slack() -> AsyncIterator[OtherSlack]:
    async with running_emulate() as url:
        bot = await build_client(BOT_TOKEN, base_url=url).auth_test()
        yield OtherSlack(build_client(PERSON_TOKEN, base_url=url), url, str(bot["user_id"]))


def _bodies(slack: OtherSlack, event: Json) -> list[Json]:
    """Give one question as its two events, for the bot as this Slack names it."""
    asked = [event_body(event), event_body(twin_of(event))]
    for body in asked:
        body["authorizations"][0]["user_id"] = slack.bot
    return asked


async def test_two_processes_on_a_slack_that_others_wrote(chaos: Stage) -> None:
    """Both event types, thrice each, to two bots; follow-ups; one killed when its post stands unmarked: one answer each."""
    async with _other_slack() as slack:
        events: list[Json] = []

        async def ask(text: str, root: str = "") -> Json:
            event = await slack.say(text, root)
            bodies = _bodies(slack, event)
            deliveries = [chaos.ask(event, turn=n, body=bodies[n % 2]) for n in range(6)]
            assert all(await asyncio.gather(*deliveries))
            events.append(event)
            return event

        given = {"slack": slack.url, "has_socket": False}
        for n in range(2):
            await chaos.start(f"bot-{n}", **given)
        for _ in range(5):
            first = await ask(QUESTION)
            await ask("and how do I reset a password?", first["ts"])
        await chaos.settled()
        await chaos.stop_all()
        doomed = await chaos.start("doomed", stop_at="after chat.postMessage", **given)
        chaos.arm()
        await ask(QUESTION)
        await until(lambda: doomed.ended is not None)
        await chaos.start("heir", **given)
        await chaos.settled()
        counts = [len(await slack.answers(event)) for event in events]
        print(f"\nemulate: {len(events)} questions, 6 deliveries each, two bots, one killed after posting: {counts}")
        assert counts == [1] * len(events)
        assert await chaos.buried() == 0


async def test_faults_of_a_model_that_others_wrote(chaos: Stage) -> None:
    """Each fault that llmock plays, several questions at once: the right source within 15 s, and llmock is content."""
    with running_llmock(chaos.folder) as llmock:
        given = {"model": llmock.url, "citations": "auto", "model_timeout_s": 8.0}
        await chaos.start("all", has_socket=False, **given)
        for name, faults in FAULTS if IS_FULL else FAULTS[:5]:
            llmock.script(*faults, GOOD)
            took_s = await _answered(chaos)
            verdict = llmock.verdict()
            print(f"\nllmock, {name}: {AT_ONCE} questions right, the slowest after {took_s:.1f} s", end="")
            assert took_s < WITHIN_S, name
            assert verdict["passed"], (name, verdict)
    print()


async def _answered(chaos: Stage) -> float:
    """Ask some questions at once; give the seconds until all are answered by the right source."""
    events = [mention(QUESTION) for _ in range(AT_ONCE)]
    began = time.monotonic()
    assert all(await asyncio.gather(*(chaos.ask(event) for event in events)))
    await until(lambda: all(chaos.replies(event) for event in events), 60)
    took_s = time.monotonic() - began
    assert all("kb-101" in chaos.replies(event)[0] for event in events)
    assert all(ANSWER in chaos.replies(event)[0].casefold() for event in events)
    return took_s
