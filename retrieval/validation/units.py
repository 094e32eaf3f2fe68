"""Which word or sign behind a number is its unit."""

import re
from functools import lru_cache

from retrieval.quantity_words import SIGNS, UNIT_OF
from retrieval.validation.number_words import CURRENCIES, MORE_UNITS

AFTER = re.compile(r"\s{0,8}+[-‑]?+\s{0,8}+([%€$£₴₽¥]|[^\W\d_]+(?:['’][^\W\d_]+)?)")
MONEY = frozenset({*SIGNS.values(), *CURRENCIES.values()}) - {"percent"}


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
