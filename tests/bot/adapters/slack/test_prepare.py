"""What the worker looks up before answering: names, and the question of a bare mention (cases A5, A6)."""

import pytest

from bot.adapters.slack import SlackPreparer, build_client
from bot.messages import Platform, ThreadRef
from retrieval.redaction import RedactedText, Redactor
from tests.bot.adapters.slack.replies import ROOT, TS, a_message, sealed
from tests.fake_state import FakeClock
from tests.peers.slack_api import BOT_TOKEN, Fault, Post, SlackPeer
from tests.peers.slack_payloads import ANA, BEN, BOT, CHANNEL, TEAM

EMPTY = sealed("")


@pytest.fixture
def clock() -> FakeClock:
    """Give the clock by which names are kept."""
    return FakeClock(float(TS) + 1)


@pytest.fixture
def prepare(peer: SlackPeer, clock: FakeClock) -> SlackPreparer:
    """Give the preparer of a worker."""
    return SlackPreparer(build_client(BOT_TOKEN, base_url=peer.base_url), redactor=Redactor(), clock=clock)


def _say(peer: SlackPeer, text: str, ts: str = "", **raw: str) -> None:
    fields = {"author": BEN, **raw}
    peer.posts.append(Post(CHANNEL, ts or f"1700000001.{len(peer.posts):06d}", text, ROOT, raw=fields))


async def test_bare_mention_asks_the_last_human_question(prepare: SlackPreparer, peer: SlackPeer) -> None:
    """Inside a thread, an empty mention asks what a person asked last: not our words, not an app's, not itself."""
    _say(peer, "first question")
    _say(peer, "sync fails with &lt;500&gt; for pat@example.com")
    _say(peer, "our answer", author=BOT)
    _say(peer, "an app's alert", bot_id="B0OTHER")
    _say(peer, f"<@{BOT}>")
    _say(peer, f"<@{BOT}>", TS)
    prepared = await prepare(a_message(text=EMPTY))
    assert prepared.text == "sync fails with <500> for [EMAIL]"
    assert isinstance(prepared.text, RedactedText)


async def test_newest_question_of_a_long_thread(prepare: SlackPreparer, peer: SlackPeer) -> None:
    """Slack pages oldest first; the question on the last page is found."""
    for number in range(230):
        _say(peer, f"question {number}")
    assert (await prepare(a_message(text=EMPTY))).text == "question 229"


@pytest.mark.parametrize(
    "fields",
    [
        {"text": sealed("a question"), "is_direct": True},
        {"text": sealed("a question"), "is_command": True, "routing": ()},
        {"text": sealed("a question"), "thread": ThreadRef(Platform.SLACK, TEAM, CHANNEL, TS)},
        {"text": EMPTY, "thread": ThreadRef(Platform.SLACK, TEAM, CHANNEL, TS)},
        {"text": EMPTY, "is_direct": True, "routing": (("ts", TS), ("files", "a.png"))},
        {"text": EMPTY, "refusal": "not_permitted"},
    ],
)
async def test_others_are_left_as_they_are(prepare: SlackPreparer, peer: SlackPeer, fields: dict[str, object]) -> None:
    """A question, a top-level mention, a file and a refusal need no look-up."""
    message = a_message(**fields)
    assert await prepare(message) == message
    assert peer.calls == []


async def test_thread_without_a_question(prepare: SlackPreparer, peer: SlackPeer) -> None:
    """When nobody asked anything, or the thread cannot be read, the mention stays empty."""
    assert (await prepare(a_message(text=EMPTY))).text == ""
    for method in ("conversations.replies", "auth.test"):
        peer.faults[method] = Fault(status=500)
        assert (await prepare(a_message(text=EMPTY))).text == ""


async def test_names_are_looked_up_and_redacted(prepare: SlackPreparer, peer: SlackPeer, clock: FakeClock) -> None:
    """A mentioned person's name never goes on: neither as a mention nor written out; one look-up an hour."""
    message = a_message(text=sealed(f"ask @{BEN}, or Ben Kowalski, why Ben's sync fails; not @U0GONE"))
    prepared = await prepare(message)
    assert prepared.text == "ask [NAME], or [NAME], why [NAME] sync fails; not @U0GONE"
    await prepare(a_message(text=sealed(f"@{BEN} again")))
    assert peer.calls.count("users.info") == 2
    clock.time += 4_000
    await prepare(a_message(text=sealed(f"@{BEN} again")))
    assert peer.calls.count("users.info") == 3


async def test_unknown_people_keep_their_id(prepare: SlackPreparer, peer: SlackPeer) -> None:
    """Without an answer or the scope, the id stays and the question is answered all the same."""
    message = a_message(text=sealed(f"ask @{ANA}"))
    for fault in (Fault(status=500), Fault(error="missing_scope")):
        peer.faults["users.info"] = fault
        assert await prepare(message) == message
