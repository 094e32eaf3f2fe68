"""What words stand for, whatever language they are in: ideas, what a rule holds for, and what says yes, no or "at most"."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

_FILE = Path(__file__).parent / "words.toml"
_SHORTEST, _LONGEST = 2, 24
# A compound ("Rückgabefrist") is looked through for beginnings of at least so many letters.
_INNER = 5
_COMPOUND = 9
_CJK = "\u3000"
_PAID, _FREE = "paid:paid", "free"
_IS_CJK = re.compile(f"[{chr(ord(_CJK) + 1)}-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Table:
    """Beginnings of words with what they stand for; `phrases` hold a blank, `signs` are Chinese and Japanese.

    `lengths` are those of the beginnings, the longest first, by their first two letters: most words have none to try. `joints`
    are the phrases by the letters beside their first blank, where there are so many that looking for each takes longer.
    """

    whole: Mapping[str, tuple[str, ...]]
    heads: Mapping[str, tuple[str, ...]]
    phrases: tuple[tuple[str, str], ...]
    signs: tuple[tuple[str, str], ...]
    lengths: Mapping[str, tuple[int, ...]]
    joints: Mapping[str, tuple[tuple[str, str], ...]]

    def of_word(self, word: str) -> frozenset[str]:
        """Give what a casefolded word stands for: by its longest beginning that is known."""
        found = set(self.whole.get(word, ()))
        for length in self.lengths.get(word[:_SHORTEST], ()):
            if length <= len(word) and (names := self.heads.get(word[:length])):
                found.update(names)
                break
        if (len(word) >= _COMPOUND and word.isalpha() and not word.isascii()) or len(word) >= _COMPOUND + 2:
            found.update(self._inside(word))
        return frozenset(found)

    def _inside(self, word: str) -> Iterable[str]:
        for start in range(3, len(word) - _INNER + 1):
            for length in self.lengths.get(word[start : start + _SHORTEST], ()):
                if _INNER <= length <= len(word) - start:
                    yield from self.heads.get(word[start : start + length], ())
            yield from self.whole.get(word[start:], ())

    def in_text(self, folded: str) -> Iterable[str]:
        """Give what phrases and Chinese and Japanese signs in a casefolded text stand for."""
        for phrase, name in self._possible_in(folded):
            if phrase in folded:
                yield name
        if not folded.isascii() and _IS_CJK.search(folded):
            for sign, name in self.signs:
                if sign in folded:
                    yield name

    def _possible_in(self, folded: str) -> Iterable[tuple[str, str]]:
        if not self.joints:
            return self.phrases
        return chain.from_iterable(self.joints[joint] for joint in self.joints.keys() & _joints_of(folded))


_MANY = 50
_JOINT = re.compile(r"(?=(\S \S))")


# A text is looked through by one table after the other.
@lru_cache(maxsize=64)
def _joints_of(text: str) -> frozenset[str]:
    """Give the blanks of a text with the letter before and behind each."""
    return frozenset(_JOINT.findall(text))


def _table(entries: Mapping[str, str]) -> Table:
    whole: dict[str, tuple[str, ...]] = {}
    heads: dict[str, tuple[str, ...]] = {}
    phrases: list[tuple[str, str]] = []
    signs: list[tuple[str, str]] = []
    for name, words in entries.items():
        for word in words.casefold().split():
            if word[0] > _CJK:
                signs.append((word, name))
            elif "_" in word.strip("_"):
                phrases.append((word.strip("_.").replace("_", " "), name))
            elif word.endswith("."):
                whole[word[:-1]] = (*whole.get(word[:-1], ()), name)
            else:
                heads[word.strip("_")] = (*heads.get(word.strip("_"), ()), name)
    joints = _by_joint(phrases) if len(phrases) >= _MANY else {}
    return Table(whole, heads, tuple(phrases), tuple(signs), _lengths(heads), joints)


def _by_joint(phrases: Iterable[tuple[str, str]]) -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for phrase, name in phrases:
        blank = phrase.index(" ")
        joint = phrase[blank - 1 : blank + 2]
        found[joint] = (*found.get(joint, ()), (phrase, name))
    return found


def _lengths(heads: Iterable[str]) -> dict[str, tuple[int, ...]]:
    found: dict[str, set[int]] = {}
    for head in heads:
        if _SHORTEST <= len(head) <= _LONGEST:
            found.setdefault(head[:_SHORTEST], set()).add(len(head))
    return {begun: tuple(sorted(lengths, reverse=True)) for begun, lengths in found.items()}


@cache
def _raw() -> dict[str, dict[str, Any]]:
    with _FILE.open("rb") as file:
        return tomllib.load(file)


@cache
def topics() -> Table:
    """Give the table of ideas."""
    return _table({name: words for name, words in _raw()["topics"].items() if isinstance(words, str)})


@cache
def scopes() -> Table:
    """Give the table of what a rule can hold for; names are "class:member"."""
    return _table(
        {f"{kind}:{name}": words for kind, members in _raw()["scopes"].items() for name, words in members.items()}
    )


@cache
def signals() -> Table:
    """Give the table of what says yes or no, and that something is a rule or a single case."""
    raw = _raw()
    return _table({**_flat(raw["cues"]), **_flat(raw["polarity"])})


def _flat(section: Mapping[str, object]) -> dict[str, str]:
    return {name: words for name, words in section.items() if isinstance(words, str)}


@cache
def stop_words() -> frozenset[str]:
    """Give words that say nothing about a subject."""
    return frozenset(str(_raw()["stop"]["words"]).split())


@lru_cache(maxsize=200_000)
def topic_names(word: str) -> frozenset[str]:
    """Give the ideas of a casefolded word."""
    return topics().of_word(word)


@lru_cache(maxsize=200_000)
def scope_names(word: str) -> frozenset[str]:
    """Give what a casefolded word restricts a rule to."""
    found = scopes().of_word(word)
    # "Paid" stands within "unpaid" and its like ("бесплатный").
    return found - {_PAID} if _PAID in found and _FREE in topic_names(word) else found


@lru_cache(maxsize=200_000)
def signal_names(word: str) -> frozenset[str]:
    """Give "yes", "no", "rule", "case" as far as a casefolded word says so."""
    return signals().of_word(word)


WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|v?\d+(?:[.,]\d+)*")
