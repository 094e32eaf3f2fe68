"""Which events become questions, and that each becomes one only once (cases A1 to A5, A8, A9)."""

import pytest

from bot.messages import Outcome, Turn
from retrieval.redaction import EMPTY
from tests.bot.adapters.slack.conftest import Desk
from tests.peers.slack_payloads import (
    ANA,
    BEN,
    BOT,
    BOT_ID,
    CHANNEL,
    TEAM,
    Json,
    direct_message,
    event_body,
    mention,
    message,
    next_ts,
    twin_of,
)


async def test_three_retries_make_one_question(desk: Desk) -> None:
    """The same event id three times is acknowledged three times and enqueued once."""
    body = event_body(mention("why does sync fail?"))
    answers = [await desk.event(body, retry=retry) for retry in range(3)]
    assert [a.status_code for a in answers] == [200, 200, 200]
    assert [m.text for m in desk.queue.messages] == ["why does sync fail?"]


@pytest.mark.parametrize("retries", [(1,), (2, 3), (3, 1)])
async def test_a_retry_whose_first_copy_never_arrived_is_a_question(desk: Desk, retries: tuple[int, ...]) -> None:
    """What comes marked as a retry alone, in whatever order, is enqueued: a header says nothing of what was stored."""
    body = event_body(mention("why does sync fail?"))
    answers = [await desk.event(body, retry=retry) for retry in retries]
    assert {answer.status_code for answer in answers} == {200}
    assert [m.text for m in desk.queue.messages] == ["why does sync fail?"]


@pytest.mark.parametrize("mention_first", [True, False])
async def test_twins_make_one_question(desk: Desk, mention_first: bool) -> None:
    """`app_mention` and `message` of one message are one question, in either order."""
    event = mention("why does sync fail?")
    pair = [event_body(event), event_body(twin_of(event))]
    for body in pair if mention_first else reversed(pair):
        await desk.event(body)
    assert [m.text for m in desk.queue.messages] == ["why does sync fail?"]


async def test_question_carries_its_place(desk: Desk) -> None:
    """Thread, asker, audience and id of a mention inside a thread are its own."""
    root, ts = next_ts(), next_ts()
    await desk.event(event_body(mention("and on Android?", thread_ts=root, ts=ts)))
    (question,) = desk.queue.messages
    assert (question.thread.tenant_id, question.thread.channel_id, question.thread.thread_id) == (TEAM, CHANNEL, root)
    assert (question.user_id, question.message_id) == (ANA, f"slack:{TEAM}:{CHANNEL}:{ts}")
    assert question.audience == ("public", "internal")


async def test_top_level_mention_opens_its_own_thread(desk: Desk) -> None:
    """The root of a mention outside threads is the mention itself."""
    ts = next_ts()
    await desk.event(event_body(mention("hello?", ts=ts)))
    assert desk.queue.messages[0].thread.thread_id == ts


@pytest.mark.parametrize("kind", ["channel", "group", "mpim"])
async def test_messages_without_mention_stay_unanswered(desk: Desk, kind: str) -> None:
    """In public, private and group conversations only a mention counts, also inside an answered thread."""
    root = next_ts()
    await desk.event(event_body(message("I have got this one", user=BEN, channel_type=kind)))
    await desk.event(event_body(message("and on iOS?", channel_type=kind, thread_ts=root, parent_user_id=ANA)))
    assert desk.queue.messages == []


@pytest.mark.parametrize("kind", ["channel", "group", "mpim"])
async def test_mention_as_plain_message_counts_everywhere(desk: Desk, kind: str) -> None:
    """A `message` event that names the bot is a question, whatever the conversation is."""
    await desk.event(event_body(message(f"<@{BOT}> help", channel_type=kind)))
    assert [m.text for m in desk.queue.messages] == ["help"]


async def test_direct_message_needs_no_mention(desk: Desk) -> None:
    """In a direct message everything the person writes is a question, marked as direct."""
    await desk.event(event_body(direct_message("how do I reset SSO?")))
    (question,) = desk.queue.messages
    assert question.is_direct
    assert question.text == "how do I reset SSO?"


@pytest.mark.parametrize(
    "fields",
    [
        {"user": BOT},
        {"user": "USLACKBOT"},
        {"user": None, "bot_id": BOT_ID},
        {"bot_id": "B0OTHER", "user": "U0OTHER"},
        {"bot_profile": {"id": "B0OTHER"}},
        {"subtype": "bot_message", "bot_id": "B0OTHER", "user": None},
        {"subtype": "channel_join"},
        {"subtype": "channel_topic", "topic": "x"},
        {"subtype": "message_deleted", "deleted_ts": "1.2", "hidden": True},
        {"subtype": "message_changed", "message": {"text": f"<@{BOT}> hi"}, "hidden": True, "user": None},
        {"hidden": True},
        {"ts": "", "event_ts": ""},
        {"channel": None},
        {"channel": "C0SUP\r\n*", "channel_type": "im"},
        {"user": {"id": "U0ANA"}},
    ],
)
async def test_housekeeping_and_bots_end_here(desk: Desk, fields: Json) -> None:
    """Own, foreign-bot and platform messages, edits, deletions, joins and malformed ones are acknowledged, not queued."""
    event = {**message(f"<@{BOT}> hello"), **fields}
    answer = await desk.event(event_body(event))
    assert answer.status_code == 200
    assert desk.queue.attempts == 0


async def test_edit_of_an_answered_mention_is_no_second_question(desk: Desk) -> None:
    """An `app_mention` that carries `edited` for an answered message changes nothing."""
    event = mention("why does sync fail?")
    await desk.event(event_body(event))
    await desk.event(event_body({**event, "text": f"<@{BOT}> why?", "edited": {"user": ANA, "ts": next_ts()}}))
    assert len(desk.queue.messages) == 1


async def test_mention_added_by_an_edit_is_answered_once(desk: Desk) -> None:
    """A message without mention is nothing; the mention edited in makes it one question."""
    event = message("why does sync fail?")
    await desk.event(event_body(event))
    edited = {**mention("why does sync fail?", ts=event["ts"]), "edited": {"user": ANA, "ts": next_ts()}}
    await desk.event(event_body(edited))
    await desk.event(event_body(edited))
    assert [m.text for m in desk.queue.messages] == ["why does sync fail?"]


async def test_late_edit_of_an_old_message_is_left_alone(desk: Desk) -> None:
    """After a day the claim of the first answer may be gone, so an edit that old is no new question."""
    event = mention("why?", ts=next_ts(age_s=30 * 3600))
    await desk.event(event_body({**event, "edited": {"user": ANA, "ts": next_ts()}}))
    assert desk.queue.messages == []


async def test_broadcast_reply_is_the_reply_it_is(desk: Desk) -> None:
    """`thread_broadcast` keeps its thread, and its copy is the same message."""
    root = next_ts()
    event = message(f"<@{BOT}> and Android?", subtype="thread_broadcast", thread_ts=root)
    await desk.event(event_body(event))
    await desk.event(event_body({**event, "type": "app_mention", "subtype": None}))
    assert [m.thread.thread_id for m in desk.queue.messages] == [root]


async def test_bare_mention_is_an_empty_question(desk: Desk) -> None:
    """A mention with nothing in it reaches the flow as an empty text, which asks for the question."""
    await desk.event(event_body(mention("")))
    assert [m.text for m in desk.queue.messages] == [""]


@pytest.mark.parametrize(("outcome", "expected"), [(Outcome.CLARIFY, 1), (Outcome.ANSWERED, 0)])
async def test_reply_to_our_question_needs_no_mention(desk: Desk, outcome: Outcome, expected: int) -> None:
    """After "what is your question?" the asker's next reply is taken as the question, after an answer it is not."""
    root = mention("")
    await desk.event(event_body(root))
    asked = desk.queue.messages.pop()
    turn = Turn(EMPTY, EMPTY, (), "en", outcome, 0.0)
    await desk.threads.remember(asked.thread, turn, message_id=asked.message_id)
    reply = {"thread_ts": root["ts"], "parent_user_id": ANA}
    await desk.event(event_body(message("somebody else", user=BEN, **reply)))
    await desk.event(event_body(message("sync fails with 500", **reply)))
    assert [m.text for m in desk.queue.messages] == ["sync fails with 500"] * expected


async def test_unknown_events_get_their_200(desk: Desk, peer: object) -> None:
    """Events and interactions that nobody listens to are acknowledged without any call to Slack."""
    for body in (event_body({"type": "reaction_added", "user": ANA}), {"type": "event_callback"}, {"type": "tokens"}):
        assert (await desk.event(body)).status_code == 200
    assert peer.calls == []  # type: ignore[attr-defined]
