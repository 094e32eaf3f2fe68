"""Questions are cut to size and redacted at every door."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.accepting import HARD_LIMIT_BYTES, TEXT_LIMIT, accept_text, cap, local_thread
from bot.messages import Platform
from retrieval.redaction import RedactedText, Redactor


@given(st.text(max_size=6000))
def test_capped_text_is_within_both_limits(text: str) -> None:
    """Whatever comes in, what goes on is encodable and within 4 000 code points and 16 KB."""
    capped = cap(text)
    assert len(capped.text) <= TEXT_LIMIT
    assert len(capped.text.encode("utf-8")) <= HARD_LIMIT_BYTES


@pytest.mark.parametrize(
    ("text", "is_truncated"),
    [("short", False), ("x" * TEXT_LIMIT, False), ("x" * (TEXT_LIMIT + 1), True), ("слово " * 9000, True)],
)
def test_a_cut_is_noted(text: str, is_truncated: bool) -> None:
    """Only text over the limit is marked as truncated."""
    assert cap(text).is_truncated is is_truncated


def test_a_cut_falls_between_words() -> None:
    """Where a space is near the limit, no word is torn."""
    assert cap("word " * 1200).text.endswith("word")


def test_nul_and_lone_surrogates_do_not_get_through() -> None:
    """What no store can hold is dropped or replaced."""
    assert cap("a\0b\ud800c").text == "ab?c"


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
