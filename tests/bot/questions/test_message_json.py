"""What lies in Redis is read back as it was written, and nothing else is taken for a message."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages import AcceptedMessage, MessageId, Outcome, Platform, ThreadRef, Turn
from bot.questions.message_json import (
    MessageUnreadable,
    message_from_json,
    message_to_json,
    turn_from_json,
    turn_to_json,
)
from retrieval.redaction import RedactedText
from tests.sample_messages import message, turn

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
messages = st.builds(
    AcceptedMessage,
    message_id=texts.map(MessageId),
    thread=st.builds(ThreadRef, st.sampled_from(Platform), texts, texts, texts),
    user_id=texts,
    text=texts.map(RedactedText.stored),
    received_at=st.floats(0, 4e9),
    audience=st.lists(texts, max_size=3).map(tuple),
    is_direct=st.booleans(),
    is_command=st.booleans(),
    is_truncated=st.booleans(),
    refusal=texts,
    routing=st.lists(st.tuples(texts, texts), max_size=3).map(tuple),
)


@given(messages)
def test_every_message_survives(given_message: AcceptedMessage) -> None:
    """A message comes back equal, and its text is sealed again."""
    back = message_from_json(message_to_json(given_message))
    assert back == given_message
    assert isinstance(back.text, RedactedText)


@pytest.mark.parametrize("cost", [0.0, 0.0123, None])
@pytest.mark.parametrize("outcome", Outcome)
def test_every_turn_survives(cost: float | None, outcome: Outcome) -> None:
    """A turn comes back equal, with a known or an unknown cost and any outcome."""
    given_turn = replace(turn("Wie geht 日本語?"), outcome=outcome, cost_usd=cost)
    back = turn_from_json(turn_to_json(given_turn))
    assert back == given_turn
    assert isinstance(back.answer, RedactedText)


def test_every_field_is_written() -> None:
    """A field added to a message or a turn is not forgotten by its JSON form.

    Whose turn it is depends on who reads it, and what others said around a question is never stored.
    """
    assert {f.name for f in fields(AcceptedMessage)} - {"heard"} | {"v"} == set(json.loads(message_to_json(message())))
    assert {f.name for f in fields(Turn)} - {"is_foreign", "is_heard"} | {"v"} == set(json.loads(turn_to_json(turn())))


BROKEN = ["", "null", "[]", "{}", '{"v":1}', '{"v":2}', "\x00", '{"v":1,"thread":["fax","a","b","c"]}']


@pytest.mark.parametrize("text", BROKEN)
def test_foreign_text_is_refused(text: str) -> None:
    """What is no message or turn of ours raises the typed error."""
    with pytest.raises(MessageUnreadable):
        message_from_json(text)
    with pytest.raises(MessageUnreadable):
        turn_from_json(text)


def test_error_never_shows_the_text() -> None:
    """The error of an unreadable message does not carry what was written."""
    broken = message_to_json(message("secret-name")).replace('"slack"', '"secret-platform"')
    with pytest.raises(MessageUnreadable) as caught:
        message_from_json(broken)
    assert "secret" not in str(caught.value)
