"""Links, menu paths and versions of a sentence."""

import re

from retrieval.quantity_words import MONTH_NUMBER
from retrieval.validation.units import unit_after
from retrieval.validation.value import Scanned

_PATH = re.compile(
    r"[^\W_][\w &'’/-]{0,40}?(?:\s*[>›→»]\s*[^\W_][\w &'’/-]{0,40}?)+(?=\s*(?:[.,;:!?()]|$|\s(?:and|und|і|та|y|e|et|i|to)\s))"
)
_URL = re.compile(r"https?://[^\s<>\"'）)\]]{3,300}|\bwww\.[^\s<>\"'）)\]]{3,300}")
_VERSION = re.compile(
    r"(?<![\w.])(?:(?P<name>[^\W\d_][\w.+#-]{0,20})\s+)?(?P<v>v\d+(?:\.\d+)*|\d+(?:\.\d+)+(?:\.x)?|\d+(?=\s+(?:or newer|or later|oder neuer)))(?![\w%])",
    re.IGNORECASE,
)
_NAMED_VERSION = re.compile(
    r"\b(?P<name>(?:i|iPad|mac)?[A-Z][A-Za-z+#.]{1,15}) (?P<v>\d{1,3}(?:\.\d+)*)(?![\w%:.,]\d|[\w%])"
)
_VERSION_WORDS = r"(?:versi\w*|верс\w*|wersj\w*|release|バージョン|版本)"
_VERSION_WORD = re.compile(_VERSION_WORDS, re.IGNORECASE)
_VERSION_NUMBER = re.compile(
    _VERSION_WORDS + r"(?:\s+(?:is|ist|est|es|é|to|jest)\s+|\s*:\s*|\s+)(\d+(?:\.\d+)*)", re.IGNORECASE
)
# One of these stands in whatever the two expressions find.
_VERSION_CUES = ("versi", "верс", "wersj", "release", "バージョン", "版本")
_VERSION_CUE = re.compile(r"[vV]\d|\d(?:\.\d|\s+(?i:or newer|or later|oder neuer))")
_NO_NAMES = frozenset(
    [
        "up",
        "to",
        "max",
        "about",
        "the",
        "after",
        "within",
        "for",
        "only",
        "each",
        "every",
        "code",
        "part",
        "step",
        "page",
        "figure",
        "chapter",
        "section",
        "type",
        "level",
        "day",
        "article",
        "kb",
        "ticket",
        "order",
        "invoice",
        "room",
        "sheet",
        "table",
        "line",
        "item",
        "phase",
        "option",
        "level",
        "schritt",
        "teil",
        "seite",
        "крок",
        "шаг",
        "paso",
    ]
) | frozenset(MONTH_NUMBER)


_ARROWS = tuple(">›→»")


def take_links(text: Scanned) -> None:
    """Take web addresses."""
    if "://" not in text.left and "www." not in text.left:
        return
    for match in _URL.finditer(text.left):
        key = re.sub(r"^https?://(?:www\.)?|/$", "", match[0].rstrip(".,;:").casefold())
        text.take(match.start(), match.end(), "link", (0, 0), key=key)


def take_paths(text: Scanned) -> None:
    """Take menu paths ("Settings > Alarms > Sounds")."""
    if not any(map(text.left.__contains__, _ARROWS)):  # the expression tries every word
        return
    for match in _PATH.finditer(text.left):
        parts = [part.strip().casefold() for part in re.split(r"[>›→»]", match[0])]
        parts[0] = parts[0].split()[-1] if parts[0] else ""
        parts[-1] = _label(re.split(r"[>›→»]", match[0])[-1].strip())
        text.take(match.start(), match.end(), "path", (0, 0), key=">".join(parts))


def _label(written: str) -> str:
    """Give the last label of a menu path without what the sentence goes on with."""
    words = written.split()
    more = next(
        (place for place, word in enumerate(words[1:], 1) if word[:1].isupper() is False and len(words) > 2), len(words)
    )
    return " ".join(words[:more]).casefold()


def take_versions(text: Scanned) -> None:
    """Take versions, with the name of what they are of where it stands before."""
    for match in _NAMED_VERSION.finditer(text.left):
        if match["name"].casefold() in _NO_NAMES or unit_after(text.left, match.end()):
            continue
        _take_version(text, match.start("name"), match.end("v"), match["v"], match["name"].casefold())
    for match in _VERSION.finditer(text.left) if _VERSION_CUE.search(text.left) else ():
        named = bool(match["name"] and _VERSION_WORD.match(match["name"]))
        if (
            not named
            and match["v"].count(".") < 2
            and not match["v"].casefold().startswith("v")
            and "or" not in text.left[match.end() : match.end() + 4]
        ):
            continue
        name = match["name"].casefold() if match["name"] and match["name"][:1].isupper() and not named else "version"
        _take_version(text, match.start("v"), match.end("v"), match["v"], name)
    for match in _VERSION_NUMBER.finditer(text.left) if text.has_any(_VERSION_CUES) else ():
        _take_version(text, match.start(1), match.end(1), match[1], "version")


def _take_version(text: Scanned, start: int, end: int, written: str, name: str) -> None:
    number = version_number(written)
    text.take(start, end, "version", (number, number), unit=name)


def version_number(written: str) -> float:
    """Give a version as a number by which versions compare: 3.11 is 3.011, and more than 3.9."""
    parts = [int(part) for part in re.findall(r"\d+", written)[:4]]
    return float(sum(part / 1000**place for place, part in enumerate(parts)))
