"""Check digits of national ids. Values come without spaces and signs, letters as capitals; nothing here searches."""

from collections.abc import Sequence


def _weighted(digits: str, weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def is_ua_taxpayer(value: str) -> bool:
    """РНОКПП: ten digits, the last one from weights −1, 5, 7, … modulo 11 (order 822 of the Ministry of Finance, 2017)."""
    return len(value) == 10 and _weighted(value, (-1, 5, 7, 9, 4, 6, 10, 5, 7)) % 11 % 10 == int(value[9])


def is_ru_taxpayer(value: str) -> bool:
    """ИНН of ten (companies) or twelve digits (persons), one or two check digits modulo 11."""
    tail = (3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8)
    if len(value) == 10:
        return _weighted(value, tail[2:]) % 11 % 10 == int(value[9])
    return len(value) == 12 and all(_weighted(value, tail[skip:]) % 11 % 10 == int(value[11 - skip]) for skip in (0, 1))


def is_snils(value: str) -> bool:
    """СНИЛС: nine digits and two of check, the weighted sum modulo 101."""
    return len(value) == 11 and _weighted(value, range(9, 0, -1)) % 101 % 100 == int(value[9:]) and len(set(value)) > 1


def is_de_tax_id(value: str) -> bool:
    """Steuer-IdNr: ISO 7064 mod 11,10; no leading zero, no digit more than three times among the first ten."""
    if len(value) != 11 or value[0] == "0" or max(value[:10].count(digit) for digit in value) > 3:
        return False
    product = 10
    for digit in value[:10]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(value[10])


def has_de_tax_form(value: str) -> bool:
    """Whether exactly one digit of the first ten is repeated, as every issued Steuer-IdNr has it (§ 139b AO)."""
    return is_de_tax_id(value) and sum(value[:10].count(digit) > 1 for digit in set(value[:10])) == 1


def is_de_document(value: str) -> bool:
    """Personalausweis or Reisepass: nine characters without vowels, the last one the check digit of ICAO 9303 (7, 3, 1)."""
    if len(value) not in (9, 10) or not value[0].isalpha() or any(letter in "ABDEIOQSU" for letter in value[:9]):
        return False
    serial, check = (value[:8], value[8]) if len(value) == 9 else (value[:9], value[9])
    return sum(int(letter, 36) * (7, 3, 1)[place % 3] for place, letter in enumerate(serial)) % 10 == int(check)


def is_de_pension(value: str) -> bool:
    """Versicherungsnummer: area, birth date, letter, serial, check digit by cross sums (§ 2 VKVV)."""
    day, month = int(value[2:4]) % 50, int(value[4:6])
    if not (value[8].isalpha() and 1 <= day <= 31 and 1 <= month <= 12 and int(value[:2]) >= 2):
        return False
    digits = f"{value[:8]}{ord(value[8]) - 64:02d}{value[9:11]}"
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    return sum(sum(divmod(int(digit) * weight, 10)) for digit, weight in zip(digits, weights, strict=True)) % 10 == int(
        value[11]
    )


def is_de_health(value: str) -> bool:
    """Krankenversichertennummer: a letter as two digits, then Luhn from the left (§ 290 SGB V)."""
    digits = f"{ord(value[0]) - 64:02d}{value[1:9]}"
    return sum(sum(divmod(int(digit) * (1 + place % 2), 10)) for place, digit in enumerate(digits)) % 10 == int(
        value[9]
    )


def is_pesel(value: str) -> bool:
    """PESEL: birth date with the century in the month, weights 1, 3, 7, 9."""
    month, day = int(value[2:4]) % 20, int(value[4:6])
    return (
        1 <= month <= 12
        and 1 <= day <= 31
        and (_weighted(value, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) + int(value[10])) % 10 == 0
    )


def is_pl_identity_card(value: str) -> bool:
    """Dowód osobisty: three letters and six digits, the first digit from weights 7, 3, 1."""
    numbers = [int(letter, 36) for letter in value]
    weights = (7, 3, 1, 0, 7, 3, 1, 7, 3)
    return sum(number * weight for number, weight in zip(numbers, weights, strict=True)) % 10 == numbers[3]


def is_nhs(value: str) -> bool:
    """NHS number: ten digits, weights 10 to 2 modulo 11. None begins with 1: ten digits that do are a time in logs."""
    check = 11 - _weighted(value, range(10, 1, -1)) % 11
    return value[0] != "1" and check != 10 and check % 11 == int(value[9])


def is_nino(value: str) -> bool:
    """National Insurance number: HMRC's rules for the two letters (manual NIM39110)."""
    return not (
        value[0] in "DFIQUV" or value[1] in "DFIOQUV" or value[:2] in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}
    )


def is_ssn(value: str) -> bool:
    """US social security number by the areas that exist, or an ITIN by its groups; two famous samples are none."""
    area, group, serial = value[:3], value[3:5], value[5:]
    if area in {"000", "666"} or group == "00" or serial == "0000" or value in {"078051120", "219099999"}:
        return False
    if area >= "900":
        return "50" <= group <= "65" or "70" <= group <= "88" or "90" <= group <= "92" or "94" <= group <= "99"
    return True


def is_any(value: str) -> bool:
    """For documents without a check digit: the word before the number decides."""
    return len(set(value)) > 2
