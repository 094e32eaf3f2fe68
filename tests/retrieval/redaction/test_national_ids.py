"""National ids: valid ones behind their word are found, broken ones are nothing at all."""

import random

import pytest

from retrieval.redaction import Redactor
from retrieval.redaction import id_checksums as checks

REDACTOR = Redactor()


def _types(text: str) -> list[str]:
    return [span.type for span in REDACTOR.redact(text).spans]


def _last_digit(body: str, check: object) -> str:
    """Complete a number by trying its last digit."""
    found = [body + digit for digit in "0123456789" if check(body + digit)]  # type: ignore[operator]
    return found[0] if found else ""


def _numbers(kind: str, count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    made: list[str] = []
    while len(made) < count:
        digits = "".join(chance.choice("0123456789") for _ in range(9))
        if kind == "inn12":
            body = digits + chance.choice("0123456789")
            number = next((f"{body}{n:02d}" for n in range(100) if checks.is_ru_taxpayer(f"{body}{n:02d}")), "")
        elif kind == "snils":
            number = next((f"{digits}{n:02d}" for n in range(100) if checks.is_snils(f"{digits}{n:02d}")), "")
        elif kind == "inn10":
            number = _last_digit(digits, checks.is_ru_taxpayer)
        elif kind == "rnokpp":
            number = _last_digit(digits, checks.is_ua_taxpayer)
        else:
            number = _last_digit("1" + digits, checks.is_de_tax_id)
        if number:
            made.append(number)
    return made


KINDS = (
    ("rnokpp", "РНОКПП клієнта {}", "NATIONAL_ID_UA"),
    ("rnokpp", "ІПН: {}", "NATIONAL_ID_UA"),
    ("inn12", "мой ИНН {}, проверьте", "NATIONAL_ID_RU"),
    ("inn10", "ИНН организации: {}", "NATIONAL_ID_RU"),
    ("snils", "СНИЛС {}", "NATIONAL_ID_RU"),
    ("steuer", "Meine Steuer-ID lautet {}", "NATIONAL_ID_DE"),
)


@pytest.mark.parametrize(("kind", "sentence", "expected"), KINDS)
def test_valid_numbers_behind_their_word(kind: str, sentence: str, expected: str) -> None:
    """All of 60 random valid numbers are found, under a national id of the country (ИНН may be either of two)."""
    found = [_types(sentence.format(number)) for number in _numbers(kind, 60, seed=7)]
    wrong = [types for types in found if len(types) != 1 or not types[0].startswith("NATIONAL_ID")]
    assert wrong == []
    assert sum(types == [expected] for types in found) >= 0.8 * len(found)


@pytest.mark.parametrize(("kind", "sentence", "expected"), KINDS)
def test_broken_numbers_are_nothing(kind: str, sentence: str, expected: str) -> None:
    """A number with a wrong check digit gives no span of any type, not even a phone."""
    hits = []
    for number in _numbers(kind, 60, seed=8):
        for shift in range(1, 10):
            broken = number[:-1] + str((int(number[-1]) + shift) % 10)
            if not (checks.is_ru_taxpayer(broken) or checks.is_ua_taxpayer(broken)) and _types(sentence.format(broken)):
                hits.append(broken)
    assert hits == []


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("паспорт КС 123456", ["NATIONAL_ID_UA"]),
        ("паспорт серія МЕ № 654321", ["NATIONAL_ID_UA"]),
        ("ID-картка 001234567", ["NATIONAL_ID_UA"]),
        ("УНЗР 19900101-01234", ["NATIONAL_ID_UA"]),
        ("паспорт 4509 123456", ["NATIONAL_ID_RU"]),
        ("СНИЛС 112-233-445 95", ["NATIONAL_ID_RU"]),
        ("112-233-445 95", ["NATIONAL_ID_RU"]),
        ("Personalausweis L01X00T44", ["NATIONAL_ID_DE"]),
        ("Personalausweis L01X00T47", []),
        ("SV-Nummer 65070803A019", ["NATIONAL_ID_DE"]),
        ("65070803A019", ["NATIONAL_ID_DE"]),
        ("KVNR A123456780", ["NATIONAL_ID_DE"]),
        ("KVNR A123456787", []),
        ("Steuer-ID 86 095 742 719", ["NATIONAL_ID_DE"]),
        ("PESEL 44051401458", ["NATIONAL_ID_PL"]),
        ("44051401458", ["NATIONAL_ID_PL"]),
        ("PESEL 44051401459", []),
        ("dowód osobisty ABA300000", ["NATIONAL_ID_PL"]),
        ("NINO AB 12 34 56 C", ["NATIONAL_ID_UK"]),
        ("NINO BG 12 34 56 A", []),
        ("my NHS number is 943 476 5919", ["NATIONAL_ID_UK"]),
        ("SSN 219-09-8765", ["NATIONAL_ID_US"]),
        ("219-09-8765", ["NATIONAL_ID_US"]),
        ("SSN 666-09-8765", []),
        ("SSN 078-05-1120", []),
        ("ITIN 912-71-1234", ["NATIONAL_ID_US"]),
        ("EIN: 27-7281014", ["NATIONAL_ID_US"]),
        ("Passport: P9F109599", ["NATIONAL_ID_US"]),
        ("order 44051401458", []),
        ("row 219 09 8765 00", []),
        ("invoice 219098765", []),
    ],
)
def test_documents_of_six_countries(text: str, types: list[str]) -> None:
    """Words, forms and check digits decide together."""
    assert _types(text) == types


def test_checks_know_the_published_examples() -> None:
    """Examples of the registrars pass and their neighbours do not."""
    assert checks.is_ru_taxpayer("7707083893")
    assert checks.is_ru_taxpayer("500100732259")
    assert not checks.is_ru_taxpayer("500100732258")
    assert not checks.is_ru_taxpayer("50010073225")
    assert checks.is_snils("11223344595")
    assert not checks.is_snils("00000000000")
    assert checks.is_de_tax_id("86095742719")
    assert not checks.is_de_tax_id("06095742719")
    assert checks.is_de_pension("15070649C103")
    assert not checks.is_de_pension("15071349C103")
    assert not checks.is_de_document("A01X00T44")
    assert checks.is_nhs("9434765919")
    assert not checks.is_ssn("900-11-1234".replace("-", ""))
