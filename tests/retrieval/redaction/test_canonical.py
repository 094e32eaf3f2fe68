"""Canonical text keeps what a reader sees and the way back to the original."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.redaction.canonical import canonical, folded, original_span, visible

WHOLE = st.text(alphabet=st.characters(exclude_categories=()), max_size=60)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a\u200bb\u00adc\u2060d", "abcd"),
        ("x\U000e0041\U000e0067y", "xy"),
        ("a\u202eb\u202cc\u2066d\u2069", "abcd"),
        ("\ufeffstart\u115f\u3164end", "startend"),
        ("a\x00b\x1bc\td\ne\r", "abc\td\ne\r"),
        ("icon \ue000 \U000f1234", "icon  "),
        ("lone \ud800 half", "lone  half"),
        ("👍\ufe0f\ufe0f\ufe01", "👍\ufe0f"),
        ("x\ufe0fy\u200dz\u200c", "xyz"),
    ],
)
def test_drops_what_no_reader_sees(text: str, seen: str) -> None:
    """Tags, bidi controls, zero-width, fillers, selectors, private use, controls and half code points go."""
    assert visible(text)[0] == seen


@pytest.mark.parametrize("text", ["❤️ 👩‍💻 👨‍👩‍👧 🏳️‍🌈 1️⃣ ©️", "می‌خواهم", "क्‍ष", "Ігнор і йод", "שלום", "naïve №5 x² …"])
def test_keeps_what_is_meant(text: str) -> None:
    """Joiners in emoji and in Arabic and Indic words stay, and no letter is rewritten."""
    assert visible(text)[0] == text


def test_folds_compatibility_forms_for_matching_only() -> None:
    """Full-width digits, ligatures, no-break spaces and letters with separate marks are plain in the matched text."""
    assert canonical("ｐａｓｓ：１２\u00a0ﬁ")[0] == "pass:12 fi"
    assert folded("и\u0306 e\u0301")[0] == "й é"


def test_cyrillic_look_alikes_stay() -> None:
    """Folding letters that only look alike would damage Ukrainian and Russian."""
    assert canonical("Ignоrе сор")[0] == "Ignоrе сор"


@given(WHOLE)
def test_offsets_lead_back(text: str) -> None:
    """Offsets grow, end at the end, and every code point comes from the one they name."""
    plain, offsets = canonical(text)
    assert len(offsets) == len(plain) + 1
    assert list(offsets) == sorted(offsets)
    assert offsets[-1] == len(text)
    assert all(0 <= offset < len(text) for offset in offsets[:-1])


@given(WHOLE)
def test_visible_text_is_a_fixed_point(text: str) -> None:
    """Nothing invisible is left after the first pass, whatever stood next to it."""
    once = visible(text)[0]
    assert visible(once)[0] == once


@given(st.text(max_size=40))
def test_every_place_leads_to_a_real_place(text: str) -> None:
    """A span of matched text covers at least one code point of the original."""
    plain, offsets = canonical(text)
    for start in range(len(plain)):
        first, last = original_span(offsets, start, start + 1)
        assert 0 <= first < last <= len(text)


def test_matched_text_folds_as_nfkc_does() -> None:
    """Letter by letter the folding is the standard's; a plain second version agrees."""
    for letter in "ＡｂＣ１２３ﬁ①㎏Ⅷ…\u00a0\u2003":
        assert folded(letter)[0] == unicodedata.normalize("NFKC", letter)
