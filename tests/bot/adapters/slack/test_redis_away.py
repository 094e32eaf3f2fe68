"""Redis dies while questions arrive, and comes back: nothing is lost, nothing doubled (case G1), on real servers."""

import time
from collections.abc import AsyncIterator

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from tests.bot.adapters.slack.redis_bot import Bot, serving_bot
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import event_body, mention
from tests.redis_servers import RedisServer


@pytest.fixture
async def bot(peer: SlackPeer, own_redis_link: RedisLink, redis_keys: Keyspace) -> AsyncIterator[Bot]:
    """Give a serving bot."""
    async with serving_bot(peer, own_redis_link, redis_keys) as made:
        yield made


async def test_redis_dies_and_comes_back(bot: Bot, own_redis_server: RedisServer) -> None:
    """While Redis is dead deliveries fail fast; the redelivery is answered once, and the thread goes on."""
    first, second = mention("before the fall"), mention("while it is away")
    assert await bot.deliver(event_body(first)) == 200
    await bot.replies(first["ts"], 1)
    own_redis_server.kill()
    body = event_body(second)
    began = time.monotonic()
    assert await bot.deliver(body) == 500
    assert time.monotonic() - began < 2.5
    own_redis_server.start()
    assert [await bot.deliver(body) for _ in range(2)] == [200, 200]
    assert await bot.replies(second["ts"], 1) == ["Answer to: while it is away"]
    follow_up = mention("and now?", thread_ts=first["ts"])
    assert await bot.deliver(event_body(follow_up)) == 200
    assert await bot.replies(first["ts"], 2) == ["Answer to: before the fall", "Answer to: and now?"]
    assert len(bot.peer.posts) == 3


async def test_hanging_redis_is_no_acknowledgement(bot: Bot, own_redis_server: RedisServer) -> None:
    """A Redis that answers nothing is given up within Slack's three seconds, and the retry is answered once."""
    body = event_body(mention("hello?"))
    own_redis_server.pause()
    try:
        began = time.monotonic()
        assert await bot.deliver(body) == 500
        assert time.monotonic() - began < 2.5
    finally:
        own_redis_server.resume()
    assert await bot.deliver(body) == 200
    await bot.replies(body["event"]["ts"], 1)
    assert len(bot.peer.posts) == 1
