"""Threads as they are: what others said, long and old ones, people who take over (cases A3 to A6, A9, B1, B2, B5)."""

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from bot.adapters.slack import slack_rules
from bot.adapters.slack.rules import SlackRules
from bot.ports import AnswerRequest
from bot.questions.access import Place, Places
from retrieval.redaction import RedactedText
from tests.bot.adapters.slack.counter import Counter, open_counter
from tests.bot.flow_kit import RESET, card
from tests.fakes import FakePassageSource, ScriptedModel, make_passage
from tests.peers.slack_api import Fault, Post, SlackPeer
from tests.peers.slack_payloads import ANA, BEN, BOT, CHANNEL, Json, mention, message, next_ts

READER = make_passage(card("kb-106", lang="en"), "Error TL-4012 means that the reader is not paired: pair it again.")


@dataclass(slots=True)
class Thread:
    """A thread in the channel, as Slack has it."""

    counter: Counter
    source: FakePassageSource
    root: str

    def stands(self, text: str, *, by: str = BEN, ts: str = "", **fields: object) -> Post:
        """Put a message into the thread that the bot is not told of."""
        own = {"author": by, "fields": fields}
        post = Post(CHANNEL, ts or next_ts(), text, "" if ts == self.root else self.root, raw=own)
        self.counter.peer.posts.append(post)
        return post

    async def say(self, text: str, *, by: str = ANA, is_mention: bool = True, **fields: object) -> list[Post]:
        """Say something in the thread; give what the bot posted for it."""
        given: Json = {"user": by, "thread_ts": self.root, "parent_user_id": ANA, **fields}
        event = mention(text, **given) if is_mention else message(text, **given)
        self.stands(event["text"], by=by, ts=event["ts"])
        return await self.counter.say(event)

    @property
    def searched(self) -> str:
        """All that was searched for so far."""
        return "\n".join(text for row in self.source.searched for text in row)


async def _open(
    peer: SlackPeer, rules: SlackRules | None = None, model: ScriptedModel | None = None
) -> AsyncIterator[Thread]:
    source = FakePassageSource(READER, RESET)
    async with open_counter(peer, source, rules=rules, model=model) as counter:
        counter.desk.clock.time = time.time() + 5
        yield Thread(counter, source, next_ts())


@pytest.fixture
async def thread(peer: SlackPeer) -> AsyncIterator[Thread]:
    """Give a thread in a channel of mentions only."""
    async for opened in _open(peer):
        yield opened


@pytest.fixture
async def followed(peer: SlackPeer) -> AsyncIterator[Thread]:
    """Give a thread in a channel that the bot follows."""
    async for opened in _open(peer, slack_rules(places=Places({CHANNEL: Place(is_followed=True)}))):
        yield opened


async def test_question_leans_on_what_others_said(thread: Thread) -> None:
    """The problem was described by somebody else, who did not mention the bot; "how do we fix it?" finds it."""
    thread.stands("Customer's card reader refuses every payment", by=BEN, ts=thread.root)
    thread.stands("its display shows TL-4012")
    await thread.say("how do we fix it?")
    assert "TL-4012" in thread.searched
    assert "reader" in thread.searched


async def test_two_hundred_replies(peer: SlackPeer) -> None:
    """Root and newest window within a budget: the fact of reply 197 is there, the middle is not, and that is said."""
    model = ScriptedModel()
    async for thread in _open(peer, model=model):
        thread.stands("Customer's card reader refuses every payment", ts=thread.root)
        for number in range(200):
            thread.stands("the display shows TL-4012" if number == 197 else f"reply number{number} about nothing")
        (post,) = await thread.say("how do we fix it?")
        request = next(one for one in model.requests if isinstance(one, AnswerRequest))
        said = [heard.text for heard in request.heard]
        assert said[0] == "Customer's card reader refuses every payment"
        assert "the display shows TL-4012" in said
        assert "reply number199 about nothing" in said
        assert "reply number50 about nothing" not in said
        assert [heard.by for heard in request.heard if heard.by == "left out"] == ["left out"]
        assert sum(map(len, said)) < 7_000
        assert "This thread is long: I read its first message and the newest 40." in post.shown
        assert thread.counter.peer.calls.count("conversations.replies") == 2


async def test_thousands_of_replies_are_read_from_their_end(thread: Thread) -> None:
    """Slack pages oldest first; of a thread longer than all pages the newest messages are read all the same."""
    now = int(time.time())
    thread.root = f"{now - 9 * 86_400}.000001"
    thread.stands("Customer's card reader refuses every payment", ts=thread.root)
    for number in range(1_250):
        thread.stands(f"reply number{number}", ts=f"{now - 8 * 86_400 + 60 * number}.{number:06d}")
    thread.stands("the display shows TL-4012", ts=f"{now - 30}.000002")
    await thread.say("how do we fix it?")
    assert "TL-4012" in thread.searched
    assert thread.counter.peer.calls.count("conversations.replies") <= 4


async def test_a_thread_of_forty_days(peer: SlackPeer) -> None:
    """Of 1 500 messages in forty days one call reads what the memory reaches back to, with the root; the rest is not asked for."""
    async for thread in _open(peer):
        now = int(time.time())
        thread.root = f"{now - 40 * 86_400}.000001"
        thread.stands("Customer's card reader refuses every payment, zanzibar", ts=thread.root)
        for number in range(1_500):
            thread.stands(f"reply number{number}", ts=f"{now - 39 * 86_400 + 600 * number}.{number:06d}")
        for number in range(60):
            thread.stands(f"today number{number}", ts=f"{now - 3_600 + 10 * number}.{number:06d}")
        thread.stands("the display shows TL-4012", ts=f"{now - 30}.000002")
        (post,) = await thread.say("how do we fix it?")
        assert "TL-4012" in thread.searched
        assert "zanzibar" not in thread.searched
        assert "older than 14 days" in post.shown
        assert thread.counter.peer.calls.count("conversations.replies") == 1


async def test_own_answers_come_from_the_store_and_are_not_quoted(thread: Thread) -> None:
    """What the bot posted in the thread is no third party's word; the follow-up leans on the stored turn."""
    await thread.say("how do I reset the console password?")
    thread.stands("OUR OWN POST", by=BOT)
    await thread.say("and how long does it work?")
    turns = await thread.counter.desk.threads.turns(_thread_of(thread))
    assert [turn.question for turn in turns] == ["how do I reset the console password?", "and how long does it work?"]
    assert all(turn.answer for turn in turns)
    assert "OUR OWN POST" not in thread.searched
    assert "password" in thread.source.searched[-1][-1]


async def test_words_of_apps_are_quoted_too(thread: Thread) -> None:
    """An alert of another app is what a question may be about; joins, topics, hidden and deleted ones are nothing."""
    thread.stands(
        "Monitor: reader gateway reports TL-4012", by="", ts=thread.root, bot_id="B0MON", subtype="bot_message"
    )
    thread.stands("Ben has joined zanzibar", subtype="channel_join")
    thread.stands("This message was deleted zanzibar", subtype="tombstone", hidden=True)
    thread.stands("topic zanzibar", subtype="channel_topic")
    await thread.say("how do we fix it?")
    assert "TL-4012" in thread.searched
    assert "zanzibar" not in thread.searched


async def test_others_words_are_decoded_once_and_redacted(peer: SlackPeer) -> None:
    """Wire form, people and personal data of others are treated as the asker's own; a broadcast copy counts once."""
    model = ScriptedModel()
    async for thread in _open(peer, model=model):
        text = f"error &lt;timeout&gt; at <http://app.example.com|app.example.com> for pat@example.com, ask <@{BEN}>"
        thread.stands(text, ts=thread.root)
        thread.stands("also in the channel TL-4012", subtype="thread_broadcast", root={"ts": thread.root})
        await thread.say("how do we fix it?")
        request = next(one for one in model.requests if isinstance(one, AnswerRequest))
        assert [(heard.by, heard.text) for heard in request.heard] == [
            ("person 1", "error <timeout> at http://app.example.com for [EMAIL], ask [NAME]"),
            ("person 1", "also in the channel TL-4012"),
        ]
        assert all(isinstance(heard.text, RedactedText) for heard in request.heard)


async def test_bare_mention_asks_the_thread(thread: Thread) -> None:
    """A mention with nothing in it takes the last human question, an edited one as it reads now."""
    thread.stands("hello", ts=thread.root)
    thread.stands("what does TL-4012 on the reader mean?", edited={"user": BEN, "ts": next_ts()})
    (post,) = await thread.say("")
    assert "pair it again" in post.shown
    (only,) = [turn.question for turn in await thread.counter.desk.threads.turns(_thread_of(thread))]
    assert only == "what does TL-4012 on the reader mean?"


async def test_old_business_is_over(thread: Thread) -> None:
    """Of a thread of 40 days ago nothing counts any more, and the answer says so."""
    day = 86_400
    thread.root = f"{int(time.time()) - 40 * day}.000100"
    thread.stands("Ticket TCK-2001: till drawer zanzibar stays shut", ts=thread.root)
    thread.stands("closed, it was the cable", ts=f"{int(time.time()) - 39 * day}.000100")
    (post,) = await thread.say("what does TL-4012 on the reader mean?")
    assert "zanzibar" not in thread.searched
    assert "Messages older than 14 days are left out." in post.shown


async def test_two_people_at_once(thread: Thread) -> None:
    """Both are answered, each in the thread, the first first; the second's question is not taken for a follow-up of it."""
    first = mention("how do I reset the console password?", thread_ts=thread.root)
    second = mention("what does TL-4012 on the reader mean?", thread_ts=thread.root, user=BEN)
    from tests.peers.slack_payloads import event_body

    for event in (first, second):
        thread.stands(event["text"], by=event["user"], ts=event["ts"])
        await thread.counter.desk.event(event_body(event))
    before = len(thread.counter.peer.posts)
    await thread.counter.worker.run()
    new = thread.counter.peer.posts[before:]
    assert [post.thread_ts for post in new] == [thread.root] * 2
    assert "what does TL-4012 on the reader mean?" in thread.source.searched[-1]


@pytest.mark.parametrize(
    "text",
    [
        f"&gt; <@{BOT}> why does sync fail?\nI answered that yesterday",
        f"write `<@{BOT}> help` to ask it",
        f"```\n<@{BOT}> help\n```",
    ],
)
async def test_quoted_and_code_mentions_speak_of_the_bot(thread: Thread, text: str) -> None:
    """Who quotes a mention or shows it as code does not ask; with a mention of one's own beside it one does."""
    event = {**message(text, thread_ts=thread.root), "type": "app_mention"}
    assert await thread.counter.say(event) == []
    assert len(await thread.counter.say({**event, "ts": next_ts(), "text": f"{text}\n<@{BOT}> is that so?"})) == 1


async def test_small_talk_is_not_searched(thread: Thread) -> None:
    """Thanks after an answer get a word and no search, whatever stands in the thread."""
    thread.stands("the reader shows TL-4012", ts=thread.root)
    await thread.say("how do we fix it?")
    before = len(thread.source.searched)
    for text in ("hi", "thanks, that did it", "\U0001f44d"):
        await thread.say(text)
    assert len(thread.source.searched) == before


async def test_a_thread_that_cannot_be_read_is_no_reason_for_silence(thread: Thread, peer: SlackPeer) -> None:
    """Without the scope or an answer of Slack the question is answered as it is."""
    for fault in (Fault(error="missing_scope"), Fault(status=500)):
        peer.faults["conversations.replies"] = fault
        (post,) = await thread.say("what does TL-4012 on the reader mean?")
        assert "pair it again" in post.shown


async def test_mentions_only_by_default(thread: Thread) -> None:
    """In a channel without a setting nothing is said without a mention (case A9)."""
    await thread.say("what does TL-4012 on the reader mean?")
    assert await thread.say("I have got this one", by=BEN, is_mention=False) == []
    assert await thread.say("and does it cost anything to pair it again?", is_mention=False) == []


async def test_followed_until_somebody_takes_over(followed: Thread) -> None:
    """In a channel that is followed the asker needs no second mention, until a human takes the thread (case A9)."""
    await followed.say("what does TL-4012 on the reader mean?")
    (post,) = await followed.say("and what does TL-4012 on a second reader mean?", is_mention=False)
    assert "pair it again" in post.shown
    assert await followed.say("I have got this one", by=BEN, is_mention=False) == []
    assert await followed.say("and the third reader with TL-4012?", is_mention=False) == []
    assert len(await followed.say("what does TL-4012 mean again?")) == 1
    assert len(await followed.say("and on the fourth reader TL-4012?", is_mention=False)) == 1


async def test_followed_says_nothing_but_answers(followed: Thread) -> None:
    """Thanks, words to others, what nobody asked the bot, and questions without an answer get no word unless it is named."""
    assert await followed.say("TL-4012 on the reader again", is_mention=False) == []
    await followed.say("what does TL-4012 on the reader mean?")
    assert await followed.say("thanks!", is_mention=False) == []
    assert await followed.say(f"<@{BEN}> what does TL-4012 on the reader mean?", is_mention=False) == []
    followed.source.passages = ()
    assert await followed.say("and how do I bake bread with it?", is_mention=False) == []
    root = await followed.counter.say(message("what does TL-4012 mean?"))
    assert root == []


async def test_followed_is_silent_when_the_thread_cannot_be_read(followed: Thread, peer: SlackPeer) -> None:
    """Whoever cannot see whether a human took over does not speak unasked; nor to whom it may not answer."""
    await followed.say("what does TL-4012 on the reader mean?")
    peer.faults["conversations.replies"] = Fault(status=500)
    assert await followed.say("and TL-4012 on the other reader?", is_mention=False) == []
    peer.people[ANA] = {"is_restricted": True}
    followed.counter.desk.clock.time += 400
    assert await followed.say("and TL-4012 on the other reader?", is_mention=False) == []


def _thread_of(thread: Thread):  # type: ignore[no-untyped-def]
    from bot.messages import Platform, ThreadRef
    from tests.peers.slack_payloads import TEAM

    return ThreadRef(Platform.SLACK, TEAM, CHANNEL, thread.root)
