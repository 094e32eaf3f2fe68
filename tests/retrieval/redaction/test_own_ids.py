"""Expressions of a desk's own ids: checked before they run over anybody's text."""

import time

import pytest

from retrieval.redaction import Redactor
from retrieval.redaction.own_ids import PatternUnfit, checked_names, checked_pattern


@pytest.mark.parametrize(
    "pattern",
    [
        r"\bK-\d{8}\b",
        r"(?i)\bCUST[- ]?\d{6,10}\b",
        r"(?<!\w)(?:AB|CD)\d{5,9}(?!\w)",
        r"(?P<a>K)[]\d-]{4}",
        r"\(K\)\d{4}",
        r"(?:\d{2}-){3}\d",
        r"(?:INV|RE|K)-?\d{4,8}(?:-\d{2})?",
    ],
)
def test_usual_expressions_pass(pattern: str) -> None:
    """Prefixes, options, alternatives and counted groups are what ids need."""
    assert checked_pattern(pattern) == pattern


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"(\d+)+x", "a group that repeats"),
        (r"(a|a)*b", "a group that repeats"),
        (r"((a?)b){1,}", "a group that repeats"),
        (r"(?:a?){40}a{40}", "a group that repeats"),
        ("a?" * 40 + "a" * 40, "more than 12"),
        (r"\d*\d*\d*\d*\d*\d*x", "too long on some"),
        (r"[A-Z0-9]+-[A-Z0-9]+-\d+", "too long on some"),
        (r"(\w)\1", "refers back"),
        (r"(?P<a>\w)(?P=a)", "refers back"),
        (r"x*", "empty"),
        (r"\s", "empty text or a space"),
        (r"[", "not a regular"),
        ("", "1 to 200"),
        ("x" * 201, "1 to 200"),
        (None, "1 to 200"),
    ],
)
def test_dangerous_expressions_are_refused_in_time(pattern: object, reason: str) -> None:
    """What could hold a process is refused, and the trial itself does not: 2^40 ways would take hours."""
    began = time.thread_time()
    with pytest.raises(PatternUnfit, match=reason) as refused:
        checked_pattern(pattern)
    assert time.thread_time() - began < 10
    assert not pattern or str(pattern) not in str(refused.value)


@pytest.mark.parametrize("name", ["cust", "A", "A1", "A_B_C_D", "", "A B", 5])
def test_names_must_fit_into_a_token(name: object) -> None:
    """One to three words of capital letters."""
    checked_names(["CUSTOMER", "ORDER_NO", "AB_C_D"])
    with pytest.raises(
        PatternUnfit, match=r"joined by `_`, at most three, of up to 12 letters and the first of two or more"
    ):
        checked_names([name])


def test_own_ids_are_hidden_and_numbered() -> None:
    """The id goes as its own type, before any other finder wants it."""
    redactor, fresh = (
        Redactor(hidden_ids={"CUSTOMER": r"\bK-\d{8}\b", "ORDER_NO": r"\b41\d{14}\b"}, key=b"k") for _ in range(2)
    )
    redaction = redactor.redact("K-12345678 paid 4111111111111111")
    assert redaction.text == "[ID_CUSTOMER] paid [ID_ORDER_NO]"
    assert [span.type for span in redaction.spans] == ["ID_CUSTOMER", "ID_ORDER_NO"]
    assert fresh.redact(redaction.text).spans == ()
    assert redactor.version != Redactor().version
