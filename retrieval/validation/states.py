"""What a sentence says is done with a thing or not: "are stored encrypted", "werden nicht verschlüsselt", "не зберігаються"."""

import re
from dataclasses import dataclass
from functools import lru_cache

from retrieval.lexical.stems import stem
from retrieval.validation.words import signal_names, topic_names

_BE = r"is|are|was|were|be|been|gets?|remains?|stays?|ist|sind|wird|werden|bleibt|bleiben|est|sont|sera|seront|es|son|está|están|é|são|jest|są|zostaje|zostają"
_NOT = r"not|never|no longer|nicht|nie|niemals|pas|jamais|plus|não|no"
_DONE = (
    r"\w{3,24}ed|kept|sent|shown|sold|ge\w{2,24}(?:t|en)|(?:ver|be|ent|er|zer|ab|an|aus|ein|auf|über|unter)\w{3,24}(?:t|en)"
    r"|\w{3,24}ée?s?|\w{3,24}[ai]d[oa]s?|\w{3,24}(?:an|on)[yaei]"
)
_WITH_BE = re.compile(
    rf"\b(?P<before>(?:no|não|nie) )?(?:{_BE})(?P<joined>n['’]t)? (?:(?P<denied>{_NOT}) )?(?:(?!(?:{_NOT}) )[\w'’-]{{1,24}} ){{0,2}}?(?P<word>{_DONE})(?: (?P<more>{_DONE}))?(?!\w)"
)
_SLAVIC = re.compile(
    r"\b(?P<denied>не )?(?P<word>\w{3,24}(?:ються|ється|ются|ется|овано|ован[іиые]|ані|ені|аны|ены|ано|ено))(?: (?P<more>\w{3,24}(?:ованими|аними|еними|ованными|анными|енными)))?(?!\w)"
)
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_MORE_CUES = ("n't ", "n’t ", " gets ", " stays ", " remains ")
_CUES = (*(f" {word} " for word in _BE.split("|") if "?" not in word), *_MORE_CUES)
_WHOLE = 6


@dataclass(frozen=True, slots=True)
class State:
    """What is done or not: `key` is the idea or stem of its word, `text` and `place` as written."""

    key: str
    is_denied: bool
    place: tuple[int, int]
    word: tuple[int, int]


@lru_cache(maxsize=8192)
def states_in(lowered: str) -> tuple[State, ...]:
    """Give what a clause in small letters says is done, or is not; words that say yes or no by themselves are none."""
    is_cyrillic = bool(_CYRILLIC.search(lowered))
    if not is_cyrillic and not any(map(f" {lowered}".__contains__, _CUES)):
        return ()
    found: list[State] = []
    for match in (_SLAVIC if is_cyrillic else _WITH_BE).finditer(lowered):
        told = match.groupdict()
        is_denied = any(told.get(name) for name in ("before", "joined", "denied"))
        for group in ("word", "more"):
            if (word := told[group]) and not signal_names(word):
                start = match.start() if group == "word" else match.start(group)
                found.append(State(_key(word), is_denied, (start, match.end(group)), match.span(group)))
    return tuple(found)


def _key(word: str) -> str:
    return min(topic_names(word), default="") or stem(word, "")[:_WHOLE]
