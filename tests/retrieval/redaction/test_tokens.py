"""Tokens with marks and numbers."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.redaction import RedactedText, Redactor, cut_marked, numbered, unnumbered, without_marks
from retrieval.redaction.tokens import TOKEN, mark_of

REDACTOR = Redactor(key=b"a key of the tests", own_domains=["acme.com"])
TEXT = "old pat@example.com, new kim@example.org, tel. 067 123 45 67"


def _marked(text: str, thread: str = "t1") -> RedactedText:
    return REDACTOR.marked(text, thread=thread)


def test_marked_text_is_the_redacted_text_with_letters_at_its_tokens() -> None:
    """Taking the marks out gives what plain redaction gives."""
    marked = _marked(TEXT)
    assert re.sub("#[a-p]{12}", "", marked) == REDACTOR.redact(TEXT).text
    assert len(set(re.findall("#[a-p]{12}", marked))) == 3
    assert unnumbered(marked) == "old [EMAIL], new [EMAIL], tel. [PHONE]"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pat@example.com", "Pat@Example.COM"),
        ("pat@example.com", "pat (at) example (dot) com"),
        ("pat@example.com", "p\u200bat@example.com"),
        ("pat@example.com", "pat%40example.com"),
        ("call 067 123 45 67", "call +380671234567"),
        ("card 4111 1111 1111 1111", "card 4111-1111-1111-1111"),
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"),
    ],
)
def test_one_value_has_one_mark_however_it_is_written(one: str, other: str) -> None:
    """Case, spaces, signs and disguises do not make another value."""
    assert re.findall("#[a-p]{12}", _marked(one)) == re.findall("#[a-p]{12}", _marked(other)) != []


def test_marks_say_nothing_outside_their_thread_and_key() -> None:
    """Another thread or another key gives other marks; none at all without a key, without a thread, and for secrets."""
    marks = {
        _marked("pat@example.com"),
        _marked("pat@example.com", "t2"),
        Redactor(key=b"other").marked("pat@example.com", thread="t1"),
    }
    assert len(marks) == 3
    assert Redactor().marked("pat@example.com", thread="t1") == "[EMAIL]"
    assert _marked("pat@example.com", "") == "[EMAIL]"
    assert _marked("PIN 4821, password: hunter2!") == "PIN [SECRET], password: [SECRET]"
    assert mark_of("SECRET", "4821", thread="t1", key=b"k") == ""


def test_equal_values_get_equal_numbers_through_the_thread() -> None:
    """Numbers are counted by type; a later message goes on where the thread stands."""
    first = numbered(_marked(TEXT), known={})
    assert first.text == "old [EMAIL_1], new [EMAIL_2], tel. [PHONE_1]"
    second = numbered(_marked("use KIM@example.org, not ann@example.net"), known=dict(first.labels))
    assert second.text == "use [EMAIL_2], not [EMAIL_3]"
    assert [label for _, label in second.labels] == ["EMAIL_2", "EMAIL_3"]


def test_a_number_in_sight_is_not_given_again() -> None:
    """Where the turn that named a value is gone, its number may still stand in an answer."""
    found = numbered(_marked("pat@example.com"), known={}, earlier=["I changed [EMAIL_4]."])
    assert found.text == "[EMAIL_5]"


def test_typed_numbers_count_only_where_the_thread_has_them() -> None:
    """A person may name a token that an answer showed; a number out of nowhere loses itself, and a typed mark too."""
    known = {"abcdefghijkl": "EMAIL_1"}
    assert numbered(_marked("is it [EMAIL_1] or [EMAIL_9]?"), known=known).text == "is it [EMAIL_1] or [EMAIL]?"
    assert without_marks("[EMAIL#abcdefghijkl] [EMAIL_1]") == "[EMAIL] [EMAIL_1]"


def test_redacting_again_keeps_marks_and_numbers() -> None:
    """What has tokens of any form is left as it is, and nothing can hide in one."""
    for text in (_marked(TEXT), numbered(_marked(TEXT), known={}).text):
        assert REDACTOR.redact(text).spans == ()
        assert _marked(text) == text
    for typed in ("[PHONE#0671234567]", "[PHONE_0671234567]", "[CARD_4111]", "[EMAIL#pat]", "[email_1]", "[EMAIL_0]"):
        assert TOKEN.search(typed) is None


def test_colleagues_addresses_go_from_messages() -> None:
    """Own-domain contacts stay in articles; in a person's message they are people."""
    assert REDACTOR.redact("write to support@acme.com").text == "write to support@acme.com"
    assert unnumbered(_marked("I am jane.doe@acme.com")) == "I am [EMAIL]"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["pat@example.com", "kim@example.org", " ", "word ", "[EMAIL]", "[", "#a"]), max_size=9)
)
def test_a_cut_never_halves_a_token(parts: list[str]) -> None:
    """At any limit the cut is a beginning of the text, as long as asked once the marks are out, with whole tokens."""
    marked = _marked("".join(parts))
    whole = unnumbered(marked)
    for limit in range(len(whole) + 2):
        cut = cut_marked(marked, limit)
        assert marked.startswith(cut)
        assert whole.startswith(unnumbered(cut))
        assert len(unnumbered(cut)) <= limit
        assert len(TOKEN.findall(cut)) == len(TOKEN.findall(unnumbered(cut)))
    assert cut_marked(marked, len(whole)) == marked
