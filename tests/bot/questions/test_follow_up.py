"""The rule rewrite: dependent turns get the words they lean on, others reset."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.questions.follow_up import content_query, in_context, rewrite_rules, sealed, standalone
from bot.questions.leaning import is_follow_up
from tests.bot.flow_kit import text

RESET = "How do I reset two-factor authentication?"


@pytest.mark.parametrize(
    ("previous", "question", "expected"),
    [
        (RESET, "and on Android?", "reset two-factor authentication and on Android?"),
        (RESET, "Does it work offline?", "reset two-factor authentication Does it work offline?"),
        (RESET, "it still fails", "reset two-factor authentication it still fails"),
        (RESET, "why?", "reset two-factor authentication why?"),
        (RESET, "Is it possible?", "reset two-factor authentication Is it possible?"),
        (RESET, "is it necessary to restart it?", "reset two-factor authentication is it necessary to restart it?"),
        (RESET, "is it possible to do it twice?", "reset two-factor authentication is it possible to do it twice?"),
        (RESET, "B1", "reset two-factor authentication B1"),
        (RESET, "for the annual plan?", "reset two-factor authentication for the annual plan?"),
        ("Як скинути пароль?", "а на телефоні?", "скинути пароль а на телефоні?"),
        ("Как сбросить пароль?", "а его можно отключить?", "сбросить пароль а его можно отключить?"),
        ("Wie setze ich mein Passwort zurück?", "und am Handy?", "setze passwort zurück und am Handy?"),
        ("Quanto custa o plano mensal?", "e para o plano anual?", "custa mensal e para o plano anual?"),
        ("¿Cómo restablezco la contraseña?", "¿y en el móvil?", "restablezco contraseña ¿y en el móvil?"),
        ("Comment réinitialiser le mot de passe ?", "et sur mobile ?", "réinitialiser mot passe et sur mobile ?"),
        ("Jak zresetować hasło?", "a na telefonie?", "zresetować hasło a na telefonie?"),
        ("如何重置密码？", "那手机上呢？", "重置密码 那手机上呢？"),
        ("パスワードをリセットするには？", "では、スマホでは？", "パスワード リセット では、スマホでは？"),
    ],
)
def test_a_dependent_turn_carries_the_question_before(previous: str, question: str, expected: str) -> None:
    """The words stay in the thread's language; the raw question is searched first, and both questions as one text last."""
    assert rewrite_rules(question, [previous]) == [question, expected, f"{previous} {question}"]


@pytest.mark.parametrize(
    ("previous", "question"),
    [
        (RESET, "How do I delete my account?"),
        (RESET, "My invoice is wrong, how do I correct it?"),
        (RESET, "error 504 on upload"),
        (RESET, "Refund policy for annual plans"),
        ("Як скинути пароль?", "Де знайти рахунок?"),
        ("Wie setze ich mein Passwort zurück?", "Wo finde ich meine Rechnung?"),
        ("Quanto custa o plano mensal?", "Como exporto as faturas?"),
        ("如何重置密码？", "在哪里下载发票？"),
        ("パスワードをリセットするには？", "請求書はどこでダウンロードできますか"),
        (RESET, "Explain roles."),
        ("Wie setze ich mein Passwort zurück?", "Erkläre Rollen"),
        (RESET, "Is it possible to transfer ownership?"),
        (RESET, "Is it worth having a chat widget?"),
        ("Wie setze ich mein Passwort zurück?", "Ist es möglich, Rechnungen nachträglich zu ändern?"),
        ("Comment réinitialiser le mot de passe ?", "Est-ce qu'il est possible de changer de propriétaire ?"),
    ],
)
def test_a_question_with_its_own_subject_resets(previous: str, question: str) -> None:
    """A change of topic drags nothing along."""
    assert rewrite_rules(question, [previous]) == [question]


def test_without_a_thread_nothing_is_a_follow_up() -> None:
    """The first question always stands alone."""
    assert not is_follow_up("and on Android?", [])
    assert rewrite_rules("and on Android?", []) == ["and on Android?"]


def test_a_chain_of_follow_ups_keeps_its_subject() -> None:
    """The third turn still knows what the first was about."""
    turns = ["How do I pair the Pebble reader?", "and on Android?"]
    assert rewrite_rules("and offline?", turns)[1] == "pair pebble reader android and offline?"


def test_codes_of_the_question_before_are_carried() -> None:
    """A version or error code is part of the subject."""
    assert "tl-4012" in rewrite_rules("and after a reset?", ["The till shows TL-4012"])[1].casefold()


def test_content_query_drops_what_says_nothing() -> None:
    """The second attempt searches the bare words."""
    assert content_query("How do I get my money back, please?") == "money back"


def test_only_words_of_redacted_text_are_sealed() -> None:
    """A word from elsewhere is refused."""
    assert sealed("reset password", text("how to reset a password")) == "reset password"
    with pytest.raises(ValueError, match="redacted"):
        sealed("reset secret", text("how to reset a password"))


@given(st.text(max_size=120), st.lists(st.text(max_size=80), max_size=3))
def test_any_text_gives_the_question_first(question: str, previous: list[str]) -> None:
    """Whatever is typed, the raw question is searched first and at most two other texts beside it."""
    queries = rewrite_rules(question, previous)
    assert queries[0] == question
    assert len(queries) <= 3


@pytest.mark.parametrize(
    ("question", "last", "expected"),
    [
        ("And on Android?", "How do I install the till app on an iPad?", "install till app And on Android?"),
        ("а на Android?", "Як встановити касу на iPad?", "встановити касу а на Android?"),
        ("und auf Android?", "Wie installiere ich die App auf dem iPad?", "installiere app und auf Android?"),
        ("¿y en Android?", "¿Cómo instalo la caja en un iPad?", "instalo caja ¿y en Android?"),
        ("and for hardware?", "How long is the refund window?", "long refund window and for hardware?"),
    ],
)
def test_a_follow_up_takes_the_place_of_what_it_replaces(question: str, last: str, expected: str) -> None:
    """Behind the same preposition the new word replaces the old one; elsewhere nothing is dropped."""
    assert standalone(question, [last]) == expected


@pytest.mark.parametrize(
    ("question", "turns", "expected"),
    [
        (
            "Is it free?",
            ["What is Watson?", "how do I add it?"],
            ("What is Watson? how do I add it? Is it free?", "watson add Is it free?"),
        ),
        ("Was kostet das?", ["Was ist Watson?"], ("Was ist Watson? Was kostet das?", "watson Was kostet das?")),
        ("а скільки коштує?", ["Як скинути пароль?"], ("Як скинути пароль? а скільки коштує?", "скинути пароль а скільки коштує?")),
        ("¿y el precio?", ["¿Cómo restablezco la contraseña?"], ("¿Cómo restablezco la contraseña? ¿y el precio?", "restablezco contraseña ¿y el precio?")),
        ("那手机上呢？", ["如何重置密码？"], ("如何重置密码？ 那手机上呢？", "重置密码 那手机上呢？")),
        ("and the price?", ["", " "], ()),
        ("How do I export all unpaid invoices of a closed shop?", ["What is Watson?"], ()),
        ("  ", ["What is Watson?"], ()),
    ],
)  # fmt: skip
def test_the_thread_stands_before_the_question(question: str, turns: list[str], expected: tuple[str, ...]) -> None:
    """The last three questions whole, and as their content words; none before a question that names enough by itself."""
    assert in_context(question, turns) == expected


def test_only_the_last_turns_are_context() -> None:
    """What was asked four questions ago is not."""
    whole, terms = in_context("Is it free?", ["about alpha", "about beta", "about gamma", "about delta"])
    assert "alpha" not in whole + terms
    assert "beta" in terms
