"""Parts of a text worth a closer look: most of a text has no digits, and expressions need not read it."""

import re
from collections.abc import Iterator

_CLUSTER = re.compile(r"\d(?:[^\d\n]{0,2}\d){4}")
_MARGIN = 96  # code points around a cluster; no expression for numbers reaches farther
_SPACE = re.compile(r"\s")


def digit_windows(text: str) -> Iterator[tuple[int, int]]:
    """Give the ranges around places with five digits near each other, merged where they meet, cut at white space."""
    start = end = -1
    for cluster in _CLUSTER.finditer(text):
        if cluster.start() > end:
            if end >= 0:
                yield start, end
            start = max(0, cluster.start() - _MARGIN)
        if cluster.end() + _MARGIN > end:
            space = _SPACE.search(text, cluster.end() + _MARGIN)
            end = space.start() if space else len(text)
    if end >= 0:
        yield start, end


def matches(pattern: re.Pattern[str], text: str, windows: list[tuple[int, int]]) -> Iterator[re.Match[str]]:
    """Give the matches of an expression that begin in the windows; what stands before a window is still seen."""
    for start, end in windows:
        yield from pattern.finditer(text, start, end)
