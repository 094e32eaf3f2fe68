"""Claims of `retrieval.lexical.tokens`: every script gives tokens, identifiers stay whole, inflections meet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.lexical import tokenize


def words(text: str) -> list[str]:
    """Give the tokens that are no stems."""
    return [token for token in tokenize(text) if not token.startswith("~")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ログインできません", {"ログ", "イン", "せん"}),
        ("не могу войти", {"не", "могу", "войти"}),
        ("café crème", {"cafe", "creme"}),
        ("हिन्दी में", {"हिन्दी", "में"}),
        ("설정을 열기", {"설정", "열기"}),
        ("如何重置", {"如何", "何重", "重置"}),
        ("票", {"票"}),
    ],
)
def test_scripts_other_than_latin_give_tokens(text: str, expected: set[str]) -> None:
    """Words of any script, bigrams where there are no blanks (field case: `[a-z0-9]+` finds nothing here)."""
    assert expected <= set(tokenize(text))


@pytest.mark.parametrize(
    ("text", "whole", "part"),
    [
        ("error 0x80070005 now", "0x80070005", "80070005"),
        ("build 10.0.19041.1", "10.0.19041.1", "19041"),
        ("see TCK-2001", "tck-2001", "2001"),
        ("ERR_CONN_RESET", "err_conn_reset", "conn"),
        ("order 4111-2222-33", "4111-2222-33", "2222"),
        ("PrintSpooler stopped", "printspooler", "print"),
        ("use Node.js", "node.js", "node"),
        ("an e-mail", "email", "mail"),
        ("C++ or C#", "c++", "c#"),
    ],
)
def test_identifiers_are_found_whole_and_in_parts(text: str, whole: str, part: str) -> None:
    """Codes, versions, ticket ids and names with capitals inside match as written and by what they are made of."""
    assert {whole, part} <= set(tokenize(text))


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "resetting passwords", "reset password"),
        ("de", "Rechnungen", "Rechnung"),
        ("ru", "аккаунта", "аккаунту"),
        ("uk", "налаштування", "налаштувань"),
        ("fr", "l'abonnement", "abonnements"),
        ("pl", "faktury", "fakturę"),
    ],
)
def test_inflected_forms_meet(language: str, one: str, other: str) -> None:
    """Forms of one word share a token in their language."""
    assert set(tokenize(one, (language,))) & set(tokenize(other, (language,)))


def test_width_case_and_soft_hyphens_do_not_matter() -> None:
    """NFKC and casefold: full-width letters, capitals and invisible characters give the plain token."""
    assert tokenize("ＰＡＳＳＷＯＲＤ Pass\u00adword STRASSE") == tokenize("password password straße")


def test_apostrophes_leave_the_word() -> None:
    """Possessive and elided articles fall away, a Ukrainian word with an apostrophe stays one."""
    assert words("user's l'article") == ["user", "article"]
    assert words("комп'ютер") == words("комп’ютер") == ["компютер"]


def test_several_languages_give_distinct_stems() -> None:
    """A query that may be in two languages is stemmed by both, once where they agree."""
    assert tokenize("accounts", ("en", "de")) == ["accounts", "~account"]
    assert tokenize("bookings", ("en", "fr")) == ["bookings", "~book", "~booking"]


@given(st.text(max_size=300))
def test_any_text_gives_tokens_that_can_be_stored(text: str) -> None:
    """No text raises, no token is empty or longer than an index takes."""
    for token in tokenize(text, ("en", "uk", "zh")):
        assert 0 < len(token) <= 66


def test_a_word_of_twenty_thousand_characters_is_cut() -> None:
    """One token, bounded."""
    (token,) = words("a" * 20_000)
    assert len(token) == 64


def test_nothing_but_signs_gives_nothing() -> None:
    """Emoji, rules and blanks hold no token."""
    assert tokenize("😀 --- ___ … \x00") == []
