"""Secrets that a person names: "password: …", "мій пароль …", "PIN 4821". The value must look like one.

"Password reset link", "the password is incorrect" and "password: at least 12 characters" are no secrets.
"""

import re
from collections.abc import Iterator

from retrieval.redaction.secret_tokens import is_placeholder
from retrieval.redaction.secret_words import CODE_WORDS, CONNECTORS, ORDINARY_VALUES, PASSWORD_WORDS, UNITS
from retrieval.redaction.spans import CLAIMED, Span

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_KEYWORD = re.compile(
    rf"(?i)(?<![^\W_{_CJK}])(?:(?P<code>{'|'.join(CODE_WORDS)})|(?P<word>{'|'.join(PASSWORD_WORDS)}))(?=[\W_{_CJK}]|$)"
)
# `apiKey`, `dbPassword`, `PGPASSWORD`: the word is the end of a name in code.
_NAME_IN_CODE = re.compile(
    r"(?i)(?<=[A-Za-z0-9])(?P<word>password|passwd|secret|token|apikey|accesskey|secretkey)(?=[\"']?\s?[:=])"
)
_STRICT = re.compile(r"[\"'`*)\]]{0,3}\s{0,3}(?::=|=>|[:=\uff1a→])\s{0,3}")
_CONNECTED = re.compile(
    rf"(?i)[^\n:=.;?!|<>]{{0,40}}?(?:\s(?:{'|'.join(CONNECTORS)})\s{{1,2}}(?:[:\"'«„“]\s?)?|\s?[:=\uff1a→]\s{{0,2}}|\s[-\u2013\u2014]{{1,2}}>?\s{{1,2}})"
)
_PLAIN = re.compile(rf"[\"'`*)]{{0,3}}[\s(]{{1,2}}|(?=[{_CJK}\w])")
_VALUE = re.compile(r"([\"'`«„“‘<*]{0,3})([^\s\"'`«»„“”‘’\ufffc]{1,200})")
_DIGITS = re.compile(r"\d{3,4}[ -]?\d{3,4}(?!\d)|\d{3,8}(?!\d)")
_UNITS = re.compile(rf"(?i){UNITS}")
_END_OF_VALUE = re.compile(r"[\"'`»”’*)\]}>]{0,3}\s{0,3}(?:$|[\n,;|/.\ufffc]|(?:and|та|і|и|und|y|et|e|i)\s|[\"'`])")
_URL_LIKE = re.compile(
    r"(?i)^(?:https?:|www\.|/|\.{1,2}/|[\w-]{1,40}\.(?:com|org|net|io|md|html|py|js|json|ya?ml|txt|env|go|sh)\b)"
)
_CALL = re.compile(r"^[\w.$]{0,60}[(\[{]|^[$%]\{?\w|^\{\{|^@\w|^--?\w")
_TRAILING = ".,;:)]}>'\"»”’"


def secret_values(text: str) -> Iterator[Span]:
    """Find the values behind words like password, PIN, token, пароль, Kennwort."""
    claimed_to = 0
    for pattern in (_KEYWORD, _NAME_IN_CODE):
        for keyword in pattern.finditer(text):
            is_code = bool(keyword.groupdict().get("code"))
            found = (_code_after if is_code else _value_after)(text, keyword.end())
            if found and (pattern is _NAME_IN_CODE or found[0] >= claimed_to):
                claimed_to = found[1]
                yield Span("SECRET", *found)


def _code_after(text: str, at: int) -> tuple[int, int] | None:
    for gap in (_STRICT, _CONNECTED, _PLAIN):
        if between := gap.match(text, at):
            start = between.end() + len(_opening(text, between.end()))
            digits = _DIGITS.match(text, start)
            if digits and not _UNITS.match(text, digits.end()) and not _continues(text, digits.end()):
                return digits.span()
    return _value_after(text, at, is_code=True)


def _value_after(text: str, at: int, *, is_code: bool = False) -> tuple[int, int] | None:
    strict = _STRICT.match(text, at)
    for gap in (strict, _CONNECTED.match(text, at), None if is_code else _PLAIN.match(text, at)):
        value = _VALUE.match(text, gap.end()) if gap else None
        if value and (
            span := _judged(text, value, is_strict=gap is strict, is_plain=gap is not None and _is_bare(gap[0]))
        ):
            return span
        if gap is strict and gap is not None and not is_code:
            return None  # "password:" with no secret behind it says where the value would be
    return None


def _judged(text: str, value: re.Match[str], *, is_strict: bool, is_plain: bool) -> tuple[int, int] | None:
    start, end = value.span(2)
    raw = text[start:end]
    kept = raw.rstrip(_TRAILING)
    if len(kept) < 3 or CLAIMED in kept or is_placeholder(kept) or _URL_LIKE.match(kept) or _CALL.match(raw):
        return None
    end = start + len(kept)
    quoted = bool(set(value[1]) & set("\"'`«„“‘"))
    if value[1].startswith("<") or _UNITS.match(text, end):
        return None
    if looks_random(kept):
        return (start, end)
    is_word = kept.lower() in ORDINARY_VALUES or not kept[0].isalnum()
    if is_plain or is_word or not (is_strict or quoted):
        return None
    return (start, end) if len(kept) >= 4 and _END_OF_VALUE.match(text, end) else None


def looks_random(value: str) -> bool:
    """Whether a person would call it a password at sight: letters mixed with digits or signs, or capitals inside."""
    letters = sum(letter.isalpha() for letter in value)
    digits = sum(letter.isdigit() for letter in value)
    signs = [letter for letter in value if letter in "!@#$%^&*+=?~_\\<>|{}[]"]
    if digits and letters:
        return len(value) >= 5 and not re.fullmatch(
            r"(?i)v?\d[\d.x]*|[a-z]{1,10}-\d{1,5}|\d+(?:st|nd|rd|th|px|em|kb|mb|gb|ms|s|h)", value
        )
    if signs and letters and len(value) >= 6:
        return value[-1] in signs or any(sign in value for sign in "!@#$%^&*+=~")
    if digits and signs:
        return len(value) >= 5
    inner = value[1:]
    return len(value) >= 8 and letters == len(value) and inner != inner.lower() and inner != inner.upper()


def _is_bare(gap: str) -> bool:
    return not gap.strip(" \t(\"'`*)")


def _opening(text: str, at: int) -> str:
    match = re.compile(r"[\"'`«„“*(<\[]{0,2}").match(text, at)
    return match[0] if match else ""


def _continues(text: str, at: int) -> bool:
    """Whether the digits are a part of something longer: a time, a decimal, a range of ids."""
    return bool(re.compile(r"[.:/-]\d|\w").match(text, at))
