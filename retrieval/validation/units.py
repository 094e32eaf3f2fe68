"""Which word or sign behind a number is its unit."""

import re
from functools import lru_cache

from retrieval.quantity_words import SIGNS, UNIT_OF
from retrieval.validation.number_words import ADVERBS, CURRENCIES, MORE_UNITS

AFTER = re.compile(r"\s{0,8}+[-‑]?+\s{0,8}+([%€$£₴₽¥]|[^\W\d_]+(?:['’][^\W\d_]+)?)")
# "Monthly" by its length in seconds.
_NAMES = {3_600.0: "hour", 86_400.0: "day", 604_800.0: "week", 28 * 86_400.0: "month", 360 * 86_400.0: "year"}
_EVERY = {word: _NAMES[span[0]] for word, span in ADVERBS.items() if span[0] in _NAMES}
MONEY = frozenset({*SIGNS.values(), *CURRENCIES.values()}) - {"percent"}

_RATE = re.compile(
    r"\s{0,4}(?:/\s?|(?:an?|per|each|every|pro|im|je|par|al|à l['’]|por|ao|на|за|в|на|w|na|za)\s)([^\W\d_]{1,24})|\s([^\W\d_]{3,24})",
    re.IGNORECASE,
)
_TIMES = frozenset(("hour", "day", "week", "month", "year"))


def rate_after(text: str, end: int) -> str:
    """Give the unit of time that a price behind which a text goes on is for: "a month", "/Jahr", "monthly"; empty when it says none."""
    match = _RATE.match(text, end)
    if match is None:
        return ""
    if match[1]:
        return unit if (unit := unit_of(match[1])) in _TIMES else ""
    return _EVERY.get(match[2].casefold(), "")


def unit_after(text: str, end: int) -> str:
    """Give the unit behind a position, empty when there is none."""
    after = AFTER.match(text, end)
    return unit_of(after[1]) if after else ""


@lru_cache(maxsize=8192)
def unit_of(word: str) -> str:
    """Name a unit, empty when the word is none."""
    folded = word.casefold()
    found = SIGNS.get(word) or MORE_UNITS.get(folded) or UNIT_OF.get(folded) or CURRENCIES.get(folded) or ""
    if not found and folded and folded[0] > "\u3000":
        heads = [unit for unit in UNIT_OF if unit[0] > "\u3000" and folded.startswith(unit)]
        found = UNIT_OF[max(heads, key=len)] if heads else ""
    return found
