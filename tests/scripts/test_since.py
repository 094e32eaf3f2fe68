"""What `--since` may be."""

import pytest

from scripts.since import TimeInvalid, seconds_since


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("", 0.0),
        ("7d", 10_000_000 - 7 * 86_400),
        ("12 h", 10_000_000 - 43_200),
        ("999999w", 0.0),
        ("1970-01-02", 86_400.0),
        ("1970-01-01T02:00:00+01:00", 3_600.0),
    ],
)
def test_dates_times_and_ages(text: str, seconds: float) -> None:
    """An age counts back from now, a date without an offset is UTC."""
    assert seconds_since(text, now=10_000_000.0) == seconds


@pytest.mark.parametrize("text", ["yesterday", "7", "7 moons", "2026-13-01"])
def test_anything_else_is_refused(text: str) -> None:
    """In one sentence that shows what may be given."""
    with pytest.raises(TimeInvalid, match="neither a date"):
        seconds_since(text)
