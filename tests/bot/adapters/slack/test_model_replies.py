"""What a model does, seen in Slack (cases D2 to D4): both real adapters, a loopback model, a loopback Slack."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from markdown_it import MarkdownIt

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.texts import say
from tests.bot.adapters.model.chat_samples import EXPORT, QUESTION, api_options, opened, passage
from tests.bot.adapters.slack.button_desk import ButtonDesk
from tests.peers import anthropic_stubs as stubs
from tests.peers.anthropic_api import AnthropicPeer, Fault, anthropic_peer
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_clicks import labels

SOURCE = passage(visibility=("public",), lang="en")
SLOW_S = 30.0  # a question is over before that, whatever the model does


@pytest.fixture
async def api() -> AsyncIterator[AnthropicPeer]:
    """Give a model that answers by its sources until it is told otherwise."""
    async with anthropic_peer() as running:
        yield running


@pytest.fixture
async def desk(
    peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace, api: AnthropicPeer
) -> AsyncIterator[ButtonDesk]:
    """Give a desk with this model."""
    async with opened(api_options(api)) as chat:
        yield ButtonDesk(peer, redis_link, redis_keys, (SOURCE,), model=chat)


def _answers(api: AnthropicPeer) -> int:
    return sum(not stubs.read_ask(body).is_rewrite for body in api.bodies)


async def test_cut_at_the_token_limit(desk: ButtonDesk, api: AnthropicPeer) -> None:
    """What is complete is posted with its source, every fence closed; it says that it was cut, and is asked anew for the rest."""
    api.stub = lambda ask: [ask.cite(ask.best), {"type": "text", "text": "\n```\nexport --all --to"}]
    api.always = Fault("max_tokens")
    post = await desk.ask(QUESTION)
    assert say("truncated_answer", "en") in post.shown
    assert post.shown.count("```") % 2 == 0
    assert "--to" not in post.shown
    assert "kb-101" in post.shown
    assert "Useful" in labels(post)
    api.always, api.stub = None, stubs.honest
    before = _answers(api)
    rest = await desk.ask("details", thread_ts=post.thread_ts)
    assert _answers(api) == before + 1
    assert EXPORT[2] in rest.shown
    assert say("truncated_answer", "en") not in rest.shown


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("empty", "model_unusable"),
        ("refusal", "model_unusable"),
        ("no_stop", "model_unusable"),
        ("tool_use", "model_unusable"),
        ("error_event", "degraded"),
        ("thinking_first", ""),
    ],
)
async def test_odd_but_legal_replies(desk: ButtonDesk, api: AnthropicPeer, kind: str, said: str) -> None:
    """Each has an honest word, or is answered as ever; quotes with their source stand in any case; an outage can be tried again."""
    api.always = Fault(kind)
    post = await desk.ask(QUESTION)
    assert "kb-101" in post.shown
    assert [key for key in ("degraded", "model_unusable") if say(key, "en") in post.shown] == ([said] if said else [])
    assert all(token.type != "fence" for token in MarkdownIt().parse(post.shown))
    assert ("Try again" in labels(post)) == (said == "degraded")


async def test_a_thread_with_an_empty_turn(desk: ButtonDesk, api: AnthropicPeer) -> None:
    """After a bare mention and a thank you the next question is answered; no request has an empty block."""
    first = await desk.ask(QUESTION)
    for text in ("", "thanks", "Who can export them?"):
        await desk.ask(text, thread_ts=first.thread_ts)
    assert "kb-101" in desk.peer.posts[-1].shown
    assert api.refusals == []


@pytest.mark.parametrize(
    ("faults", "is_model"),
    [
        ([Fault("status", 529, "0.01")], True),
        ([Fault("status", 429, "0.01")], True),
        ([Fault("status", 529, "0.01")] * 8, False),
        ([Fault("status", 429, "3600")] * 8, False),
    ],
    ids=["529 once", "429 once", "529 for long", "429 for an hour"],
)
async def test_overload(desk: ButtonDesk, api: AnthropicPeer, faults: list[Fault], *, is_model: bool) -> None:
    """A passing one costs nothing; a lasting one gives quotes that say why, and a button to try again, which works."""
    api.script(*faults)
    async with asyncio.timeout(SLOW_S):
        post = await desk.ask(QUESTION)
    assert "kb-101" in post.shown
    assert (say("degraded", "en") in post.shown) is not is_model
    assert ("Try again" in labels(post)) is not is_model
    if not is_model:
        api._faults.clear()
        await desk.press(post, "Try again")
        await desk.work()
        assert say("degraded", "en") not in desk.peer.posts[-1].shown
