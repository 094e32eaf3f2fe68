"""Checks expressions that an operator gives for the desk's own ids: quick on any text, and about ids at all.

Python's `re` goes back and tries again: one careless expression holds a process for minutes on a text that somebody made for
it. What can be seen is refused by its form (a repeat inside a repeated group, alternatives inside one, a reference back);
what is left must read hostile text in time.
"""

import re
import time
from collections.abc import Iterable, Iterator

_LONGEST = 200
_SIZE = 16_384
# The whole redactor promises 50 ms for 16 KB; a slow machine or a busy one must not refuse what is linear (about 1 ms).
_LIMIT_S = 0.05
_TRIES = 3
_GROWTH = 1.5
_NAME = re.compile(r"[A-Z]{2,12}(?:_[A-Z]{1,12}){0,2}")
_MOST_VARYING = 12
_FIXED = re.compile(r"\{\d+\}[?+]?")
_PARTS = re.compile(
    r"(?P<back>\\[1-9]|\(\?P=|\(\?\()|(?P<escape>\\.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*+\]?)"
    r"|(?P<open>\((?!\?[a-zA-Z]+\))(?:\?(?:P<\w+>|<?[=!]|>|[a-zA-Z-]*:))?)|(?P<flags>\(\?[a-zA-Z]+\))|(?P<close>\))|(?P<choice>\|)"
    r"|(?P<repeat>[*+?][?+]?|\{(?=\d|,\d)\d*,?\d*\}[?+]?)|(?P<plain>.)",
    re.DOTALL,
)
_PLAIN = ("0", "1", "9", "a", "A", "z", "_", "-", ".", " ", "/", "№", "1-", "a1", "A-", "1 ", "é", "Ж")


class PatternUnfit(ValueError):
    """An expression that cannot be used; the message never shows it."""


def checked_names(names: Iterable[object]) -> None:
    """Refuse names that cannot stand in a token.

    Raises:
        PatternUnfit: a name is not one to three words of capital letters joined by `_`, the first of two letters or more.
    """
    if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in names):
        raise PatternUnfit(
            "names of ids are words of capital letters A to Z joined by `_`, at most three, of up to 12 letters and the"
            " first of two or more, such as CUSTOMER or ORDER_NO"
        )


def checked_pattern(pattern: object) -> str:
    """Give the expression back when it is safe to search with.

    Raises:
        PatternUnfit: it is no expression, is too long, may match nothing at all, or may take long on some text.
    """
    if not isinstance(pattern, str) or not 0 < len(pattern) <= _LONGEST:
        raise PatternUnfit(f"an id's expression is text of 1 to {_LONGEST} characters")
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        raise PatternUnfit("it is not a regular expression") from None
    if compiled.search("") or compiled.fullmatch(" "):
        raise PatternUnfit("it matches an empty text or a space")
    _refuse_nested(pattern)
    _refuse_slow(compiled)
    return pattern


def _refuse_nested(pattern: str) -> None:
    """Walk the expression once: no group repeats that can match in several ways, and few parts vary at all."""
    groups: list[bool] = []  # for each open group: whether something in it varies
    is_wide = False  # whether what has just ended is a group that does
    varying = 0
    for part in _PARTS.finditer(pattern):
        kind, text = part.lastgroup, part[0]
        if kind == "back":
            raise PatternUnfit("it refers back to a group")
        if kind == "repeat" and is_wide and text[0] != "?":
            raise PatternUnfit("a group that repeats holds a repeat, an option or alternatives")
        if kind == "choice" or (kind == "repeat" and not _FIXED.fullmatch(text)):
            varying += 1
            groups = [True] * len(groups)
        if kind == "open":
            groups.append(False)
        is_wide = groups.pop() if kind == "close" else False
    if varying > _MOST_VARYING:
        raise PatternUnfit(f"more than {_MOST_VARYING} of its parts vary in length or have alternatives")


def _refuse_slow(compiled: re.Pattern[str]) -> None:
    """Search growing texts; the first step that takes too long ends the trial, so that the trial itself is short."""
    sizes = [int(4 * _GROWTH**step) for step in range(1, 40) if 4 * _GROWTH**step < _SIZE]
    for size in (*sizes, _SIZE):
        for piece in _pieces(compiled.pattern):
            text = (piece * (size // len(piece) + 1))[:size]
            if _quickest(compiled, text + "!") > _LIMIT_S:
                raise PatternUnfit("it takes too long on some texts")


def _pieces(pattern: str) -> Iterator[str]:
    yield from _PLAIN
    literal = re.sub(r"\\.|\[[^\]]*\]|[^\w\s-]", "", pattern)
    yield from {literal, f"{literal}1", *literal.split("-")} - {""}


def _quickest(compiled: re.Pattern[str], text: str) -> float:
    best = float("inf")
    for _ in range(_TRIES):
        began = time.thread_time()
        for _ in compiled.finditer(text):
            pass
        best = min(best, time.thread_time() - began)
        if best <= _LIMIT_S or best > 20 * _LIMIT_S:
            break
    return best
