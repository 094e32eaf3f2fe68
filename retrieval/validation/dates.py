"""Dates, years and times of the day of a sentence."""

import re

from retrieval.quantity_words import MONTH_NUMBER, SIGNS
from retrieval.validation.units import unit_after
from retrieval.validation.value import Scanned

# What the name of a month begins with up to a mark inside.
_MONTHS = frozenset(re.split(r"[\W\d_]", word)[0] for word in MONTH_NUMBER)
_CLOCK = re.compile(
    r"(?<![\w:.])(?P<h>[01]?\d|2[0-4])(?:[:.h](?P<m>[0-5]\d))?(?![\w:]|[.,]\d)\s*(?P<mark>a\.?m\.?|p\.?m\.?|uhr\b|h\b|годин[аиі]?\b(?= (?:ранку|вечора|дня))"
    r"|de la (?:tarde|noche|mañana)|da (?:tarde|noite|manhã)|год\.|点|時|时|o'clock)?",
    re.IGNORECASE,
)
_ISO = re.compile(r"(?<!\d)((?:19|20)\d{2})-(\d{1,2})-(\d{1,2})(?!\d)")
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})[./](\d{1,2})[./]((?:19|20)\d{2})(?!\d)")
_CJK_DATE = re.compile(r"((?:19|20)\d{2})\s*年\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*[日号])?")
_YEAR = re.compile(r"(?<![\d.,-])(1[0-9]\d{2}|20\d{2})(?![\d-]|[.,]\d)")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+")
_MOST = re.compile(
    r"(?i)\b(?:most|up to|than|least|over|about|max\.?|maximal|maximum|höchstens|mindestens|bis zu|до|від|більше|менше|больше|hasta|máximo|de)\s*$"
)
_IN = re.compile(r"(?i)(?:\b(?:in|since|from|of|until|year|born|by|circa|around|en|seit|im jahr|у|в|з|с)|[(,–-])\s*$")
_FROM_TO = re.compile(
    r"(?i)\b(?:з|с|із|from|von|de|od)\s+(\d{1,2})\s+(?:до|to|bis|a|do)\s+(\d{1,2})(?=\s*(?:[.,;!?)]|$))"
)


def take_dates(text: Scanned) -> None:
    """Take dates, months and years; a day without a year is of kind "day"."""
    for match in _ISO.finditer(text.left):
        _take_date(text, match.span(), match[1], match[2], match[3])
    for match in _DOTTED.finditer(text.left):
        _take_date(text, match.span(), match[3], match[2], match[1])
    for match in _CJK_DATE.finditer(text.left):
        _take_date(text, match.span(), match[1], match[2], match[3] or "")
    _take_month_dates(text)
    for match in _YEAR.finditer(text.left):
        before, after = text.left[: match.start()], text.left[match.end() :]
        is_amount = unit_after(text.left, match.end()) or _MOST.search(before) or before.rstrip()[-1:] in SIGNS
        if not is_amount and (int(match[1]) >= 1900 or _IN.search(before)) and not after.startswith("%"):
            _take_date(text, match.span(), match[1], "", "")


def _take_date(text: Scanned, span: tuple[int, int], year: str, month: str, day: str) -> None:
    y, m, d = int(year or 0), int(month or 0), int(day or 0)
    if m > 12 or d > 31:
        return
    start = y * 372 + (m - 1 if m else 0) * 31 + (d - 1 if d else 0)
    length = 1 if d else 31 if m else 372
    text.take(*span, "date" if y else "day", (float(start), float(start + length - 1)))


def _take_month_dates(text: Scanned) -> None:
    if _MONTHS.isdisjoint(text.runs) and not text.is_unspaced:
        return
    words = list(WORD.finditer(text.left))
    for place, word in enumerate(words):
        month = MONTH_NUMBER.get(word[0].casefold())
        if month is None:
            continue
        around = words[max(0, place - 2) : place + 4]
        # "5 de marzo de 2024", "March 5, 2024", "5. März 2024"
        near = [w for w in around if w[0].isdigit() and abs(w.start() - word.start()) < 22]
        years = [w for w in near if len(w[0]) == 4 and w.start() > word.start()]
        days = [w for w in near if len(w[0]) <= 2 and 1 <= int(w[0]) <= 31]
        days = sorted(days, key=lambda w: abs(w.start() - word.start()))[:1]
        if not years and not days:
            continue
        taken = [word, *days, *years[:1]]
        span = (min(w.start() for w in taken), max(w.end() for w in taken))
        if "\x00" not in text.left[span[0] : span[1]]:
            _take_date(text, span, years[0][0] if years else "", month, days[0][0] if days else "")


def take_clocks(text: Scanned) -> None:
    """Take times of the day, in minutes from midnight."""
    found = [match for match in _CLOCK.finditer(text.left) if match["m"] or match["mark"]]
    # "8 bis 18 Uhr", "from 8 to 18:00": the mark of the last holds for the first.
    for match in found:
        mark = (match["mark"] or "").casefold()
        if (
            match["m"]
            and not mark
            and "." in match[0]
            and not re.search(r"(?i)\b(?:at|um|от|о|до|bis|by|às|o)\s*$", text.left[: match.start()])
        ):
            continue  # 2.30 may be a number
        if (
            mark == "h"
            and not match["m"]
            and not re.search(r"(?i)(?:las?|às|à|until|bis|до)\s*$", text.left[: match.start()])
        ):
            continue  # 24 h is a duration
        minute = _minute(int(match["h"]), int(match["m"] or 0), mark)
        text.take(match.start(), match.end(), "time", (minute, minute))
        before = re.search(
            r"(?<![\w:.])([01]?\d|2[0-4])\s*(?:-|–|to|bis|до|a|à|às|until)\s*$", text.left[: match.start()]
        )
        if before and not match["m"]:
            first = _minute(int(before[1]), 0, "" if int(before[1]) > int(match["h"]) else mark)
            text.take(before.start(1), before.end(1), "time", (first, first))

    for match in _FROM_TO.finditer(text.left):
        if int(match[1]) <= 24 and int(match[2]) <= 24:
            for group in (1, 2):
                minute = float(int(match[group]) * 60)
                text.take(*match.span(group), "time", (minute, minute))


def _minute(hour: int, minute: int, mark: str) -> float:
    is_late = mark.startswith("p") or mark.endswith(("tarde", "noche", "noite", "вечора"))
    if is_late and hour < 12:
        hour += 12
    if mark.startswith("a") and hour == 12:
        hour = 0
    return float(hour * 60 + minute)
