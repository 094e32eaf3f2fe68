"""Finds a secret in a text, also backwards, spaced, in base64, in hex or percent-encoded; written apart from the product's check."""

import base64
import re
import urllib.parse
from collections.abc import Iterable
from functools import cache

_SMALL = re.compile(r"[\W_]+")
_WORDS = 8


def bare(text: str) -> str:
    """Give letters and digits alone, lower case."""
    return _SMALL.sub("", text.casefold())


@cache
def needles(value: str) -> tuple[str, ...]:
    """Give what a text with the value in it holds, case and punctuation left out."""
    code = value.encode()
    forms = [bare(value), bare(value)[::-1], code.hex(), bare(urllib.parse.quote(value))]
    for shift in range(3):  # base64 of a text that holds the value: it begins at any of three places of a group
        text = base64.b64encode(b"\0" * shift + code).decode()
        whole = text[(0, 2, 3)[shift] :].rstrip("=")
        forms.append(bare(whole[: len(whole) - 1]))
    return tuple(dict.fromkeys(form for form in forms if len(form) >= 6))


def held(values: Iterable[str], *texts: str) -> list[str]:
    """Give the values that any of the texts holds in any form."""
    small = [bare(text) for text in texts]
    return [value for value in values if value and any(needle in text for needle in needles(value) for text in small)]


def shingles(secret: str) -> frozenset[str]:
    """Give every run of eight words of a secret text, as bare letters."""
    words = [word for word in map(bare, secret.split()) if word]
    return frozenset("".join(words[i : i + _WORDS]) for i in range(len(words) - _WORDS + 1))
