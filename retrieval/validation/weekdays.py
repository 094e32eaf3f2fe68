"""On which days of the week something holds: "Monday to Friday", "seven days a week", "у будні".

One value of a bit a day, Monday first; a single day is none, since it is a case ("sent on Friday") as often as a rule.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from retrieval.quantity_words import WEEKDAY
from retrieval.validation.value import Scanned, Value

_MORE = {
    1: "mo mon mo. понеділком пн понедельником пн. segunda-feira segunda pon",
    2: "di tue вт вт. terça-feira",
    3: "mi wed середа середи среда среды ср ср. quarta-feira środy",
    4: "do thu чт чт. quinta-feira czwartku",
    5: "fr fri п'ятницею п’ятниці п’ятницю пт пт. sexta-feira sexta piątku",
    6: "sa sat sonnabend суботи субботы сб сб. samedi soboty sáb",
    7: "so sun неділі воскресенью нд вс вс. dimanche niedzieli dom",
}
_DAYS = {word: int(name.removeprefix("weekday ")) for word, name in WEEKDAY.items()} | {
    word: number for number, words in _MORE.items() for word in words.split()
}
_ALL = 0b1111111
_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_RANGE = re.compile(
    rf"(?i)(?<![\w'’-])({_WORD})\.?(?:\s*(?:-|–|～|~|から)\s*|\s+(?:to|through|till|until|bis|до|по|a|à|au|do)\s+)({_WORD})"
)
_EVERY = re.compile(
    r"(?i)\b(?:7|seven|sieben|siete|sept|sete|siedem|сім|семь) (?:days a week|days per week|tage (?:die|in der|pro) woche|días (?:a|por) (?:la )?semana"
    r"|jours sur (?:7|sept)|dias (?:por|da) semana|dni w tygodniu|днів на тиждень|дней в неделю)|\ban (?:7|sieben|allen) tagen\b|\b24[/x]7\b|\b(?:без вихідних|без выходных|rund um die uhr|around the clock)\b"
)
# One of these stands in whatever the expression finds; few sentences have any.
_EVERY_CUES = ("week", "woche", "semana", "jours", "tygodniu", "тиждень", "неделю", "tagen", "24", "вихідних", "выходных", "uhr", "clock")  # fmt: skip
_WEEKDAY_CUES = ("weekdays", "werktag", "будн", "робочі", "entre semana", "laborables", "en semaine", "dias úteis", "dni robocze")  # fmt: skip
# What the days of a range begin with up to a mark inside ("п'ятницю").
_FIRST_RUNS = frozenset(re.split(r"\W", word)[0] for word in _DAYS)
_WEEKDAYS = re.compile(
    r"(?i)\b(?:weekdays only|(?:only )?on weekdays|(?:nur )?werktags|(?:nur )?an werktagen|(?:лише |тільки )?(?:у|в) (?:будні|робочі дні)|(?:только )?(?:в|по) (?:будни|будням)|(?:solo )?(?:entre semana|los días laborables)|en semaine|em dias úteis|w dni robocze)\b"
)


def take_weekdays(text: Scanned) -> None:
    """Take ranges of weekdays, "every day of the week" and "on weekdays"; both ends are bits, Monday is 1."""
    for match in _EVERY.finditer(text.left) if text.has_any(_EVERY_CUES) else ():
        text.take(*match.span(), "weekdays", (_ALL, _ALL))
    may_range = text.is_unspaced or len(_FIRST_RUNS & text.runs) > 1
    for match in _RANGE.finditer(text.left) if may_range else ():
        first, last = (_DAYS.get(group.casefold()) for group in match.groups())
        if first and last and first != last:
            mask = _span(first, last)
            text.take(*match.span(), "weekdays", (mask, mask))
    for match in _WEEKDAYS.finditer(text.left) if text.has_any(_WEEKDAY_CUES) else ():
        mask = _span(1, 5)
        text.take(*match.span(), "weekdays", (mask, mask))


def _span(first: int, last: int) -> int:
    """Give the bits of days from one to another, over Sunday where the last stands before the first."""
    days = range(first, last + 1) if first <= last else [*range(first, 8), *range(1, last + 1)]
    return sum(1 << (day - 1) for day in days)


def days_in(text: str) -> int:
    """Give the days that a text names in full, and those between the two of a range, as bits; Monday is 1."""
    found = 0
    for match in _RANGE.finditer(text):
        first, last = (_DAYS.get(group.casefold()) for group in match.groups())
        found |= _span(first, last) if first and last else 0
    for word in re.findall(_WORD, text.casefold()):
        name = word if word in _FULL else word.rstrip("s")
        found |= 1 << (_DAYS[name] - 1) if name in _FULL else 0
    return found


def is_weekday(word: str) -> bool:
    """Say whether a casefolded word is the name of a day, which is nobody's own name."""
    return word in _FULL or word.rstrip("s") in _FULL


_FULL = frozenset(word for word in _DAYS if len(word) > 3)
_DAY_S = 86_400.0


def with_every_day(ours: Sequence[Value], theirs: Sequence[Value]) -> tuple[Sequence[Value], Sequence[Value]]:
    """Read "daily" as every day of the week where the other side names its days."""
    return _as_days(ours, theirs), _as_days(theirs, ours)


def _as_days(values: Sequence[Value], others: Sequence[Value]) -> Sequence[Value]:
    if not any(value.kind == "weekdays" for value in others):
        return values
    return [_every_day(value) if _is_daily(value) else value for value in values]


def _is_daily(value: Value) -> bool:
    return value.kind == "duration" and value.low == value.high == _DAY_S and not value.text[:1].isdigit()


def _every_day(value: Value) -> Value:
    return replace(value, kind="weekdays", low=_ALL, high=_ALL)
