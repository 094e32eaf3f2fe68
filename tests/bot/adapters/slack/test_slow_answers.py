"""Answers that take long, from door to post (cases A1 and F5): a model of eight seconds, a wait of thirty in the queue."""

from collections.abc import AsyncIterator

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.texts import say
from tests.bot.adapters.model.chat_samples import QUESTION, api_options, opened
from tests.bot.adapters.serving import all_done, until
from tests.bot.adapters.slack.live_desk import LiveDesk, live_desk
from tests.peers import anthropic_stubs as stubs
from tests.peers.anthropic_api import AnthropicPeer, anthropic_peer
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import ANA, BEN, Json, event_body, mention

MODEL_S, QUEUE_S = 8.0, 30.0
LOOKING = "is looking it up…"


@pytest.fixture
async def api() -> AsyncIterator[AnthropicPeer]:
    """Give a model that answers by its sources."""
    async with anthropic_peer() as running:
        yield running


@pytest.fixture
async def desk(
    peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace, api: AnthropicPeer
) -> AsyncIterator[LiveDesk]:
    """Give a desk whose worker has one question in work at a time, and whose model needs eight seconds."""
    async with (
        opened(api_options(api)) as chat,
        live_desk(peer, redis_link, redis_keys, chat, needs_s=MODEL_S, at_once=1) as made,
    ):
        yield made


def _answers(api: AnthropicPeer) -> int:
    return sum(not stubs.read_ask(body).is_rewrite for body in api.bodies)


def _shown(desk: LiveDesk, event: Json) -> list[str]:
    return [post.shown for post in desk.peer.thread(event["ts"])]


async def test_a_question_delivered_thrice_to_a_slow_model(
    desk: LiveDesk, api: AnthropicPeer, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """The same event at 0, 3 and 7 s while the model needs 8: 200 each time before it is done, one call, one answer."""
    body, asked_at = event_body(mention(QUESTION)), desk.clock.time
    for retry, passed_s in enumerate((0.0, 3.0, 7.0)):
        desk.clock.time = asked_at + passed_s
        assert await desk.deliver(body, retry=retry) == 200
        await until(lambda: desk.model.answering == 1)
        assert _shown(desk, body["event"]) == []
    desk.clock.time = asked_at + MODEL_S
    await until(lambda: bool(_shown(desk, body["event"])))
    assert await desk.deliver(body, retry=3) == 200
    await all_done(redis_link, redis_keys)
    (shown,) = _shown(desk, body["event"])
    assert "kb-101" in shown
    assert (_answers(api), len(desk.peer.posts)) == (1, 1)


async def test_half_a_minute_in_the_queue(desk: LiveDesk, redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Behind a slow answer for 30 s: the signal stands from receipt to the answer, one word says that there is a queue."""
    first, second = (event_body(mention(QUESTION, user=user)) for user in (BEN, ANA))
    assert await desk.deliver(first) == 200
    await until(lambda: desk.model.answering == 1)
    desk.clock.time -= QUEUE_S  # the second one has waited so long when the queue is looked at
    assert await desk.deliver(second) == 200
    root = second["event"]["ts"]
    await until(lambda: desk.peer.status(root) == LOOKING)
    await until(lambda: bool(desk.peer.ephemerals))
    assert desk.peer.statuses[root] == [LOOKING]
    assert _shown(desk, second["event"]) == []
    desk.clock.time += QUEUE_S + MODEL_S
    await until(lambda: bool(_shown(desk, first["event"])) and desk.model.answering == 1)
    desk.clock.time += MODEL_S
    await all_done(redis_link, redis_keys)
    assert [(note.user, note.text) for note in desk.peer.ephemerals] == [(ANA, say("busy", "en"))]
    (shown,) = _shown(desk, second["event"])
    assert "kb-101" in shown
    assert desk.peer.statuses[root] == [LOOKING, ""]
