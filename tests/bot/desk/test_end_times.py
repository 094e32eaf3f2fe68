"""When an incident ends: what people write is read in their own time zone, and what cannot be read is refused."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.desk.end_times import LONGEST_S, Ending, UntilUnclear, read_until, split_ending, zone_of

KYIV = ZoneInfo("Europe/Kyiv")
MONDAY = datetime(2026, 11, 30, 14, 0, tzinfo=KYIV)  # UTC+02:00


def _read(text: str, now: datetime = MONDAY) -> str:
    ends_at = read_until(text, now=now.timestamp(), zone=now.tzinfo or UTC)
    return f"{datetime.fromtimestamp(ends_at, now.tzinfo):%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("17:30", "11-30 17:30"),
        ("5pm", "11-30 17:00"),
        ("5:30 p.m.", "11-30 17:30"),
        ("17h30", "11-30 17:30"),
        ("12 am", "12-01 00:00"),
        ("noon", "12-01 12:00"),
        ("midnight", "12-01 00:00"),
        ("9:00", "12-01 09:00"),
        ("24:00", "12-01 00:00"),
        ("\uff11\uff18:00", "11-30 18:00"),
        ("today", "12-01 00:00"),
        ("tomorrow", "12-02 00:00"),
        ("9am tomorrow", "12-01 09:00"),
        ("tomorrow at 9:00", "12-01 09:00"),
        ("Fri 12:00", "12-04 12:00"),
        ("monday 18:00", "11-30 18:00"),
        ("Monday 9:00", "12-07 09:00"),
        ("next friday", "12-05 00:00"),
        ("2026-12-01 14:00", "12-01 14:00"),
        ("2026-12-01T14:00Z", "12-01 16:00"),
        ("2026-12-01 14:00 UTC", "12-01 16:00"),
        ("17:30+01:00", "11-30 18:30"),
        ("17:30 -0500", "12-01 00:30"),
        ("17:30 Europe/Berlin", "11-30 18:30"),
        ("2026-12-01", "12-02 00:00"),
        ("1 Dec 14:00", "12-01 14:00"),
        ("December 1st, 2026 at 2pm", "12-01 14:00"),
        ("1.12. 14:00", "12-01 14:00"),
        ("01.12.2026", "12-02 00:00"),
        ("2h", "11-30 16:00"),
        ("1h 30m", "11-30 15:30"),
        ("in 90 minutes", "11-30 15:30"),
        ("1 hour and 5 minutes", "11-30 15:05"),
        ("3 days", "12-03 14:00"),
    ],
)
def test_what_people_write_is_read_in_their_time(text: str, end: str) -> None:
    """Times, days, dates, spans and zones as people write them."""
    assert _read(text) == end


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "until_unclear"),
        ("17", "until_unclear"),
        ("later", "until_unclear"),
        ("17:30 or so", "until_unclear"),
        ("12/01 14:00", "until_unclear"),
        ("25:00", "until_unclear"),
        ("24:30", "until_unclear"),
        ("13pm", "until_unclear"),
        ("0 am", "until_unclear"),
        ("31 feb", "until_unclear"),
        ("2026-13-01", "until_unclear"),
        ("17:30 CET", "until_unclear"),
        ("17:30 Mars/Phobos", "until_unclear"),
        ("9999h 99999999999m", "until_unclear"),
        ("17:30 " + "x" * 80, "until_unclear"),
        ("today 9:00", "until_past"),
        ("2026-01-01", "until_past"),
        ("0m", "until_unclear"),
        ("29 Nov", "until_past"),
        ("2027-01-15", "until_far"),
        ("5 May", "until_far"),
        ("31 days", "until_far"),
    ],
)
def test_what_cannot_be_meant_is_refused(text: str, said: str) -> None:
    """Unclear, past and far ends each have their own word; nothing is guessed."""
    with pytest.raises(UntilUnclear) as refused:
        _read(text)
    assert refused.value.said == said


def test_a_day_without_a_year_near_the_turn_of_the_year() -> None:
    """In December "5 Jan" is the next one."""
    assert _read("5 Jan 10:00", datetime(2026, 12, 20, 9, 0, tzinfo=KYIV)) == "01-05 10:00"


def test_clocks_that_change_in_between() -> None:
    """A time of day stays the time of day when the clocks change before it."""
    assert _read("tomorrow 9:00", datetime(2026, 10, 24, 12, 0, tzinfo=KYIV)) == "10-25 09:00"
    assert _read("24h", datetime(2026, 10, 24, 12, 0, tzinfo=KYIV)) == "10-25 11:00"


@pytest.mark.parametrize(
    ("now", "text", "minutes"),
    [
        (datetime(2026, 10, 25, 2, 50, tzinfo=KYIV), "3:30", 40),
        (datetime(2026, 10, 25, 3, 50, tzinfo=KYIV), "3:30", 40),
        (datetime(2026, 10, 25, 3, 50, fold=1, tzinfo=KYIV), "3:55", 5),
        (datetime(2026, 10, 25, 3, 50, fold=1, tzinfo=KYIV), "3:30", 23 * 60 + 40),
        (datetime(2026, 3, 29, 2, 50, tzinfo=KYIV), "3:30", 40),
        (datetime(2026, 3, 29, 2, 50, tzinfo=KYIV), "4:30", 40),
        (datetime(2026, 3, 28, 4, 50, tzinfo=KYIV), "tomorrow 4:50", 23 * 60),
    ],
)
def test_an_hour_that_comes_twice_and_one_that_never_comes(now: datetime, text: str, minutes: int) -> None:
    """In October half past three comes twice, and the next one is meant; in March it never comes, and is an hour later."""
    assert read_until(text, now=now.timestamp(), zone=KYIV) - now.timestamp() == minutes * 60


@given(st.text(max_size=70))
def test_any_text_gives_an_end_within_bounds_or_is_refused(text: str) -> None:
    """Whatever is written: an end in the next 30 days, or the one error."""
    try:
        ends_at = read_until(text, now=MONDAY.timestamp(), zone=KYIV)
    except UntilUnclear:
        return
    assert 0 < ends_at - MONDAY.timestamp() <= LONGEST_S


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("Payments fail until 17:30", Ending("Payments fail", "17:30")),
        ("Do not sell until fixed, until 17:30.", Ending("Do not sell until fixed", "17:30")),
        ("Kasse steht bis 17:30", Ending("Kasse steht", "17:30")),
        ("Оплата не працює до 17:30", Ending("Оплата не працює", "17:30")),
        ("Les cartes échouent jusqu’à 17:30", Ending("Les cartes échouent", "17:30")),
        ("until 17:30", Ending("", "17:30")),
        ("Untilted readers bisect", Ending("Untilted readers bisect", "")),
    ],
)
def test_the_last_until_divides(text: str, ending: Ending) -> None:
    """What is broken stands before the last "until", also in other languages."""
    assert split_ending(text) == ending


def test_a_zone_that_is_not_known_here_is_an_offset() -> None:
    """Where the machine has no such zone, the offset that Slack gives beside it serves."""
    assert str(zone_of("Europe/Kyiv")) == "Europe/Kyiv"
    for name in ("", "Nowhere/City", "../etc/passwd"):
        assert str(zone_of(name, offset_s=7_200)) == "UTC+02:00"
