"""Words and the language of their small ones."""

import re

import pytest

from bot.lexicon import Lexicon, lexicon, lexicons
from bot.words import content_words, entities, folded, has_digit, is_unspaced, lexicon_of, words


def test_marks_inside_hold_a_word_together() -> None:
    """Ids, versions and apostrophes are one word each."""
    assert words("Can't open KB-101 in 10.0.19041.1, p.m.?") == ["can't", "open", "kb-101", "in", "10.0.19041.1", "p.m"]


def test_unspaced_scripts_lose_their_small_words() -> None:
    """What is left between particles carries the meaning."""
    assert content_words("如何重置密码？", lexicon("zh")) == ["重置密码"]
    assert content_words("ログインできません", lexicon("ja")) == ["ログイン"]
    assert content_words("Androidでログイン", lexicon("ja")) == ["android", "ログイン"]


def test_vague_words_can_be_kept() -> None:
    """A carried term may be vague, a subject may not."""
    assert content_words("the problem persists", lexicon("en")) == ["persists"]
    assert content_words("the problem persists", lexicon("en"), keep_vague=True) == ["problem", "persists"]


def test_entities_name_things_by_themselves() -> None:
    """Codes, versions, acronyms and CamelCase, as written."""
    assert entities("VPN error 0x80070005 on LedgerBridge 2.4, see kb-101") == [
        "VPN",
        "0x80070005",
        "LedgerBridge",
        "2.4",
        "kb-101",
    ]
    assert has_digit("v2")
    assert not has_digit("two")


def test_the_lexicon_follows_the_small_words() -> None:
    """A draw goes to the preferred language, then to English."""
    assert lexicon_of("wie setze ich das zurück").code == "de"
    assert lexicon_of("як це зробити").code == "uk"
    assert lexicon_of("TL-4012").code == "en"
    assert lexicon_of("TL-4012", prefer="pl").code == "pl"


@pytest.mark.parametrize(
    "text",
    ["How do I reset the password?", "Як скинути пароль і що далі?", "как это сделать и что дальше", "wie geht das", "", "qwzx",
     "如何重置密码？", "パスワードをリセットするには", "comment faire et que faire", "о на the и 的", "Tallyrook 的 API"],
)  # fmt: skip
def test_the_lexicon_is_the_one_that_a_plain_count_chooses(text: str) -> None:
    """The table of small words counts as asking every language for every word does; the first language wins a draw."""
    for prefer in ("", "de", "ru", "zh"):

        def hits(candidate: Lexicon, prefer: str = prefer) -> tuple[int, bool]:
            count = sum(word in candidate.spoken for word in words(text))
            if candidate.code in ("zh", "ja") and is_unspaced(folded(text)):
                unspaced = [
                    word
                    for word in candidate.spoken
                    if re.fullmatch("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+", word)
                ]
                count += sum(word in folded(text) for word in unspaced)
            return count, candidate.code == prefer

        assert lexicon_of(text, prefer=prefer) is max(lexicons(), key=hits)
