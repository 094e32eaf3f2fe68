"""A question in parts: split where a second question begins, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.questions.follow_up import sealed
from bot.questions.parts import MOST_PARTS, parts_of
from retrieval.redaction import RedactedText


def spoken(question: str, *previous: str) -> list[str]:
    return [part.asked for part in parts_of(question, previous)]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "How do I reset my password and where do I see my invoices?",
            ["How do I reset my password", "where do I see my invoices?"],
        ),
        (
            "Wie setze ich mein Passwort zurück und wo finde ich meine Rechnungen?",
            ["Wie setze ich mein Passwort zurück", "wo finde ich meine Rechnungen?"],
        ),
        ("Як скинути пароль, а також де побачити рахунки?", ["Як скинути пароль", "де побачити рахунки?"]),
        ("Как сбросить пароль и где посмотреть счета?", ["Как сбросить пароль", "где посмотреть счета?"]),
        (
            "Comment réinitialiser mon mot de passe et où voir mes factures ?",
            ["Comment réinitialiser mon mot de passe", "où voir mes factures ?"],
        ),
        (
            "¿Cómo restablezco mi contraseña y dónde veo mis facturas?",
            ["¿Cómo restablezco mi contraseña", "dónde veo mis facturas?"],
        ),
        (
            "Como redefino minha senha e onde vejo minhas faturas?",
            ["Como redefino minha senha", "onde vejo minhas faturas?"],
        ),
        ("Jak zresetować hasło i gdzie znaleźć faktury?", ["Jak zresetować hasło", "gdzie znaleźć faktury?"]),
        ("如何重置密码，在哪里可以下载发票？", ["如何重置密码", "在哪里可以下载发票？"]),
        ("如何重置密码？另外，在哪里查看发票？", ["如何重置密码？", "在哪里查看发票？"]),
        (
            "パスワードをリセットするには？また、請求書はどこで確認できますか？",
            ["パスワードをリセットするには？", "請求書はどこで確認できますか？"],
        ),
        (
            "Wo finde ich die Rechnungen? Außerdem: wie lösche ich mein Konto?",
            ["Wo finde ich die Rechnungen?", "wie lösche ich mein Konto?"],
        ),
        (
            "I want to change my card. Also, where can I see the invoices?",
            ["I want to change my card.", "where can I see the invoices?"],
        ),
        (
            "1. How do I reset my password?\n2. Where do I see invoices?",
            ["How do I reset my password?", "Where do I see invoices?"],
        ),
        (
            "Two things: 1) how do I reset my password 2) where do I see invoices",
            ["how do I reset my password", "where do I see invoices"],
        ),
        ("error LG-411 and how do I retry the charge?", ["error LG-411", "how do I retry the charge?"]),
        ("api rate limit team plan and what error comes", ["api rate limit team plan", "what error comes"]),
        (
            "Welche Firmware gehört auf den Hub und wie spiele ich sie ein?",
            ["Welche Firmware gehört auf den Hub", "wie spiele ich sie ein?"],
        ),
        (
            "How do I add a user, where do I see the audit log and how do I export invoices?",
            ["How do I add a user", "where do I see the audit log", "how do I export invoices?"],
        ),
    ],
)
def test_a_second_question_is_a_part(question: str, expected: list[str]) -> None:
    """By a joining word before a question word, a second question mark, "also", or a list; in ten languages."""
    assert spoken(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "How do I add and remove users?",
        "How do I drag and drop files?",
        "Where are the terms and conditions?",
        "What is DNS and how does it work?",
        "Wie finde ich heraus, wo meine Daten liegen?",
        "Как узнать, где мои данные хранятся?",
        "Wie kann ich Benutzer hinzufügen und entfernen?",
        "Як додавати та видаляти користувачів?",
        "¿Cómo agrego y elimino usuarios?",
        "Comment ajouter et supprimer des utilisateurs ?",
        "Jak dodawać i usuwać użytkowników?",
        "如何添加和删除用户？",
        "I get an error when I log in and when I click save nothing happens",
        "Steps to reproduce: 1. Open the app 2. Click save 3. See error. How do I fix the crash?",
        "Why does the upload of photos fail? Why do photos fail to upload?",
        "I do not like the look of my web chat and how it opens and closes",
        "What other payment methods, besides a credit card, are available for me to use?",
        "My order arrived yesterday. The box was open and the reader was broken. What can I do?",
        "Is a monthly plan cheaper or can I get a yearly discount?",
        "",
        "?",
    ],
)
def test_one_question_stays_whole(question: str) -> None:
    """Lists of things, subordinate clauses, a story with one question and one question asked twice are not split."""
    assert parts_of(question) == ()


def test_a_long_story_is_one_question() -> None:
    """What a story of more than sixty words asks is about one trouble."""
    story = "How do I repair the reader? " + "It was dropped on the floor by a customer yesterday evening. " * 6
    assert parts_of(story + "Where can I send the broken reader?") == ()


def test_more_than_three_questions_are_three_parts() -> None:
    """The last part holds the rest."""
    asked = spoken(
        "- How do I reset a password?\n- Where are invoices kept?\n- Who changes plans?\n- How to delete a till?"
    )
    assert asked[2] == "Who changes plans? How to delete a till?"
    assert len(asked) == MOST_PARTS


def test_a_part_stands_alone() -> None:
    """It carries what it leans on: the part before, the thread, or the product named before both."""
    parts = parts_of("How do I add a till user and how do I delete them again later?")
    assert parts[1].standalone == "add till user how do I delete them again later?"
    parts = parts_of("We run OrderHub. How do I export orders? Where are old invoices?")
    assert [part.standalone for part in parts] == [
        "OrderHub How do I export orders?",
        "OrderHub Where are old invoices?",
    ]
    follow_up = parts_of("And how do I pair it over bluetooth? Where are old invoices?", ["What is a Pebble reader?"])
    assert "pebble reader" in follow_up[0].standalone
    assert follow_up[1].standalone == "Where are old invoices?"


@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=2))
def test_any_text_gives_none_or_a_few_parts_of_its_own_words(question: str, previous: list[str]) -> None:
    """Whatever is typed, parts are two or three, and no word comes from elsewhere."""
    parts = parts_of(question, previous)
    assert len(parts) in (0, 2, MOST_PARTS)
    for part in parts:
        sealed(part.standalone, RedactedText.stored(question), *map(RedactedText.stored, previous))


def test_a_part_of_few_words_is_asked_of_the_one_before_it() -> None:
    """Its words are carried, and the code that is all of it."""
    (_, second) = parts_of("how do I book a pickup and how much is the second one")
    assert second.standalone == "book pickup how much is the second one"
    (_, second) = parts_of("error LG-411 and how do I retry the charge?")
    assert second.standalone == "lg-411 how do I retry the charge?"
