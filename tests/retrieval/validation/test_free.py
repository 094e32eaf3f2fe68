"""What costs nothing beside what has a price."""

import pytest

from retrieval.validation.free import THRESHOLD
from retrieval.validation.values import values_of


@pytest.mark.parametrize(
    "text",
    [
        "Returns are free of charge.",
        "There is no fee for it.",
        "Die Ersatzkarte ist kostenlos.",
        "Перевипуск безкоштовний.",
        "La cancelación es gratuita.",
        "Доставка бесплатная.",
    ],
)
def test_free_of_charge_is_no_money(text: str) -> None:
    """As a value, so that it can contradict a price."""
    assert [(value.kind, value.high) for value in values_of(text)] == [("money", 0.0)]


@pytest.mark.parametrize(
    "text", ["Feel free to ask.", "The list is free to use.", "on the free plan", "Free up the disk."]
)
def test_other_uses_of_free_are_no_price(text: str) -> None:
    """The word alone says nothing of money."""
    assert values_of(text) == ()


@pytest.mark.parametrize(
    "text",
    ["free from 50 €", "ab einem Bestellwert von 50 € frei", "безкоштовно від 50 грн", "gratis a partir de 50 €"],
)
def test_an_amount_from_which_something_holds_is_no_price(text: str) -> None:
    """It is marked, and "free" beside it is not read."""
    assert [(value.low, value.key) for value in values_of(text)] == [(50.0, THRESHOLD)]


def test_a_price_and_a_span_of_prices_are_no_threshold() -> None:
    """Only one amount behind a word for "from" or "over" is."""
    assert [value.key for value in values_of("It costs 50 €.")] == [""]
    assert [value.key for value in values_of("It costs from 5 to 9 €.")] == [""]
