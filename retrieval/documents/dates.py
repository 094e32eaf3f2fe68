"""Dates as exports write them, to ISO 8601. What can be read in two ways is read only when the rest of its column decides."""

import datetime as dt
import re
from collections.abc import Iterable
from enum import StrEnum

_TIME = (
    r"(?:(?:,\s?|\s|T)(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,9})?)?"
    r"(?:\s?(?P<half>[AaPp])\.?[Mm]\.?|\sUhr)?(?:\s?(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}))?)?"
)
_YEAR_FIRST = re.compile(rf"(?P<year>\d{{4}})(?P<mark>[/.-])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}}){_TIME}")
_DOTTED = re.compile(rf"(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?(?P<year>\d{{4}}){_TIME}")
_EITHER = re.compile(rf"(?P<one>\d{{1,2}})(?P<mark>[/-])(?P<two>\d{{1,2}})(?P=mark)(?P<year>\d{{4}}){_TIME}")
# Not any eight digits: a number of another kind must not become a day of the year 1205.
_COMPACT = re.compile(r"(?:19|20)\d{6}(?:T\d{4}(?:\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?")
_ISO_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ][\d:.,]{2,18} ?(?:Z|UTC|[+-]\d{2}:?\d{2})?)?")
_ISO_PART = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2]))?")
_MONTHS = 12
_NOON = 12


class DayOrder(StrEnum):
    """Which of two numbers in front of the year is the day."""

    DAY_FIRST = "day first"
    MONTH_FIRST = "month first"


class NoDate(ValueError):
    """The text is no date of a form that is read, or a day that no calendar has."""


class TwoReadings(ValueError):
    """The text is one day or another; `readings` are both, the one with the day in front first."""

    def __init__(self, readings: tuple[str, str]) -> None:
        super().__init__(" or ".join(readings))
        self.readings = readings


def iso_date(text: str, order: DayOrder | None = None) -> str:
    """Give a date in ISO 8601; one that begins so already is given as it is, and so is a year or a month alone.

    Args:
        text: `2026-05-12`, `2026/05/12`, `20260512`, `12.05.2026`, `05/12/2026`, each also with a time behind it.
        order: what the column of the text tells about numbers of which either may be the day.

    Raises:
        NoDate: of no such form, or a day or a time that there is not.
        TwoReadings: either number may be the day, and no order is given.
    """
    if _ISO_PART.fullmatch(text):
        return text
    if day := _ISO_DAY.fullmatch(text):
        _parsed(day[1])
        return text
    if found := _YEAR_FIRST.fullmatch(text) or _DOTTED.fullmatch(text):
        return _joined(found, int(found["month"]), int(found["day"]))
    if found := _EITHER.fullmatch(text):
        return _decided(found, order)
    if _COMPACT.fullmatch(text):
        return _parsed(text) if "T" in text else _parsed(text)[:10]
    if text[4:5] == "-":  # the rarer forms of the standard, such as a week
        _parsed(text)
        return text
    raise NoDate(text)


def order_in(texts: Iterable[str]) -> DayOrder | None:
    """Give the order that the dates of a column have; None when none of them tells, or when they tell both."""
    told = {order for text in texts if (order := _told(text.strip())) is not None}
    return told.pop() if len(told) == 1 else None


def _told(text: str) -> DayOrder | None:
    found = _EITHER.fullmatch(text)
    if found is None:
        return None
    one, two = int(found["one"]), int(found["two"])
    if (one > _MONTHS) == (two > _MONTHS):
        return None
    order = DayOrder.DAY_FIRST if one > _MONTHS else DayOrder.MONTH_FIRST
    try:
        _ordered(found, order)
    except NoDate:  # such as 31/02/2026
        return None
    return order


def _decided(found: re.Match[str], order: DayOrder | None) -> str:
    one, two = int(found["one"]), int(found["two"])
    if one == two or one > _MONTHS:
        return _ordered(found, DayOrder.DAY_FIRST)
    if two > _MONTHS:
        return _ordered(found, DayOrder.MONTH_FIRST)
    if order is None:
        raise TwoReadings((_ordered(found, DayOrder.DAY_FIRST)[:10], _ordered(found, DayOrder.MONTH_FIRST)[:10]))
    return _ordered(found, order)


def _ordered(found: re.Match[str], order: DayOrder) -> str:
    day, month = (found["one"], found["two"]) if order is DayOrder.DAY_FIRST else (found["two"], found["one"])
    return _joined(found, int(month), int(day))


def _joined(found: re.Match[str], month: int, day: int) -> str:
    date = f"{int(found['year']):04}-{month:02}-{day:02}"
    if found["hour"] is None:
        return _parsed(date)[:10]
    hour = int(found["hour"])
    if half := found["half"]:
        if not 1 <= hour <= _NOON:
            raise NoDate(found[0])
        hour = hour % _NOON + _NOON * (half in "Pp")
    zone = (found["zone"] or "").replace("UTC", "Z").replace("GMT", "Z")
    return _parsed(f"{date}T{hour:02}:{found['minute']}:{found['second'] or '00'}{zone}")


def _parsed(text: str) -> str:
    try:
        return dt.datetime.fromisoformat(text).isoformat()
    except ValueError:
        raise NoDate(text) from None
