"""What the model reads."""

import re

from bot.prompts import LANGUAGE_NAMES, Prompts, language_line, language_name, new_canary, prompt_id, translation_label


def test_canary_is_new_in_every_process_and_in_every_prompt() -> None:
    """Each process has its own mark, and each system text holds it."""
    first, second = Prompts(), Prompts()
    assert first.canary != second.canary
    assert re.fullmatch(r"zq[0-9a-f]{16}", new_canary())
    assert all(first.canary in text for text in first.secrets)


def test_no_marker_is_left_open() -> None:
    """Every place of the templates is filled."""
    prompts = Prompts("zq00")
    texts = (*prompts.secrets, prompts.rewrite())
    assert all("{" not in text and "}" not in text for text in texts)


def test_rewrite_asks_only_what_is_wanted() -> None:
    """The lines for a translation and for the scope stand there only when asked for."""
    plain = Prompts().rewrite()
    full = Prompts().rewrite(translations=("en",), is_scope_asked=True)
    assert "OFF_TOPIC" not in plain
    assert "ENGLISH:" not in plain
    assert "OFF_TOPIC" in full
    assert "ENGLISH: the same question in English." in full


def test_prompt_id_follows_the_words_alone() -> None:
    """Another canary gives the same id, another word another id."""
    one, two = Prompts("zq01"), Prompts("zq02")
    assert prompt_id("cited", one.cited, "zq01") == prompt_id("cited", two.cited, "zq02")
    assert prompt_id("cited", one.cited, "zq01") != prompt_id("cited", one.cited + "!", "zq01")


def test_languages_are_named() -> None:
    """Codes become English names; an unknown one is passed on and none means the question's."""
    assert language_line("uk") == "Answer in Ukrainian."
    assert language_name("xx") == "the language with the code xx"
    assert language_name("") == "the language of the question"
    assert translation_label("en") == "ENGLISH"
    assert {"en", "uk", "ru", "de", "fr", "es", "pl", "pt", "zh", "ja"} <= LANGUAGE_NAMES.keys()
