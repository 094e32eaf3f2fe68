"""Phone numbers: international form anywhere, national form by the tenant's regions or behind a word for it."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import phonenumbers

from retrieval.redaction.context import is_alone, is_amount, is_id_before, is_phone_near
from retrieval.redaction.spans import Span

_CANDIDATE = re.compile(
    r"(?:(?<![\w.,:/$€£%=-])|(?<=[^\d\W][.,:/=-])|(?<=[^\w\s][.,:/=-])|(?<=\s[.,:/=-])|(?=\+))"
    r"[+(]{0,2}\d(?:[ ().\-/\u2010-\u2013]{0,3}\d){5,16}"
    r"(?:\s?(?:x|ext\.?|extension|доб\.?|вн\.?|durchwahl|dw)\s?\d{1,6})?(?![\w])(?![ .\-/]\d)"
)
_EXTENSION = re.compile(r"(?i)\s?(?:x|ext\.?|extension|доб\.?|вн\.?|durchwahl|dw)\s?\d{1,6}$")
_NATIONAL = phonenumbers.PhoneNumberType
_LINES = frozenset({_NATIONAL.MOBILE, _NATIONAL.FIXED_LINE, _NATIONAL.FIXED_LINE_OR_MOBILE})
_KEPT_WHOLE = re.compile(r"\d{1,3}(?: \d{3}){1,4}|\d{4}|\d{1,3}(?:\.\d{3}){1,4}")  # 1 234 567: a count


def phones(text: str, regions: Sequence[str]) -> Iterator[Span]:
    """Find phone numbers.

    Args:
        text: canonical text; what is no phone (dates, ids, addresses) is already hidden.
        regions: ISO 3166 codes whose national forms count without a word beside them.
    """
    for match in _CANDIDATE.finditer(text):
        start, end = match.start(), match.end()
        raw = match[0]
        if raw.count("(") != raw.count(")"):
            raw = raw.lstrip("(") if raw.startswith("(") else raw
            start = end - len(raw)
        if _is_phone(text, start, end, tuple(regions)):
            yield Span("PHONE", start, end)


def _is_phone(text: str, start: int, end: int, regions: tuple[str, ...]) -> bool:
    raw = text[start:end]
    body = _EXTENSION.sub("", raw)
    digits = sum(letter.isdigit() for letter in body)
    if not 7 <= digits <= 15:
        return False
    if body.startswith(("+", "(+")):
        return _is_possible(body)
    if is_phone_near(text, start, end) and not is_amount(text, start, end):
        return True
    if is_id_before(text, start) or is_amount(text, start, end) or is_date_like(body):
        return False
    if body.startswith("00") and _is_possible("+" + body[2:]) and not body.isdigit():
        return True
    return _is_national(body, regions, is_alone=is_alone(text, start, end))


def is_date_like(body: str) -> bool:
    """Whether the groups are a year with others, as in 2024-2025-01 or 01.02.2024."""
    groups = re.findall(r"\d+", body)
    return (
        len(groups) <= 4
        and any(len(group) == 4 and group[:2] in {"19", "20"} for group in groups)
        and all(len(group) in (2, 4) for group in groups)
    )


@lru_cache(maxsize=4096)
def _is_possible(body: str) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(body, None))
    except phonenumbers.NumberParseException:
        return False


@lru_cache(maxsize=4096)
def _is_national(body: str, regions: tuple[str, ...], *, is_alone: bool) -> bool:
    return any(_fits(body, region, is_alone=is_alone) for region in regions)


def _fits(body: str, region: str, *, is_alone: bool) -> bool:
    """Whether the number exists in a region and is grouped as people there write it."""
    if not _has_length(body, region) or not _is_dialled_so(body, region):
        return False
    leniency = phonenumbers.Leniency.VALID if is_alone else phonenumbers.Leniency.STRICT_GROUPING
    for match in phonenumbers.PhoneNumberMatcher(body, region, leniency=leniency, max_tries=1):
        kind = phonenumbers.number_type(match.number)
        if is_alone or not body.isdigit():
            return True
        # Ten bare digits are rather an order than a phone, unless they begin as people dial and belong to a mobile.
        return body[0] in "087" and kind == _NATIONAL.MOBILE and len(body) >= 10
    return False


def _is_dialled_so(body: str, region: str) -> bool:
    """Whether the number begins with the trunk prefix of the region, or is grouped as people write it without one."""
    prefix = phonenumbers.ndd_prefix_for_region(region, True)  # noqa: FBT003 - positional in the library
    groups = [len(group) for group in re.findall(r"\d+", body)]
    if body.startswith("(") or not prefix or prefix == "1":
        return len(groups) == 1 or max(groups) <= 4
    return re.sub(r"\D", "", body).startswith(prefix) or groups == [3, 3, 2, 2]


def _has_length(body: str, region: str) -> bool:
    metadata = phonenumbers.PhoneMetadata.metadata_for_region(region, None)
    digits = sum(letter.isdigit() for letter in body)
    if metadata is None or metadata.general_desc is None:
        return False
    return any(0 <= digits - length <= 3 for length in metadata.general_desc.possible_length)
