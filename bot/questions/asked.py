"""What a question wants to be told, and how well a sentence fits that: a price, a time, a number, steps, a code."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from bot.answers.evidence import Shape
from bot.lexicon import Lexicon, lexicons
from bot.questions.codes import codes_of, is_only_code
from bot.words import folded, is_unspaced, lexicon_of, words
from retrieval.quantity_words import DIGIT_OF, SIGNS, UNIT_OF, WEEKDAY

_TIMES = frozenset({"second", "minute", "hour", "day", "week", "month", "year", "clock"})
_PRICES = frozenset({"eur", "usd", "gbp", "uah", "rub", "jpy", "percent"})
# "5 to 10 working days": the unit may stand a few words behind the number.
_UNIT_WITHIN = 3
_LIST_MARK = re.compile(r"^\s*(?:\d{1,3}[.)]|[-*+•])\s+")
_CLOCK = re.compile(r"(?<![\d:])\d{1,2}:\d{2}(?![\d:])|(?<!\d)\d{1,2} ?[ap]\.?m\b", re.IGNORECASE)
_VERSION = re.compile(r"(?<![\w.])v?\d+(?:\.\d+)+(?![\w.])")
_SIGNED = re.compile(r"([€$£₴₽¥])\s*\d|\d[\s\u00a0\u202f]*([€$£₴₽¥%])")
# Chinese and Japanese write number and unit without a blank.
_UNSPACED_UNIT = re.compile(r"\d\s*(分钟|小时|個月|个月|か月|ヶ月|週間|時間|[分日天周年秒])")
# An hour by its name.
_HOURS = frozenset(
    (
        "midnight",
        "noon",
        "midday",
        "mitternacht",
        "mittag",
        "minuit",
        "midi",
        "medianoche",
        "mediodía",
        "północ",
        "północy",
        "południe",
        "полночь",
        "полдень",
        "опівночі",
        "північ",
        "опівдні",
        "полудень",
    )
)
_HALF, _LITTLE = 0.5, 0.3
# Who may do something is said in few words beside those of the thing itself.
_MORE = 2.0


class Ask(StrEnum):
    """What a question wants: a number or a time, a procedure, who may do something, or something else."""

    QUANTITY = "quantity"
    HOW = "how"
    WHO = "who"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Asked:
    """What would answer a question.

    `units` are those of a number (empty: any number does); `codes` the error codes that are named, folded;
    `is_bare_code` says that nothing else is named: what the code means and what to do is wanted. `is_long`: all there is.
    `is_remedy`: what to do about a trouble, and not only what causes it. `own`: the words of a follow-up without its thread's.
    """

    kind: Ask
    units: frozenset[str] = frozenset()
    is_version: bool = False
    codes: frozenset[str] = frozenset()
    is_bare_code: bool = False
    is_long: bool = False
    is_remedy: bool = False
    own: str = ""


@lru_cache(maxsize=256)
def asked_of(question: str, *, prefer: str = "") -> Asked:
    """Tell what a question wants, by the words it asks with, in ten languages; `prefer` where no small word tells which."""
    language = lexicon_of(question, prefer=prefer)
    text = folded(question)
    if not is_unspaced(text):
        text = " ".join(["", *words(text), ""])
    codes = codes_of(question)
    if is_only_code(question, codes):
        return Asked(Ask.HOW, codes=codes, is_bare_code=True)
    units = _units_wanted(text, language)
    is_version = _says(text, language.version)
    if units or is_version or _says(text, language.quantity):
        return Asked(Ask.QUANTITY, units, is_version, codes)
    if _says(text, language.who):
        return Asked(Ask.WHO, codes=codes)
    is_remedy = _says(text, language.remedy)
    if is_remedy or _says(text, language.how):
        return Asked(Ask.HOW, codes=codes, is_remedy=is_remedy)
    return Asked(Ask.QUANTITY if _says(text, language.limit) else Ask.OTHER, codes=codes)


@lru_cache(maxsize=256)
def without_asking(question: str) -> str:
    """Give a question without the words that only ask: the "long" of "how long" is no name of a thing that is long."""
    language = lexicon_of(question)
    if is_unspaced(question):
        return question
    text = " ".join(["", *words(question), ""])
    for phrase in (*language.duration, *language.quantity, *language.price, *language.how):
        if " " in phrase.strip():
            text = text.replace(f" {phrase} ", " ")
    return text.strip()


def _says(text: str, phrases: tuple[str, ...]) -> bool:
    return any((phrase if is_unspaced(phrase) else f" {phrase} ") in text for phrase in phrases)


def _units_wanted(text: str, language: Lexicon) -> frozenset[str]:
    if _says(text, language.price):
        return _PRICES
    # "How many days", "combien d'heures": the unit is named. Without a word of quantity it is only told ("after 3 days").
    # "an employee" names no year, though French "an" is one.
    named = frozenset(UNIT_OF[word] for word in text.split() if word in UNIT_OF and word not in language.small)
    if named and _says(text, language.quantity):
        return named
    return _TIMES if _says(text, language.duration) else frozenset()


@lru_cache(maxsize=4096)
def fit_of(text: str, shape: Shape, asked: Asked) -> float:
    """Say how well a sentence has the form of an answer, 0 to 2: a number of the right kind, any number, a step, the code."""
    spoken = folded(text)
    has_code = float(any(code in spoken for code in asked.codes))
    if asked.kind is Ask.HOW:
        return has_code + _HALF * shape.is_step
    if asked.kind is Ask.WHO:
        return has_code + _MORE * _names_role(spoken)
    return has_code + (_quantity_fit(text, shape, asked) if asked.kind is Ask.QUANTITY else 0.0)


def _names_role(spoken: str) -> bool:
    """Say whether a sentence in any of the languages says who: "only an admin …"."""
    return any(word in _roles() for word in words(spoken)) or (
        is_unspaced(spoken) and any(role in spoken for role in _roles() if is_unspaced(role))
    )


@cache
def _roles() -> frozenset[str]:
    return frozenset(role for lexicon in lexicons() for role in lexicon.roles)


def _quantity_fit(text: str, shape: Shape, asked: Asked) -> float:
    if asked.is_version and _VERSION.search(text):
        return 1.0
    has_number, units = _numbers_of(text)
    if not has_number:
        return 0.0
    if shape.is_block:  # the head of a table names the unit of its numbers
        units |= {UNIT_OF[word] for word in words(text) if word in UNIT_OF}
    if not asked.units:
        return 1.0 if shape.is_block else _HALF
    return 1.0 if units & asked.units else _LITTLE


def _names_point(spoken: Sequence[str]) -> bool:
    """Say whether a day of the week or an hour by its name is told: "Sundays", "at midnight"."""
    return any(word in WEEKDAY or word.rstrip("s") in WEEKDAY or word in _HOURS for word in spoken)


@lru_cache(maxsize=4096)
def _numbers_of(text: str) -> tuple[bool, frozenset[str]]:
    """Say whether a number stands in the text, in digits or as a word, and the units beside its numbers."""
    plain = _LIST_MARK.sub("", text)
    spoken = words(plain)
    places = [place for place, word in enumerate(spoken) if word[0].isdigit() or word in DIGIT_OF]
    units = {
        UNIT_OF[word] for place in places for word in spoken[place + 1 : place + 1 + _UNIT_WITHIN] if word in UNIT_OF
    }
    units |= {UNIT_OF.get(match[1], "") for match in _UNSPACED_UNIT.finditer(plain)}
    units |= {SIGNS[match[1] or match[2]] for match in _SIGNED.finditer(plain)}
    units |= {"clock"} if _CLOCK.search(plain) or _names_point(spoken) else set()
    return bool(places) or bool(units), frozenset(units)
