"""The seal: text that has passed redaction.

Stores, chat models and posters accept only `RedactedText`, so raw text cannot reach them without the type checker
saying so. It is a `str`, so it prints and serialises as one; any string operation gives a plain `str` again, which
no port accepts.
"""

from collections.abc import Iterable
from typing import Self


class RedactedText(str):
    """Text without personal data. Only `retrieval.redaction` builds it; calling the class raises `TypeError`."""

    __slots__ = ()

    def __new__(cls, *_args: object, **_kwargs: object) -> Self:
        """Refuse: redacted text comes from a `Redactor`, a join or cut of redacted text, or one of our own stores."""
        raise TypeError("RedactedText is built by a Redactor, not by its constructor")

    @classmethod
    def stored(cls, text: str) -> Self:
        """Seal text read back from a store into which only redacted text is ever written (index, Redis)."""
        return str.__new__(cls, text)

    @classmethod
    def joined(cls, parts: "Iterable[RedactedText]", separator: str = " ") -> Self:
        """Join redacted parts; the separator is a constant of the caller, never user text."""
        return str.__new__(cls, separator.join(parts))

    def cut(self, limit: int) -> Self:
        """Give the first `limit` code points, still sealed."""
        return str.__new__(type(self), self[:limit])

    def part(self, start: int, end: int) -> Self:
        """Give the half-open slice `[start, end)`, still sealed."""
        return str.__new__(type(self), self[start:end])


EMPTY = RedactedText.stored("")
