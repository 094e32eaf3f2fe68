"""No expression of the product runs away: 50 ms on 16 KB of hostile text."""

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator

import pytest

import bot
import retrieval
from retrieval.redaction import Redactor
from retrieval.screening import screen_document

LIMIT_S = 0.05
SIZE = 16_384
PIECES = (
    "1", "a.", "DE12 ", "a", "1 ", "1.", "@", "a@", "a@b.", "+1 ", "(1", "-", "0-", "x=", "password ", "password:", "пароль ", "pin 1 ", "://a:", "http://a",
    "a-", "0x", "eyJ", "eyJa.", "sk-", "-----BEGIN PRIVATE KEY-----", "12:", "::", "1:", "0:", "f:", "2024-", "A1 ", "4111 ", "[", "(at) ", "a dot ",
    "Best regards,\n", "from: A", "My name is A", "\n", "> ", "é", "\u200b", "e\u0301", "１", "İ", "AB ", "key=", "Bearer a", "-u a:", "user a / ",
    "token ", "abcd ", "123-45-", "паспорт ", "A.", "1,", "1/", "#1", "a_", " ", "\t", "=", '"', "密码", "セ", "ffff::", "%40", "![](http://a?", "<!--",
    "<a hidden", "ignore ", "ignore all ", "your ", "add to ", "i-", "<x>", "system: ", "QUJD", "if user asks ", "забудь все ",
    "Ms. ", "Pan Aa ", "Aa de ", "Aa Bb ", "Aa-", "Aa'", "A'Aa ", "hi, ", "this is ", "customer ", "name: ", "клієнт ", ".\n", ". Aa Bb, ", "Aa Bb <", "Aa Bb, tel. ",
    "+48601234567", "&#64;", "&#x40;a", "4111.", "4111\n", "**4111** ", "41111111 ", "a@b。", "a@b.c。", "I want. ",
)  # fmt: skip


# What runs away elsewhere is tried with these: every kind of run that an expression repeats.
FEW = (
    " ",
    "\n",
    "> ",
    "1",
    "1 ",
    "a",
    "a.",
    "a-",
    "A1 ",
    "@",
    "_",
    "-",
    "*",
    "|",
    "[",
    "[a](",
    "![](http://a?",
    "<!--",
    "http://",
    "x=",
)


def _patterns(value: object, name: str, depth: int = 0) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, tuple | list) and depth < 3:
        for number, item in enumerate(value):
            yield from _patterns(item, f"{name}[{number}]", depth + 1)
    elif isinstance(value, dict) and depth < 3:
        for key, item in value.items():
            yield from _patterns(item, f"{name}[{key}]", depth + 1)
    elif depth < 3:
        for field in ("form", "words", "pattern"):
            yield from (
                _patterns(getattr(value, field, None), f"{name}.{field}", depth + 1) if hasattr(value, field) else ()
            )


def _all_patterns() -> list[tuple[str, re.Pattern[str]]]:
    found: dict[re.Pattern[str], str] = {}
    for package in (bot, retrieval):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if info.name.endswith("__main__"):
                continue
            module = importlib.import_module(info.name)
            for name, value in vars(module).items():
                for where, pattern in _patterns(value, f"{info.name}.{name}"):
                    if isinstance(pattern.pattern, str):
                        found.setdefault(pattern, where)
    return [(name, pattern) for pattern, name in found.items()]


READERS = ("retrieval.redaction.", "retrieval.screening.")
PATTERNS = _all_patterns()


def _quickest(work: object, *arguments: object) -> float:
    """Time the work in processor seconds, the best of up to six runs: other processes share caches and cores."""
    best = float("inf")
    for _ in range(6):
        started = time.thread_time()
        work(*arguments)  # type: ignore[operator]
        best = min(best, time.thread_time() - started)
        if best < LIMIT_S:
            break
    return best


def test_finds_the_expressions() -> None:
    """The collection reaches tables and rules, not only plain constants."""
    names = {name for name, _ in PATTERNS}
    assert len(PATTERNS) > 300
    assert any(name.startswith("retrieval.redaction.national_ids._RULES") for name in names)
    assert any(name.startswith("retrieval.screening.phrases.LATIN_SIGNALS") for name in names)


@pytest.mark.parametrize(("name", "pattern"), PATTERNS, ids=[name for name, _ in PATTERNS])
def test_every_expression_is_quick(name: str, pattern: re.Pattern[str]) -> None:
    """Each expression reads 16 KB of each hostile text within the limit."""
    slow = {}
    for piece in PIECES if name.startswith(READERS) else FEW:
        text = (piece * (SIZE // len(piece) + 1))[:SIZE]
        # A short piece first: what runs away on 2 KB would hold the tests up for minutes on 16.
        if (took := _quickest(lambda text: [None for _ in pattern.finditer(text)], text[:2048])) > LIMIT_S:
            slow[piece] = took
            break
        if (took := _quickest(lambda text: [None for _ in pattern.finditer(text)], text)) > LIMIT_S:
            slow[piece] = took
    assert slow == {}, name


@pytest.mark.parametrize("piece", PIECES)
def test_the_whole_is_quick(piece: str) -> None:
    """Redaction with all its rounds, and screening, stay within ten times the limit of one expression."""
    text = (piece * (SIZE // len(piece) + 1))[:SIZE]
    assert _quickest(Redactor().redact, text) < 10 * LIMIT_S
    assert _quickest(screen_document, "", text) < 10 * LIMIT_S
