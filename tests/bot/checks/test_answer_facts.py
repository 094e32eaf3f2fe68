"""Facts of a reference answer are found in an answer, whatever form and language they have there."""

import pytest

from bot.checks.answer_facts import check_facts


@pytest.mark.parametrize(
    ("reference", "answer", "stands"),
    [
        ("14 days", "You have 14 days to cancel.", True),
        ("14 days", "Ви маєте 14 днів.", True),
        ("14 days", "You have 14 hours to cancel.", False),
        ("14 days", "Refunds take 30 days.", False),
        ("7", "Ask within seven days.", True),
        ("TL-4012", "The till shows tl-4012 when the reader is gone.", True),
        ("TL-4012", "The till shows TL-4013.", False),
        ("€49", "It costs 49 € a month.", True),
        ("1,500 calls", "The limit is 1500 calls.", True),
    ],
)
def test_numbers_units_and_codes_survive_translation(reference: str, answer: str, *, stands: bool) -> None:
    """The same number with another unit is another fact."""
    assert check_facts(reference, answer, is_same_language=False).stands is stands


def test_words_count_within_a_language_only() -> None:
    """Half of the content words, by stem; across languages a reference without numbers cannot be compared."""
    reference = "Open the settings, choose the printer and press the pairing button."
    close = "In Settings you choose a printer, then press Pair."
    assert check_facts(reference, close, is_same_language=True).stands is True
    assert check_facts(reference, "Write to the billing team.", is_same_language=True).stands is False
    assert check_facts(reference, "Öffnen Sie die Einstellungen.", is_same_language=False).stands is None
    assert check_facts("", "Anything.", is_same_language=True).stands is None


def test_most_facts_of_a_long_reference_are_enough() -> None:
    """Three of four numbers stand, two of three do not; numbers of a list are no facts."""
    four = "1. Wait 5 minutes.\n2. Use port 8080.\n3. Send 20 rows.\n4. Retry after 90 seconds."
    found = check_facts(four, "Wait 5 minutes, use port 8080 and send 20 rows.", is_same_language=False)
    assert (found.facts_found, found.facts, found.stands) == (3, 4, True)
    three = "Wait 5 minutes, use port 8080, send 20 rows."
    assert check_facts(three, "Wait 5 minutes, use port 8080.", is_same_language=False).stands is False


def test_addresses_are_no_facts() -> None:
    """An answer seldom repeats the links of a page."""
    found = check_facts("See https://example.org/v2/help?id=17", "See the help page.", is_same_language=True)
    assert found.facts == 0
