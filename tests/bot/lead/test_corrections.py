"""Which questions a correction touches, and what it is worth as a labelled row."""

import pytest

from bot.lead.corrections import (
    Correction,
    CorrectionKind,
    RestsOn,
    correction_from,
    correction_rows,
    correction_values,
    is_same_wording,
    may_mean_the_same,
)
from tests.bot.flow_kit import text

PIN = Correction(
    CorrectionKind.PIN,
    text("Can I pay with Bitcoin?"),
    "en",
    "lead",
    2.0,
    sources=(RestsOn("kb-1", "0" * 16),),
    answer=text("No."),
    asker="p1",
    thread="slack/T/C/1",
    message_id="m1",
)
HIDE = Correction(
    CorrectionKind.HIDE, text("How long are refunds?"), "en", "lead", 1.0, sources=(RestsOn("kb-2", "1"),)
)
REFUSE = Correction(CorrectionKind.REFUSE, text("Who is your landlord?"), "en", "lead", 3.0)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("How do I enable two-factor login?", "How do I disable two-factor login?", False),
        ("Can I get a refund after cancelling?", "Can I get a refund before cancelling?", False),
        ("What does TL-4012 mean?", "What does TL-4013 mean?", False),
        ("Do I get it within 14 days?", "Do I get it within 30 days?", False),
        ("Why was I able to transfer?", "Why was I not able to transfer?", False),
        ("Why should you migrate?", "What do you need to migrate?", False),
        ("Can I pay with Bitcoin?", "Is it possible to pay with Bitcoin?", True),
        ("How do I add a user?", "How to add a user", True),
    ],
)
def test_what_speaks_against_one_meaning(left: str, right: str, *, expected: bool) -> None:
    """Another number, code, denial, order or swapped word does, whatever the cosine; other small words do not."""
    assert may_mean_the_same(left, right, "en") is expected
    assert may_mean_the_same(right, left, "en") is expected


def test_case_and_marks_make_no_other_wording() -> None:
    """The same words are the same question."""
    assert is_same_wording("Can I pay with Bitcoin?", "can i pay, with bitcoin")
    assert not is_same_wording("Can I pay with Bitcoin?", "Can I pay with PayPal?")


def test_a_correction_is_stored_and_read() -> None:
    """Nothing is lost on the way; what another version wrote is none."""
    for one in (PIN, HIDE, REFUSE):
        assert correction_from(correction_values(one)) == one
    assert correction_from({"kind": "pin"}) is None
    assert correction_from([]) is None
    assert len({PIN.key, HIDE.key, REFUSE.key}) == 3


def test_rows_for_an_evaluation() -> None:
    """A pin names what is relevant, a refusal has no answer, and what was hidden only says what is wrong."""
    hide, pin, refuse = correction_rows((PIN, HIDE, REFUSE))
    assert (pin["relevant"], pin["answerable"]) == (["kb-1"], True)
    assert (refuse["relevant"], refuse["answerable"]) == ([], False)
    assert hide["rejected"] == ["kb-2"]
    assert not hide.keys() & {"relevant", "answerable"}
