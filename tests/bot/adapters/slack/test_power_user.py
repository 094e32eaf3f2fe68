"""What people who live in Slack write, in its wire form, through the whole adapter: what is searched, and what they read."""

import time
from collections.abc import Callable

import pytest

from bot.ports import AnswerRequest, ModelAnswer
from tests.bot.adapters.slack.counter import open_counter
from tests.bot.adapters.slack.test_threads import READER
from tests.bot.flow_kit import RESET
from tests.fakes import FakePassageSource, ScriptedModel
from tests.peers.slack_api import Fault, SlackPeer
from tests.peers.slack_payloads import BEN, BOT, TEAM, Json, direct_message, event_body, mention, message, next_ts

Q = "how do I reset the console password?"
LOG = "2026-01-01 ERROR stack at foo.bar(Baz.java:12)\n" * 200
ASKED_BACK = "What would you like to know?"
Make = Callable[[], Json]


def _wire(text: str, **fields: object) -> Json:
    """Give a mention whose text is written out, without rich text."""
    return {**mention("x"), "text": text, "blocks": [], **fields}


def _blocks(*blocks: Json) -> Json:
    return _wire(f"<@{BOT}>", blocks=list(blocks))


def _said(*elements: Json, kind: str = "rich_text_section") -> Json:
    return {"type": "rich_text", "elements": [{"type": kind, "elements": list(elements)}]}


def _shared(**fields: object) -> Json:
    return {
        "is_share": True,
        "is_msg_unfurl": True,
        "author_id": BEN,
        "from_url": "https://home.slack.com/a/p1",
        **fields,
    }


def _share_in_blocks() -> Json:
    rich = {"message": {"blocks": [_said({"type": "text", "text": Q})]}, "channel": "C0X", "ts": "1.1", "team": TEAM}
    return _shared(text="", message_blocks=[rich])


# What is searched, as far as it begins so; empty when nothing is.
CASES: dict[str, tuple[Make, str]] = {
    "a quotation above": (lambda: _wire(f"<@{BOT}>\n&gt; the login is broken\n{Q}"), f"> the login is broken\n{Q}"),
    "a quoted mention, then a real one": (
        lambda: _wire(f"&gt; <@{BOT}> and invoices?\n<@{BOT}> {Q}"),
        f">  and invoices?\n {Q}",
    ),
    "code with a mention, then a real one": (lambda: _wire(f"```<@{BOT}> old```\n<@{BOT}> {Q}"), f"``` old```\n {Q}"),
    "only code names the bot": (lambda: _wire(f"say `<@{BOT}> reset` to ask"), ""),
    "the mention at the end": (lambda: message(f"{Q} <@{BOT}>"), Q),
    "the mention in the middle": (lambda: message(f"hey <@{BOT}>, {Q}"), f"hey , {Q}"),
    "the bot twice": (lambda: _wire(f"<@{BOT}> <@{BOT}> {Q}"), Q),
    "a mention with a label": (lambda: _wire(f"<@{BOT}|triage> {Q}"), Q),
    "somebody else first": (lambda: message(f"<@{BEN}> <@{BOT}> {Q}"), f"[NAME] {Q}"),
    "a colon behind the mention": (lambda: _wire(f"<@{BOT}>: {Q}"), Q),
    "an emoji before the question": (lambda: _wire(f"<@{BOT}> :wave: {Q}"), f":wave: {Q}"),
    "a log above its question": (lambda: _wire(f"<@{BOT}> ```{LOG}```\n{Q}"), f"{Q}\n```2026"),
    "a log below its question": (lambda: _wire(f"<@{BOT}> {Q}\n```{LOG}```"), f"{Q}\n```2026"),
    "a canvas beside the question": (
        lambda: _wire(f"<@{BOT}> see <https://home.slack.com/docs/T0/F0|Runbook> {Q}"),
        f"see Runbook (https://home.slack.com/docs/T0/F0) {Q}",
    ),
    "a list item beside the question": (
        lambda: _wire(f"<@{BOT}> <https://home.slack.com/lists/T0/F0?record_id=R1&amp;view=2> {Q}"),
        f"https://home.slack.com/lists/T0/F0?record_id=R1&view=2 {Q}",
    ),
    "forwarded without a word": (lambda: _wire(f"<@{BOT}>", attachments=[_shared(text=Q)]), Q),
    "forwarded with a word": (
        lambda: mention("can you answer this?", attachments=[_shared(text=Q)]),
        f"can you answer this?\n{Q}",
    ),
    "forwarded in blocks": (lambda: _wire(f"<@{BOT}>", attachments=[_share_in_blocks()]), Q),
    "a link that Slack unfolded": (
        lambda: mention(Q, attachments=[{"from_url": "https://a.example", "title": "Zanzibar", "text": "zanzibar"}]),
        Q,
    ),
    "an alert as attachment": (
        lambda: _wire(f"<@{BOT}>", attachments=[{"pretext": "Alert", "fields": [{"title": "code", "value": "TL-4012"}]}]),
        "Alert\ncode: TL-4012",
    ),
    "a broadcast reply": (
        lambda: {**mention(Q, thread_ts=next_ts(60)), "type": "message", "subtype": "thread_broadcast"},
        Q,
    ),
    "steps as a list": (
        lambda: {
            **_blocks(_said({"type": "user", "user_id": BOT}, {"type": "text", "text": f" {Q}"})),
            "text": "",
        },
        Q,
    ),
    "a form's section": (lambda: _blocks({"type": "section", "text": {"type": "mrkdwn", "text": f"<@{BOT}> {Q}"}}), Q),
    "a form's fields": (
        lambda: _blocks({"type": "section", "fields": [{"type": "plain_text", "text": "Problem"}, {"type": "mrkdwn", "text": "a &lt;b&gt; TL-4012"}]}),
        "Problem\na <b> TL-4012",
    ),
    "a table": (
        lambda: _blocks({"type": "table", "rows": [[{"type": "raw_text", "text": "code"}, _said({"type": "text", "text": "TL-4012"})]]}),
        "code TL-4012",
    ),
    "a broken table": (lambda: _blocks({"type": "table", "rows": [None, 3, [None]]}), ""),
    "a user group beside the bot": (lambda: _wire(f"<!subteam^S0HELP|@help> <@{BOT}> {Q}"), f"@help {Q}"),
    "everybody beside the bot": (lambda: _wire(f"<!here> <@{BOT}> {Q}"), f"@here {Q}"),
    "a date": (lambda: _wire(f"<@{BOT}> since <!date^1700000000^{{date}}|Nov 14> {Q}"), f"since Nov 14 {Q}"),
    "a /me message": (lambda: {**message(f"<@{BOT}> {Q}"), "subtype": "me_message"}, Q),
    "a reminder of Slackbot": (lambda: {**message(f"Reminder: <@{BOT}> {Q}"), "user": "USLACKBOT"}, ""),
    "a workflow": (lambda: {**message(f"<@{BOT}> {Q}"), "subtype": "bot_message", "bot_id": "B0WF", "user": None}, ""),
    "zero width signs": (lambda: mention("\u200bhow do I re\u200bset the console password?"), Q),
    "written from right to left": (lambda: mention(f"\u202e{Q}"), Q),
    "thanks and a question": (lambda: mention(f"thanks! and {Q}"), f"thanks! and {Q}"),
    "a pasted mail": (
        lambda: _wire(f"<@{BOT}> From: <mailto:pat@example.com|pat@example.com>\nSubject: Password\n\n{Q}\nThanks, Pat"),
        f"From: [EMAIL]\nSubject: Password\n\n{Q}\nThanks, [NAME]",
    ),
    "a direct message inside a thread": (lambda: direct_message(Q, thread_ts=next_ts(100)), Q),
    "the agent view": (lambda: direct_message(Q, thread_ts=next_ts(9), assistant_thread={"action_token": "x"}), Q),
    "a group conversation": (lambda: message(f"<@{BOT}> {Q}", channel="G0MPIM", channel_type="mpim"), Q),
    "a file that was deleted": (lambda: mention(Q, subtype="file_share", files=[{"id": "F3", "mode": "tombstone"}]), Q),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
async def test_what_is_searched(peer: SlackPeer, name: str) -> None:
    """Each form of a question is searched as a person reads it, and answered; what is for nobody or no question is not searched."""
    make, wanted = CASES[name]
    peer.channels.setdefault("G0MPIM", {})
    source = FakePassageSource(READER, RESET)
    async with open_counter(peer, source) as counter:
        counter.desk.clock.time = time.time() + 1
        posts = await counter.say(make())
    searched = source.searched[-1][0] if source.searched else ""
    assert searched.startswith(wanted) if wanted else not searched
    assert "zanzibar" not in searched
    assert "I did not read" not in "".join(post.shown for post in posts)
    assert len(posts) == (1 if wanted or name == "a broken table" else 0)


@pytest.mark.parametrize("said", [":wave:", ":+1::skin-tone-3:", ":tada:", "🙏🙏", "???", ":", "."])
async def test_signs_alone_are_no_question(peer: SlackPeer, said: str) -> None:
    """An emoji in its wire form, a face or a dot behind the mention is asked back about, and never searched."""
    source = FakePassageSource(READER, RESET)
    async with open_counter(peer, source) as counter:
        counter.desk.clock.time = time.time() + 1
        (post,) = await counter.say(_wire(f"<@{BOT}> {said}"))
    assert ASKED_BACK in post.shown
    assert not source.searched


@pytest.mark.parametrize("code", ["thread_locked", "cannot_reply_to_message", "restricted_action_read_only_channel"])
async def test_where_nobody_may_post_the_asker_is_told(peer: SlackPeer, code: str) -> None:
    """A locked thread or a channel for announcements: the asker alone gets the answer, instead of silence."""
    async with open_counter(peer, FakePassageSource(RESET)) as counter:
        counter.desk.clock.time = time.time() + 1
        peer.faults["chat.postMessage"] = Fault(error=code)
        assert await counter.say(mention(Q)) == []
    (private,) = peer.ephemerals
    assert "Forgot password" in private.shown


async def test_blocks_that_are_too_long_for_slack_come_as_text(peer: SlackPeer) -> None:
    """Slack's word for blocks beyond its limit leads to the same words in plainer form."""
    async with open_counter(peer, FakePassageSource(RESET)) as counter:
        counter.desk.clock.time = time.time() + 1
        peer.faults["chat.postMessage"] = Fault(error="msg_blocks_too_long")
        (post,) = await counter.say(mention(Q))
    assert "Forgot password" in post.shown


def _changed(event: Json) -> Json:
    """Give what Slack sends when a message is edited."""
    new = {
        **event,
        "type": "message",
        "text": f"<@{BOT}> other words",
        "edited": {"user": event["user"], "ts": next_ts()},
    }
    return {
        "type": "message",
        "subtype": "message_changed",
        "channel": event["channel"],
        "message": new,
        "ts": next_ts(),
    }


def _joined(event: Json) -> Json:
    return {"type": "message", "subtype": "channel_join", "channel": event["channel"], "user": BEN, "ts": next_ts()}


@pytest.mark.parametrize(
    ("meanwhile", "answers"),
    [
        (_changed, 1),
        (lambda event: {**event, "edited": {"user": event["user"], "ts": next_ts()}}, 1),
        (lambda event: {**event, "type": "message", "channel_type": "channel"}, 1),
        (lambda event: {**event, "type": "message", "subtype": "thread_broadcast", "root": {}}, 1),
        (_joined, 1),
        (lambda event: message("I have got this one", user=BEN, thread_ts=event["ts"]), 1),
        (lambda event: mention(Q, user=BEN, thread_ts=event["ts"]), 2),
        (lambda event: mention("and for the other console?", thread_ts=event["ts"]), 2),
    ],
    ids=[
        "edit",
        "edited mention",
        "twin",
        "broadcast",
        "join",
        "a colleague speaks",
        "a colleague asks",
        "a follow-up",
    ],
)
async def test_what_happens_while_it_answers(peer: SlackPeer, meanwhile: Callable[[Json], Json], answers: int) -> None:
    """An edit, a twin or talk in the thread while a model writes makes no second answer; another question gets its own, after the first."""
    event, happened = mention(Q), list[int]()

    class Meanwhile(ScriptedModel):
        async def answer(self, request: AnswerRequest) -> ModelAnswer:
            if not happened:
                happened.append((await counter.desk.event(event_body(meanwhile(event)))).status_code)
            return await super().answer(request)

    async with open_counter(peer, FakePassageSource(READER, RESET), model=Meanwhile()) as counter:
        counter.desk.clock.time = time.time() + 1
        posts = await counter.say(event)
        await counter.worker.run()
    assert happened == [200]
    assert len(peer.posts) == answers
    assert {post.thread_ts for post in peer.posts} == {event["ts"]}
    assert "Forgot password" in posts[0].shown
