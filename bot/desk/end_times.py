"""When something ends, as a person writes it: "17:30", "tomorrow 9am", "Fri 12:00", "2026-12-01 14:00 UTC", "2h 30m".

A small grammar on purpose: a reader that takes anything reads some of it wrong, and an end that nobody meant is worse
than being asked again. Days and months may be written in English, numbers in any form that cannot be misread; a date
with slashes can.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

LONGEST_S = 30 * 86_400.0
_LONGEST_TEXT = 60

_MARKER = re.compile(r"(?<!\w)(?:until|till|til|bis|до|jusqu['’]?[àa]?|hasta|até)(?!\w)", re.IGNORECASE)
_UNITS = {"m": 60.0, "h": 3_600.0, "d": 86_400.0}
_SPAN = re.compile(r"(\d{1,4})\s*(m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![a-z])\s*(?:,|and\s)?\s*")
_CLOCK = re.compile(
    r"(?<![\d:.-])(?:(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?::(?P<second>\d{2}))?(?!\d)\s*(?P<half>[ap]\.?m\.?(?!\w))?"
    r"|(?P<hour12>\d{1,2})\s*(?P<half12>[ap]\.?m\.?)(?!\w)|(?P<word>noon|midnight))"
)
_ISO_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:t(?=\d))?")
_DOTTED_DAY = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})?(?!\d)")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})[a-z]{{0,6}}\.?"
_NAMED_DAY = re.compile(
    rf"(?:(?P<before>\d{{1,2}})(?:st|nd|rd|th)?\s+{_MONTH}|{_MONTH.replace('month', 'month2')}\s+(?P<after>\d{{1,2}})(?:st|nd|rd|th)?)(?:,?\s+(?P<year>\d{{4}}))?(?![\w:])"
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(rf"(?:next\s+)?({'|'.join(_WEEKDAYS)})[a-z]{{0,6}}\.?(?!\w)")
_RELATIVE = re.compile(r"(today|tonight|tomorrow)(?!\w)")
_ZONE = re.compile(r"(?:(?P<utc>utc|gmt|z)|(?P<offset>[+-]\d{2}:?\d{2})|(?P<name>(?<![a-z])[a-z]++/[a-z_/]++))$")
_FILLER = re.compile(r"(?:\bat\b|\bon\b|\bthe\b|[,\s])+")


class UntilUnclear(ValueError):
    """The words name no end; `said` is the key of the text that says why."""

    def __init__(self, said: str) -> None:
        """Keep the key."""
        super().__init__(said)
        self.said = said


@dataclass(frozen=True, slots=True)
class Ending:
    """What stands before the word "until", and what behind it."""

    what: str
    when: str


def split_ending(text: str) -> Ending:
    """Split at the last "until" (also bis, до, jusqu'à, hasta, até); without one, nothing stands behind it."""
    marks = list(_MARKER.finditer(text))
    if not marks:
        return Ending(text.strip(), "")
    return Ending(text[: marks[-1].start()].strip(" \t\n,;:–—-"), text[marks[-1].end() :].strip(" \t\n.!"))


def zone_of(name: str, *, offset_s: float = 0.0) -> tzinfo:
    """Give the time zone of an IANA name, or that of an offset from UTC in seconds where the name is not known here."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return timezone(timedelta(seconds=max(-86_340.0, min(offset_s, 86_340.0))))


def read_until(text: str, *, now: float, zone: tzinfo) -> float:
    """Give the end in seconds since the epoch.

    A time without a day is the next one to come; a day without a time is meant whole.

    Args:
        text: what stands behind "until".
        now: seconds since the epoch.
        zone: the writer's time zone; one that is written in the text wins.

    Raises:
        UntilUnclear: it cannot be read, lies in the past, or is more than 30 days away.
    """
    words = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    if not words or len(words) > _LONGEST_TEXT:
        raise UntilUnclear("until_unclear")
    try:
        ends_at = now + span if (span := _span(words)) else _moment(words, now, zone)
    except (ValueError, OverflowError):  # the 31st of February, hour 25
        raise UntilUnclear("until_unclear") from None
    if ends_at <= now:
        raise UntilUnclear("until_past")
    if ends_at - now > LONGEST_S:
        raise UntilUnclear("until_far")
    return ends_at


def _span(words: str) -> float:
    """Give the seconds of "2h 30m" or "in 90 minutes"; 0 when it is no span."""
    rest, seconds = words.removeprefix("in ").removeprefix("+"), 0.0
    while rest:
        found = _SPAN.match(rest)
        if found is None:
            return 0.0
        seconds += int(found[1]) * _UNITS[found[2][0]]
        rest = rest[found.end() :]
    return seconds


def _moment(words: str, now: float, zone: tzinfo) -> float:
    words, zone = _without_zone(words, zone)
    today = datetime.fromtimestamp(now, zone).date()
    is_weekday = _WEEKDAY.search(words) is not None
    day, words = _day(words, today)
    clock, words = _clock(words)
    if _FILLER.sub("", words) or (day is None and clock is None):
        raise UntilUnclear("until_unclear")
    if clock is None:
        return datetime.combine((day or today) + timedelta(days=1), time(), zone).timestamp()
    moment = datetime.combine(day or today, time(), zone) + clock
    if moment.timestamp() <= now:  # in the hour that comes twice, its second time may be the next one
        moment = moment.replace(fold=1)
    if moment.timestamp() <= now:  # said of a time or a weekday, the next one is meant; a date is what it is
        moment = (moment + timedelta(days=1 if day is None else 7 if is_weekday else 0)).replace(fold=0)
    return moment.timestamp()


def _without_zone(words: str, zone: tzinfo) -> tuple[str, tzinfo]:
    found = _ZONE.search(words)
    # "2026-12-01" ends like an offset, and "noon" like nothing; a zone stands behind a time of day.
    if found is None or not _CLOCK.search(words[: found.start()]):
        return words, zone
    if found["name"]:
        named = "/".join(part.title() for part in found["name"].split("/"))
        try:
            return words[: found.start()], ZoneInfo(named)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise UntilUnclear("until_unclear") from None
    return words[: found.start()], _fixed(found["offset"])


def _fixed(offset: str | None) -> tzinfo:
    if not offset:
        return UTC
    minutes = int(offset[1:3]) * 60 + int(offset[-2:])
    return timezone(timedelta(minutes=-minutes if offset[0] == "-" else minutes))


def _day(words: str, today: date) -> tuple[date | None, str]:
    """Give the day that is named and the words without it."""
    for pattern, read in _DAYS:
        if found := pattern.search(words):
            return read(found, today), f"{words[: found.start()]} {words[found.end() :]}"
    return None, words


def _named(found: re.Match[str], today: date) -> date:
    month = _MONTHS.index(found["month"] or found["month2"]) + 1
    return _coming(int(found["before"] or found["after"]), month, found["year"], today)


def _coming(day: int, month: int, year: str | None, today: date) -> date:
    """Give the next such day; one of the last weeks is not next year's but past."""
    if year:
        return date(int(year), month, day)
    found = date(today.year, month, day)
    return found if found >= today - timedelta(days=60) else date(today.year + 1, month, day)


def _weekday(found: re.Match[str], today: date) -> date:
    return today + timedelta(days=(_WEEKDAYS.index(found[1]) - today.weekday()) % 7)


_DAYS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], date]], ...] = (
    (_ISO_DAY, lambda found, _: date(int(found[1]), int(found[2]), int(found[3]))),
    (_DOTTED_DAY, lambda found, today: _coming(int(found[1]), int(found[2]), found[3], today)),
    (_NAMED_DAY, _named),
    (_RELATIVE, lambda found, today: today + timedelta(days=found[1] == "tomorrow")),
    (_WEEKDAY, _weekday),
)


def _clock(words: str) -> tuple[timedelta | None, str]:
    """Give the time of day as the time since midnight, and the words without it."""
    found = _CLOCK.search(words)
    if found is None:
        return None, words
    rest = f"{words[: found.start()]} {words[found.end() :]}"
    if found["word"]:
        return timedelta(hours=12 if found["word"] == "noon" else 24), rest
    hour, minute = int(found["hour"] or found["hour12"]), int(found["minute"] or 0)
    half = (found["half"] or found["half12"] or "")[:1]
    if half and not 1 <= hour <= 12:
        raise UntilUnclear("until_unclear")
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        raise UntilUnclear("until_unclear")
    return timedelta(hours=hour, minutes=minute), rest
