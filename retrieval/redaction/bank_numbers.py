"""IBANs and cards: found by check digits, by shape only where the text names them."""

import re
from collections.abc import Iterator

from retrieval.redaction.checksums import IBAN_LENGTHS, is_iban, passes_luhn
from retrieval.redaction.context import is_alone, is_id_before
from retrieval.redaction.spans import Span

_IBAN_START = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}[0-9]{2}(?=[ .-]?[A-Za-z0-9]{2})")
_IBAN_BODY = re.compile(r"[A-Za-z]{2}[0-9]{2}(?:[ .-]?[A-Za-z0-9]){8,30}")
_CARD_RUN = re.compile(r"(?<![\w+.,-])[0-9]{1,19}(?:[ -][0-9]{1,19}){0,9}(?![\w])")
# As cards print them, with what forms and tables put between; digits by themselves ("4 1 1 1 …"). Anything of this but dashes,
# slashes and dots between groups needs a word for a card before it.
_ODD = r"[ \t]{0,2}(?:[._·•*/:,;|‐-―−-]|[ \t]|\r?\n(?:>[ ])?)[ \t]{0,2}"
_ODD_CARD = re.compile(
    rf"(?<![\w+.,-])(?:[0-9]{{4}}(?:{_ODD}[0-9]{{4}}){{3}}|[0-9]{{4}}{_ODD}[0-9]{{6}}{_ODD}[0-9]{{5}}|[0-9](?:[ ._-][0-9]){{12,18}})(?![\w])"
)
_OPEN_BETWEEN = re.compile(r"[0-9]{4}(?:[ ]?[/·_‐-―−-][ ]?[0-9]{4,6}){2,3}")
# Groups as cards print them, with what a form, an editor or a mail client puts between: dots, stars of bold text, a line end.
_BETWEEN = r"\*{0,2}(?:[ .-]|[ ]?\r?\n[> ]{0,2})\*{0,2}"
_BROKEN_CARD = re.compile(
    rf"(?<![\w+.,-])(?:[0-9]{{4}}(?:{_BETWEEN}[0-9]{{4}}){{3}}|[0-9]{{4}}{_BETWEEN}[0-9]{{6}}{_BETWEEN}[0-9]{{4,5}}|[0-9]{{8}}{_BETWEEN}[0-9]{{8}})(?![\w])"
)
_CARD_WORD = re.compile(
    r"(?i)(?:\bcards?\b|\bcc\b|credit|debit|\bvisa\b|master ?card|\bamex\b|maestro|american express|discover|\bмир\b|карт[а-яё]{1,4}|картк\w{1,3}|"
    r"\bkarte\w{0,8}|kreditkart\w{1,8}|\bkart[aąęy]\b|tarjeta|cartão|\bcarte\b|卡号|カード)[^\n]{0,40}$"
)
# First digits and lengths, from the issuers' published ranges (ISO/IEC 7812 register as listed by the card networks).
_RANGES = (
    ("4", "4", (13, 16, 19)), ("51", "55", (16,)), ("2221", "2720", (16,)), ("34", "34", (15,)), ("37", "37", (15,)), ("6011", "6011", (16, 19)),
    ("644", "659", (16, 19)), ("3528", "3589", (16, 17, 18, 19)), ("1800", "1800", (15,)), ("2131", "2131", (15,)), ("300", "305", (14, 16, 19)),
    ("3095", "3095", (14, 16, 19)), ("36", "36", (14, 16, 19)), ("38", "39", (14, 16, 19)), ("50", "50", (16, 19)), ("56", "64", (16, 19)),
    ("66", "69", (16, 19)), ("2200", "2204", (16, 17, 18, 19)), ("81", "82", (16,)), ("9792", "9792", (16,)),
)  # fmt: skip
_GROUP_SIZES = frozenset(
    {
        (4, 4, 4, 4),
        (4, 6, 5),
        (4, 6, 4),
        (4, 4, 4, 4, 3),
        (4, 4, 4, 4, 1),
        (4, 4, 5),
        (6, 10),
        (6, 13),
        (8, 8),
        (4, 4, 4, 3),
        (4, 4, 4, 1),
    }
)


def ibans(text: str) -> Iterator[Span]:
    """Find IBANs with right check digits; behind the word IBAN also mistyped ones."""
    end = 0
    for match in _IBAN_START.finditer(text):
        start = match.start()
        if start < end:
            continue
        found = _valid_iban(text, start) or _named_iban(text, start)
        if found:
            end = found
            yield Span("IBAN", start, end)


def _valid_iban(text: str, start: int) -> int | None:
    length = IBAN_LENGTHS.get(text[start : start + 2].upper())
    body = _IBAN_BODY.match(text, start)
    if not length or not body:
        return None
    end, letters = start, 0
    while end < body.end() and letters < length:
        letters += text[end].isalnum()
        end += 1
    compact = re.sub("[ .-]", "", text[start:end])
    is_bounded = not text[end : end + 1].isalnum()
    return end if is_bounded and compact in (compact.upper(), compact.lower()) and is_iban(compact.upper()) else None


def _named_iban(text: str, start: int) -> int | None:
    body = re.compile(r"[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?(?![A-Za-z0-9])").match(
        text, start
    )
    before = text[max(0, start - 30) : start].lower()
    return body.end() if body and "iban" in before else None


def cards(text: str) -> Iterator[Span]:
    """Find card numbers: Luhn with an issuer's range, or Luhn where the text speaks of a card."""
    for run in _CARD_RUN.finditer(text):
        if sum(letter.isdigit() for letter in run[0]) < 12:
            continue
        groups = [group.span() for group in re.finditer("[0-9]+", run[0])]
        is_named = bool(_CARD_WORD.search(text[max(0, run.start() - 60) : run.start()]))
        for first, last in _card_in(run[0], groups, is_named=is_named, is_free=_is_free(text, run)):
            yield Span("CARD", run.start() + first, run.start() + last)
    for broken in _BROKEN_CARD.finditer(text):
        number = re.sub("[^0-9]", "", broken[0])
        sizes = tuple(len(group) for group in re.findall("[0-9]+", broken[0]))
        # Two line ends make it a column of numbers; without a right check digit it is none of our business here.
        if broken[0].count("\n") < 2 and passes_luhn(number) and _is_card(number, sizes, is_named=False, is_free=False):
            yield Span("CARD", *broken.span())
    yield from _odd_cards(text)


def _odd_cards(text: str) -> Iterator[Span]:
    """Find cards with unusual signs between their groups or digits."""
    for odd in _ODD_CARD.finditer(text):
        number = re.sub("[^0-9]", "", odd[0])
        sizes = tuple(map(len, re.findall("[0-9]+", odd[0])))
        is_told = _OPEN_BETWEEN.fullmatch(odd[0]) or _CARD_WORD.search(text[max(0, odd.start() - 60) : odd.start()])
        if is_told and passes_luhn(number) and _is_card(number, sizes, is_named=False, is_free=False):
            yield Span("CARD", *odd.span())


def _is_free(text: str, run: re.Match[str]) -> bool:
    return is_alone(text, *run.span()) or not is_id_before(text, run.start())


def _card_in(run: str, groups: list[tuple[int, int]], *, is_named: bool, is_free: bool) -> Iterator[tuple[int, int]]:
    """Give the longest cards among neighbouring groups of digits, from the left."""
    sizes = [end - start for start, end in groups]
    first = 0
    while first < len(groups):
        for last in range(len(groups) - 1, first - 1, -1):
            part = tuple(sizes[first : last + 1])
            if 12 <= sum(part) <= 19 and (is_named or len(part) == 1 or part in _GROUP_SIZES):
                number = re.sub("[ -]", "", run[groups[first][0] : groups[last][1]])
                if _is_card(number, part, is_named=is_named, is_free=is_free):
                    yield groups[first][0], groups[last][1]
                    first = last
                    break
        first += 1


def _is_card(number: str, sizes: tuple[int, ...], *, is_named: bool, is_free: bool) -> bool:
    if len(set(number)) == 1:
        return False
    is_in_range = any(low <= number[: len(low)] <= high and len(number) in lengths for low, high, lengths in _RANGES)
    if not passes_luhn(number):
        # One digit mistyped leaves the rest of the card readable; only the usual groups behind a card word count.
        return is_named and is_in_range and sizes == (4, 4, 4, 4)
    if is_named:
        return True
    # A product's bar code has 13 digits and one in ten passes Luhn.
    return is_in_range and (len(sizes) > 1 or (is_free and len(number) != 13))
