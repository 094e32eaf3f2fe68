"""The redactor as its users see it."""

import json
import threading
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.redaction import RedactedText, Redactor, Span
from tests.retrieval.redaction.support_texts import CLEAN, SENSITIVE

REDACTOR = Redactor(own_domains=["lumodesk.com"])
NAMES = ("Olena Koval", "Max", "Іван Петренко")
# Values and the words and signs between which they become values.
PIECES = (
    "pat@example.com", "+380 44 123 45 67", "4111 1111 1111 1111", "DE89370400440532013000", "81.2.69.142", "hunter2!", "067 123 45 67", "123-45-6789",
    "12345678903", "3184710691", "Olena", "Koval", "Іван", "password:", "пароль", "PIN", "CVV", "call", "phone", "order", "card", "ИНН", "паспорт",
    "From:", "Best regards,\n", "My name is", "[EMAIL]", "[SECRET]", "[NAME]", "[PHONE]", "https://x.io/a?b=", "@", "://", "x", "1", "22", "-", " ",
    "\n", ".", ",", ":", "=", "/", "(", ")", "\u200b", "é", "№", "555", "0000", "is", "AB", "A1b2C3d4",
)  # fmt: skip
MIXTURES = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=14).map("".join) | st.lists(
    st.sampled_from(PIECES), max_size=14
).map(" ".join)
SECRETS = {
    "EMAIL": "wanda.kruk+x@poczta.example",
    "PHONE": "+48 601 234 567",
    "CARD": "5555 5555 5555 4444",
    "IBAN": "GB29 NWBK 6016 1331 9268 19",
    "IP": "81.2.69.142",
    "SECRET": "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "NATIONAL_ID_US": "219-09-8765",
    "NATIONAL_ID_PL": "44051401458",
}


def _hides(text: str, value: str) -> bool:
    at = text.index(value)
    spans = REDACTOR.redact(text).spans
    return all(
        any(span.start <= place < span.end for span in spans)
        for place in range(at, at + len(value))
        if text[place] not in " .,()-!"
    )


def test_gives_tokens_and_places_of_the_original() -> None:
    """Text and spans agree: the text with the spans replaced is the redacted text."""
    text = "Mail pat@x.com, card 4111 1111 1111 1111, пароль: Зима2024"
    redaction = REDACTOR.redact(text)
    assert redaction.text == "Mail [EMAIL], card [CARD], пароль: [SECRET]"
    assert [(span.type, text[span.start : span.end]) for span in redaction.spans] == [
        ("EMAIL", "pat@x.com"),
        ("CARD", "4111 1111 1111 1111"),
        ("SECRET", "Зима2024"),
    ]


def test_offsets_count_code_points_of_the_original() -> None:
    """Invisible and full-width code points before and inside a value do not shift its place."""
    text = "\u200b👩‍💻 card ４１１１\u200b １１１１ １１１１ １１１１ end"
    (span,) = REDACTOR.redact(text).spans
    assert text[span.start : span.end] == "４１１１\u200b １１１１ １１１１ １１１１"
    assert REDACTOR.redact(text).text == "👩‍💻 card [CARD] end"


def test_result_is_sealed_text_and_prints_as_text() -> None:
    """The result is the only kind of text that ports accept, and serialises as a plain string."""
    text = REDACTOR.redact("a@b.com").text
    assert isinstance(text, RedactedText)
    assert json.dumps(text) == '"[EMAIL]"'
    with pytest.raises(FrozenInstanceError):
        Span("EMAIL", 0, 1).start = 2  # type: ignore[misc]


@settings(max_examples=400, deadline=None)
@given(MIXTURES)
def test_redacting_again_changes_nothing(text: str) -> None:
    """Redaction is idempotent, its spans are ordered, apart, and inside the text."""
    first = REDACTOR.redact(text, names=NAMES)
    second = REDACTOR.redact(first.text, names=NAMES)
    assert (second.text, second.spans) == (first.text, ())
    ends = [0, *(span.end for span in first.spans)]
    assert all(end <= span.start < span.end <= len(text) for end, span in zip(ends, first.spans, strict=False))


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(SECRETS)),
    st.text(alphabet="абвгдеёabcxyz ,.!?\n", max_size=40),
    st.text(alphabet="xyzабв ,\n", max_size=40),
)
def test_no_planted_value_survives(kind: str, before: str, behind: str) -> None:
    """A value between spaces is hidden whatever is written around it, and under its own type."""
    text = f"{before} {SECRETS[kind]} {behind}"
    redaction = REDACTOR.redact(text)
    assert SECRETS[kind] not in redaction.text
    assert kind in {span.type for span in redaction.spans}


@pytest.mark.parametrize(("line", "values"), SENSITIVE)
def test_hides_what_support_lines_hold(line: str, values: tuple[str, ...]) -> None:
    """Every value of the line is hidden whole."""
    assert [value for value in values if not _hides(line, value)] == []


@pytest.mark.parametrize("line", CLEAN)
def test_leaves_clean_support_lines(line: str) -> None:
    """Orders, versions, errors, dates and talk about passwords survive, so that they still match in search."""
    redaction = REDACTOR.redact(line)
    assert (redaction.text, redaction.spans) == (line, ())


def test_support_vocabulary_survives_beside_a_card() -> None:
    """Field case E7: ids, order, build and error stay; the real card and phone in the same line go."""
    line = "TCK-2001 order 4111-2222-33 build 10.0.19041.1 error 0x80070005, SSO INTRODUCTORY plan, KB-101"
    assert REDACTOR.redact(line).text == line
    redacted = REDACTOR.redact(f"{line}, card 4111 1111 1111 1111, tel. 067 123 45 67")
    assert redacted.text == f"{line}, card [CARD], tel. [PHONE]"


def test_own_ids_survive_whatever_they_look_like() -> None:
    """A tenant's own id pattern wins over every finder, even a card's checksum."""
    assert Redactor(own_id_patterns=[r"\b4\d{15}\b"]).redact("card 4111111111111111").spans == ()
    assert Redactor().redact("card 4111111111111111").text == "card [CARD]"


def test_user_typed_placeholders_are_harmless() -> None:
    """A placeholder that a user types stays as typed: nothing stands behind it."""
    line = "what is behind [EMAIL_1] and [CARD]?"
    assert REDACTOR.redact(line).text == line


def test_version_follows_rules_and_settings() -> None:
    """The index notices when regions, domains or id patterns change."""
    versions = {
        Redactor().version,
        Redactor(phone_regions=["UA"]).version,
        Redactor(own_domains=["x.com"]).version,
        Redactor(own_id_patterns=["X"]).version,
    }
    assert len(versions) == 4
    assert Redactor().version == Redactor().version


def test_one_redactor_serves_many_threads() -> None:
    """Eight threads that share a redactor get the same answers as one."""
    lines = [line for line, _ in SENSITIVE] * 2
    expected = [REDACTOR.redact(line) for line in lines]
    results: list[object] = []
    threads = [
        threading.Thread(target=lambda: results.append([REDACTOR.redact(line) for line in lines])) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8


@pytest.mark.parametrize("text", ["", " ", "\n", "\u200b", "\x00"])
def test_empty_texts_pass(text: str) -> None:
    """Nothing in, nothing found."""
    assert REDACTOR.redact(text).spans == ()


def test_what_came_out_is_known_again_under_the_same_rules_only() -> None:
    """A redacted text is passed as it is; with other names, other own domains or by another redactor it is read anew."""
    redactor = Redactor(own_domains=("example.com",))
    first = redactor.redact("Ask Quirin at help@example.com or mail ann@gmx.de.").text
    again = redactor.redact(first)
    assert (again.text, again.spans, type(again.text)) == (first, (), RedactedText)
    assert redactor.redact(first, own_domains=()).text == "Ask Quirin at [EMAIL] or mail [EMAIL]."
    assert redactor.redact(first, names=("Quirin",)).text == "Ask [NAME] at help@example.com or mail [EMAIL]."
    assert Redactor().redact(first).text == "Ask Quirin at [EMAIL] or mail [EMAIL]."
    wider = redactor.beside(("gmx.de",)).redact("Mail ann@gmx.de.").text
    assert (wider, redactor.redact(wider).text) == ("Mail ann@gmx.de.", "Mail [EMAIL].")


def test_what_is_known_again_stays_bounded() -> None:
    """After thousands of texts it begins anew; long texts are not kept."""
    redactor = Redactor()
    redactor._stable.update(f"line {number}" for number in range(4_096))
    redactor.redact("word " * 200)
    assert len(redactor._stable) == 4_096
    redactor.redact("mail ann@gmx.de")
    assert redactor._stable == {"mail [EMAIL]"}
