"""Secrets that a person names: "password: …", "мій пароль …", "PIN 4821". The value must look like one.

"Password reset link", "the password is incorrect" and "password: at least 12 characters" are no secrets.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from retrieval.redaction.secret_tokens import is_placeholder
from retrieval.redaction.secret_words import (
    CODE_WORDS,
    CONNECTORS,
    NEEDS_CAPITALS,
    ORDINARY_VALUES,
    PASSWORD_WORDS,
    UNITS,
)
from retrieval.redaction.spans import CLAIMED, Span

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"


def _by_first_letter(words: Sequence[str]) -> str:
    """Write an alternation that branches on the first letter: six times as fast as a flat one of 200 words."""
    groups = defaultdict[str, list[str]](list)
    for word in sorted(words, key=len, reverse=True):
        groups[word[0]].append(word[1:])
    return "|".join(f"{letter}(?:{'|'.join(rests)})" for letter, rests in groups.items())


def _keyword(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_{_CJK}])(?:{_by_first_letter(words)})(?![^\W{_CJK}])")


_CODE_WORD, _PASSWORD_WORD = _keyword(CODE_WORDS), _keyword(PASSWORD_WORDS)
# `apiKey = …`, `PGPASSWORD=…`, `AWS_SECRET_ACCESS_KEY: …`: a name in code that holds the word.
_NAME_IN_CODE = re.compile(
    r"(?<![\w-])[\w-]{0,40}?(?:passw(?:or)?d|passphrase|secret|token|api_?key|access_?key|private_?key)"
    r"(?!\w*(?:hash|file|path|ur[il]|length|policy|type|field|name|count|limit|expir|ttl|min|max|encrypt|maps?\b|auth|reset|plugin|valid|store|provider|"
    r"arn|version|size|prefix|header|endpoint|service|method|grant|scope|audience|issuer)|\w*_id)[\w-]{0,24}(?=[\"'`]{0,2}[ \t]{0,2}[:=])"
)
_PAIR = re.compile(
    r"(?<!\w)(?:log-?in|логін\w?|логин\w?|user(?:name)?|benutzer(?:name)?|account|акаунт\w?|аккаунт\w?|credentials|zugangsdaten|доступ\w?)"
    r"[\s:=-]{1,4}[^\s/|]{1,80}\s[/|]\s(\S{5,100})"
)
_STRICT = re.compile(r"[\"'`*)]{0,3}[ \t]{0,3}(?::=|=>|[:=\uff1a→])[ \t]{0,3}(?:(?<=[:*])\n[ \t>]{0,4})?")
_CONNECTED = re.compile(
    rf"[^\n:=.;?!|<>()\[\]{{}}]{{0,28}}?(?:\s(?!\s)(?:{'|'.join(CONNECTORS)})\s{{1,2}}(?:[:\"'«„“]\s?)?"
    rf"|\s?[:=\uff1a→]\s{{0,2}}|\s[-\u2013\u2014]{{1,2}}>?\s{{1,2}})"
)
_BARE = re.compile(r"[\"'`*)]{0,3}[\s(]{1,2}|(?=[A-Za-z0-9])")
_PHRASE = re.compile(r"[\"'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8}|(?:[a-z]{4} ){3}[a-z]{4})(?![ \w])")
_VALUE = re.compile(r"([\"'`«„“‘<*]{0,3})([^\s\"'`«»„“”‘’\ufffc]{1,100})")
_OPENING = re.compile(r"[\"'`«„“*(<\[]{0,2}")
_DIGITS = re.compile(r"\d{3,4}[ -]\d{3,4}(?!\d)|\d{3,8}(?!\d)")
_GOES_ON = re.compile(r"[.:/-]\d|\w")
_UNITS = re.compile(UNITS)
_END_OF_VALUE = re.compile(r"[\"'`»”’*)\]}>]{0,3}\s{0,3}(?:$|[\n,;|/.!?\ufffc]|(?:and|та|і|и|und|y|et|e|i)\s|[\"'`])")
_NO_VALUE = re.compile(
    r"(?i)https?:|www\.|/|\.{1,2}/|[\w-]{1,24}\.(?:com|org|net|io|md|html|py|js|json|ya?ml|txt|env|go|sh)\b"
    r"|[a-z_]{1,24}(?:\.[a-z_]{1,24}){1,4}$|[\w.$]{0,32}[(\[{]|[$%]\{?\w|\{\{|@\w|--?\w|\S{0,32}\]\("
)
_PARAMETER = re.compile(r"&(?=[\w-]{1,40}=)")
_COUNTED = re.compile(
    r"(?i)v?\d[\d.x]*|[a-z]{1,10}-\d{1,5}|\d{1,4}[-\u2010-\u2013]?(?:st|nd|rd|th|[a-z]{1,12})|\w{1,12}-\w{1,12}-\d"
)
_TRAILING = ".,;:)]}>'\"»”’*`"
_SIGNS = "!@#$%^&*+=?~_\\<>|{}[]"


def secret_values(text: str) -> Iterator[Span]:
    """Find the values behind words like password, PIN, token, пароль, Kennwort."""
    lowered = text.lower()
    if len(lowered) != len(text):  # "İ" becomes two
        lowered = "".join(letter.lower()[0] for letter in text)
    for keyword in _CODE_WORD.finditer(lowered):
        is_word = keyword[0] not in NEEDS_CAPITALS or text[slice(*keyword.span())].isupper()
        if is_word and (found := _code_after(text, keyword.end()) or _value_after(text, keyword.end(), is_code=True)):
            yield Span("SECRET", *found)
    for pattern in (_PASSWORD_WORD, _NAME_IN_CODE):
        for keyword in pattern.finditer(lowered):
            if found := _value_after(text, keyword.end()):
                yield Span("SECRET", *found)
    for pair in _PAIR.finditer(lowered):
        value = text[pair.start(1) : pair.end(1)].rstrip(_TRAILING)
        if looks_random(value) and not _NO_VALUE.match(value):
            yield Span("SECRET", pair.start(1), pair.start(1) + len(value))


def _code_after(text: str, at: int) -> tuple[int, int] | None:
    for gap in (_STRICT, _CONNECTED, _BARE):
        between = gap.match(text, at)
        opening = _OPENING.match(text, between.end()) if between else None
        digits = _DIGITS.match(text, opening.end()) if opening else None
        if digits and not _UNITS.match(text, digits.end()) and not _GOES_ON.match(text, digits.end()):
            return digits.span()
    return None


def _value_after(text: str, at: int, *, is_code: bool = False) -> tuple[int, int] | None:
    strict = _STRICT.match(text, at)
    if strict:
        return _value_at(text, strict.end(), is_strict=True, is_bare=False)
    connected = _CONNECTED.match(text, at)
    if connected and (found := _value_at(text, connected.end(), is_strict=False, is_bare=False)):
        return found
    bare = None if is_code else _BARE.match(text, at)
    return _value_at(text, bare.end(), is_strict=False, is_bare=True) if bare else None


def _value_at(text: str, at: int, *, is_strict: bool, is_bare: bool) -> tuple[int, int] | None:
    if not is_bare and (phrase := _PHRASE.match(text, at)):
        return phrase.span(1)
    value = _VALUE.match(text, at)
    if not value or value[1].startswith("<"):
        return None
    start = value.start(2)
    kept = _PARAMETER.split(value[2])[0].rstrip(_TRAILING)
    end = start + len(kept)
    if _PASSWORD_WORD.match(kept.lower()):  # "password: password: …" is a form, not a value
        return None
    if (
        len(kept) < 3
        or is_placeholder(kept)
        or _NO_VALUE.match(value[2])
        or _NO_VALUE.match(kept)
        or _UNITS.match(text, end)
    ):
        return None
    is_told = is_strict or bool(set(value[1]) & set("\"'`«„“‘"))
    return (start, end) if _is_secret(text, kept, end, is_told=is_told, is_bare=is_bare) else None


def _is_secret(text: str, value: str, end: int, *, is_told: bool, is_bare: bool) -> bool:
    if CLAIMED in value:
        return False
    if looks_random(value):
        return not (is_bare and "=" in value)  # `user/password option=value` names parameters
    if value.isdigit():
        return len(value) >= 6 or (len(value) >= 4 and bool(_END_OF_VALUE.match(text, end)) and not is_bare)
    is_word = value.lower() in ORDINARY_VALUES or not value[0].isalnum()
    return is_told and not is_bare and not is_word and len(value) >= 4 and bool(_END_OF_VALUE.match(text, end))


def looks_random(value: str) -> bool:
    """Whether a person would call it a password at sight: letters mixed with digits or signs, or capitals inside."""
    letters = sum(letter.isalpha() for letter in value)
    digits = sum(letter.isdigit() for letter in value)
    signs = sum(letter in _SIGNS for letter in value.rstrip("?!"))
    if digits and letters:
        return len(value) >= 5 and not _COUNTED.fullmatch(value)
    if signs and (letters or digits):
        return len(value) >= 6 and any(letter in "!@#$%^&*+=~" for letter in value)
    inner = value[1:]
    return len(value) >= 8 and letters == len(value) and inner != inner.lower() and inner != inner.upper()
