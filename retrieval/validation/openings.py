"""With which letters a match of an expression can begin: a text of which no word begins so is not searched at all.

Read are the expressions of the tables of this package: letters, groups, classes, repeats and what is looked for around. Whatever
else stands there ends what is known of the beginning, so that rather too much is searched than too little.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product

# With four characters nearly all small words of ten languages are told apart, and few beginnings are new.
_MOST = 4
_STARTS = re.compile(rf"(?s)(?<!\w)(?=(\w.{{0,{_MOST - 1}}}))")
_GROUP = re.compile(r"\((?:\?(?::|P<\w{1,40}>))?")
_ZERO_WIDTH = ("(?=", "(?!", "(?<=", "(?<!")
# Signs of repeats: those that may leave out what stands before them, and those that may say it more than once.
_MAYBE, _MANY = ("?", "*"), ("*", "+", "{")
_UNKNOWN = "\x00"


class Openings:
    """The beginnings of whatever expressions over text in small letters match from the first letter of a word on, by name.

    Args:
        expressions: the expressions of each name.
    """

    def __init__(self, expressions: Mapping[str, Iterable[str]]) -> None:
        self._begun: dict[str, set[str]] = {}
        for name, own in expressions.items():
            for opening in frozenset[str]().union(*map(beginnings, own)):
                self._begun.setdefault(opening, set()).add(name)
        # Of what words begin with most has been seen before.
        self._names_of = lru_cache(maxsize=50_000)(self._look_up)

    def names_in(self, text: str) -> frozenset[str]:
        """Give the names of which an expression may match somewhere in a text."""
        return frozenset().union(*map(self._names_of, _starts_of(text)))

    def _look_up(self, start: str) -> frozenset[str]:
        return frozenset().union(*(self._begun.get(start[:n], ()) for n in range(_MOST + 1)))


# One sentence is asked for several sorts of openings, one after the other.
@lru_cache(maxsize=64)
def _starts_of(text: str) -> tuple[str, ...]:
    """Give the first characters of what begins with each word of a text."""
    return tuple(_STARTS.findall(text))


def beginnings(expression: str) -> frozenset[str]:
    """Give what a match begins with: up to four characters, fewer where it is shorter or more is not known."""
    found, _ = _Reader(expression).alternatives(0)
    return frozenset(one.partition(_UNKNOWN)[0] for one in found)


class _Reader:
    """Reads an expression from the left; what is known of a beginning ends at a sign for the unknown."""

    def __init__(self, expression: str) -> None:
        self._raw = expression

    def alternatives(self, place: int) -> tuple[set[str], int]:
        """Give the beginnings of what stands at a place up to the end of its group, and the place behind that."""
        found: set[str] = set()
        known = {""}
        while place < len(self._raw) and self._raw[place] != ")":
            if self._raw[place] == "|":
                found |= known
                known, place = {""}, place + 1
                continue
            atom, place = self._repeated(*self._atom(place))
            known = {_joined(first, then) for first, then in product(known, atom)}
        return found | known, place + 1

    def _atom(self, place: int) -> tuple[set[str], int]:
        raw = self._raw
        sign = raw[place]
        if raw.startswith(_ZERO_WIDTH, place):
            return {""}, self.alternatives(place + len("(?="))[1]
        if opened := _GROUP.match(raw, place):
            return self.alternatives(opened.end())
        if sign == "[":
            return self._one_of(place)
        if raw.startswith(r"\b", place):
            return {""}, place + 2
        if sign == "\\":
            return {_UNKNOWN if raw[place + 1].isalnum() else raw[place + 1]}, place + 2
        return {"" if sign in "^$" else _UNKNOWN if sign == "." else sign}, place + 1

    def _one_of(self, place: int) -> tuple[set[str], int]:
        end = self._raw.index("]", place + 2)
        inside = self._raw[place + 1 : end]
        is_plain = not re.search(r"[\\^]|(?<=.)-(?=.)", inside)
        return set(inside) if is_plain else {_UNKNOWN}, end + 1

    def _repeated(self, atom: set[str], place: int) -> tuple[set[str], int]:
        sign = self._raw[place : place + 1]
        if not sign or sign not in "?*+{":
            return atom, place
        end = self._raw.index("}", place) + 1 if sign == "{" else place + 1
        end += self._raw[end : end + 1] in ("?", "+")
        if sign in _MANY:
            atom = {one + _UNKNOWN for one in atom}
        return atom | {""} if sign in _MAYBE or self._raw.startswith("{0", place) else atom, end


def _joined(first: str, then: str) -> str:
    return first if _UNKNOWN in first else (first + then)[:_MOST]
