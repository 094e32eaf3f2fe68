"""Questions are cut to size and redacted at every door."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messages import Platform
from bot.questions.accepting import HARD_LIMIT_BYTES, TEXT_LIMIT, accept_text, cap, local_thread, redact_question
from retrieval.redaction import RedactedText, Redactor


@given(st.text(max_size=6000))
def test_capped_text_is_within_both_limits(text: str) -> None:
    """Whatever comes in, what goes on is encodable and within 4 000 code points and 16 KB."""
    question = redact_question(text, Redactor())
    assert len(question.text) <= TEXT_LIMIT
    assert len(question.text.encode("utf-8")) <= HARD_LIMIT_BYTES


@pytest.mark.parametrize(
    ("text", "is_truncated"),
    [("short", False), ("x" * TEXT_LIMIT, False), ("x" * (TEXT_LIMIT + 1), True), ("слово " * 9000, True)],
)
def test_a_cut_is_noted(text: str, is_truncated: bool) -> None:
    """Only text over the limit is marked as truncated."""
    assert redact_question(text, Redactor()).is_truncated is is_truncated


def test_a_cut_falls_between_words() -> None:
    """Where a space is near the limit, no word is torn."""
    assert redact_question("word " * 1200, Redactor()).text.endswith("word")


def test_nul_and_lone_surrogates_do_not_get_through() -> None:
    """What no store can hold is dropped or replaced."""
    assert cap("a\0b\ud800c") == "ab?c"


def test_local_doors_redact() -> None:
    """The console and the API give the flow redacted text only."""
    message = accept_text(
        "mail pat.doe@customer.example about KB-101",
        thread=local_thread(Platform.CONSOLE, "t1"),
        redactor=Redactor(),
        received_at=1.0,
        audience=frozenset({"public"}),
    )
    assert isinstance(message.text, RedactedText)
    assert "pat.doe" not in message.text
    assert "KB-101" in message.text
    assert message.audience == ("public",)


def test_a_number_at_the_edge_is_not_halved_before_it_is_redacted() -> None:
    """What the shorter limit would cut in two is redacted first."""
    text = "x" * (TEXT_LIMIT - 12) + " +380 44 123 45 67 please call"
    assert "123" not in redact_question(text, Redactor()).text
    assert "+380" not in redact_question(text, Redactor()).text


@pytest.mark.parametrize(
    "mark", ["\u202e", "\u2066", "\u200f", "\ufeff", "\x1b", "\x07", "\x9b", "\u200b", "\U000e0041"]
)
def test_what_nobody_sees_is_taken_out(mark: str) -> None:
    """Marks of direction, control characters and hidden tags change neither the language nor the words."""
    assert cap(f"{mark}How do I{mark} reset it?") == "How do I reset it?"


def test_line_breaks_and_joiners_stay() -> None:
    """They belong to lists, to emoji and to Persian words."""
    assert (
        cap("1. a\r\n\t2. b \U0001f469\u200d\U0001f4bb می\u200cخواهم")
        == "1. a\r\n\t2. b \U0001f469\u200d\U0001f4bb می\u200cخواهم"
    )
