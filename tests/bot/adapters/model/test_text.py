"""Cutting a model's text into sentences that keep their evidence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.model.text import mark, marked_block, sentences_of, without_private, without_wrapping


def cut(text: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(s.text, s.marks) for s in sentences_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Open it{mark([1])}. Close it.{mark([2])} Done.", [("Open it.", (1,)), ("Close it.", (2,)), ("Done.", ())]),
        (f"Open it.{mark([1])}Close it.", [("Open it.", (1,)), ("Close it.", ())]),
        (f"Use 1.2.3 (e.g. on Mac).{mark([1])}{mark([3, 1])}", [("Use 1.2.3 (e.g. on Mac).", (1, 3))]),
        (f"打开设置。{mark([4])}点击导出！", [("打开设置。", (4,)), ("点击导出！", ())]),
        ("1. **Open** it\n- Close `a.b` now\n\n## End\n", [("Open it", ()), ("Close `a.b` now", ()), ("End", ())]),
        (f"--- ... {mark([1])} !", []),
    ],
)
def test_sentences_carry_their_marks(text: str, expected: object) -> None:
    """A mark behind the full stop belongs to the sentence before it; list signs, headings and bold go."""
    assert cut(text) == expected


def test_lists_are_known() -> None:
    """The sign of an item is kept beside its first sentence; what follows in its line continues it."""
    found = [
        (s.item, s.begins_line, s.text) for s in sentences_of("Do this.\n1) Open it. Wait.\n* Close it.\n## End\n")
    ]
    assert found == [
        ("", True, "Do this."),
        ("1.", True, "Open it."),
        ("", False, "Wait."),
        ("-", True, "Close it."),
        ("", True, "End"),
    ]


def test_what_is_complete() -> None:
    """The last sentence counts as complete when it ends with a full stop, a quote behind it, or its line."""
    assert [s.is_complete for s in sentences_of("One. Two")] == [True, False]
    assert [s.is_complete for s in sentences_of("He said “go.”")] == [True]
    assert [s.is_complete for s in sentences_of("- One\n- Two\n")] == [True, True]
    assert [s.is_complete for s in sentences_of("好。")] == [True]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("<think>a [S1]</think>Yes.", "Yes."),
        ("<thinking>a\nb", ""),
        ("a plan</think> Yes.", " Yes."),
        ("<THINK>x</THINK>A<reasoning>y</reasoning>B", "AB"),
        ("```text\nYes.\n```", "\nYes.\n"),
        ("~~~\nYes.", "\nYes."),
    ],
)
def test_thoughts_and_fences_go(text: str, kept: str) -> None:
    """Thoughts go with their content, also unclosed ones; of a fence only the signs go."""
    assert without_wrapping(text) == kept


def test_block_without_evidence_stays() -> None:
    """Nothing is put into a block that cites nothing."""
    assert marked_block("A b. C d.", ()) == "A b. C d."


@given(st.text(alphabet="Ab .!?\n1。-", max_size=60))
def test_every_sentence_of_a_block_is_marked(text: str) -> None:
    """Marks change no letter, and no sentence of a cited block is left without one."""
    marked = marked_block(text, (7,))
    assert without_private(marked).replace("7", "") == text
    assert all(marks == (7,) for _, marks in cut(marked))


@given(st.text(max_size=80))
def test_model_cannot_write_a_mark(text: str) -> None:
    """Whatever the model writes, no evidence comes from its own characters."""
    assert all(not marks for _, marks in cut(without_private(text)))
