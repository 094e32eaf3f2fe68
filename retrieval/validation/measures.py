"""Lengths of time, money, shares, sizes and counts of a sentence."""

import re
from collections.abc import Sequence

from retrieval.quantity_words import DIGIT_OF, SIGNS, UNIT_OF, plain_number
from retrieval.validation.free import THRESHOLD, is_threshold
from retrieval.validation.number_words import (
    ADVERBS,
    ARTICLES,
    BARE_UNITS,
    CURRENCIES,
    HALVES,
    MORE_UNITS,
    NUMBER_WORDS,
    PER,
    POINTING,
    QUALIFIERS,
    SPAN_CUES,
    SPANS,
)
from retrieval.validation.openings import Openings
from retrieval.validation.units import AFTER, MONEY, rate_after, unit_of
from retrieval.validation.value import BYTES, LENGTHS, SECONDS, Scanned

_N = r"(?<![\w.,#])(?<![^\W\d_]-)(?:\d{1,3}(?:[ \u00a0\u202f,.']\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?)"
_NUMBER = re.compile(_N)
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+")
_WORKING = frozenset(
    [
        "working",
        "business",
        "workdays",
        "werktage",
        "werktag",
        "arbeitstage",
        "робочих",
        "робочі",
        "рабочих",
        "рабочие",
        "laborables",
        "hábiles",
        "ouvrés",
        "ouvrables",
        "úteis",
        "roboczych",
        "robocze",
        "工作日",
        "営業日",
    ]
)
_MINUTES_AGO = frozenset(SECONDS)
_NO_NOUNS = frozenset(
    ("", "of", "the", "and", "or", "was", "is", "day", "time", "more", "by", "раз", "и", "y", "und", "de")
)


def take_numbers(text: Scanned) -> None:
    """Take numbers written in digits, with the unit behind or the sign before them; "3 to 5 days" is one value."""
    matches = list(_NUMBER.finditer(text.left))
    skip = -1
    for place, match in enumerate(matches):
        if match.start() < skip or "\x00" in text.left[match.start() : match.end()]:
            continue
        low = high = float(plain_number(match[0]))
        end = match.end()
        following = matches[place + 1] if place + 1 < len(matches) else None
        if following and re.fullmatch(
            r"\s*(?:-|–|to|bis|до|a|à|or|і|до|〜|～|~|至|から)\s*", text.left[end : following.start()]
        ):
            high, end = float(plain_number(following[0])), following.end()
            if high < low:
                low, high = high, low
        skip = end
        take_measure(text, (match.start(), end), (low, high))


_SCALE = {
    word: scale
    for scale, words in {
        1e3: "thousand tausend тисяч тысяч mil mille tys",
        1e6: "million millions mio millionen мільйонів мільйон млн миллионов миллион millones milhões milionów mln",
        1e9: "billion billions mrd milliarden мільярдів млрд миллиардов milliards bilhões miliardów",
    }.items()
    for word in words.split()
}


def take_measure(text: Scanned, span: tuple[int, int], amount: tuple[float, float]) -> None:
    """Take an amount with the unit behind it or the sign before it."""
    start, end = span
    after = AFTER.match(text.left, end)
    if after and (scale := _SCALE.get(after[1].casefold())):
        amount, end = (amount[0] * scale, amount[1] * scale), after.end()
        after = AFTER.match(text.left, end)
    unit = unit_of(after[1]) if after else ""
    # "three full working days", "24 volle Stunden": one word may stand between.
    if after and not unit:
        second = AFTER.match(text.left, after.end())
        between = after[1].casefold()
        if between in ("por", "per", "pour", "pro") and second and unit_of(second[1]) == "percent":
            unit, after = "percent", second
        elif between in _WORKING and second and unit_of(second[1]) in ("day", ""):
            unit, after = "workday", second
        elif second and unit_of(second[1]) in SECONDS and len(between) > 2 and not PER.search(between):
            unit, after = unit_of(second[1]), second
    elif after and unit == "day":
        second = AFTER.match(text.left, after.end())
        if second and second[1].casefold() in _WORKING:
            unit, after = "workday", second
    before = text.left[max(0, start - 4) : start].strip()
    if (
        unit not in MONEY
        and before
        and (sign := SIGNS.get(before[-1]) or CURRENCIES.get(before.split()[-1].casefold()))
    ):
        unit, after, start = sign, None, start - 1
    if unit in _MINUTES_AGO and re.match(
        r"\s*(?:ago|earlier|тому|назад)\b", text.left[after.end() if after else end :]
    ):
        text.blank(*span)
        return
    _take_unit(text, (start, after.end() if after and unit else end), amount, unit, _counted(text, after))


def _counted(text: Scanned, after: "re.Match[str] | None") -> str:
    """Give the word for what is counted: "one extra seat" counts seats."""
    second = AFTER.match(text.left, after.end()) if after and after[1].casefold() in QUALIFIERS else None
    return second[1] if second else after[1] if after else ""


def _take_unit(text: Scanned, span: tuple[int, int], amount: tuple[float, float], unit: str, noun: str) -> None:
    for kind, scale in _SCALES:
        if unit in scale:
            factors = scale[unit]
            first, last = factors if isinstance(factors, tuple) else (factors, factors)
            marked = unit if unit == "workday" else ""
            text.take(*span, kind, (amount[0] * first, amount[1] * last), unit=marked)
            return
    if unit == "percent":
        text.take(*span, "percent", amount)
        return
    if unit in MONEY:
        is_from = amount[0] == amount[1] and is_threshold(text.whole[: span[0]])
        text.take(*span, "money", amount, unit=unit, key=THRESHOLD if is_from else rate_after(text.left, span[1]))
        return
    noun = "" if unit_of(noun) else noun.casefold()
    is_written = not text.whole[span[0] : span[0] + 1].isdigit()
    if not (is_written and amount[1] <= 2 and noun in _NO_NOUNS):
        text.take(*span, "count", amount, unit=noun)


_SCALES: "tuple[tuple[str, dict[str, tuple[float, float]] | dict[str, float]], ...]" = (
    ("duration", SECONDS),
    ("size", BYTES),
    ("length", LENGTHS),
)


def take_words(text: Scanned) -> None:
    """Take numbers and lengths of time that are written as words: "three days", "a month", "daily", "half a year"."""
    for pattern, seconds in _spans(text):
        for match in pattern.finditer(text.left):
            text.take(match.start(), match.end(), "duration", seconds)
    if _FIRST_RUNS.isdisjoint(text.runs) and not text.is_unspaced:
        return
    words = list(WORD.finditer(text.left))
    taken = -1
    for place, word in enumerate(words):
        if word.start() >= taken:
            taken = _take_word(text, words, place)


_SPAN_OPENINGS = Openings({str(place): [pattern.pattern] for place, (pattern, _) in enumerate(SPANS)})


def _spans(text: Scanned) -> Sequence[tuple[re.Pattern[str], tuple[float, float]]]:
    """Give the expressions for lengths of time that may find something: of most sentences none."""
    if not text.has_any(SPAN_CUES):
        return ()
    if text.is_unspaced:
        return SPANS
    names = _SPAN_OPENINGS.names_in(text.folded)
    return [SPANS[place] for place in sorted(map(int, names))]


def _take_word(text: Scanned, words: "list[re.Match[str]]", place: int) -> int:
    """Take what begins with a word; gives the position up to which the text was read."""
    word, folded = words[place], words[place][0].casefold()
    if folded not in _TELLING:
        return word.end()
    following = words[place + 1] if place + 1 < len(words) else None
    number = _written(folded)
    if folded in ADVERBS:
        text.take(*word.span(), "duration", ADVERBS[folded])
    elif number is not None and following is not None:
        last = (
            _written(words[place + 2][0].casefold())
            if following[0].casefold() in _TO and place + 2 < len(words)
            else None
        )
        span = (word.start(), words[place + 2].end() if last is not None else word.end())
        take_measure(text, span, (number, number if last is None else last))
        return span[1]
    elif folded in HALVES:
        _take_half(text, word, words[place + 1 : place + 3])
    elif is_per(text.left, word.start()):
        return word.end()
    elif folded in BARE_UNITS and not (place and words[place - 1][0].casefold().startswith(POINTING)):
        text.take(*word.span(), "duration", SECONDS[BARE_UNITS[folded]])
    elif following is not None and folded in ARTICLES and unit_of(following[0]) in SECONDS:
        take_measure(text, word.span(), (1.0, 1.0))
    return word.end()


# Of a hundred words two tell a number or a time.
_ALONE = frozenset().union(NUMBER_WORDS, DIGIT_OF, ADVERBS, HALVES, BARE_UNITS)
_TELLING = _ALONE | ARTICLES
# What every word that tells a number or a time begins with up to a mark inside; an article tells one beside its unit.
_UNITS = frozenset(word for units in (UNIT_OF, MORE_UNITS) for word, unit in units.items() if unit in SECONDS)
_FIRST_RUNS = frozenset(re.split(r"['’-]", word)[0].casefold() for word in _ALONE | _UNITS)
_TO = frozenset(("to", "bis", "до", "a", "à", "or"))


def _written(word: str) -> float | None:
    number = NUMBER_WORDS.get(word) or DIGIT_OF.get(word)
    return float(number) if number else None


def _take_half(text: Scanned, word: "re.Match[str]", following: "list[re.Match[str]]") -> None:
    factor = HALVES[word[0].casefold()]
    for other in following:
        unit = unit_of(other[0])
        if unit in SECONDS:
            first, last = SECONDS[unit]
            text.take(word.start(), other.end(), "duration", (factor * first, factor * last))
            return


def is_per(text: str, start: int) -> bool:
    """Say whether "a month" says for what time ("€9 a month", "per month") and not how long."""
    before = text[:start].rstrip()
    return before.endswith("\x00") or bool(PER.search(before[-16:]))
