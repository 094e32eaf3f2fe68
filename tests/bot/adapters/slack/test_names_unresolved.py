"""A host name does not resolve, of Slack, the model or Redis: typed errors at once, nothing lost, answered once it does."""

import asyncio
from dataclasses import replace

import pytest

from bot.adapters.model.chat import ChatOptions
from bot.adapters.slack import SlackPoster, SlackPreparer, build_client
from bot.adapters.slack.lookups import SlackLookups
from bot.adapters.store.client import RedisLink
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.lanes import RetryPolicy
from bot.adapters.work.queue import RedisWorkQueue
from bot.bootstrap import SystemClock
from bot.errors import PlatformUnavailable, StateUnavailable
from bot.messages import Mode, NoticeKind, Outcome, Platform, Reply
from bot.ports import Poster
from bot.worker import Worker
from retrieval.redaction import Redactor
from tests.bot.adapters.model.chat_samples import opened
from tests.bot.adapters.serving import serving
from tests.bot.adapters.slack.redis_bot import Bot
from tests.bot.adapters.slack.replies import a_message, a_reply
from tests.bot.flow_kit import ask
from tests.fake_state import EchoResponder
from tests.peers.anthropic_api import KEY
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_payloads import event_body, mention

NOWHERE = "http://nowhere.invalid/"


async def test_redis_has_no_address(peer: SlackPeer, redis_keys: Keyspace) -> None:
    """An event is not acknowledged, so that Slack delivers it again; history is unavailable, not empty."""
    link = RedisLink("redis://nowhere.invalid:6379")
    bot = Bot(peer, link, redis_keys)
    assert await bot.deliver(event_body(mention("hello?"))) == 500
    with pytest.raises(StateUnavailable):
        await RedisThreadStore(link, redis_keys).turns(a_message().thread)
    await bot.http.aclose()
    await link.close()


async def test_the_model_has_no_address() -> None:
    """The question is answered by quotes that say so."""
    async with opened(ChatOptions(api_key=KEY, base_url=NOWHERE)) as chat:
        answer = await ask("How do I reset the console password?", model=chat)
    assert (answer.outcome, answer.mode) == (Outcome.ANSWERED, Mode.EXTRACTIVE)
    assert NoticeKind.DEGRADED in {notice.kind for notice in answer.notices}


async def test_slack_has_no_address() -> None:
    """A post and a look-up fail as something that passes; a question is prepared without what Slack would tell."""
    client, clock = build_client(BOT_TOKEN, base_url=NOWHERE), SystemClock()
    with pytest.raises(PlatformUnavailable):
        await SlackPoster(client, clock=clock).post(a_reply())
    with pytest.raises(PlatformUnavailable):
        await SlackLookups(client, clock).members("S0A")
    asked = a_message()
    prepared = await SlackPreparer(client, redactor=Redactor(), clock=clock)(asked)
    assert prepared.text == asked.text


async def test_an_answer_waits_until_slacks_name_resolves(
    peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """While the name does not resolve the question stays in the queue; afterwards there is one answer, and no dead letter."""
    clock, policy = SystemClock(), RetryPolicy(first_pause_s=0.02)
    queue = RedisWorkQueue(redis_link, redis_keys, lease_s=0.6, policy=policy)
    tries = 0

    class Moving:
        """Posts to nowhere twice, then to Slack."""

        async def post(self, reply: Reply) -> str:
            nonlocal tries
            tries += 1
            url = NOWHERE if tries <= 2 else peer.base_url
            return await SlackPoster(build_client(BOT_TOKEN, base_url=url), clock=clock).post(reply)

    poster: Poster = Moving()
    store = RedisThreadStore(redis_link, redis_keys)
    worker = Worker(queue, EchoResponder(), store=store, posters={Platform.SLACK: poster})
    asked = replace(a_message(), received_at=clock.now())
    await queue.enqueue(asked, claims=["e1"])
    async with serving(queue, worker.handle), asyncio.timeout(20):
        while not peer.posts:  # noqa: ASYNC110 - the peer sets no event
            await asyncio.sleep(0.02)
    assert (tries, len(peer.posts)) == (3, 1)
