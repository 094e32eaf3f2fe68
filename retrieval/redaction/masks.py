"""Places that look like personal data and are none: addresses, ids, hashes, dates, versions, our own tokens.

They are hidden from the finders of numbers. Secrets and mail addresses are looked for before, since they may stand
inside an address or look like a hash.
"""

import re
from collections.abc import Iterator

from retrieval.redaction.spans import Span
from retrieval.redaction.tokens import TOKEN
from retrieval.redaction.windows import digit_windows, matches

_URL = re.compile(r"(?i)\b(?:https?|ftp|wss?|slack|file)://[^\s<>\"'`|]{1,2000}|\bwww\.[^\s<>\"'`|]{1,2000}")
_HOST_IS_ADDRESS = re.compile(
    r"[a-zA-Z]{2,6}://(?:[^@/\s]{1,200}@)?(?:(?:\d{1,3}\.){3}\d{1,3}|\[[0-9a-fA-F:.]{2,45}\])"
)
_TELLING_PARAMETER = re.compile(
    r"(?i)[?&;#][\w.%-]{0,30}(?:phone|tel|mobile|msisdn|card|iban|ssn|pesel|inn|ip|addr|pan)[\w.%-]{0,10}=[^&#\s]{1,200}"
)
_PLACES = (
    re.compile(r"(?<![\w-])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![\w-])"),  # UUID
    re.compile(r"(?<!\w)(?=[0-9]{0,127}[a-fA-F])(?=[a-fA-F]{0,127}[0-9])[0-9a-fA-F]{16,128}(?!\w)"),  # hash
    re.compile(r"(?<!\w)0[xX][0-9a-fA-F]{1,64}"),
    re.compile(r"(?<!\w)(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?!\w)"),  # MAC address
    re.compile(
        r"(?<![\w.+-])(?:19|20)\d\d([-./])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])"  # 2026-11-30T12:30:00.000+02:00
        r"(?:[T ,]{1,2}\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?![\w-])"
    ),
    re.compile(r"(?<![\w.+-])(?:[0-2]?\d|3[01])([-./])(?:[0-2]?\d|3[01])\1(?:19|20)\d\d(?![\w-])"),
    re.compile(r"(?<![\w.+-])(?:[0-2]?\d|3[01])([./])(?:0?[1-9]|1[0-2])\1\d\d(?![\w./-])"),
    re.compile(r"(?<![\w.+-])(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[T_-]?[0-2]\d[0-5]\d(?:[0-5]\d)?\d{0,6}Z?)?(?!\w)"),
    re.compile(r"(?<![\w:])[0-2]?\d:[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?![\w:])"),
    re.compile(r"(?<![\w.+-])1[4-9]\d{8}(?:\d{3}){0,3}(?:\.\d{1,9})?(?![\w-])"),  # seconds (or ms, µs, ns) since 1970
    re.compile(r"(?i)\b(?:version|ver|release|build|firmware|версі\w{1,2}|версия|верси[ию]|збірк\w|сборк\w|rev)[\s.:#№]{0,3}v?\d[\w.+-]{0,60}"),
    re.compile(r"(?<![\w.])[vV]\d{1,5}(?:\.\d[\w+-]{0,20}){1,5}"),
    re.compile(r"(?<![\w.+-])\d{1,5}(?:\.\d{1,6}){1,4}-[A-Za-z][\w.+-]{0,30}"),  # 2.10.0-rc.1
    re.compile(r"(?<![\w.+-])\d{1,3}(?:\.\d{1,3}){2}\.\d{4,7}(?![\w.])"),  # 10.0.19041 has no year, 120.0.6099.109 no address
)  # fmt: skip
# Any short word with a number: TCK-2001, KB-101, t-12, INC0012345, #48213. "tel-…" is a phone.
_OWN_ID = re.compile(
    r"(?i)(?<![\w+-])(?!(?:tel|fax|ph|phone|mob|mobile|cell|cc|card|ssn|inn|pin|de|ua|pl|ru|uk|gb|us|ip|ipv4)[-_])"
    r"[a-z][a-z0-9]{0,9}[-_]\d{1,12}(?![\w-])"
    r"|(?<![\w+-])(?:INC|REQ|RITM|CHG|PRB|TASK|CASE|SR|SO|PO|RMA|ORD|TKT|TCK|INV)\d{4,14}(?!\w)|(?<![\w&])\#\d{1,14}(?!\w)"
)


def tokens(text: str) -> Iterator[Span]:
    """Find our own tokens: nothing inside one is looked at again."""
    for match in TOKEN.finditer(text):
        yield Span("", *match.span())


def addresses(text: str) -> Iterator[Span]:
    """Find web addresses, without a host that is an IP address and without parameters named like personal data."""
    if "//" not in text and "ww." not in text.lower():
        return
    for match in _URL.finditer(text):
        start, end = match.span()
        host = _HOST_IS_ADDRESS.match(match[0])
        start += host.end() if host else 0
        for parameter in _TELLING_PARAMETER.finditer(text, start, end):
            yield Span("", start, parameter.start())
            start = parameter.end()
        yield Span("", start, end)


def places(text: str) -> Iterator[Span]:
    """Find hashes, dates, times, versions and ids of tickets and orders."""
    windows = list(digit_windows(text))
    for pattern in (*_PLACES, _OWN_ID) if windows else ():
        for match in matches(pattern, text, windows):
            yield Span("", *match.span())
