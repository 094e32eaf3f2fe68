"""Phone numbers: international form anywhere, national form by the tenant's regions or behind a word for it."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import phonenumbers

from retrieval.redaction.context import is_alone, is_amount, is_id_before, is_phone_near
from retrieval.redaction.spans import Span

_CORE = re.compile(r"\d(?:[ ().\-/\u2010-\u2013]{0,3}\d){5,16}")
_EXTENSION = re.compile(r"(?i)\s?(?:x|ext\.?|extension|доб\.?|вн\.?|durchwahl|dw)\s?\d{1,6}(?!\w)")
_OPENING = re.compile(r"[+(]{1,2}$")
# A digit with one of these before it continues a decimal, a path, a price or a name.
_JOINED = ".,:/-=$€£%&@#_"
_GOES_ON = re.compile(r"\w|[ .\-/]\d|[@%]\w")
_DECIMAL = re.compile(r"\+?\d{1,6}[.,]\d+")
_MOBILE = phonenumbers.PhoneNumberType.MOBILE
_CACHED = 4096  # candidates; a signature repeats its number through a whole archive


def phones(text: str, regions: Sequence[str]) -> Iterator[Span]:
    """Find phone numbers.

    Args:
        text: canonical text; what is no phone (dates, ids, addresses) is already hidden.
        regions: ISO 3166 codes whose national forms count without a word beside them.
    """
    last = -1  # end of the number before: in "+380…+380…" each one ends where the next begins
    for core in _CORE.finditer(text):
        opening = _OPENING.search(text[max(0, core.start() - 2) : core.start()])
        start = core.start() - (len(opening[0]) if opening else 0)
        extension = _EXTENSION.match(text, core.end())
        end = extension.end() if extension else core.end()
        if text.startswith("(", start) and ")" not in core[0]:
            start += 1  # the bracket belongs to the sentence
        is_next = start == last and text[start] == "+" and not _GOES_ON.match(text, end)
        if (is_next or _is_free(text, start, end)) and _is_phone(text, (start, core.end()), end, tuple(regions)):
            last = end
            yield Span("PHONE", start, end)


def _is_free(text: str, start: int, end: int) -> bool:
    """Whether the digits are a number of their own and no part of a longer number, path, price or name."""
    if _GOES_ON.match(text, end):
        return False
    before, earlier = text[start - 1 : start], text[start - 2 : start - 1]
    if text[start] == "+":
        return not before.isalnum()
    return not before.isalnum() and not (before and before in _JOINED and (earlier.isdigit() or before in "$€£%&@#_"))


def _is_phone(text: str, number: tuple[int, int], end: int, regions: tuple[str, ...]) -> bool:
    start = number[0]
    body = text[start : number[1]]
    if not 7 <= sum(letter.isdigit() for letter in body) <= 15 or _DECIMAL.fullmatch(body):
        return False
    if body.startswith(("+", "(+")):
        return _is_possible(body)
    if is_phone_near(text, start, end) and not is_amount(text, start, end):
        return True
    if is_id_before(text, start) or is_amount(text, start, end) or _is_date_like(body):
        return False
    if body.startswith("00") and not body.isdigit() and _is_possible("+" + body[2:]):
        return True
    return _is_national(body, regions, is_alone=is_alone(text, start, end))


def _is_date_like(body: str) -> bool:
    """Whether the groups are years with others, as in 2024-2025-01 or 01.02.2024."""
    groups = re.findall(r"\d+", body)
    return any(group[:2] in {"19", "20"} and len(group) == 4 for group in groups) and {
        len(group) for group in groups
    } <= {2, 4}


@lru_cache(maxsize=_CACHED)
def _is_possible(body: str) -> bool:
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(body, None))
    except phonenumbers.NumberParseException:
        return False


@lru_cache(maxsize=_CACHED)
def _is_national(body: str, regions: tuple[str, ...], *, is_alone: bool) -> bool:
    return any(_fits(body, region, is_alone=is_alone) for region in regions)


def _fits(body: str, region: str, *, is_alone: bool) -> bool:
    """Whether the number exists in a region and is grouped as people there write it."""
    if not _has_length(body, region) or not (is_alone or _is_dialled_so(body, region)):
        return False
    # With its trunk prefix or a bracketed area a number shows what it is, and people group it as they like
    # ("067 123 45 67"); without one, only the groups tell it from other numbers.
    is_plain = is_alone or (body.startswith(("0", "(0", "8 (", "8(", "8-")) and "." not in body)
    leniency = phonenumbers.Leniency.VALID if is_plain else phonenumbers.Leniency.STRICT_GROUPING
    for match in phonenumbers.PhoneNumberMatcher(body, region, leniency=leniency, max_tries=1):
        if is_alone or not body.isdigit():
            return True
        # Ten bare digits are rather an order than a phone, unless they begin as people dial and belong to a mobile.
        return body[0] in "087" and len(body) >= 10 and phonenumbers.number_type(match.number) == _MOBILE
    return False


def _is_dialled_so(body: str, region: str) -> bool:
    """Whether the number begins with the trunk prefix of the region, or is grouped as people write it without one."""
    prefix = phonenumbers.ndd_prefix_for_region(region, True)
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
