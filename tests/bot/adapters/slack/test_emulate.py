"""Posting to a Slack that others wrote: `emulate` 0.11.2 from npm."""

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack import SlackPoster, build_client
from bot.errors import ReplyRejected
from bot.messages import Platform, ThreadRef
from tests.bot.adapters.slack.replies import a_message, a_reply
from tests.fake_state import FakeClock
from tests.peers.slack_api import BOT_TOKEN
from tests.skips import require_or_skip

pytestmark = pytest.mark.node_peer
ROOT = Path(__file__).parents[4]
PEERS = ROOT / ".peers"
CHANNEL = "C000000001"


@pytest.fixture
async def client() -> AsyncIterator[AsyncWebClient]:
    """Give a client of a running `emulate`."""
    require_or_skip((PEERS / "node_modules" / "emulate").is_dir(), "emulate is not installed (make peers)")
    node = shutil.which("node") or "node"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = str(ROOT / "tests" / "peers" / "emulate_slack.mjs")
    process = await asyncio.create_subprocess_exec(
        node, script, str(port), BOT_TOKEN, cwd=PEERS, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        first_line = await asyncio.wait_for(process.stdout.readline(), 60)
        assert first_line.strip() == b"ready"
        yield build_client(BOT_TOKEN, base_url=f"http://127.0.0.1:{port}/api/")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_conversation_on_emulate(client: AsyncWebClient) -> None:
    """A reply stands in its thread with its blocks, a second run finds it, and an unknown channel rejects the reply."""
    asked = await client.chat_postMessage(channel=CHANNEL, text="why does sync fail?")
    ts = str(asked["ts"])
    thread = ThreadRef(Platform.SLACK, "T1", CHANNEL, ts)
    message = a_message(thread=thread, routing=(("ts", ts),))
    first = await SlackPoster(client, clock=FakeClock()).post(a_reply(message=message))
    later = FakeClock(message.received_at + 60)
    assert await SlackPoster(client, clock=later).post(a_reply(message=message)) == first
    replies = await client.api_call("conversations.replies", data={"channel": CHANNEL, "ts": ts})
    (reply,) = [post for post in replies["messages"] if post["ts"] != ts]
    assert (reply["ts"], reply["thread_ts"], reply["blocks"][0]["type"]) == (first, ts, "markdown")
    nowhere = replace(message, thread=replace(thread, channel_id="C0NOWHERE"))
    with pytest.raises(ReplyRejected, match="channel_not_found"):
        await SlackPoster(client, clock=FakeClock()).post(a_reply(message=nowhere))
