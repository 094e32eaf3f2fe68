"""Denials: counted in every language, compared by what they are about."""

import pytest

from bot.checks.negation import denials, is_same_polarity
from bot.checks.support_check import Evidence, facts_hold, is_same_language
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


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("Use only letters in the name of the folder.", "Use not only letters in the name of the folder."),
        ("Файл не откроется ни в браузере, ни в почте.", "Файл не откроется ни в браузере, в почте."),
        ("Тем не менее откройте окно настроек сети.", "Тем менее откройте окно настроек сети."),
        ("Не забудьте зберегти файл перед закриттям вікна.", "Забудьте зберегти файл перед закриттям вікна."),
        ("Nur Kassen mit Drucker zeigen den Beleg an.", "Nicht nur Kassen mit Drucker zeigen den Beleg an."),
        ("Zapisz tylko pliki z tego folderu na dysku.", "Zapisz nie tylko pliki z tego folderu na dysku."),
        ("Guarde sólo los archivos de esta carpeta.", "Guarde no sólo los archivos de esta carpeta."),
        ("Guarde apenas os ficheiros desta pasta aqui.", "Guarde não apenas os ficheiros desta pasta aqui."),
        ("Ouvrez seulement les fichiers du dossier partagé.", "Ouvrez non seulement les fichiers du dossier partagé."),
        ("请使用不同的密码登录系统和邮箱。", "请使用同的密码登录系统和邮箱。"),
        ("The old reader is supported on every till.", "The old reader is unsupported on every till."),
        (
            "Disable the local firewall of the shop before the update starts.",
            "Enable the local firewall of the shop before the update starts.",
        ),
        ("Do not open, close or move files you do not know.", "Do not open, close or move files you know."),
    ],
)
def test_a_denial_put_into_a_copy_or_taken_out_is_seen(source: str, changed: str) -> None:
    """Also where a reworded sentence may do so: "not only", "ни … ни", "тем не менее", prefixes, the third of three."""
    for one, other in ((source, changed), (changed, source)):
        assert facts_hold(text(one), evidence(one))
        assert not facts_hold(other, evidence(one))


@pytest.mark.parametrize(
    ("said", "source"),
    [
        ("Choose whether to keep the old files here.", "Choose whether or not to keep the old files here."),
        ("Save the open file before closing it.", "Don't forget to save the open file before closing it."),
        ("You can't export the invoices of members.", "You can not export the invoices of members."),
    ],
)
def test_what_denies_nothing_may_be_left_out_of_a_copy(said: str, source: str) -> None:
    """Idle phrases and other spellings of one denial change nothing."""
    assert facts_hold(said, evidence(source))


def test_a_copy_of_one_of_two_named_sentences_is_held_against_that_one() -> None:
    """The other named sentence excuses no denial."""
    named = evidence("Use only letters in the name of the folder.", "Do not send files by mail to the shop.")
    assert facts_hold("Use only letters in the name of the folder.", named)
    assert not facts_hold("Use not only letters in the name of the folder.", named)


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
