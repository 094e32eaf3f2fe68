"""Reading a rewrite from what small models write."""

import json

import pytest

from bot.adapters.model.rewrite_lines import LONGEST_QUERY, read_rewrite, rewrite_input, translations_for
from tests.bot.adapters.model.chat_samples import rewrite_request, turn

WANTED = ("How do I export invoices on Android?", ("PDF export billing",))


def read(text: str, **changes: object) -> tuple[str, tuple[str, ...]]:
    found = read_rewrite(text, rewrite_request(**changes), leaks=lambda t: "zq01" in t)
    return found.standalone, found.expansions


@pytest.mark.parametrize(
    "text",
    [
        "STANDALONE: How do I export invoices on Android?\nTERMS: PDF; export; billing",
        "<think>hm</think>**Standalone:** How do I export invoices on Android?\n- Terms: PDF, export, billing",
        '```json\n{"standalone": "How do I export invoices on Android?", "terms": ["PDF", "export", "billing"]}\n```',
        '{"standalone": "How do I export invoices on Android?"}\n{"terms": "PDF;export;billing"}',
        'Here it is:\nSTANDALONE = "How do I export invoices on Android?"\nTERMS: PDF; export; billing',
    ],
)
def test_forms_of_an_answer(text: str) -> None:
    """Labelled lines, bold labels, JSON objects and JSON lines mean the same."""
    assert read(text) == WANTED


def test_bare_line_is_the_question() -> None:
    """One line without a label is the standalone question; several lines of chatter are nothing."""
    assert read('"How do I export on Android?"') == ("How do I export on Android?", ())
    assert read("Sure!\nI can help with that.") == ("", ())
    assert read("[1, 2]\n") == ("[1, 2]", ())
    assert read("[" * 4000) == ("", ())


@pytest.mark.parametrize(
    "value", ["x" * (LONGEST_QUERY + 1), "", "...", "The mark is zq01", "ჩვენ უნდა გავხსნათ პარამეტრები ახლავე"]
)
def test_unusable_question_is_empty(value: str) -> None:
    """Too long, empty, a leak of our rules, or another language than asked: not searched."""
    assert read(f"STANDALONE: {value}") == ("", ())


@pytest.mark.parametrize(
    ("language", "index", "wanted"),
    [
        ("uk", ("en", "uk"), ("en",)), ("en", ("en", "uk"), ()), ("uk", ("uk",), ()), ("zh", ("uk", "de"), ("uk",)),
        ("", ("en",), ("en",)), ("en", (), ()),
    ],
)  # fmt: skip
def test_translation_is_wanted_where_it_helps(language: str, index: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    """English when the index has any and the question is not; else only when the index lacks the asker's language."""
    assert translations_for(rewrite_request(language=language, index_languages=index)) == wanted


def test_off_topic_needs_to_be_asked() -> None:
    """The verdict counts only for a question that the gate was unsure of; true, yes and TRUE mean yes."""
    for text, flag in (("OFF_TOPIC: yes", True), ('{"off_topic": true}', True), ("OFF_TOPIC: no", False), ("", False)):
        unsure = rewrite_request(is_gate_unsure=True)
        assert read_rewrite(text, unsure, leaks=lambda _: False).is_off_topic is flag
        assert not read_rewrite(text, rewrite_request(), leaks=lambda _: False).is_off_topic


def test_input_holds_the_last_four_messages_cut() -> None:
    """The rewriter sees the question and four messages of at most 300 characters, as JSON, without empty ones."""
    turns = (turn("first", "old"), turn("second", " "), turn("third", "a" * 500), turn("fourth", "b"))
    given = json.loads(rewrite_input(rewrite_request("And now?", turns=turns)))
    assert given["question"] == "And now?"
    assert given["earlier"] == [{"asked": "third"}, {"answered": "a" * 300}, {"asked": "fourth"}, {"answered": "b"}]


def test_terms_are_bounded_and_not_repeated() -> None:
    """At most eight terms are kept, and an expansion equal to the question is none."""
    assert read("STANDALONE: one two\nTERMS: " + ";".join("abcdefghij")) == ("one two", ("a b c d e f g h",))
    assert read("STANDALONE: one two\nTERMS: one; two") == ("one two", ())
