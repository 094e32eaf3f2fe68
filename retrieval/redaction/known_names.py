"""Names: those known from fields beside the text, and those that a text gives as its sender's.

A model that guesses names is not here: it misses a third of them and takes product names for people.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from retrieval.redaction.spans import Span

_WORD = r"[^\W\d_][^\W\d_'’.-]{0,30}(?:['’-][^\W\d_]{1,30})?"
_CAPITAL = rf"(?=[A-ZÀ-ÖØ-ÞА-ЯЁІЇЄҐĄĆĘŁŃÓŚŹŻČŠŽİĞŞ]){_WORD}"
_NAME = rf"{_CAPITAL}\.?(?:[ ]{_CAPITAL}\.?){{0,3}}"
_CLOSINGS = (
    r"(?:best|kind|warm|many)?\s?regards|best wishes|best|sincerely|yours (?:truly|sincerely|faithfully)|cheers|thanks(?: a lot| again)?|"
    r"many thanks|thank you|з повагою|з найкращими побажаннями|щиро|дякую|с уважением|с наилучшими пожеланиями|всего доброго|спасибо|"
    r"(?:mit )?(?:freundliche[nm]?|beste[nm]?|liebe[nm]?|viele[nm]?) gr[uü](?:ß|ss)(?:e|en)?|mfg|danke|z poważaniem|pozdrawiam|cordialement|bien à vous|"
    r"saludos(?: cordiales)?|atentamente|un saludo|atenciosamente|abraços"
)
_SIGNATURE = re.compile(
    rf"(?im:^[ \t>*]{{0,6}}(?:{_CLOSINGS})[ \t]{{0,2}}[,.!]?)[ \t]{{0,3}}(?:\n[ \t>*_-]{{0,6}}){{1,3}}({_NAME})[ \t]{{0,3}}(?=[\n,|]|$)"
)
_INLINE_SIGNATURE = re.compile(rf"(?m)(?:^|[.!?]\s)(?i:{_CLOSINGS}),[ ]({_NAME})[ \t]{{0,3}}[.]?$")
_HEADER = re.compile(
    rf"(?im:^[ \t>*]{{0,6}}(?:from|to|cc|sent by|sender|reply-to|requester|reported by|customer|contact name|від|кому|відправник|заявник|клієнт|"
    rf"от|отправитель|заявитель|клиент|von|an|absender|kunde|melder|od|nadawca|klient|de|expéditeur|remitente|remetente)\*{{0,2}}[ \t]?:\*{{0,2}})[ \t]{{1,3}}\"?({_NAME})\"?(?=[ \t]{{0,2}}(?:[<\[(,;\n|]|$))"
)
_INTRODUCTION = re.compile(
    rf"(?i:(?<![^\W_])(?:my (?:full )?name is|my name's|мене звати|моє ім['’]я|меня зовут|моё имя|mein name ist|ich hei(?:ß|ss)e|"
    rf"mam na imię|nazywam się|me llamo|mi nombre es|je m['’]appelle|meu nome é|me chamo))[ ]({_CAPITAL}(?:[ ]{_CAPITAL}){{0,2}})(?!\w)"
)
# Each with a sign without which it finds nothing; most sentences have none but a space.
_SIGNED = ((_SIGNATURE, "\n"), (_INLINE_SIGNATURE, ", "), (_HEADER, ":"), (_INTRODUCTION, " "))
_NOT_NAME_WORDS = (
    "support team customer service help desk helpdesk admin administrator bot user sales billing info noreply agent service kunde kundin the all "
    "everyone security engineering operations accounts finance marketing hr it підтримка команда поддержка служба support-team department"
)
_NOT_NAMES = frozenset(_NOT_NAME_WORDS.split())
_ORDINARY_WORDS = (
    "will may mark bill grant rich art june april august hope faith joy frank chase drew page case max rob pat sue jack"
)
_ORDINARY = frozenset(_ORDINARY_WORDS.split())


def known_names(text: str, names: Sequence[str]) -> Iterator[Span]:
    """Find the given names, whole and in parts, also with the endings of Ukrainian and Russian."""
    for form in sorted({form for name in names for form in _forms(name)}, key=lambda form: (-len(form), form)):
        yield from (Span("NAME", *match.span()) for match in _expression(form).finditer(text))


def signed_names(text: str) -> Iterator[Span]:
    """Find names in signatures, in lines like "From: …" and behind "my name is"."""
    for pattern, sign in _SIGNED:
        for match in pattern.finditer(text) if sign in text else ():
            words = match[1].lower().split()
            if not any(word.strip(".") in _NOT_NAMES for word in words):
                start, end = match.span(1)
                yield Span("NAME", start, end - (match[1].endswith(".") and len(words[-1]) > 2))


def _forms(name: str) -> Iterator[str]:
    words = [word for word in re.split(r"[\s,;()\"<>]+", name.strip()) if any(letter.isalpha() for letter in word)]
    if not words or "@" in name or all(word.lower() in _NOT_NAMES for word in words):
        return
    yield " ".join(words)
    if len(words) == 2:
        yield f"{words[1]} {words[0]}"
    for word in words:
        plain = word.strip(".'’-")
        if len(plain) >= 3 and plain.lower() not in _NOT_NAMES and (plain.lower() not in _ORDINARY or len(words) == 1):
            yield plain


@lru_cache(maxsize=1024)
def _expression(name: str) -> re.Pattern[str]:
    """Build the expression of a name: a single word only with a capital, since "grant" and "rose" are words too."""
    words = name.split(" ")
    if len(words) > 1:
        return re.compile(rf"(?i)(?<![\w@]){'[ ,.]{1,3}'.join(_inflected(word) for word in words)}(?!\w)")
    upper = name[0].upper()
    if upper == name[0].lower():  # a script without capitals, often without spaces
        return re.compile(re.escape(name))
    return re.compile(rf"(?<![\w@])(?:{_inflected(upper + name[1:])}|{re.escape(name.upper())})(?!\w)")


def _inflected(word: str) -> str:
    if len(word) >= 4 and re.fullmatch("[\u0400-\u04ff'’-]+", word):
        stem = word[:-1] if word[-1].lower() in "аяоеийіїьъ" else word
        return re.escape(stem) + "[а-яіїєґё]{0,3}"
    return re.escape(word) + "(?:['’]s)?"
