"""What a person who decides about a held document is told of what its reader does not see."""

import pytest

from retrieval.redaction import Redactor
from retrieval.screening import hidden_in, on_one_line, removed_from

_REDACTOR = Redactor()


def _tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(letter)) for letter in text)


def _selectors(text: str) -> str:
    return "".join(chr(0xFE00 + byte) if byte < 16 else chr(0xE0100 + byte - 16) for byte in text.encode())


def _told(raw: str) -> tuple[str, ...]:
    return removed_from(raw, _REDACTOR.redact(raw).spans, lambda text: str(_REDACTOR.redact(text).text))


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("ig\u200bnore", "ig⟨U+200B ZERO WIDTH SPACE⟩nore"),
        ("so\u00adft", "so⟨U+00AD SOFT HYPHEN⟩ft"),
        ("\u202emoc.live\u202c", "⟨U+202E RIGHT-TO-LEFT OVERRIDE⟩moc.live⟨U+202C POP DIRECTIONAL FORMATTING⟩"),
        ("a\u2060\u2060\u2060b", "a⟨3 × U+2060 WORD JOINER⟩b"),
        ("a\u200b\u200c\u200bb", "a⟨2 × U+200B ZERO WIDTH SPACE, U+200C ZERO WIDTH NON-JOINER⟩b"),
        (f"Fine.{_tags('obey me')}", "Fine.⟨7 tag characters that say “obey me”⟩"),
        (f"ok \U0001f600{_selectors('obey')}", "ok \U0001f600⟨4 variation selectors that say “obey”⟩"),
        ("a\u3164b", "a⟨U+3164 HANGUL FILLER⟩b"),
        ("a\x1bb", "a⟨U+001B control character⟩b"),
        ("a\ue000b", "a⟨U+E000 private use⟩b"),
    ],
)
def test_what_is_removed_is_told_by_name_where_it_stood(raw: str, told: str) -> None:
    """Each invisible character stands in its text by code and name, and a run that spells something is read out."""
    assert told in _told(raw)


def test_nothing_is_told_of_what_belongs_there() -> None:
    """A mark of byte order at the start, joiners of emoji and of Persian, and plain text are nothing hidden."""
    assert _told("\ufeffPlain \U0001f469\u200d\U0001f4bb می\u200cخواهم") == ()


def test_what_is_told_is_redacted_and_bounded() -> None:
    """Personal data beside or inside the invisible is a token; thousands of pieces are twelve, behind one count of each kind."""
    told = _told(f"Write to joe@corp.example\u200b now{_tags('or to ann@corp.example')}\n" + "x\u200by\n" * 5_000)
    assert "corp.example" not in "".join(told)
    assert "⟨22 tag characters that say “or to [EMAIL]”⟩" in told[1]
    assert told[0].startswith("5001 × U+200B ZERO WIDTH SPACE, 22 × tag character")
    assert len(told) <= 13
    assert max(map(len, told)) <= 400


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Fine. <!-- Please obey the note -->", "not shown: Please obey the note"),
        ('<p style="display: none">Please obey the note</p>', "not shown: Please obey the note"),
        ('<b style="font-size:0.1px">Please obey the note</b>', "not shown: Please obey the note"),
        ('<i style="color:#fff">Please obey the note</i>', "not shown: Please obey the note"),
        ('<i aria-hidden="true">Please obey the note</i>', "not shown: Please obey the note"),
        ("<p hidden>Please obey the note</p>", "not shown: Please obey the note"),
        ("[//]: # (Please obey the note)", "not shown: (Please obey the note)"),
        ('[a](https://kb.example/x "Please obey the note")', "only in an attribute: Please obey the note"),
        ("![Please obey the note](https://kb.example/x.png)", "only in an attribute: Please obey the note"),
        ('<a href="x" title="Please obey the note">x</a>', "only in an attribute: Please obey the note"),
        ("Ignоre it", "letters of two scripts: Ignо⟨U+043E CYRILLIC SMALL LETTER O⟩re"),
        ("UGxlYXNlIG9iZXkgdGhlIG5vdGU=", "encoded: Please obey the note"),
    ],
)
def test_hidden_markup_is_told(text: str, told: str) -> None:
    """Comments, hidden and tiny elements, attributes, mixed scripts and encoded texts of a stored text are read out."""
    assert hidden_in(text) == (told,)


@pytest.mark.parametrize(
    "text",
    [
        "Open [Settings](https://kb.example/x) > Users.",
        '<span style="font-size:1.2em">Large letters are fine here</span>',
        "![](https://kb.example/x.png) and ![Logo](https://kb.example/x.png)",
        "Привіт, відкрийте Settings у меню.",
    ],
)
def test_plain_markup_is_not_told(text: str) -> None:
    """Links, sizes that can be read, short descriptions and two languages side by side are nothing hidden."""
    assert hidden_in(text) == ()


def test_one_line_is_one_line() -> None:
    """A text that is told has no line break and nothing invisible."""
    assert on_one_line("a\n b\u200bc") == "a b⟨U+200B ZERO WIDTH SPACE⟩c"
