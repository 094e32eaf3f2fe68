"""Names in free text that something beside them shows to be names: a label, a title, an introduction, an address, the end.

A cue alone is not enough, "this is Google Pay" and "customer: Account Settings" have one too: the words must be written
as names are, and none may be a word of menus, products or courtesies.
"""

import re
from collections.abc import Iterator

from retrieval.redaction.name_words import NOT_NAMES, PARTICLES
from retrieval.redaction.spans import CLAIMED, Span

_UPPER = "A-ZÀ-ÖØ-ÞА-ЯЁІЇЄҐĄĆĘŁŃÓŚŹŻČĎĚŇŘŠŤŮŽĞİŞŐŰ"
_WORD = rf"[{_UPPER}](?:['’][{_UPPER}])?[^\W\d_]{{1,24}}(?:['’-][^\W\d_]{{1,24}}){{0,2}}"
_NEXT = rf"(?:[ ](?:{'|'.join(sorted(PARTICLES))})){{0,2}}[ ](?:{_WORD}|[{_UPPER}]\.)"
FULL_NAME = rf"{_WORD}(?:{_NEXT}){{1,2}}(?![\w-])"
ANY_NAME = rf"{_WORD}(?:{_NEXT}){{0,2}}(?![\w-])"
_EDGE = rf"(?=[ \t]{{0,2}}(?:[,.;:!?()\[\]<>|\n\"”»*{CLAIMED}–—-]|$))"
_PERSON = (
    r"customer|client|caller|requester|sender|payee|recipient|beneficiary|card ?holder|account holder|cashier|contact person|contact|engineer|"
    r"user|employee|colleague|staff member|signed|користувач\w{0,2}|співробітни\w{1,3}|колег\w{1,2}|пользовател\w{1,3}|сотрудни\w{1,3}|коллег\w{1,2}|"
    r"mitarbeiter(?:in|s)?|benutzer(?:in|s)?|kolleg(?:e|in|en)|usuari[oa]|emplead[oa]|pracowni(?:k|ca|ka)|użytkowni(?:k|ka|czka)|utilisateur|collègue|"
    r"клієнт\w{0,3}|заявни(?:к|ця)|отримувач\w{0,2}|одержувач\w{0,2}|касир\w{0,3}|платник|власни(?:к|ця)|клиент\w{0,3}|заявитель|получатель|кассир\w{0,3}|"
    r"kund(?:e|in|en)|ansprechpartner(?:in)?|empfänger(?:in)?|kontoinhaber(?:in)?|kassierer(?:in)?|client[ea]|titular|destinatario|beneficiario|"
    r"klient(?:ka|a|ki)?|odbiorca|nadawca|kasjer(?:ka)?|bénéficiaire|titulaire"
)
_NAME_LABEL = (
    r"(?:(?:customer|client|full|first|last|contact|caller|requester|sender|card ?holder|account holder|legal|your|my|family)(?:['’]s)? name|surname|"
    r"ім['’]я(?: та прізвище| клієнта)?|прізвище(?: та ім['’]я)?|піб|фио|имя(?: и фамилия| клиента)?|фамилия|vor- und nachname|vorname|nachname|kundenname|"
    r"nombre(?: completo| y apellidos?| del cliente)|apellidos?|imię(?: i nazwisko)?|nazwisko|prénom|nom (?:complet|de famille|du client))"
)
_INTRODUCTION = (
    r"i am|i['’]m|hier (?:ist|spricht|schreibt)|ich bin|soy|habla|les escribe|je suis|jestem|z tej strony|mówi|з вами|пише вам|вам пише|пишет вам|"
    r"вас беспокоит|вас турбує"
)
_GREETING = (
    r"hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|guten tag|liebe[r]?|hola|estimad[oa]|cześć|witaj|bonjour|cher|chère|вітаю|привіт|добрий день|"
    r"доброго дня|шановн(?:ий|а)|привет|здравствуйте|добрый день|уважаем(?:ый|ая)"
)
_POINTER = r"this is|it is|it['’]s|це|это|я|esto es|tu|ici|c['’]est"
# Looked for in lower case: an expression that ignores case takes three times as long.
_CUE = re.compile(
    rf"(?<![^\W_])(?:(?P<label>{_NAME_LABEL})|(?P<person>{_PERSON})|(?P<bare>(?<![^\W\d_] )(?:name|nombre|nom))|(?P<intro>{_INTRODUCTION})|(?P<greeting>{_GREETING})|(?P<pointer>{_POINTER}))(?![^\W_])"
)
_COLON = r"\*{0,2}[ ]?:\*{0,2}[ ]{0,2}\"?"
_SPOKEN = re.compile(rf"[ —-]{{1,3}}({FULL_NAME})(?:{_EDGE}|(?=[ ][^\W\d_{_UPPER}]))")
_BEHIND = {
    "label": re.compile(rf"{_COLON}({ANY_NAME}){_EDGE}"),
    "person": re.compile(rf"(?:{_COLON}|[ ])({FULL_NAME})(?![ ][{_UPPER}])"),
    "bare": re.compile(rf"{_COLON}({FULL_NAME}){_EDGE}"),
    "intro": _SPOKEN,
    "greeting": re.compile(rf",?[ ]({FULL_NAME})(?:{_EDGE}|(?=[ ]here(?!\w)))"),
    "pointer": _SPOKEN,
}
# "This is" introduces a person at the start of a sentence or behind a greeting.
_OPENING = re.compile(
    r"(?i)(?:\A|\n|[.!?][ ]|(?:hi|hello|hey|there|morning|afternoon|evening|all|team|день|добрий|добрый|вітаю|привіт|привет|здравствуйте|hallo|tag|hola|días|"
    r"tardes|dobry|bonjour)[,.!]?[ ])\Z"
)
_TITLED = re.compile(
    rf"(?<![^\W_])(?:(?:Ms|Mr|Mrs|Mx|Prof|Sra?|Srta)\.?|Miss|Frau|Herrn?|Señora?|Señorita|Madame|Monsieur|Mme|Mlle|[Pp]an(?:i|a|u|ią|em)?|"
    rf"[Пп]ан(?:|і|а|у|ові|ом|ні)|[Гг]осподин(?:|а|у|ом)|[Гг]оспож(?:а|и|е|у|ой)|[Гг]-(?:н|жа|ну|же))(?:[ ](?:Dr|Prof)\.)?[ ]({ANY_NAME})"
)
_CALLABLE = re.compile(
    rf"(?<![\w-])({FULL_NAME})(?:[ ]?[,:(]|[ ]at|[ ]on)[ ]{{0,2}}(?i:(?:phone|tel|telephone|mobile|cell|mob|телефон|тел|моб|telefon|handy|móvil|teléfono|mail|e-mail|email|"
    rf"correo|пошта|почта)[.:]{{0,2}}[ ]?){CLAIMED}"
)
_MAILED = re.compile(rf"(?<![\w-])({FULL_NAME})\"?[ ]{{0,2}}[<(](?:mailto:)?(?:{CLAIMED}|[\w.+-]{{1,64}}@)")

_ENDS = frozenset('.!?…。,)"”»' + CLAIMED)
_PROSE = 3  # spaces in a line that is a sentence rather than an item
_TAIL = 400  # code points; a sign-off with its numbers is shorter
_ROLE = r"[^\W\d_][^\W\d_-]{2,20}(?:[ ][^\W\d_-]{1,20}){0,3}"
_THANKS = (
    r"(?:best|kind|warm|many)?[ ]?(?:regards|wishes|thanks)|thank you|thanks(?: a lot| again| in advance)?|cheers|sincerely|best|дякую|спасибо|з повагою|с уважением|"
    r"danke|vielen dank|gr[uü](?:ß|ss)e?|mfg|gracias|saludos|un saludo|dziękuję|pozdrawiam|z poważaniem|merci|cordialement"
)
_SIGN_OFF = re.compile(
    rf"(?:[.!?…。)\"”»{CLAIMED}]|\n)[ \t\n>*_—–-]{{0,5}}(?<=[\s>*_—–-])(?P<thanks>(?i:{_THANKS})[,.!]?[ \n—–-]{{1,3}})?({FULL_NAME})[*_]{{0,2}}[.!]?"
    rf"(?:[ ]?[,|(—–-][ ]?{_ROLE}[.)]?)?(?:[\s,;|<(]{{1,4}}(?i:[^\W\d_]{{1,10}}[.:]{{1,2}}[ ])?{CLAIMED}{{1,80}}[>).]?){{0,4}}"
    rf"(?:\s{{1,4}}(?i:sent from|get outlook|gesendet|von meinem|надіслано|отправлено|enviado|wysłan[eo])[^\n]{{0,60}})?\s{{0,8}}\Z"
)
# The same where a text goes on behind it: somebody's message was pasted, forwarded or answered below.
_SIGN_OFF_LINE = re.compile(
    rf"(?:[.!?…。)\"”»{CLAIMED}][ ]|\n)[ \t>*_—–-]{{0,5}}(?<=[\s>*_—–-])(?P<thanks>(?i:{_THANKS})[,.!]?[ —–-]{{1,3}})?({FULL_NAME})[*_]{{0,2}}[.!]?"
    rf"(?:[ ]?[,(—–-][ ]?{_ROLE}[.)]?)?(?:[ ,;|<(]{{1,4}}(?i:[^\W\d_]{{1,10}}[.:]{{1,2}}[ ])?{CLAIMED}{{1,80}}[>).]?){{0,4}}[ \t]{{0,3}}(?=[\r\n\u2028])"
)
_LINE_END = re.compile(r"[\r\n\u2028]")
# What a person writes and a reference text hardly does: the end of an article is no sign-off.
_PERSONAL = re.compile(
    r"(?i)(?<![^\W_])(?:i|i['’](?:m|ve|d|ll)|my|me|we|our|us|please|hi|hello|dear|thanks|я|мені|мене|мій|моя|моє|мої|ми|ми?не|нам|нас|наш\w{0,3}|мне|меня|мой|мою|мы|"
    r"прошу|підкажіть|подскажите|доброго|здравствуйте|ich|mich|mir|mein\w{0,2}|wir|uns|unser\w{0,2}|bitte|hallo|yo|mi|mis|me|nos|nuestr\w{1,2}|hola|quiero|podemos|"
    r"ja|mi|mnie|mój|moja|moje|nasz\w{0,3}|proszę|mam|mamy|co robić|dzień dobry|je|mon|ma|mes|nous|notre|nos|bonjour)(?![^\W_])"
)


def cued_names(text: str) -> Iterator[Span]:
    """Find names behind labels, titles and introductions, beside a phone, and as a sign-off at the end."""
    yield from _named_by_words(text)
    for pattern in (_TITLED, _CALLABLE) if CLAIMED in text else (_TITLED,):
        for match in pattern.finditer(text):
            yield from name_in(match)
    tail = max(0, len(text) - _TAIL)
    for match in _SIGN_OFF.finditer(text, tail):
        if _is_after_sentence(text, match.start()) and (match["thanks"] or _PERSONAL.search(text)):
            yield from name_in(match)
    for match in _SIGN_OFF_LINE.finditer(text) if _LINE_END.search(text) else ():
        before = max(0, match.start() - _TAIL)
        if _is_after_sentence(text, match.start()) and (
            match["thanks"] or _PERSONAL.search(text, before, match.start())
        ):
            yield from name_in(match)


def _named_by_words(text: str) -> Iterator[Span]:
    lowered = text.lower()
    if len(lowered) != len(text):  # "İ" becomes two
        lowered = "".join(letter.lower()[0] for letter in text)
    for cue in _CUE.finditer(lowered):
        kind = cue.lastgroup or ""
        match = _BEHIND[kind].match(text, cue.end())
        if match and (kind != "pointer" or _OPENING.search(text[max(0, cue.start() - 24) : cue.start()])):
            yield from name_in(match)


def _is_after_sentence(text: str, at: int) -> bool:
    """Whether prose stands before the sign-off: behind short lines without a full stop it is one more item of a list."""
    if text[at] != "\n":
        return True
    line = text[max(0, at - _TAIL) : at].rstrip().rpartition("\n")[2]
    return line[-1:] in _ENDS or line.count(" ") >= _PROSE


def mailed_names(text: str) -> Iterator[Span]:
    """Find names before a mail address in brackets; web addresses must not be claimed yet, they look the same then."""
    for match in _MAILED.finditer(text) if "<" in text or "(" in text else ():
        yield from name_in(match)


def name_in(match: re.Match[str]) -> Iterator[Span]:
    """Give the last group of a match when all of its words can be a name."""
    name = match.lastindex or 0  # the last group is the name in every expression
    if all(_is_name_word(word) for word in match[name].split(" ")):
        yield Span("NAME", *match.span(name))


def _is_name_word(word: str) -> bool:
    """Whether a word may be part of a name: no ordinary word, no abbreviation, no capital inside like in PayPal."""
    if word in PARTICLES:
        return True
    plain = word.rstrip(".").replace("'", "’")
    if plain.lower() in NOT_NAMES or (len(plain) > 1 and plain.isupper()):
        return False
    parts = re.split("[’-]|^Ma?c(?=[A-Z])", plain)
    return all(part[1:] == part[1:].lower() for part in parts if part)
