"""The tokens that stand for removed values: `[EMAIL]`, with a mark `[EMAIL#…]` on its way, with a number `[EMAIL_1]` in a thread.

A mark is a keyed hash of thread, type and value: equal marks of one thread are equal values, and nobody without the key
can try values out. Nothing leads back from a token to its value, and nothing is ever put back.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from retrieval.redaction.redacted_text import RedactedText

_TYPES = r"EMAIL|PHONE|CARD|IBAN|IP|SECRET|NAME|NATIONAL_ID|ID_[A-Z]{2,12}(?:_[A-Z]{1,12}){0,2}"
# Marks are letters alone, so that no number can hide in one that somebody types.
_MARK_LETTERS = 12
TOKEN = re.compile(rf"\[({_TYPES})(?:_([1-9]\d{{0,2}})|#([a-p]{{{_MARK_LETTERS}}}))?\]")
_HEX_TO_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")
# A PIN has ten thousand values: who holds the key finds it from its mark. Secrets get none and stay `[SECRET]`.
_UNMARKED = frozenset({"SECRET"})
_DIGITS_ONLY = frozenset({"PHONE", "CARD", "NATIONAL_ID"})
_SUBSCRIBER_DIGITS = 9  # "+380 67 123 45 67" and "067 123 45 67" are one number
_AT = re.compile(r"(?i)\s?[(\[{<\s]\s?(?:at|@|ät|собака|собачка|arroba|małpa)\s?[)\]}>\s]\s?|%40")
_DOT = re.compile(r"(?i)\s?[(\[{<\s]\s?(?:dot|\.|punkt|точка|крапка|punto|kropka)\s?[)\]}>\s]\s?|\u3002")


@dataclass(frozen=True, slots=True)
class Numbered:
    """Text with numbered tokens, and which mark got which label, such as `("abcdefghijkl", "EMAIL_1")`."""

    text: RedactedText
    labels: tuple[tuple[str, str], ...] = ()


def mark_of(kind: str, value: str, *, thread: str, key: bytes) -> str:
    """Give the mark of a value in a thread, twelve letters; empty for kinds that get none.

    Args:
        kind: `EMAIL` and so on, as the token says it.
        value: canonical text of the value; spaces, signs and case do not count.
        thread: key of the thread: the same value in another thread has another mark.
        key: secret of the installation.
    """
    if kind in _UNMARKED:
        return ""
    said = "\0".join((thread, kind, _plain(kind, value))).encode("utf-8", "surrogatepass")
    return hmac.new(key, said, hashlib.sha256).hexdigest()[:_MARK_LETTERS].translate(_HEX_TO_LETTERS)


def _plain(kind: str, value: str) -> str:
    """Give the value as it is compared."""
    if kind == "EMAIL":
        return "".join(_DOT.sub(".", _AT.sub("@", value)).lower().split())
    if kind in _DIGITS_ONLY and (digits := re.sub(r"\D", "", value)):
        letters = "" if kind == "PHONE" else re.sub(r"[\W\d_]", "", value).lower()
        return (digits[-_SUBSCRIBER_DIGITS:] if kind == "PHONE" else digits) + letters
    return " ".join(value.lower().split()) if kind == "NAME" else re.sub(r"[\s-]", "", value).lower()


def without_marks(text: str) -> str:
    """Take the marks out of text that somebody typed: only a redactor gives them."""
    return TOKEN.sub(lambda token: f"[{token[1]}]" if token[3] else token[0], text)


def unnumbered(text: RedactedText) -> RedactedText:
    """Give the text with plain tokens, as the index has them: what is searched and compared."""
    plain = TOKEN.sub(lambda token: f"[{token[1]}]", text)
    return text if plain == text else RedactedText.stored(plain)


def without_numbered(text: RedactedText) -> RedactedText:
    """Give the text without its numbered tokens: they name what the thread said, which no source can support or deny."""
    if not any(token[2] for token in TOKEN.finditer(text)):
        return text
    return RedactedText.stored(TOKEN.sub(lambda token: "" if token[2] else token[0], text))


def numbered(marked: RedactedText, *, known: Mapping[str, str], earlier: Iterable[str] = ()) -> Numbered:
    """Turn marks into numbers that the thread counts by type.

    A number that somebody typed stays where the thread has it, and goes where it has not.

    Args:
        marked: text with marks.
        known: labels of the thread's earlier marks.
        earlier: texts of the thread, whose numbers are taken.
    """
    used = {label for text in earlier for label in _labels(text)} | set(known.values())
    given = dict(known)
    own: dict[str, str] = {}
    for token in TOKEN.finditer(marked):
        if mark := token[3]:
            label = given.setdefault(mark, _next(token[1], used))
            used.add(label)
            own[mark] = label

    def shown(token: re.Match[str]) -> str:
        if token[3]:
            return f"[{given[token[3]]}]"
        return token[0] if f"{token[1]}_{token[2]}" in used else f"[{token[1]}]"

    return Numbered(RedactedText.stored(TOKEN.sub(shown, marked)), tuple(own.items()))


def cut_marked(marked: RedactedText, limit: int) -> RedactedText:
    """Give the part that is `limit` code points long once the marks are out; no token is cut in two."""
    length = end = 0
    for token in TOKEN.finditer(marked):
        start, stop = token.span()
        shown = len(token[1]) + 2 if token[3] else stop - start
        if length + (start - end) + shown > limit:
            return marked.cut(min(start, end + limit - length))
        length, end = length + (start - end) + shown, stop
    return marked.cut(end + limit - length)


def _labels(text: str) -> Iterator[str]:
    return (f"{token[1]}_{token[2]}" for token in TOKEN.finditer(text) if token[2])


def _next(kind: str, used: set[str]) -> str:
    """Give the label after the highest one in use, so that no number changes hands when an old turn is dropped."""
    taken = [int(label.rpartition("_")[2]) for label in used if label.rpartition("_")[0] == kind]
    return f"{kind}_{max(taken, default=0) + 1}"
