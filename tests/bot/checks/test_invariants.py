"""Facts that survive translation."""

import re

import pytest

from bot.checks.invariants import _standing, disagreement, facts_of, is_negated, says_oftener, step_of


def _differs(sentence: str, source: str) -> str:
    return disagreement(facts_of(sentence), facts_of(source), source)


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("Посилання діє 30 хвилин.", "The link expires after 30 minutes."),
        ("Der Preis beträgt 1.250,50 €.", "The price is €1,250.50."),
        ("Ab dem 5. März gilt Version 2.4.1.", "Version 2.4.1 applies from March 5."),
        ("Потрібно 2 коди.", "You need two codes."),
        ("В течение 10 дней", "within 10 working days"),
        ("链接在30分钟后失效。", "The link expires after 30 minutes."),
        ("Das sind 50 %.", "That is 50 percent."),
        ("Use `git push`.", "Run `git push` there."),
        ("See https://a.example/b.", "More at https://a.example/b"),
        ("Fehler TL-4012 bedeutet das.", "TL-4012 means this."),
        ("1. Press the key.", "Press the key."),
        ("В год 12 раз", "12 times a year"),
    ],
)
def test_the_same_facts_agree(sentence: str, source: str) -> None:
    """Units, decimal commas, months, number words, codes and addresses are compared in one form."""
    assert _differs(sentence, source) == ""


@pytest.mark.parametrize(
    ("sentence", "source", "kind"),
    [
        ("The link expires after 60 minutes.", "The link expires after 30 minutes.", "number"),
        ("Посилання діє 30 днів.", "The link expires after 30 minutes.", "unit"),
        ("It costs €30.", "It costs $30.", "unit"),
        ("Install version 2.5.1.", "Install version 2.4.1.", "code"),
        ("Error TL-4013 means this.", "TL-4012 means this.", "code"),
        ("Run `rm -rf`.", "Run `ls`.", "code"),
        ("See https://b.example/b.", "More at https://a.example/b", "url"),
        ("Ab dem 5. April.", "From March 5.", "number"),
    ],
)
def test_changed_facts_are_found(sentence: str, source: str, kind: str) -> None:
    """The first kind of fact that the source lacks is named."""
    assert _differs(sentence, source) == kind


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You cannot undo this.", True),
        ("Це не можна скасувати.", True),
        ("Das geht nicht.", True),
        ("这不能撤销。", True),
        ("You can undo this.", False),
        ("Das geht sofort.", False),
    ],
)
def test_negation(text: str, expected: bool) -> None:
    """Words of negation in the language of the small words."""
    assert is_negated(text) is expected


def test_a_redaction_token_is_a_fact() -> None:
    """A sentence may repeat the tokens of its source, and bring no other, with a number or without."""
    assert _differs("Write to [EMAIL].", "You can write to [EMAIL].") == ""
    assert _differs("Write to [EMAIL_1].", "You can write to [EMAIL].") == "code"
    assert _differs("It is valid for 30 minutes ([SECRET]).", "It is valid for 30 minutes.") == "code"


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("Підтримка працює у вівторок.", "Support is open on Tuesday."),
        ("Das Bild hat das Format 16:9.", "The picture is 16∶9."),
        ("Version 2 startet um 10:30 Uhr.", "Version 2 starts at 10.30."),
        ("Erneuern Sie alle 60 Tage und alle 3 Tage.", "Renew every 60 days and every three days."),
        ("Set MAX_RETRIES to 5.", "MAX_RETRIES is 5."),
    ],
)
def test_times_ratios_weekdays_and_settings_agree(sentence: str, source: str) -> None:
    """They are compared in one form across languages."""
    assert _differs(sentence, source) == ""


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("Підтримка працює у середу.", "Support is open on Tuesday."),
        ("Das Format ist 9:16.", "The picture is 16:9."),
        ("Renew every 3 weeks.", "Renew every three days."),
        ("Set MAX_RETRY to 5.", "MAX_RETRIES is 5."),
        ("Error KB-101 means this.", "Error KB-1011 means this."),
        ("Autorizace zůstávají 30 týdnů.", "Authorizations stay for 30 days."),
    ],
)
def test_changed_times_ratios_weekdays_and_settings_are_found(sentence: str, source: str) -> None:
    """A code must stand by itself in the source."""
    assert _differs(sentence, source) != ""


def test_a_value_said_oftener_than_named() -> None:
    """Both numbers stand in the source; only the count tells that one took the other's place."""
    source = "Migrate from V2 to V3."
    assert says_oftener(facts_of("Migrate from V3 to V3."), source)
    assert not says_oftener(facts_of(source), source)
    assert not says_oftener(facts_of("Wait 30 minutes, then 30 more."), "Wait half an hour.")


def test_steps() -> None:
    """The number of a step is told from other numbers."""
    assert (step_of("3. Press Save."), step_of("3 files are open.")) == (3, None)


def test_values_that_stand_by_themselves() -> None:
    """Neither a letter nor a digit may touch a value, save where other letters than ASCII need no space; as an expression says it."""
    texts = [
        "v2",
        "v2 v2",
        "xv2 v2x",
        "v22",
        "_v2_",
        "v2-v2.v2",
        "1v2",
        "ві2v2",
        "第2条第2条",
        "2 22 2",
        "",
        "aa aaa aa",
    ]
    for value in ("v2", "2", "第2条", "aa", "-", "v2."):
        before = r"(?<![^\W_])" if value[:1].isascii() and value[:1].isalnum() and value.isascii() else ""
        after = r"(?![^\W_])" if value[-1:].isascii() and value[-1:].isalnum() and value.isascii() else ""
        plain = re.compile(f"{before}{re.escape(value)}{after}")
        for text in texts:
            assert len(list(_standing(value, text))) == len(plain.findall(text)), (value, text)
