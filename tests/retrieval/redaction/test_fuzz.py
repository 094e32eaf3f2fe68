"""Fuzz target of the redactor: any text at all, and planted values in every disguise."""

import html
import unicodedata
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from retrieval.redaction import Redactor, numbered, unnumbered
from retrieval.redaction.canonical import canonical, folded, visible

REDACTOR, FRESH = (Redactor(key=b"fuzz", hidden_ids={"CUSTOMER": r"K-[0-9]{8}"}) for _ in range(2))
VALUES = {
    "EMAIL": "wanda.kruk@poczta.example",
    "PHONE": "+48601234567",
    "CARD": "5555555555554444",
    "IBAN": "GB29NWBK60161331926819",
    "IP": "81.2.69.142",
    "SECRET": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "ID_CUSTOMER": "K-20261130",
}
# Code points that break scanners: NUL, lone surrogates, both writing directions, zero width, tags, marks, digits of others.
_NASTY = st.sampled_from(
    "\x00\ud800\udfff\u202e\u2066\u200b\u200d\u2060\ufeff\u00ad\u0301\ufe0f\U000e0041\u0661\uff11\u2460Ⅷ\ufb01İßאبЖ中é[]#_@.:/-+()\"'<>&%=* \n\t0159aK"
)
ANY_TEXT = st.lists(
    st.sampled_from((*sorted(VALUES.values()), "&#64;", "&#x2e;", "&#1;", "&period;", "&#1114112;", "[EMAIL]"))
    | _NASTY
    | st.characters()
    | st.text(max_size=5),
    max_size=25,
).map("".join)


def _full_width(value: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if letter.isascii() and letter.isdigit() else letter for letter in value)


def _grouped(sign: str) -> Callable[[str], str]:
    return lambda value: sign.join(value[at : at + 4] for at in range(0, len(value), 4))


DISGUISES: dict[str, tuple[Callable[[str], str], tuple[str, ...]]] = {
    "plain": (str, tuple(VALUES)),
    "zero-width": ("\u200b".join, tuple(VALUES)),
    "joiners": ("\u200d".join, tuple(VALUES)),
    "word joiners and soft hyphens": (
        lambda value: value[:3] + "\u2060" + value[3:6] + "\u00ad" + value[6:],
        tuple(VALUES),
    ),
    "right-to-left marks": (lambda value: "\u202e" + value + "\u202c", tuple(VALUES)),
    "full-width digits": (_full_width, ("PHONE", "CARD", "IBAN", "IP", "ID_CUSTOMER")),
    "mathematical digits": (
        lambda value: "".join(chr(0x1D7CE + int(letter)) if letter.isdigit() else letter for letter in value),
        ("PHONE", "CARD", "IBAN", "IP"),
    ),
    "full-width at": (lambda value: value.replace("@", "\uff20").replace(".", "\uff0e"), ("EMAIL",)),
    "spaces": (_grouped(" "), ("CARD", "IBAN")),
    "no-break spaces": (_grouped("\u00a0"), ("CARD", "IBAN")),
    "hyphens": (_grouped("-"), ("CARD", "IBAN")),
    "dots": (_grouped("."), ("CARD",)),
    "[at] and [dot]": (lambda value: value.replace("@", " [at] ").replace(".", " [dot] "), ("EMAIL",)),
    "(at) and (dot)": (lambda value: value.replace("@", "(at)").replace(".", "(dot)"), ("EMAIL",)),
    "percent": (lambda value: value.replace("@", "%40"), ("EMAIL",)),
    "upper case": (str.upper, ("EMAIL", "IBAN")),
    "HTML entities": (lambda value: value.replace("@", "&#64;"), ("EMAIL",)),
    "HTML hex entities": (lambda value: value.replace("@", "&#x40;").replace(".", "&period;"), ("EMAIL",)),
    "composed letters": (lambda value: unicodedata.normalize("NFD", value), tuple(VALUES)),
}
CASES = [(name, kind) for name, (_, kinds) in DISGUISES.items() for kind in kinds]


@settings(max_examples=500, deadline=None)
@given(ANY_TEXT)
@example("\ud800@b.com \x00 \udfff")
@example("e\u0301" * 30 + "a@b.com")
def test_any_text(text: str) -> None:
    """Spans lie inside the text, half-open, in order and apart; redacting again finds nothing; marks change no word."""
    redaction = REDACTOR.redact(text)
    position = 0
    for span in redaction.spans:
        assert position <= span.start < span.end <= len(text)
        position = span.end
    assert FRESH.redact(redaction.text).spans == ()  # REDACTOR knows its own text again
    marked = REDACTOR.marked(text, thread="t")
    assert REDACTOR.marked(marked, thread="t") == marked
    assert unnumbered(numbered(marked, known={}).text) == unnumbered(redaction.text)


@settings(max_examples=500, deadline=None)
@given(ANY_TEXT)
def test_offsets_of_canonical_text(text: str) -> None:
    """Each offset map has one entry a code point and one past the end, never falls, and ends at the end of its text."""
    seen, seen_offsets = visible(text)
    for plain, offsets, of in ((seen, seen_offsets, text), (*folded(seen), seen), (*canonical(text), text)):
        assert len(offsets) == len(plain) + 1
        assert all(one <= other for one, other in pairwise(offsets))
        assert offsets[-1] == len(of)
        assert all(0 <= offset <= len(of) for offset in offsets)
    assert all(text[offset] == letter for letter, offset in zip(seen, seen_offsets, strict=False))


@pytest.mark.parametrize(("disguise", "kind"), CASES)
@settings(max_examples=12, deadline=None)
@given(
    before=st.text(alphabet="абвxyz ,\n日本", max_size=20),
    behind=st.text(alphabet="абвxyz ,!\n日本", max_size=20),
)
def test_no_planted_value_survives(disguise: str, kind: str, before: str, behind: str) -> None:
    """A value between spaces is hidden in every disguise, whole and as what a reader would make of it."""
    planted = DISGUISES[disguise][0](VALUES[kind])
    text = f"{before} {planted} {behind}"
    redacted = REDACTOR.redact(text).text
    read = unicodedata.normalize("NFKC", html.unescape(redacted)).lower()
    core = VALUES[kind].lower().partition("@")[0]
    assert core not in read, redacted
    assert core not in "".join(letter for letter in read if letter.isalnum() or letter in "+._-"), redacted
    assert planted not in REDACTOR.marked(text, thread="t")
