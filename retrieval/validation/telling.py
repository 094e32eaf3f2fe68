"""What a sentence has that could be compared at all, seen before it is read as statements.

Two sentences contradict or agree only by values of one kind, by a yes and a no, or as lines of settings; of the sentences of
help articles a third has any of it (2 658 of helpcenter_faq: 16 % values, 19 % yes or no). Reading one costs ten times as
much as this.
"""

import unicodedata
from functools import lru_cache
from typing import NamedTuple

from retrieval.validation.opposites import STATE, opposites_of
from retrieval.validation.replies import reply_to_question
from retrieval.validation.settings_lines import setting_of
from retrieval.validation.spoken import words_said
from retrieval.validation.values import values_of
from retrieval.validation.words import signal_names, signals

_POLES = frozenset(("yes", "no"))


class Telling(NamedTuple):
    """Whether a text may have values, says yes or no somewhere, has a line of settings, and says one of two opposites.

    `deeds` are what it says is done, and whether it is not.
    """

    has_value: bool
    has_pole: bool
    has_setting: bool
    has_opposite: bool = False
    deeds: frozenset[tuple[str, bool]] = frozenset()

    def meets(self, other: "Telling") -> bool:
        """Whether both have something of one sort."""
        # Asked thousands of times an answer: a loop over the fields takes six times as long.
        return (
            (self.has_value and other.has_value)
            or (self.has_pole and other.has_pole)
            or (self.has_setting and other.has_setting)
            or (self.has_opposite and other.has_opposite)
            or (bool(self.deeds) and any((deed, not is_denied) in other.deeds for deed, is_denied in self.deeds))
        )


@lru_cache(maxsize=8192)
def telling_of(text: str) -> Telling:
    """Tell what a text has, rather too much than too little."""
    plain = unicodedata.normalize("NFKC", text)
    opposites = opposites_of(plain)
    return Telling(
        _may_have_value(plain),
        _has_pole(plain),
        any(setting_of(line) for line in plain.split("\n") if line.strip()),
        any(one.axis != STATE for one in opposites),
        frozenset((one.member, one.is_only) for one in opposites if one.axis == STATE),
    )


def _may_have_value(plain: str) -> bool:
    # A row of a table and a heading have no values as a whole, and may in a clause.
    return plain.lstrip()[:1] in ("|", "#") or bool(values_of(plain))


def _has_pole(plain: str) -> bool:
    if reply_to_question(plain) or not _POLES.isdisjoint(signals().in_text(f" {plain.casefold()} ")):
        return True
    return any(map(_is_pole, words_said(plain)))


@lru_cache(maxsize=200_000)
def _is_pole(word: str) -> bool:
    return not _POLES.isdisjoint(signal_names(word))
