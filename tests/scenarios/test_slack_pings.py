"""Case E3 through Slack, with two processes: what a ticket or a model writes is shown, and pings nobody."""

import re
from pathlib import Path
from typing import Any

import pytest

from retrieval.documents import Document
from tests.peers.anthropic_api import Fault, anthropic_peer
from tests.peers.anthropic_stubs import Ask, Blocks, obey, parrot
from tests.peers.slack_payloads import event_body, mention
from tests.redis_servers import RedisServer
from tests.scenarios.test_slack_two_processes import Desk, two_processes

HELP = "https://help.example.com"
LOUD = "The cash hub stays offline until <!channel>, <!here>, <!subteam^S0X> and <@U0BEN> are told."
SPOOFED = f"The label printer stays jammed until {HELP}/hub|fake.example is told and the printer was off for 7 minutes."
ARTICLES = (
    Document(
        "t-7", "Cash hub stays offline", kind="ticket", resolution=LOUD, question="Our hub is dead.", url=f"{HELP}/t-7"
    ),
    Document(
        "t-8", "Label printer stays jammed", kind="ticket", resolution=SPOOFED, question="Paper jam.", url=f"{HELP}/t-8"
    ),
    Document("kb-1", "Reset a password", "To reset a password open Settings, then Security, and choose Reset."),
)
_PING = re.compile(r"<[!@#][^>]*>|(?<![\w\u200b])@(?:here|channel|everyone)\b", re.IGNORECASE)
_LINK = re.compile(r"<(https?://[^|>]*)\|([^>]*)>")


def loud(ask: Ask) -> Blocks:
    """Write the source's words with mentions of its own behind them."""
    return [ask.cite(ask.best, f"{ask.best.text} <!channel> <@U0BEN> <{HELP}/hub|fake.example>")]


async def _posted(desk: Desk, text: str) -> str:
    """Ask, and give everything that was posted for it; it pings nobody and labels no link."""
    event = mention(text)
    await desk.event(event_body(event))
    await desk.replies(event)
    (post,) = desk.peer.thread(event["ts"])
    said = "\n".join(_strings([post.raw, post.text, post.blocks, post.streamed, *post.steps]))
    assert _PING.findall(said) == []
    assert {(target, label) for target, label in _LINK.findall(said)} <= {(f"{HELP}/{i}", i) for i in ("t-7", "t-8")}
    return post.shown


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for part in value.values() for text in _strings(part)]
    if isinstance(value, list):
        return [text for part in value for text in _strings(part)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("redis_server", ["valkey"], indirect=True)
async def test_what_is_quoted_or_written_pings_nobody(redis_server: RedisServer, tmp_path: Path) -> None:
    """A ticket's mentions, copied, worded by an obeying model or quoted without one, stand there as text; links have no label."""
    async with anthropic_peer() as model, two_processes(redis_server, tmp_path, ARTICLES, model=model.url) as desk:
        for stub in (obey, loud, parrot, None):
            model.stub = stub or parrot
            model.always = None if stub else Fault("status", 402)
            hub = await _posted(desk, "Why does the cash hub stay offline?")
            assert all(f"&lt;{word}&gt;" in hub for word in ("!channel", "!here", "!subteam^S0X", "@U0BEN"))
            assert "](https://help.example.com/t-7)" in hub
        printer = await _posted(desk, "Why does the label printer stay jammed?")
        assert "jammed until […] is told" in printer
        assert "fake.example" not in printer
