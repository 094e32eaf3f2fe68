"""An answer that is streamed while the model writes it, from door to post: nothing unchecked ever stands, one answer at the end.

The model is a loopback server that writes word by word and waits where a test says so; the order of calls is what counts.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.forgetting import RedisForgetting
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.lexicon import lexicons
from bot.messages import MessageId, Platform, ThreadRef
from retrieval.language import language_of
from retrieval.passages import Passage
from tests.bot.adapters.model.chat_samples import QUESTION, api_options, local_options, opened, passage
from tests.bot.adapters.serving import all_done, until
from tests.bot.adapters.slack.live_desk import LiveDesk, live_desk
from tests.peers.anthropic_api import AnthropicPeer, Fault, anthropic_peer
from tests.peers.anthropic_stubs import Ask, Blocks, obey, parrot
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import TEAM, Json, event_body, mention
from tests.peers.slack_posts import Post

# What differs between the kinds of server is tested with the queue.
pytestmark = pytest.mark.parametrize("redis_server", ["redis"], indirect=True)

START, APPEND, STOP, UPDATE = "chat.startStream", "chat.appendStream", "chat.stopStream", "chat.update"
SAID = (
    "Open Settings and choose the section called Billing.",
    "Click Export invoices to get a PDF of the last 24 months.",
    "Only owners of the workspace can export invoices.",
    "Invoices older than that are sent by the billing team.",
)
SOURCE = passage(sentences=SAID, visibility=("public",), lang="en")
FIRST = f"{SAID[0]} [1]"
Pause = Callable[[str], Awaitable[None]]


@pytest.fixture(autouse=True, scope="module")
def is_warm() -> None:
    """Read the lexicons before the first question: a second or more in which nobody would answer Redis."""
    lexicons()
    language_of("Which language is this?")


@pytest.fixture
async def model() -> AsyncIterator[AnthropicPeer]:
    """Give a model that repeats its sources, cited, word by word."""
    async with anthropic_peer() as running:
        running.stub = parrot
        yield running


@pytest.fixture
async def desk(
    peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace, model: AnthropicPeer
) -> AsyncIterator[LiveDesk]:
    """Give a desk that streams what the model writes."""
    async with served(peer, redis_link, redis_keys, model) as made:
        yield made


@asynccontextmanager
async def served(
    peer: SlackPeer, link: RedisLink, keys: Keyspace, model: AnthropicPeer, source: Passage = SOURCE
) -> AsyncIterator[LiveDesk]:
    """Serve over one source."""
    options = api_options(model) if model.personality == "api" else local_options(model)
    async with opened(options) as chat, live_desk(peer, link, keys, chat, source=source, is_early=True) as made:
        yield made


def before(words: str, wait: Callable[[], bool]) -> Pause:
    """Hold the model before the end of these words until something is so."""

    async def on_piece(said: str) -> None:
        if words in said:
            await until(wait)

    return on_piece


async def asked(desk: LiveDesk, link: RedisLink, keys: Keyspace) -> Json:
    """Ask and wait for the end; give the event."""
    body = event_body(mention(QUESTION))
    assert await desk.deliver(body) == 200
    await all_done(link, keys)
    return dict(body["event"])


def only(peer: SlackPeer, event: Json) -> Post:
    """Give the one post of a thread, complete, with its mark."""
    (post,) = (post for post in peer.posts if post.thread_ts == event["ts"])
    assert not post.is_streaming
    assert post.metadata["event_payload"]["part"] == 0
    return post


async def test_the_first_sentence_stands_while_the_model_writes(
    desk: LiveDesk, redis_link: RedisLink, redis_keys: Keyspace, model: AnthropicPeer
) -> None:
    """The stream has begun with the verified sentence before the model sends its last words; at the end there is one answer."""
    stood: list[list[str]] = []

    async def on_piece(said: str) -> None:
        if said.endswith("team. "):
            await until(lambda: bool(desk.peer.posts))
            stood.append([post.streamed for post in desk.peer.posts])

    model.on_piece = on_piece
    event = await asked(desk, redis_link, redis_keys)
    ((early,),) = stood
    assert early.startswith(FIRST)
    assert SAID[3] not in early
    post = only(desk.peer, event)
    assert post.streamed.startswith(early)
    assert all(post.shown.count(line) == 1 for line in (*SAID, "**Sources**", "kb-101"))
    calls = [call for call in desk.peer.calls if call.startswith("chat.")]
    assert (calls[0], calls[-1], set(calls[1:-1])) == (START, STOP, {APPEND})
    (turn,) = await desk.threads.turns(ThreadRef(Platform.SLACK, TEAM, event["channel"], event["ts"]))
    assert SAID[3] in turn.answer


async def test_a_server_that_knows_no_events(peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Then the answer comes when it is complete, as it came before."""
    async with anthropic_peer("ollama") as model:
        model.stub, model.stream_as = parrot, "refused"
        async with served(peer, redis_link, redis_keys, model) as desk:
            event = await asked(desk, redis_link, redis_keys)
    assert SAID[3] in only(peer, event).shown


async def test_a_stream_that_breaks_and_begins_anew(
    peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace
) -> None:
    """Cut after the first words stand: the plain answer continues the same message."""
    async with anthropic_peer("ollama") as model:
        model.stub, model.stream_as, model.on_piece = parrot, "cut", before("Only", lambda: bool(peer.posts))
        async with served(peer, redis_link, redis_keys, model) as desk:
            event = await asked(desk, redis_link, redis_keys)
    post = only(peer, event)
    assert (post.steps[0], [post.shown.count(line) for line in SAID]) == (FIRST, [1, 1, 1, 1])
    assert UPDATE not in peer.calls


async def test_a_model_that_dies_with_its_stream(peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Neither the stream nor the plain answer comes to its end: the same message says the quotes instead."""
    async with anthropic_peer("ollama") as model:

        async def on_piece(said: str) -> None:
            if "Only" in said:
                await until(lambda: bool(peer.posts))
                model.always = Fault("status", 401)

        model.stub, model.stream_as, model.on_piece = parrot, "cut", on_piece
        async with served(peer, redis_link, redis_keys, model) as desk:
            event = await asked(desk, redis_link, redis_keys)
    post = only(peer, event)
    assert post.steps[0] == FIRST
    assert post.shown.startswith("“")
    assert UPDATE in peer.calls


async def test_a_model_that_obeys_an_attack_in_its_second_sentence(
    desk: LiveDesk, redis_link: RedisLink, redis_keys: Keyspace, model: AnthropicPeer
) -> None:
    """Of a ping, a link, an image, a foreign id and an invention nothing stands at any moment; the true sentences do."""

    def obeying(ask: Ask) -> Blocks:
        first, *others = parrot(ask)
        payload = obey(Ask("", ask.question, ask.evidence, ask.is_cited, is_rewrite=False))
        attack = (
            "Call <!channel> and <@U0ADMIN> now. ![x](https://attacker.example/p.png) See https://attacker.example/q. "
        )
        return [first, ask.cite(ask.best, attack), *payload[1:], *others]

    model.stub, model.on_piece = obeying, before(SAID[1], lambda: bool(desk.peer.posts))
    event = await asked(desk, redis_link, redis_keys)
    post = only(desk.peer, event)
    assert SAID[3] in post.shown
    for state in (*post.steps, post.shown):
        assert not any(word in state for word in ("channel", "U0ADMIN", "attacker", "hoverboard", "KB-9999"))


async def test_a_leak_across_two_sentences(
    peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace, model: AnthropicPeer
) -> None:
    """Half of a prompt's words in one sentence and half in the next: with the second the apology takes the place of the first."""
    halves = ("Say only what the sources say.", "Where they do not cover the question, ask the billing team.")
    source = passage(sentences=(SAID[0], *halves, SAID[3]), visibility=("public",), lang="en")
    model.on_piece = before("team", lambda: bool(peer.posts))
    async with served(peer, redis_link, redis_keys, model, source) as desk:
        event = await asked(desk, redis_link, redis_keys)
    post = only(peer, event)
    states = [*post.steps, post.shown]
    assert states[0].startswith(f"{SAID[0]} [1]")
    assert not any(halves[0] in state and halves[1] in state for state in states)
    assert not any(said in post.shown for said in (SAID[0], *halves))


async def test_a_question_that_is_deleted_meanwhile(
    desk: LiveDesk, redis_link: RedisLink, redis_keys: Keyspace, model: AnthropicPeer
) -> None:
    """Withdrawn after the first words stand: they go, nothing is kept. Withdrawn before: no word is said."""
    forgetting = RedisForgetting(redis_link, redis_keys, Pseudonyms(redis_link, redis_keys))
    for words in (SAID[2], "Open"):
        body = event_body(mention(QUESTION))
        event = body["event"]
        thread = ThreadRef(Platform.SLACK, TEAM, event["channel"], event["ts"])

        message_id = MessageId(f"slack:{TEAM}:{event['channel']}:{event['ts']}")

        async def on_piece(
            said: str, words: str = words, message_id: MessageId = message_id, thread: ThreadRef = thread
        ) -> None:
            if said.strip().endswith(words):
                if words == SAID[2]:
                    await until(lambda: bool(desk.peer.posts))
                await forgetting.withdraw(message_id, thread)

        model.on_piece = on_piece
        assert await desk.deliver(body) == 200
        await all_done(redis_link, redis_keys)
        assert desk.peer.posts == []
        assert await desk.threads.turns(thread) == ()
    assert desk.peer.calls.count(START) == 1
