"""What a sentence says in one of two ways that shut each other out: at once or later, required or optional, only the owner or anybody.

The words are in `opposites.toml`; who may do something is read by role, see `roles`.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from retrieval.validation.least_plan import least_plan_of
from retrieval.validation.openings import Openings
from retrieval.validation.roles import CUES, allowed_in
from retrieval.validation.states import states_in
from retrieval.validation.values import values_of

_FILE = Path(__file__).parent / "opposites.toml"
_CJK = "\u3000"
WHO, PLAN, LINK, STATE = "who", "plan", "link", "state"
_IS_LISTED = re.compile(r"\A\W*(?:[-*#|>$!]|curl\b|wget\b|git\b|alt\b|see\b)", re.IGNORECASE)
_BRACKETS = ("[", "(", "<", "=", '"', "'")
# "Not" with at most three words behind it denies what follows.
_NOT = re.compile(
    r"(?:\b(?:not|never|no|without|nicht|kein\w*|nie|niemals|не|ні|никогда|ніколи|pas|jamais|ni|nunca|não|bez|sin|sans|without)|n['’]t|cannot)\s+(?:[\w'’-]+\s+){0,3}\Z"
)


@dataclass(frozen=True, slots=True)
class Opposite:
    """One side of an axis: `member` is the side, `text` as written, `spans` the places of its words.

    `level` and `is_only` say of who may do something how many may, and that nobody else may; of what is done with a thing
    `member` is the deed, and `is_only` says that it is not done.
    """

    axis: str
    member: str
    text: str
    spans: tuple[tuple[int, int], ...]
    level: int = 0
    is_only: bool = False

    def is_against(self, other: "Opposite") -> bool:
        """Whether both cannot be true of one thing."""
        if self.axis != other.axis:
            return False
        if self.axis == WHO:
            return (self.is_only or other.is_only) and self.level != other.level
        if self.axis == STATE:
            return self.member == other.member and self.is_only != other.is_only
        if self.axis == PLAN and not (self.is_only or other.is_only):
            return False
        return self.member != other.member


@dataclass(frozen=True, slots=True)
class _Axis:
    """`spaced` is for languages with blanks between words, `unspaced` for those without."""

    name: str
    spaced: re.Pattern[str]
    unspaced: re.Pattern[str]
    turned: dict[str, str]


@cache
def _raw() -> dict[str, dict[str, Any]]:
    with _FILE.open("rb") as file:
        return tomllib.load(file)


@cache
def _axes() -> tuple[_Axis, ...]:
    return tuple(_axis(name, members) for name, members in _raw().items())


def _axis(name: str, members: dict[str, Any]) -> _Axis:
    # Looking for the beginning of a word first is ten times as fast as trying every expression at every letter.
    spaced = rf"\b(?=\w)(?:{_groups(members, is_spaced=True)})(?!\w)"
    unspaced = _groups(members, is_spaced=False) or r"(?!)"
    return _Axis(name, re.compile(spaced), re.compile(unspaced), members.get("turned", {}))


def _groups(members: dict[str, Any], *, is_spaced: bool) -> str:
    sides = {member: _words(words, is_spaced=is_spaced) for member, words in members.items()}
    return "|".join(f"(?P<{member}>{'|'.join(words)})" for member, words in sides.items() if words)


def _words(words: object, *, is_spaced: bool) -> list[str]:
    return [one for one in words if (one[0] <= _CJK) == is_spaced] if isinstance(words, list) else []


def expressions() -> dict[str, list[str]]:
    """Give what finds a word of each axis in languages with blanks between words."""
    return {
        name: [one for words in members.values() for one in _words(words, is_spaced=True)]
        for name, members in _raw().items()
    }


@cache
def _openings() -> Openings:
    """Give with which letters a word of each axis, and of who may, can begin."""
    return Openings(expressions() | CUES)


@lru_cache(maxsize=8192)
def opposites_of(clause: str) -> tuple[Opposite, ...]:
    """Give what a clause says on each axis, at most one side each: of two sides it says neither ("automatic or manual")."""
    lowered = clause.lower()  # unlike a casefolded one as long as it was, save for a letter or two
    if len(lowered) != len(clause):
        return ()
    names = _openings().names_in(lowered)
    found = [
        one
        for axis, expression in _possible(lowered, names)
        if (one := _said(axis, clause, expression.finditer(lowered)))
    ]
    return (*found, *_who(clause, lowered, names), *_plan(clause), *_link(clause), *_state(clause, lowered))


def _possible(lowered: str, names: frozenset[str]) -> Iterator[tuple[_Axis, re.Pattern[str]]]:
    """Give the axes of which a word may stand in a clause, with what finds it."""
    if not lowered.isascii() and max(lowered) > _CJK:
        yield from ((axis, axis.unspaced) for axis in _axes())
    elif names:
        yield from ((axis, axis.spaced) for axis in _axes() if axis.name in names)


def _said(axis: _Axis, clause: str, matches: Iterable[re.Match[str]]) -> Opposite | None:
    sides = list(_sides(axis, clause, matches))
    return sides[0] if len({one.member for one in sides}) == 1 else None


def _sides(axis: _Axis, clause: str, matches: Iterable[re.Match[str]]) -> Iterator[Opposite]:
    for match in matches:
        member = str(match.lastgroup)
        if _NOT.search(match.string[: match.start()]):
            if member not in axis.turned:
                continue
            member = axis.turned[member]
        yield Opposite(axis.name, member, clause[match.start() : match.end()], (match.span(),))


def _who(clause: str, lowered: str, names: frozenset[str]) -> Sequence[Opposite]:
    if (allowed := allowed_in(lowered, names)) is None:
        return ()
    start, end = allowed.place
    return (Opposite(WHO, allowed.role, clause[start:end], allowed.spans, allowed.level, allowed.is_only),)


def _plan(clause: str) -> Sequence[Opposite]:
    plan = least_plan_of(clause)
    if plan is None:
        return ()
    place = (plan.start, plan.end)
    return (Opposite(PLAN, plan.name, clause[slice(*place)], (place,), is_only=plan.is_least),)


def _link(clause: str) -> Sequence[Opposite]:
    """Give the one address that a sentence is about; one in brackets only says where to read on, and a command is none."""
    if "//" not in clause or _IS_LISTED.match(clause):
        return ()
    links = [value for value in values_of(clause) if value.kind == LINK]
    if len(links) != 1 or clause[: links[0].start].rstrip()[-1:] in _BRACKETS:
        return ()
    return (Opposite(LINK, links[0].key, links[0].text, ((links[0].start, links[0].end),)),)


def _state(clause: str, lowered: str) -> Iterator[Opposite]:
    for one in states_in(lowered):
        yield Opposite(STATE, one.key, clause[slice(*one.place)], (one.word,), is_only=one.is_denied)


def without_opposites(clause: str) -> str:
    """Blank the words that say one side of an axis: what is left is what it is said of."""
    for start, end in (span for one in opposites_of(clause) if one.axis != STATE for span in one.spans):
        clause = f"{clause[:start]}{' ' * (end - start)}{clause[end:]}"
    return clause


def against(ours: Sequence[Opposite], theirs: Sequence[Opposite]) -> tuple[Opposite, Opposite] | None:
    """Give the first two sides that shut each other out."""
    return next(((a, b) for a in ours for b in theirs if a.is_against(b)), None)


def alike(ours: Sequence[Opposite], theirs: Sequence[Opposite]) -> tuple[Opposite, Opposite] | None:
    """Give the first two that say the same side of one axis; what is done is told of anything, and is no agreement."""
    both = ((a, b) for a in ours for b in theirs if a.axis == b.axis != STATE and a.member == b.member)
    return next(both, None)


def axis_names() -> tuple[str, ...]:
    """Give the names of all axes."""
    return (*(axis.name for axis in _axes()), WHO, PLAN, LINK, STATE)
