"""What survives translation and must be the same in a sentence and its source: numbers, units, dates, codes, addresses."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from bot.checks.closed_output import urls
from bot.words import has_digit, lexicon_of, words
from retrieval.quantity_words import AMBIGUOUS_UNITS, DIGIT_OF, MONTH_NUMBER, SIGNS, UNIT_OF, WEEKDAY, plain_number

_CODE = re.compile(r"`([^`\n]{1,200})`")
# Letters with a digit, or digits joined by marks: ids, versions, error codes ("KB-101", "0x8007", "10.0.19041.1").
# Also times and ratios ("10:30", "16:9"), and names of errors and settings ("CONNECTION_RESET").
_ID = re.compile(
    r"(?<![\w])(?:(?:[^\W\d_]++[-_./]?\d[\w./-]*+|\d+(?:\.\d+){2,}[\w.-]*|0x[0-9a-fA-F]+)"
    r"|\d{1,4}[:\u2236]\d{1,4}(?:[:\u2236]\d{1,4})*(?!\d)|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+(?!\w))"
)
_TOKEN = re.compile(r"\[[A-Z]{2,}(?:_[A-Z0-9]{1,4}){0,3}\]")
_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u202f,.']\d{3})+(?![\d])(?:[.,]\d+)?|\d+(?:[.,]\d+)?")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_LIST_MARK = re.compile(r"^\s*(\d{1,3})[.)]\s+")
_UNSPACED_UNITS = tuple(unit for unit in UNIT_OF if unit[0] > "\u3000")
_AFTER = re.compile(r"\s{0,8}+[-‑]?+\s{0,8}+([%€$£₴₽¥°]|[^\W\d_]+)")


@dataclass(frozen=True, slots=True)
class Facts:
    """The language-neutral facts of a text. `measures` are (number, unit); the unit is "" when none stands there.

    `repeated` are numbers and ids that stand there more than once, and how often.
    """

    numbers: frozenset[str]
    measures: frozenset[tuple[str, str]]
    codes: frozenset[str]
    urls: frozenset[str]
    is_negated: bool
    repeated: tuple[tuple[str, int], ...] = ()


@lru_cache(maxsize=512)
def facts_of(text: str) -> Facts:
    """Take the facts out of a text."""
    plain = _LIST_MARK.sub("", unicodedata.normalize("NFKC", text))
    addresses = frozenset(urls(plain))
    for address in addresses:
        plain = plain.replace(address, " ")
    codes = (
        {code for match in _CODE.finditer(plain) if (code := match[1].strip().casefold())} if "`" in plain else set()
    )
    # What was removed from a question or another source stands in no answer, not even as a token.
    codes |= {match[0].casefold() for match in _TOKEN.finditer(plain)} if "[" in plain else set()
    ids, measures = _ids_and_measures(plain) if has_digit(plain) or "_" in plain else ([], [])
    values = Counter((*ids, *(number for number, _ in measures)))
    return Facts(
        numbers=frozenset(number for number, _ in measures) | _weekdays(plain),
        measures=frozenset((*measures, *_written_measures(plain))),
        codes=frozenset(codes.union(ids)),
        urls=addresses,
        is_negated=is_negated(text),
        repeated=tuple((value, count) for value, count in values.items() if count > 1),
    )


def _ids_and_measures(plain: str) -> tuple[list[str], list[tuple[str, str]]]:
    # Chinese and Japanese letters touch digits without making an id of them.
    spaced = plain if plain.isascii() else _UNSPACED.sub(r" \g<0> ", plain)
    ids = [match[0].strip("./-").casefold() for match in _ID.finditer(spaced)]
    return ids, _measures(_ID.sub(" ", spaced) if ids else spaced)


def step_of(text: str) -> int | None:
    """Give the number of a step in a list ("3. Press Save."), None for other text."""
    mark = _LIST_MARK.match(text)
    return int(mark[1]) if mark else None


def is_negated(text: str) -> bool:
    """Say whether a word of negation stands in the text, in the language that its small words show."""
    language = lexicon_of(text)
    if language.code in ("zh", "ja"):
        return any(word in text for word in language.negation)
    return any(word in language.negation for word in words(text))


def disagreement(sentence: Facts, source: Facts, source_text: str) -> str:
    """Name the first kind of fact that a sentence has and its source lacks; empty when all are there.

    A number is also accepted when the source holds it with no unit; a code when it stands anywhere in the source.
    """
    if not sentence.urls <= source.urls:
        return "url"
    # Most sentences have no code, and their numbers stand in the source as they are: its text is not read for nothing.
    missing = sentence.numbers - source.numbers - _digits_of(source.codes)
    folded = unicodedata.normalize("NFKC", source_text).casefold() if sentence.codes or missing else ""
    if not all(_stands_in(code, folded) for code in sentence.codes):
        return "code"
    if missing and not missing <= _written_numbers(folded):
        return "number"
    return "" if _units_agree(sentence, source) else "unit"


def says_oftener(sentence: Facts, named: str) -> bool:
    """Say whether a sentence has a number or id oftener than the sentences it names: "from v3 to v3" of "from v2 to v3"."""
    if not sentence.repeated:
        return False
    folded = unicodedata.normalize("NFKC", named).casefold()
    written = Counter(DIGIT_OF[word] for word in words(folded) if word in DIGIT_OF)
    counts = ((n, sum(1 for _ in _standing(value, folded)) + written[value]) for value, n in sentence.repeated)
    return any(0 < given < count for count, given in counts)


def _stands_in(code: str, folded: str) -> bool:
    """Say whether a code stands in a text by itself, a time or ratio in any of its forms."""
    if re.fullmatch(r"\d+(?:[:\u2236]\d+)+", code):
        forms = r"\s?(?:[:.\u2236h]|uhr)\s?".join(re.split(r"[:\u2236]", code))
        return bool(re.search(rf"(?<!\d){forms}(?!\d)", folded))
    return any(_standing(code, folded))


def _standing(value: str, text: str) -> Iterator[bool]:
    """Find a value where neither letter nor digit touches it; compiling an expression for each took a third of the check.

    Letters of Chinese and Japanese stand right beside a code, so one with other than ASCII letters may be touched.
    """
    is_bounded = value.isascii()
    opens, closes = is_bounded and value[:1].isalnum(), is_bounded and value[-1:].isalnum()
    at = text.find(value)
    while value and at >= 0:
        end = at + len(value)
        is_free = not (opens and text[at - 1 : at].isalnum()) and not (closes and text[end : end + 1].isalnum())
        if is_free:
            yield True
        at = text.find(value, end if is_free else at + 1)


def _weekdays(text: str) -> frozenset[str]:
    return frozenset(WEEKDAY[word] for word in words(text) if word in WEEKDAY)


def _written_measures(text: str) -> list[tuple[str, str]]:
    """Give "three days" as a measure; a number word alone may be something else."""
    spoken = words(text)
    return [(DIGIT_OF[w], UNIT_OF[after]) for w, after in pairwise(spoken) if w in DIGIT_OF and after in UNIT_OF]


def _digits_of(codes: frozenset[str]) -> frozenset[str]:
    return frozenset(run for code in codes for run in re.findall(r"\d+", code))


def _written_numbers(text: str) -> frozenset[str]:
    return frozenset(DIGIT_OF[word] for word in words(text) if word in DIGIT_OF)


def _units_agree(sentence: Facts, source: Facts) -> bool:
    for number, unit in sentence.measures:
        others = {other for value, other in source.measures if value == number}
        if unit and others and "" not in others and unit not in others and unit not in AMBIGUOUS_UNITS:
            return False
    return True


def _measures(text: str) -> list[tuple[str, str]]:
    found = []
    for match in _NUMBER.finditer(text):
        after = _AFTER.match(text, match.end())
        before = text[max(0, match.start() - 2) : match.start()].strip()
        found.append((plain_number(match[0]), _unit(after[1] if after else "", before[-1:])))
    found += [(MONTH_NUMBER[w], "") for w in _months_beside_numbers(text)]
    return found


def _unit(after: str, before: str) -> str:
    word = after.casefold()
    return SIGNS.get(after) or UNIT_OF.get(word) or _longest_unit(word) or SIGNS.get(before, "")


def _longest_unit(word: str) -> str:
    """Find a Chinese or Japanese unit at the head of a run without spaces."""
    heads = [unit for unit in _UNSPACED_UNITS if word.startswith(unit)] if word[:1] > "\u3000" else []
    return UNIT_OF[max(heads, key=len)] if heads else ""


def _months_beside_numbers(text: str) -> list[str]:
    if not has_digit(text):
        return []
    spoken = words(text)
    return [
        word
        for place, word in enumerate(spoken)
        if word in MONTH_NUMBER and any(w.isdigit() for w in spoken[max(0, place - 1) : place + 2])
    ]
