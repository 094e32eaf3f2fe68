"""Denials: counted in every language, compared by what they are about."""

import pytest

from bot.negation import denials, is_same_polarity
from bot.support_check import Evidence, facts_hold, is_same_language
from tests.bot.flow_kit import card, text
from tests.fakes import make_passage


def evidence(*sentences: str, lang: str = "") -> Evidence:
    """Give evidence that names all of its sentences."""
    passage = make_passage(card("kb-1", lang=lang), *sentences)
    return Evidence(tuple(sentence.text for sentence in passage.sentences), (passage,))


@pytest.mark.parametrize(
    ("said", "language", "count"),
    [
        ("You can undo this.", "en", 0),
        ("You cannot undo this, and you shouldn't try.", "en", 2),
        ("No, you can not undo this.", "en", 1),
        ("Choose whether or not to keep it.", "en", 0),
        ("Das geht nicht ohne Passwort.", "de", 2),
        ("Nous ne pouvons pas le faire.", "fr", 1),
        ("Це ніколи не працює.", "uk", 1),
        ("Зачекайте, поки не з'явиться вікно.", "uk", 0),
        ("Файл нельзя восстановить.", "ru", 1),
        ("这不能撤销。", "zh", 1),
        ("名称不同，但是可以使用无线网络。", "zh", 0),
        ("元に戻すことはできません。", "ja", 1),
        ("Nelze to vrátit zpět.", "cs", 1),
        ("Nebo klikněte na síť.", "cs", 0),
        ("Det kan ikke fortrydes.", "da", 1),
        ("אי אפשר, אין דרך לשנות את זה.", "he", 1),
    ],
)
def test_denials_are_counted(said: str, language: str, count: int) -> None:
    """One for each thing denied: doubled words are one, "or not" and look-alikes are none."""
    found = denials(said, language)
    assert found is not None
    assert len(found) == count


def test_an_unknown_language_is_not_judged() -> None:
    """What cannot be told is said so."""
    assert denials("Hakuna matata kabisa.", "sw") is None


@pytest.mark.parametrize(
    ("said", "source", "holds"),
    [
        ("You cannot export invoices.", "You cannot export invoices.", True),
        ("You can export invoices.", "You cannot export invoices.", False),
        ("You cannot export invoices.", "You can export invoices.", False),
        ("Press Resend.", "If none arrives, press Resend.", True),
        ("Owners can export, members cannot export.", "Owners can export invoices, members cannot.", True),
        ("Owners cannot export, members can.", "Members cannot delete invoices; owners can export them.", False),
    ],
)
def test_within_a_language_by_what_is_denied(said: str, source: str, holds: bool) -> None:
    """A denial may be left out with what it is about, never turned round or moved."""
    assert facts_hold(said, evidence(source)) is holds


@pytest.mark.parametrize(
    ("said", "source", "holds"),
    [
        ("Рахунки не можна вивантажити.", "You cannot export invoices.", True),
        ("Рахунки можна вивантажити.", "You cannot export invoices.", False),
        ("Rechnungen können nicht exportiert werden.", "You can export invoices.", False),
        ("Rechnungen können exportiert werden.", "You can export invoices. Members cannot.", True),
    ],
)
def test_across_languages_by_number(said: str, source: str, holds: bool) -> None:
    """Only the named sentence counts: a denial elsewhere in the passage allows none here."""
    sentences = source.split(". ")
    passage = make_passage(card("kb-1", lang="en"), *sentences)
    assert facts_hold(said, Evidence((passage.sentences[0].text,), (passage,))) is holds


def test_a_copy_denies_all_that_its_source_denies() -> None:
    """Where the words are the same, one of two denials left out is seen."""
    source = "We do not offer refunds because we cannot check orders"
    assert facts_hold(text(source), evidence(source))
    assert not facts_hold("We do not offer refunds because we can check orders", evidence(source))


def test_same_polarity_needs_a_match_for_each() -> None:
    """Two denials are not held by one."""
    two, one = denials("not open, not closed", "en"), denials("not open", "en")
    assert two is not None
    assert one is not None
    assert not is_same_polarity(two, one, frozenset({"open", "close"}))
    assert is_same_polarity(one, one, frozenset({"open"}))


def test_languages_without_a_word_list_are_told_by_a_detector() -> None:
    """A Danish answer on an English source is foreign when Danish was asked; an English one never is."""
    english = evidence("Subscribers can opt in to short-lived certificates.", lang="en")
    danish = "Abonnenter kan vælge kortvarige certifikater med en gyldighed på seks dage."
    assert not is_same_language(danish, english, asked="da")
    assert is_same_language("Subscribers can opt in.", english, asked="da")
