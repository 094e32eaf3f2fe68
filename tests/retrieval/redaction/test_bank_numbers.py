"""Cards and IBANs: check digits decide, and words help."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.redaction import Redactor
from retrieval.redaction.checksums import IBAN_LENGTHS, is_iban, passes_luhn

REDACTOR = Redactor()


def _types(text: str) -> list[str]:
    return [span.type for span in REDACTOR.redact(text).spans]


def _luhn_digit(digits: str) -> str:
    """Plain second version of the check digit, after ISO/IEC 7812-1 annex B."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return str(-total % 10)


@given(st.text(alphabet="0123456789", min_size=11, max_size=18))
def test_luhn_agrees_with_a_plain_version(digits: str) -> None:
    """Of the ten possible last digits exactly the right one passes."""
    passing = [last for last in "0123456789" if passes_luhn(digits + last)]
    assert passing == [_luhn_digit(digits)]


@given(st.sampled_from(sorted(IBAN_LENGTHS)), st.data())
def test_iban_check_digits(country: str, data: st.DataObject) -> None:
    """For any body of the country's length exactly one pair of check digits from 02 to 98 is right."""
    length = IBAN_LENGTHS[country] - 4
    body = data.draw(st.text(alphabet="0123456789ABCXYZ", min_size=length, max_size=length))
    assert sum(is_iban(f"{country}{check:02d}{body}") for check in range(2, 99)) == 1
    assert not is_iban(f"{country}AB{body}")


@pytest.mark.parametrize(
    "card",
    ["4111111111111111", "4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "3782 822463 10005", "6011111111111117", "30569309025904",
     "2221000000000009", "2200 7000 0000 0009", "6759649826438453"],
)  # fmt: skip
def test_cards_of_known_issuers_need_no_word(card: str) -> None:
    """Luhn and an issuer's range suffice, grouped as on the card or not at all."""
    assert REDACTOR.redact(f"paid by {card} today").text == "paid by [CARD] today"


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("my card number is 630427373398", ["CARD"]),  # twelve digits: only the word tells
        ("count 630427373398", []),
        ("my credit card: 122000000000003", ["CARD"]),  # UATP, no range of ours
        ("картка 5168 7422 0000 0000", ["CARD"]),  # mistyped, but in the groups of a card behind the word
        ("list 5168 7422 0000 0000", []),
        ("order 4111111111111111", []),
        ("card for order 4111 1111 1111 1111", ["CARD"]),
        ("4006381333931", []),  # a bar code has thirteen digits
        ("card 4222222222222", ["CARD"]),
        ("0000 0000 0000 0000", []),
        ("4111111111111112", []),
        ("id 41111111111111110000", []),
        ("two: 4111111111111111 5555555555554444", ["CARD", "CARD"]),
        ("4111 1111 1111 1111 12/27 123", ["CARD"]),
        ("4111-1111-1111-1111-2222-3333", ["CARD"]),
    ],
)
def test_words_and_groups_decide_about_cards(text: str, types: list[str]) -> None:
    """What checksums leave open the words before a number decide."""
    assert _types(text) == types


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("DE89370400440532013000", "[IBAN]"),
        ("DE89 3704 0044 0532 0130 00 BIC COBADEFFXXX", "[IBAN] BIC COBADEFFXXX"),
        ("de89370400440532013000", "[IBAN]"),
        ("to UA21-3223-1300-0002-6007-2335-6600-1.", "to [IBAN]."),
        ("DE89370400440532013001", "DE89370400440532013001"),
        ("IBAN DE89370400440532013001", "IBAN [IBAN]"),  # mistyped, but named
        ("DE8937040044053201300012345", "DE8937040044053201300012345"),
        ("ZZ89370400440532013000", "ZZ89370400440532013000"),
        ("a GB29 NWBK 6016 1331 9268 19 and FR14 2004 1010 0505 0001 3M02 606", "a [IBAN] and [IBAN]"),
    ],
)
def test_ibans(text: str, redacted: str) -> None:
    """The length of the country ends an IBAN, check digits or the word IBAN make it one."""
    assert REDACTOR.redact(text).text == redacted


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("4539.8712.0045.7162", "[CARD]"),
        ("mine is 4539 8712\n0045 7162.", "mine is [CARD]."),
        ("4539 8712 \r\n> 0045 7162", "[CARD]"),
        ("**4539** 8712 0045 7162", "**[CARD]"),
        ("3782.822463.10005", "[CARD]"),
        ("4539.8712.0045.7163", "4539.8712.0045.7163"),
        ("4539\n8712\n0045\n7162", "4539\n8712\n0045\n7162"),
        ("build 10.0.19041.1 of 2024.1111", "build 10.0.19041.1 of 2024.1111"),
    ],
)
def test_cards_in_other_dress(text: str, redacted: str) -> None:
    """Dots, stars of bold text and one line end do not hide a card; a column and wrong check digits are none."""
    assert REDACTOR.redact(text).text == redacted
