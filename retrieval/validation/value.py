"""One typed value of a text in base units, and the text that it is taken from."""

from dataclasses import dataclass

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
    that is counted, or the name that a version is of; `key` what a path or link is compared by. `text` is as written.
    """

    kind: str
    low: float
    high: float
    text: str
    start: int
    end: int
    unit: str = ""
    key: str = ""

    def is_same(self, other: "Value") -> bool:
        """Whether both are one value, in whatever unit they are written."""
        if self.kind != other.kind:
            return False
        if self.kind in ("path", "link"):
            return self.key == other.key
        if self.unit == other.unit == "workday":  # no matter how many weekends lie between
            return self.low <= other.high / _WEEKENDS and other.low <= self.high / _WEEKENDS
        slack = _TOLERANCE if self.kind in ("duration", "size", "length") else 1e-9
        return self.low <= other.high * (1 + slack) + 1e-12 and other.low <= self.high * (1 + slack) + 1e-12


class Scanned:
    """A sentence of which what was read is blanked, so that nothing is read twice."""

    def __init__(self, text: str) -> None:
        self.whole = text
        self.left = text
        self.found: list[Value] = []

    def take(
        self, start: int, end: int, kind: str, span: tuple[float, float], *, unit: str = "", key: str = ""
    ) -> None:
        """Add a value and blank its place."""
        text = self.whole[start:end].strip()
        self.found.append(Value(kind, span[0], span[1], text, start, end, unit, key))
        self.blank(start, end)

    def blank(self, start: int, end: int) -> None:
        """Blank a place that holds no value."""
        self.left = self.left[:start] + "\x00" * (end - start) + self.left[end:]
