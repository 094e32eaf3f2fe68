"""Days of the week as one value."""

import pytest

from retrieval.validation.values import values_of
from retrieval.validation.weekdays import days_in, is_weekday, with_every_day

_WORKDAYS, _ALL = 0b0011111, 0b1111111


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Open Monday to Friday.", _WORKDAYS),
        ("Mo–Fr geöffnet", _WORKDAYS),
        ("працює з понеділка до п'ятниці", _WORKDAYS),
        ("de lunes a viernes", _WORKDAYS),
        ("We answer on weekdays only.", _WORKDAYS),
        ("staffed seven days a week", _ALL),
        ("an sieben Tagen besetzt", _ALL),
        ("Saturday to Monday", 0b1100001),
    ],
)
def test_ranges_of_days_are_read(text: str, days: int) -> None:
    """In whatever language, also over Sunday."""
    assert [value.low for value in values_of(text) if value.kind == "weekdays"] == [days]


@pytest.mark.parametrize("text", ["Sent on Friday.", "from Monday to 5 May", "do so to him", "within seven days"])
def test_single_days_and_other_words_are_no_range(text: str) -> None:
    """A day on which something happened is no rule."""
    assert not [value for value in values_of(text) if value.kind == "weekdays"]


def test_daily_is_every_day_beside_named_days_only() -> None:
    """Else it says how often something is done."""
    daily, days, hours = values_of("open daily"), values_of("Monday to Friday"), values_of("within 24 hours")
    assert [value.kind for value in with_every_day(daily, days)[0]] == ["weekdays"]
    assert [value.kind for value in with_every_day(daily, hours)[0]] == ["duration"]
    assert [value.kind for value in with_every_day(hours, days)[0]] == ["duration"]


def test_a_day_is_nobodys_name() -> None:
    """Full names of days, also in the plural; short ones may be other words."""
    assert is_weekday("saturday")
    assert is_weekday("sundays")
    assert not is_weekday("marta")
    assert not is_weekday("so")


def test_days_that_are_named_are_bits() -> None:
    """With those between the two of a range, in any language; short names count in ranges only."""
    assert days_in("Montag bis Mittwoch") == 0b111
    assert days_in("on Fridays and on Sunday") == 0b1010000
    assert days_in("mo-fr") == 0b11111
    assert days_in("so it may do") == 0
