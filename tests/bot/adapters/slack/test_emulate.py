"""Posting to a Slack that others wrote: `emulate` 0.11.2 from npm."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack import SlackPoster, build_client
from bot.errors import ReplyRejected
from bot.messages import Platform, ThreadRef
from tests.bot.adapters.slack.replies import a_message, a_reply
from tests.fake_state import FakeClock
from tests.peers.emulate import CHANNEL, running_emulate
from tests.peers.slack_api import BOT_TOKEN

pytestmark = pytest.mark.node_peer


@pytest.fixture
async def client() -> AsyncIterator[AsyncWebClient]:
    """Give a client of a running `emulate`."""
    async with running_emulate() as url:
        yield build_client(BOT_TOKEN, base_url=url)


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
