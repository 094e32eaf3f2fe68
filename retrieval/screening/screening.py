"""The score of one document and the decision that follows from it."""

import re
from dataclasses import dataclass

VERSION = "0"

_OVERRIDE = re.compile(
    r"(?i)\b(?:ignore|disregard|forget)\b.{0,40}\b(?:previous|prior|earlier|above)\b.{0,20}\binstruction"
)


@dataclass(frozen=True, slots=True)
class Screening:
    """Whether a document is held back, how risky it looks (0 to 1), and why (names of signals, most severe first)."""

    quarantined: bool
    score: float
    reasons: tuple[str, ...]


def screen_document(title: str, text: str) -> Screening:
    """Judge a document before it is indexed. Takes raw text: the signals are what canonical text no longer has."""
    found = _OVERRIDE.search(f"{title}\n{text}")
    return Screening(bool(found), 1.0 if found else 0.0, ("override",) if found else ())
