"""Typed values in base units."""

import pytest

from retrieval.validation.value import Value
from retrieval.validation.values import values_of


def _kinds(text: str) -> list[tuple[str, float, float]]:
    return [(value.kind, value.low, value.high) for value in values_of(text)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("within two weeks", "innerhalb von 14 Tagen"),
        ("after 90 minutes", "nach anderthalb Stunden"),
        ("за 24 години", "діє одну добу"),
        ("30 днів", "a month"),
        ("kept for 18 months", "anderthalb Jahre"),
        ("every 24 hours", "täglich"),
        ("once a week", "раз на тиждень"),
        ("every quarter of an hour", "cada 15 minutos"),
        ("half a year", "6 months"),
        ("1 GB", "1024 MB"),
        ("10.000 €", "10 000 Euro"),
        ("€49.00", "49 euros"),
        ("500 грн", "500 гривень"),
        ("50 percent", "50 %"),
        ("5 por ciento", "5 %"),
        ("at 6 pm", "um 18:00 Uhr"),
        ("a las 20:00", "a las 8 de la tarde"),
        ("iOS 16", "needs iOS 16 or newer"),
        ("Settings > Alarms > Sounds", "settings › alarms › sounds"),
        ("31 March 2024", "31.03.2024"),
        ("2024-03-31", "31 de marzo de 2024"),
        ("2024年3月31日", "31. März 2024"),
        ("30天", "30 days"),
    ],
)
def test_the_same_value_is_one_however_it_is_written(first: str, second: str) -> None:
    """Units, languages, number words and signs do not make another value."""
    one, other = values_of(first), values_of(second)
    assert any(a.is_same(b) for a in one for b in other), (one, other)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("within two weeks", "within 30 days"),
        ("one month", "two weeks"),
        ("3%", "2 %"),
        ("€15", "40 €"),
        ("2 GB", "5 GB"),
        ("um 03:00 Uhr", "um 05:00 Uhr"),
        ("Node 18", "Node 20"),
        ("Settings > Alarms > Sounds", "Settings > Devices > Sounds"),
        ("three to five working days", "seven to ten working days"),
        ("31 March 2024", "31 May 2024"),
    ],
)
def test_different_values_are_two(first: str, second: str) -> None:
    """What differs stays different."""
    assert not any(a.is_same(b) for a in values_of(first) for b in values_of(second))


def test_a_range_is_one_value() -> None:
    """From "3 to 5 days" one value is read, from three days to five."""
    assert _kinds("takes 3 to 5 days") == [("duration", 3 * 86_400, 5 * 86_400)]


def test_a_price_a_month_is_no_length_of_time() -> None:
    """The month of "€19 per month" says for what time one pays."""
    assert [kind for kind, _, _ in _kinds("costs €19 per month")] == ["money"]


@pytest.mark.parametrize("text", ["3. Hold the key.", "code TL-1007", "| 4 | rows |", "see KB-42", "#17 is closed"])
def test_numbers_of_steps_ids_and_tables_are_no_values(text: str) -> None:
    """A number that only names something is not compared."""
    assert values_of(text) == ()


def test_a_link_and_opening_hours_are_read_once() -> None:
    """What one rule took is not read again by another."""
    assert [v.kind for v in values_of("See https://example.com/a/2024 from 8:00 to 18:00")] == ["link", "time", "time"]
    assert [v.kind for v in values_of("besetzt von 8 bis 18 Uhr")] == ["time", "time"]


def test_values_know_their_place() -> None:
    """Positions count in the sentence."""
    (value,) = values_of("The window is 14 days long.")
    assert isinstance(value, Value)
    assert "The window is 14 days long."[value.start : value.end] == "14 days"


def test_how_long_ago_is_no_rule() -> None:
    """What happened "3 days ago" is a single event."""
    assert values_of("it broke 3 days ago") == ()
