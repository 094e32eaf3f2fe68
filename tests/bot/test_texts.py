"""Fixed texts: complete in ten languages, filled, sealed."""

from string import Formatter

import pytest

from bot.lexicon import LANGUAGES, lexicon
from bot.messages import Outcome
from bot.texts import has_text, language_name, say
from retrieval.redaction import RedactedText
from tests.bot.flow_kit import text


def _placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text_with_the_same_placeholders(language: str) -> None:
    """No text falls back to English, none loses a value."""
    english, own = lexicon("en").texts, lexicon(language).texts
    assert set(own) == set(english)
    assert {key: _placeholders(value) for key, value in own.items()} == {
        k: _placeholders(v) for k, v in english.items()
    }
    assert set(lexicon(language).names) == set(lexicon("en").names)


def test_other_languages_get_english() -> None:
    """A language without texts of its own is answered in English."""
    assert say("no", "xx") == say("no", "en")


def test_values_are_filled_in_and_sealed() -> None:
    """The result is redacted text."""
    said = say("superseded", "en", id=text("kb-1"), newer=text("kb-2"))
    assert said == "kb-1 has been replaced by kb-2."
    assert isinstance(said, RedactedText)


def test_numbers_can_be_filled_in() -> None:
    """A number needs no seal."""
    assert "7" in say("updated", "en", date=7)


def test_a_missing_text_is_a_fault() -> None:
    """A misspelt key fails instead of printing nothing."""
    assert not has_text("nonsense")
    with pytest.raises(KeyError):
        say("nonsense", "en")


def test_languages_are_named_in_the_askers_words() -> None:
    """An unknown code names itself."""
    assert language_name("en", "de") == "Englisch"
    assert language_name("xx", "de") == "xx"


def test_every_outcome_without_an_answer_has_words_of_its_own() -> None:
    """No two ends are worded alike."""
    keys = ["no_match", "off_topic", "clarify_empty", "clarify_vague", "courtesy_thanks", "courtesy_greeting",
            "not_permitted", "over_limit", "unavailable", "apology"]  # fmt: skip
    assert len(keys) >= len(Outcome)
    for language in LANGUAGES:
        assert len({say(key, language) for key in keys}) == len(keys)
