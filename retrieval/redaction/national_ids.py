"""National ids: found behind the word for them, bare only where check digits and form leave little doubt."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from retrieval.redaction import id_checksums as checks
from retrieval.redaction.context import is_alone, is_id_before, is_phone_near
from retrieval.redaction.spans import Span
from retrieval.redaction.windows import digit_windows, matches

_NAMED, _BROKEN, _BARE = range(3)
_NEAR = 48  # code points before the number in which its word may stand


@dataclass(frozen=True, slots=True)
class _Rule:
    """One kind of id: its form, its words, its check, and the check that suffices without a word (None: none does)."""

    country: str
    form: re.Pattern[str]
    words: re.Pattern[str]
    check: Callable[[str], bool]
    bare: Callable[[str], bool] | None = None
    alone: bool = True  # enough when the text is nothing else

    def find(self, text: str, windows: list[tuple[int, int]]) -> Iterator[tuple[int, Span]]:
        """Give ids with their standing: named and right, named and broken, or right without a word."""
        for match in matches(self.form, text, windows):
            value = re.sub(r"[\s\-./№]", "", match[0]).upper()
            start, end = match.span()
            is_right = self.check(value)
            if self.words.search(text[max(0, start - _NEAR) : start]):
                yield (
                    (_NAMED, Span(f"NATIONAL_ID_{self.country}", start, end))
                    if is_right
                    else (_BROKEN, Span("", start, end))
                )
            elif is_right and self._is_clear(text, match, value):
                yield _BARE, Span(f"NATIONAL_ID_{self.country}", start, end)

    def _is_clear(self, text: str, match: re.Match[str], value: str) -> bool:
        start, end = match.span()
        if self.bare and self.bare(value):
            return not is_id_before(text, start) and not is_phone_near(text, start, end)
        return self.alone and is_alone(text, start, end)


def _digits(form: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w+.-])(?:{form})(?![\w-])(?!\.\d)")


def _words(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<![^\W_])(?:{words})(?![^\W\d_])[^\n]{{0,30}}\s{{0,2}}$")


def _is_de_card(value: str) -> bool:
    """Cards issued before November 2010 end without a check digit: T and eight digits."""
    return checks.is_de_document(value.removesuffix("D")) or bool(re.fullmatch(r"T\d{8}", value))


_PASSPORT = r"паспорт\w{0,3}|passport|серія|серия|серії|серии|посвідченн\w|удостоверени\w|id[ -]?карт\w{1,2}|id[ -]?картк\w{1,3}"
_RULES = (
    _Rule(
        "UA",
        _digits(r"\d{10}"),
        _words(r"рнокпп|іпн|інн|инн|ідентифікаційн\w{2,3} (?:код\w?|номер\w?)|податков\w{2,3} (?:код\w?|номер\w?)|ідент\.? код|rnokpp|ipn|drfo|дрфо|"
               r"идентификационн\w{2,3} (?:код\w?|номер\w?)|ukrainian tax (?:id|number)|tax (?:id|number)"),
        checks.is_ua_taxpayer,
        alone=False,
    ),
    _Rule(
        "RU",
        _digits(r"\d{12}|\d{10}"),
        re.compile(r"(?:(?<![^\W_])(?:ИНН|инн|Инн|INN)(?![^\W\d_])|(?i:налогоплательщик\w{0,3}))[^\n]{0,30}\s{0,2}$"),
        checks.is_ru_taxpayer,
        alone=False,
    ),
    _Rule("RU", _digits(r"\d{3}-\d{3}-\d{3}[ -]\d{2}|\d{11}|\d{3} \d{3} \d{3} \d{2}"), _words(r"снилс|snils|страхов\w{2,4} (?:номер\w?|свидетельств\w)"), checks.is_snils, alone=False),
    _Rule("RU", _digits(r"\d{3}-\d{3}-\d{3}[ -]\d{2}"), _words("снилс"), checks.is_snils, checks.is_snils),
    _Rule("RU", _digits(r"\d{2} ?\d{2} ?(?:№ ?|No ?|N ?|номер )?\d{6}"), _words(r"паспорт\w{0,3}|серия|серии|russian passport"), checks.is_any, alone=False),
    _Rule("UA", re.compile(r"(?<!\w)[А-ЯІЇЄҐA-Z]{2} ?(?:№ ?|No ?)?\d{6}(?!\w)"), _words(_PASSPORT), checks.is_any, alone=False),
    _Rule("UA", _digits(r"\d{9}"), _words(r"паспорт\w{0,3}|id[ -]?картк?\w{1,3}|посвідченн\w"), checks.is_any, alone=False),
    _Rule("UA", _digits(r"(?:19|20)\d{6}-\d{5}"), _words("унзр|запис\\w? №?"), checks.is_any, alone=False),
    _Rule(
        "DE",
        _digits(r"\d{11}|\d{2} \d{3} \d{3} \d{3}|\d{3} \d{3} \d{3} \d{2}"),
        _words(r"steuer[\w-]{0,24}|steuerliche\w? \w{1,30}|id-?nr|identifikationsnummer|tin|tax[ -]?(?:id|number|no)"),
        checks.is_de_tax_id,
        checks.has_de_tax_form,
    ),
    _Rule(
        "DE",
        re.compile(r"(?<![\w-])[A-Za-z][0-9A-Za-z]{7}[0-9][0-9Dd]{0,2}(?![\w-])"),
        _words(r"(?:personal)?ausweis\w{0,10}|reisepass\w{0,8}|pass(?:-?nr|nummer)?|id[ -]?card|passport|perso|ausweis-?nr"),
        _is_de_card,
        alone=False,
    ),
    _Rule("DE", re.compile(r"(?<![\w-])[A-Za-z][0-9A-Za-z]{7}[0-9](?![\w-])"), _words("personalausweis"), _is_de_card),
    _Rule(
        "DE",
        re.compile(r"(?<![\w-])\d{2} ?\d{6} ?[A-Za-z] ?\d{3}(?![\w-])"),
        _words(r"(?:sozial|renten)versicherung\w{0,12}|sv-?(?:nr|nummer)|rvnr|versicherungsnummer"),
        checks.is_de_pension,
        checks.is_de_pension,
    ),
    _Rule("DE", re.compile(r"(?<![\w-])[A-Za-z]\d{9}(?![\w-])"), _words(r"kvnr|krankenversicher\w{0,14}|krankenkasse\w{0,4}|egk\w{0,8}|egk-\w{1,8}|versicherten\w{0,8}"), checks.is_de_health),
    _Rule("PL", _digits(r"\d{11}"), _words(r"pesel\w{0,3}"), checks.is_pesel, checks.is_pesel),
    _Rule("PL", re.compile(r"(?<![\w-])[A-Z]{3} ?\d{6}(?![\w-])"), _words(r"dow[óo]d\w{0,3}|dowodu|id card"), checks.is_pl_identity_card, alone=False),
    _Rule("UK", re.compile(r"(?<![\w-])[A-Za-z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-Da-d](?![\w-])"), _words(r"nino|national insurance\w{0,4}|ni (?:no|number)"), checks.is_nino, checks.is_nino),
    _Rule("UK", _digits(r"\d{3}[ -]?\d{3}[ -]?\d{4}"), _words(r"nhs"), checks.is_nhs),
    _Rule("US", _digits(r"\d{3}-\d{2}-\d{4}"), _words(r"ssn|social security\w{0,3}|itin|tax id|social"), checks.is_ssn, checks.is_ssn),
    _Rule("US", _digits(r"\d{3}[ -]?\d{2}[ -]?\d{4}"), _words(r"ssn|social security\w{0,3}|itin"), checks.is_ssn, alone=False),
    _Rule("US", _digits(r"\d{3} \d{2} \d{4}"), _words(r"ssn"), checks.is_ssn, checks.is_ssn),
    _Rule("US", _digits(r"\d{2}-\d{7}"), _words(r"ein|employer identification\w{0,3}(?: number)?|fein"), checks.is_any, alone=False),
    _Rule("US", re.compile(r"(?<![\w-])[A-Za-z]?\d?[A-Za-z]?\d{6,9}(?![\w-])"), _words(r"passport(?: no| number| nr| #)?|pasaporte|passeport|paszport\w?"), checks.is_any, alone=False),
)  # fmt: skip


def national_ids(text: str) -> Iterator[Span]:
    """Find ids of Ukraine, Russia, Germany, Poland, the United Kingdom and the United States.

    A number that stands behind the word for an id and fails its check gives a span of type "".
    """
    windows = list(digit_windows(text))
    if not windows:
        return
    found = [item for rule in _RULES for item in rule.find(text, windows)]
    # What a word names as the id of one country is not taken for the id of another, nor for a phone.
    for standing in (_NAMED, _BROKEN, _BARE):
        yield from (span for of, span in found if of == standing)
