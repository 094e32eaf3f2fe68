"""Near-copies: of passages that say the same, one is enough, and the others would fill the list."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from retrieval.ports import StoredPassage

_SIMILAR_WORDS = 0.85
# Tickets of one title and question are one case told again; two are enough to see that they contradict each other.
_OF_ONE_CASE = 2
# A line such as "See the guide." says nothing without its title.
_FEW_WORDS = 10
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NEGATION = re.compile(r"(?i)\b(?:not?|never|cannot|can't|don't|kein\w*|nicht|nie|не|ні|нет|ne|pas|não)\b")


@dataclass(frozen=True)
class _Profile:
    text: str
    words: frozenset[str]
    group: int
    title: str
    asked: frozenset[str]

    @cached_property
    def signs(self) -> tuple[list[str], int]:
        """The numbers, and how many negations there are; asked only of texts with nearly the same words, which few are."""
        return sorted(_NUMBER.findall(self.text)), len(_NEGATION.findall(self.text))

    def is_copy_of(self, other: "_Profile") -> bool:
        if self.group == other.group:
            return True
        common = len(self.words & other.words)
        union = len(self.words) + len(other.words) - common
        return union > 0 and common / union >= _SIMILAR_WORDS and self.signs == other.signs

    def is_case_of(self, other: "_Profile") -> bool:
        """Say whether both are tickets in which the same was asked under the same title, whatever was answered."""
        return bool(self.title) and self.title == other.title and _is_alike(self.asked, other.asked)


def _is_alike(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    return len(ours & theirs) >= _SIMILAR_WORDS * len(ours | theirs)


def without_copies(passages: Sequence[StoredPassage], most: int) -> dict[int, list[int]]:
    """Give the places of up to `most` passages, in order, each with those of its later copies, which are left out.

    A copy has the same words, or nearly: 85 % in common, and the same numbers and as many negations. Two articles that
    differ in one number contradict each other; both must be seen. Of tickets with one title and question, whatever was answered,
    no more than two: nine of them, planted, would fill the list, and the good article would stand behind them.
    """
    kept: dict[int, list[int]] = {}
    profiles: dict[int, _Profile] = {}
    for place, passage in enumerate(passages):
        profile = _profile(passage)
        first = next((other for other, seen in profiles.items() if profile.is_copy_of(seen)), None)
        if first is None:
            of_case = [other for other, seen in profiles.items() if profile.is_case_of(seen)]
            first = of_case[0] if len(of_case) >= _OF_ONE_CASE else None
        if first is not None:
            kept[first].append(place)
        elif len(kept) < most:
            kept[place], profiles[place] = [], profile
    return kept


def _profile(passage: StoredPassage) -> _Profile:
    text = " ".join(passage.sentences).casefold()
    words = frozenset(_WORD.findall(text))
    if len(words) < _FEW_WORDS:
        words |= frozenset(_WORD.findall(f"{passage.card.title} {passage.heading}".casefold()))
    title, asked = _case(passage)
    return _Profile(text, words, passage.group, title, asked)


def _case(passage: StoredPassage) -> tuple[str, frozenset[str]]:
    """Give a ticket's title and the words of title and question, which stand before its first sentence; nothing for articles."""
    if passage.card.kind != "ticket" or not passage.sentences:
        return "", frozenset()
    asked, _, _ = passage.search_text.partition(passage.sentences[0])
    return " ".join(_WORD.findall(passage.card.title.casefold())), frozenset(_WORD.findall(asked.casefold()))


def best_of_each(values: npt.NDArray[np.float64], owners: npt.NDArray[np.int32]) -> npt.NDArray[np.intp]:
    """Give the places of the largest value of each owner, largest first, ties by place."""
    order = np.lexsort((np.arange(len(values)), -values))
    _, first = np.unique(owners[order], return_index=True)
    return np.asarray(order[np.sort(first)])
