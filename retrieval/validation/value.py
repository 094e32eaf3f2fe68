"""One typed value of a text in base units, and the text that it is taken from."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

_DAY = 86_400.0
# Five working days are at most eight days.
_WEEKENDS = 1.6
# A month has 28 to 31 days, so "one month" and "30 days" are the same and "one month" and "two weeks" are not.
SECONDS: dict[str, tuple[float, float]] = {
    "millisecond": (0.001, 0.001),
    "second": (1, 1),
    "minute": (60, 60),
    "hour": (3_600, 3_600),
    "day": (_DAY, _DAY),
    "workday": (_DAY, _WEEKENDS * _DAY),
    "week": (7 * _DAY, 7 * _DAY),
    "month": (28 * _DAY, 31 * _DAY),
    "year": (360 * _DAY, 366 * _DAY),
}
BYTES = {"byte": 1.0, "kb": 1024.0, "mb": 1024.0**2, "gb": 1024.0**3, "tb": 1024.0**4}
LENGTHS = {"millimeter": 1.0, "centimeter": 10.0, "inch": 25.4}
_TOLERANCE = 0.026  # 1000 or 1024 bytes; years of 360 to 366 days


@dataclass(frozen=True, slots=True)
class Value:
    """One value in base units, from `low` to `high`: seconds, bytes, millimetres, minutes of the day, or plain numbers.

    `kind` is duration, time, date, money, percent, size, length, count, version, path or link. `unit` is the currency, the noun
    that is counted, or the name that a version is of; `key` what a path or link is compared by, or the time that a price is for; `bound` "more" or "less" where it is
    said to be more or less than that. `text` is as written.
    """

    kind: str
    low: float
    high: float
    text: str
    start: int
    end: int
    unit: str = ""
    key: str = ""
    bound: str = ""

    def is_same(self, other: "Value") -> bool:
        """Whether both are one value, in whatever unit they are written."""
        if self.kind != other.kind:
            return False
        if self.kind in ("path", "link"):
            return self.key == other.key
        if self.bound != other.bound and not (self.bound and other.bound):
            limit, exact = (self, other) if self.bound else (other, self)
            return exact.high >= limit.low if limit.bound == "more" else exact.low <= limit.high
        if self.unit == other.unit == "workday":  # no matter how many weekends lie between
            return self.low <= other.high / _WEEKENDS and other.low <= self.high / _WEEKENDS
        slack = _TOLERANCE if self.kind in ("duration", "size", "length") else 1e-9
        return self.low <= other.high * (1 + slack) + 1e-12 and other.low <= self.high * (1 + slack) + 1e-12


_LETTERS = re.compile(r"[^\W\d_]+")
_NO_LETTERS = {number: " " for number in range(128) if not chr(number).isalpha()}


class Scanned:
    """A sentence of which what was read is blanked, so that nothing is read twice.

    `folded` and `runs` are of the whole sentence: most expressions can find nothing in it, and asking these whether one can
    takes a tenth of trying.
    """

    def __init__(self, text: str) -> None:
        self.whole = text
        self.left = text
        self.folded = text.casefold()
        self.found: list[Value] = []

    @cached_property
    def runs(self) -> frozenset[str]:
        """The runs of letters, casefolded: what a word with a mark inside begins with is one of them."""
        if self.folded.isascii():  # in half the time
            return frozenset(self.folded.translate(_NO_LETTERS).split())
        return frozenset(_LETTERS.findall(self.folded))

    @cached_property
    def is_unspaced(self) -> bool:
        """Whether it holds signs of a language that writes its words without spaces."""
        return not self.folded.isascii() and max(self.folded) > "\u3000"

    def has_any(self, cues: Iterable[str]) -> bool:
        """Say whether any of some casefolded pieces stands in the sentence."""
        return any(map(self.folded.__contains__, cues))

    def take(
        self, start: int, end: int, kind: str, span: tuple[float, float], *, unit: str = "", key: str = ""
    ) -> None:
        """Add a value and blank its place."""
        text = self.whole[start:end].strip()
        self.found.append(Value(kind, span[0], span[1], text, start, end, unit, key, _bound(self.whole[:start])))
        self.blank(start, end)

    def blank(self, start: int, end: int) -> None:
        """Blank a place that holds no value."""
        self.left = self.left[:start] + "\x00" * (end - start) + self.left[end:]


_MORE = re.compile(
    r"(?i)\b(?:more than|over|above|mehr als|über|більше ніж|понад|более|свыше|más de|plus de|mais de|ponad)\s*\S?\s*$"
)
_LESS = re.compile(
    r"(?i)\b(?:less than|fewer than|under|below|weniger als|unter|менше ніж|менее|menos de|moins de|mniej niż)\s*\S?\s*$"
)


def _bound(before: str) -> str:
    return "more" if _MORE.search(before[-24:]) else "less" if _LESS.search(before[-24:]) else ""
