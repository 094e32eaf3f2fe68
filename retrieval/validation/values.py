"""Typed values of a sentence in base units: what two sources can say differently and still be compared.

"two weeks", "14 Tage" and "14 днів" are one value; "up to 4" and "four" are; "24 hours" and "daily" are.
"""

import re
import unicodedata
from functools import lru_cache

from retrieval.validation.dates import take_clocks, take_dates
from retrieval.validation.free import take_free
from retrieval.validation.labels import take_links, take_paths, take_versions
from retrieval.validation.measures import take_numbers, take_words
from retrieval.validation.value import Scanned, Value
from retrieval.validation.weekdays import take_weekdays

_DIGIT = re.compile(r"\d")
_LIST_MARK = re.compile(r"\A\s*+(?:(?:\d{1,3}|[a-z])[.)]\s+|[|#].*)", re.DOTALL)  # also rows of tables and headings


@lru_cache(maxsize=4096)
def values_of(sentence: str) -> tuple[Value, ...]:
    """Give the values of a sentence in the order of the text. Its positions count in the NFKC form of the sentence."""
    text = Scanned(unicodedata.normalize("NFKC", sentence))
    if mark := _LIST_MARK.match(text.whole):
        text.blank(*mark.span())
    take_links(text)
    take_paths(text)
    take_weekdays(text)
    # Most sentences have no digit, and these want one.
    for take in (take_dates, take_versions, take_clocks, take_numbers) if _DIGIT.search(text.left) else ():
        take(text)
    take_words(text)
    take_free(text)
    return tuple(sorted(text.found, key=lambda value: value.start))


def plain(value: str) -> object:
    """Give a value as one that is the same in every language and unit."""
    read = values_of(value)
    if len(read) != 1 or read[0].text != value or read[0].kind in ("path", "link", "count"):
        return value.casefold()
    return read[0].kind, read[0].low, read[0].high, read[0].unit, read[0].bound
