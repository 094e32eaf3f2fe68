"""The language of a question of few words."""

from collections.abc import Sequence

import pytest

from bot.lexicon import LANGUAGES
from retrieval.asked_language import asked_language

# Words that stand in the documents of a language; what both have speaks for neither.
HELD = {
    "en": frozenset(
        [
            "api",
            "rate",
            "limit",
            "team",
            "plan",
            "double",
            "charge",
            "example",
            "refund",
            "card",
            "sso",
            "okta",
            "export",
            "datev",
        ]
    ),
    "fr": frozenset({"double", "charge", "export"}),
    "de": frozenset({"export", "api", "sepa", "einrichten"}),
}


def speakers(words: Sequence[str]) -> dict[str, int]:
    """Give how many words each language holds."""
    return {code: sum(word.lower() in held for word in words) for code, held in HELD.items()}


def asked(text: str, base: Sequence[str] = ("de", "en", "fr", "uk"), spoken: str = "") -> str:
    """Ask in a base of four languages."""
    return asked_language(text, answers=LANGUAGES, base=base, speakers=speakers, spoken=spoken)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("api rate limit team", "en"),
        ("double charge example marta", "en"),
        ("refund card", "en"),
        ("api team limit", "en"),
        ("export datev", "en"),
        ("sepa einrichten", "de"),
        ("devis valable combien de temps", "fr"),
        ("як налаштувати SEPA", "uk"),
        ("сколько пользователей на тарифе", "ru"),
        ("kündigungsfrist jahrestarif", "de"),
        ("welche währungen", "de"),
        ("quel tarif pour SEPA", "fr"),
        ("cambiar el correo electrónico", "es"),
        ("nie mogę się zalogować", "pl"),
        ("a na Androidzie?", "pl"),
        ("onde encontro a minha fatura", "pt"),
        ("如何重置密码", "zh"),
        ("返金できますか", "ja"),
        ("come posso reimpostare la password del mio account?", "it"),
        ("hoe kan ik mijn wachtwoord opnieuw instellen?", "nl"),
        ("LG-411", ""),
        ("", ""),
    ],
)
def test_few_words(text: str, language: str) -> None:
    """Words of the base's documents decide, then the languages of answers and base; whole questions keep their language."""
    assert asked(text) == language


def test_a_language_of_the_base_is_no_stranger() -> None:
    """A language without texts of ours is guessed where the base has documents in it, and hardly elsewhere."""
    assert asked("api rate limit team", base=("de",)) != "sq"
    assert asked("come rimborso fattura", base=("it",)) == "it"


def test_the_thread_speaks_for_its_language() -> None:
    """The same words are of the thread's language where nothing else tells."""
    assert [asked("import client", base=("en",), spoken=spoken) for spoken in ("fr", "en", "")] == ["fr", "en", ""]
    assert asked("quel tarif pour SEPA", spoken="en") == "fr"
