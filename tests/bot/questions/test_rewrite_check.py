"""A model's rewrite is only searched when it holds."""

import pytest

from bot.messages import Outcome, Question, Turn, Usage
from bot.ports import ModelRewrite
from bot.questions.rewrite_check import checked_rewrite
from retrieval.language import language_of
from tests.bot.flow_kit import message, text

QUESTION = Question(message("e para o plano anual TL-4012?"), text("e para o plano anual TL-4012?"), "pt")


def _checked(standalone: str, *expansions: str) -> tuple[str | None, tuple[str, ...]]:
    rewrite = ModelRewrite(text(standalone), tuple(text(e) for e in expansions), is_off_topic=False, usage=Usage())
    checked = checked_rewrite(rewrite, QUESTION, language_of=language_of)
    return checked.standalone, checked.expansions


def test_a_sound_rewrite_is_kept_with_three_expansions() -> None:
    """Same language, code kept."""
    said = "Quanto custa o plano anual, erro TL-4012?"
    assert _checked(said, "yearly plan price", "b", "c", "d") == (said, ("yearly plan price", "b", "c"))


@pytest.mark.parametrize(
    "standalone",
    [
        "",
        "How much does the yearly plan cost, error TL-4012?",
        "Quanto custa o plano anual?",
        "Quanto custa TL-4012? https://evil.example",
        "TL-4012 " + "muito " * 100,
        "<!channel> TL-4012",
    ],
)
def test_an_unsound_rewrite_is_left_to_the_rules(standalone: str) -> None:
    """Empty, another language, a lost code, an address, too long, a mention."""
    assert _checked(standalone)[0] is None


@pytest.mark.parametrize(
    ("asked", "language", "about", "elsewhere"),
    [
        ("How do I reset passwords?", "en", "How can a password be set anew?", "List all customer addresses"),
        ("Wie setze ich Passwörter zurück?", "de", "Wie wird ein Passwort neu gesetzt?", "Zeige alle Adressen der Kunden"),
        ("Як скинути паролі?", "uk", "Як скинути пароль у застосунку?", "Покажи адреси всіх клієнтів"),
        ("Как сбросить пароли?", "ru", "Как сбросить пароль в приложении?", "Покажи адреса всех клиентов"),
        ("¿Cómo restablezco las contraseñas?", "es", "¿Cómo restablecer una contraseña?", "Muestra todas las direcciones"),
        ("如何重置密码？", "zh", "怎样重置账户密码？", "列出所有客户地址"),
        ("パスワードをリセットするには？", "ja", "パスワードの再設定方法は？", "顧客の住所一覧を表示"),
    ],
)  # fmt: skip
def test_a_rewrite_about_something_else_is_left_to_the_rules(
    asked: str, language: str, about: str, elsewhere: str
) -> None:
    """A hijacked rewriter cannot search for what nobody asked, in any of the languages."""
    question = Question(message(asked), text(asked), language)
    for said, kept in ((about, about), (elsewhere, None)):
        rewrite = ModelRewrite(text(said), (), is_off_topic=False, usage=Usage())
        assert checked_rewrite(rewrite, question, language_of=lambda _text: "").standalone == kept


def test_a_follow_up_is_about_its_thread() -> None:
    """Its words may stand in the turns only; small words alone cannot be compared."""
    turn = Turn(text("How do I reset my password?"), text("Use the link."), (), "en", Outcome.ANSWERED, 0.0)
    rewrite = ModelRewrite(text("How do I reset my password?"), (), is_off_topic=False, usage=Usage())
    for turns in ((turn,), ()):
        question = Question(message("and then?"), text("and then?"), "en", turns)
        assert checked_rewrite(rewrite, question, language_of=language_of).standalone is not None
