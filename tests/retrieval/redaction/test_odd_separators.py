"""Cards and IBANs with unusual signs between their groups, and digits of other scripts."""

import pytest

from retrieval.redaction import Redactor

_REDACTOR = Redactor()


@pytest.mark.parametrize(
    "card",
    [
        "4111.1111.1111.1111",
        "4111_1111_1111_1111",
        "4111/1111/1111/1111",
        "4111 – 1111 – 1111 – 1111",
        "4111\n1111\n1111\n1111",
        "4111\t1111\t1111\t1111",
        "4111·1111·1111·1111",
        "4111,1111,1111,1111",
        "4111  1111  1111  1111",
        "4111:1111:1111:1111",
        "4111*1111*1111*1111",
        "4111|1111|1111|1111",
        "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
        "3782/822463/10005",
        "٤١١١ ١١١١ ١١١١ ١١١١",
        "४१११ ११११ ११११ ११११",
    ],
)
def test_a_card_is_hidden_whatever_stands_between_its_groups(card: str) -> None:
    """Slashes, dashes, dots, stars, bars, tabs, line ends, single digits, Arabic and Devanagari digits."""
    assert str(_REDACTOR.redact(f"my card {card} was declined").text) == "my card [CARD] was declined"


@pytest.mark.parametrize(
    "text",
    [
        "rows 4111,1111,1111,1111 and 4111|1111|1111|1111",
        "columns\n4111\n1111\n1111\n1111",
        "order 4111/1111/1111/1112",
        "the bits 1 0 1 1 0 1 0 0 1 1 1 0 1 0 0 1",
        "years 2019/2020/2021/2022",
        "card 1234:5678:9012:3456",
        "ipv6 2001:0db8:0000:0042",
    ],
)
def test_rows_of_numbers_are_no_cards(text: str) -> None:
    """Lists and columns without a word for a card, wrong check digits, years and addresses stay."""
    assert str(_REDACTOR.redact(text).text) == text


def test_an_iban_with_dots_is_hidden() -> None:
    """As with blanks and dashes, by its check digits."""
    assert str(_REDACTOR.redact("DE89.3704.0044.0532.0130.00").text) == "[IBAN]"
    assert str(_REDACTOR.redact("DE88.3704.0044.0532.0130.00").text) == "DE88.3704.0044.0532.0130.00"
