"""Two versions of one sentence: what was put in the place of what."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from retrieval.lexical.stems import stem
from retrieval.validation.words import WORD, signal_names, stop_words, topic_names

# Two sentences are versions of one when so much of both is the same words in the same order.
VERSIONS = 0.6
# A plain word may be replaced by one that means the same; only where all else stays, it is told.
_ONLY = 0.8
_INFLECTED = 4


@dataclass(frozen=True, slots=True)
class Change:
    """What stands in the one sentence where the other has something else, as written.

    `share` is how much of both sentences is the same, 0 to 1.
    """

    first: str
    second: str
    share: float
    is_denial: bool = False

    @property
    def is_like(self) -> bool:
        """Whether a number stands for a number, or a name for a name, and nothing else."""
        words = [*self.first.split(), *self.second.split()]
        return all(word[0].isdigit() for word in words) or all(word[0].isupper() for word in words)


def changes(first: str, second: str, lang: str, *, least: float = VERSIONS) -> list[Change]:
    """Give what differs between two versions of one sentence; none when they are no versions of one.

    Left out are small words and words that may mean the same.
    """
    (ours, left_plain), (theirs, right_plain) = _words(first), _words(second)
    # No alignment has more words in common than stand in both; counting them takes a tenth of the alignment.
    if 2.0 * _most_common(left_plain, right_plain) < least * (len(ours) + len(theirs)):
        return []
    matcher = SequenceMatcher(None, left_plain, right_plain, autojunk=False)
    share = matcher.ratio()
    if share < least:
        return []
    blocks = [(tag, ours[a:b], theirs[c:d]) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
    found = [_change(tag, left, right, share, lang) for tag, left, right in blocks]
    told = [change for change in found if change is not None]
    if any(_is_other_subject(c, lang) for c in told):  # "the user name has 3" is no version of "the password has 12"
        told = [c for c in told if not c.first[:1].isdigit()]
    is_alone = len([c for c in told if not c.is_denial]) == 1
    return [c for c in told if c.is_denial or _is_name(c) or (is_alone and share >= _ONLY)]


def _is_other_subject(change: Change, lang: str) -> bool:
    """Say whether one idea was exchanged for another."""
    if change.is_denial or _is_name(change):
        return False
    left, right = (_meanings(side.split(), lang) for side in (change.first, change.second))
    return all(any(name.startswith("=") for name in side) for side in (left, right))


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the words of a sentence as written and as compared; a sentence is compared with dozens of others."""
    written = tuple(WORD.findall(text))
    return written, tuple(map(_plain, written))


def _most_common(ours: Sequence[str], theirs: Sequence[str]) -> int:
    known = frozenset(theirs)
    return min(sum(word in known for word in ours), len(theirs))


def _plain(word: str) -> str:
    """Give a word without case and accents, which are often left out."""
    if word.isascii():
        return word.lower()
    letters = unicodedata.normalize("NFD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _change(tag: str, ours: Sequence[str], theirs: Sequence[str], share: float, lang: str) -> Change | None:
    denied = _denials(ours) % 2 != _denials(theirs) % 2
    if denied:
        return Change(" ".join(ours), " ".join(theirs), share, is_denial=True)
    if tag != "replace":
        return None
    left, right = _content(ours), _content(theirs)
    if not left or not right or _is_same(left, right, lang):
        return None
    return Change(" ".join(left), " ".join(right), share)


def _denials(words: Sequence[str]) -> int:
    return sum("no" in signal_names(word.casefold()) and "yes" not in signal_names(word.casefold()) for word in words)


def _content(words: Sequence[str]) -> list[str]:
    return [
        w
        for w in words
        if w.casefold() not in stop_words() and not signal_names(w.casefold()) and (len(w) > 1 or w.isdigit())
    ]


def _is_same(ours: Sequence[str], theirs: Sequence[str], lang: str) -> bool:
    """Say whether words may mean the same: one idea, one stem, or one word within the other."""
    left, right = _meanings(ours, lang), _meanings(theirs, lang)
    return bool(left & right) or any(
        a[:_INFLECTED] == b[:_INFLECTED] for a in left for b in right if min(len(a), len(b)) >= _INFLECTED
    )


def _meanings(words: Sequence[str], lang: str) -> set[str]:
    found = set()
    for word in words:
        folded = word.casefold()
        found |= {folded, stem(folded, lang)} | {"=" + idea for idea in topic_names(folded)}
    return found


def _is_name(change: Change) -> bool:
    """Say whether names or numbers were exchanged, which mean nothing else."""
    return all(
        any(word[0].isupper() or word[0].isdigit() for word in side.split()) for side in (change.first, change.second)
    )
