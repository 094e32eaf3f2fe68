"""Facts that survive translation."""

import pytest

from bot.invariants import disagreement, facts_of, is_negated


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
