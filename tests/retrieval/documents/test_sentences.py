"""Claims of `retrieval.documents.sentences`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.documents import split_sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Open the page. Press Save.", 2),
        ("See e.g. the docs. Then go.", 2),
        ("Use v2.3.1 or 10.0.19041.1 now. It costs 3.50 euros. Yes.", 3),
        ("Visit https://a.example/b.html?x=1 first. Then leave!", 2),
        ("Mr. Smith and J. R. Doe agree. Good.", 2),
        ("1. Open it. 2. Close it.", 2),
        ("Use Node.js. It works.", 2),
        ("打开设置。点击重置！好吗？完", 4),
        ("ログインできません。再起動してください。", 2),
        ("Откройте файл, т.е. документ. Потом закройте!", 2),
        ("Відкрийте налаштування. Натисніть кнопку, див. рис. 3.", 2),
        ("Das ist z.B. gut, d.h. fertig. Nein.", 2),
        ("First line\nsecond line", 2),
        ("He said \u201cstop.\u201d Then he left.", 2),
        ("Die Preise gelten ab dem 1. Februar 2027. Danach mehr.", 2),
        ("It takes 12. May I ask why?", 2),
        ("Wait... what? no, go on.", 1),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, count: int) -> None:
    """Abbreviations, versions, addresses, initials, step numbers and days of a month do not end a sentence; full-width stops do."""
    assert len(split_sentences(text)) == count, split_sentences(text)


@given(st.text(max_size=400))
def test_no_character_is_lost(text: str) -> None:
    """Joined, the sentences hold every character that is not blank."""
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


def test_an_endless_sentence_is_bounded() -> None:
    """Nothing over 2 000 characters is given, with blanks or without."""
    for text in ("word " * 2_000, "x" * 9_000):
        assert max(map(len, split_sentences(text))) <= 2_000
