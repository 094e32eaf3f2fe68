"""Names behind words of closing ("Best regards, Anna Smith, tel. …"), whatever follows them on the line.

Words that close a letter and nothing else make one capitalised word a name. Words of thanks stand before all sorts of things:
behind them a name has two words, or a number or a mail program's own line stands behind it.
"""

import re
from collections.abc import Iterator

from retrieval.redaction.cued_names import ANY_NAME, FULL_NAME, name_in
from retrieval.redaction.spans import CLAIMED, Span

_CLOSE = {
    "en": r"(?:best|kind(?:est)?|warm(?:est)?|many) (?:regards|wishes)|regards|yours (?:sincerely|faithfully|truly)|sincerely(?: yours)?|cheers",
    "uk": r"з (?:повагою|найкращими побажаннями)|щиро ваш[аі]?",
    "ru": r"с (?:уважением|наилучшими пожеланиями)|всего доброго",
    "de": r"(?:mit )?(?:(?:freundliche|beste|liebe|viele|herzliche|schöne)[nmr]? )gr[uü](?:ß|ss)(?:e|en)?|gr[uü](?:ß|ss)e?|hochachtungsvoll",
    "fr": r"(?:bien |très )?cordialement|bien à (?:vous|toi)|(?:meilleures |sincères )?salutations",
    "es": r"(?:un (?:cordial )?|muchos )?saludos?(?: cordial(?:es)?)?|atentamente",
    "pt": r"atenciosamente|(?:com os )?(?:melhores )?cumprimentos|(?:um )?abraços?",
    "pl": r"pozdrawiam(?: serdecznie)?|pozdrowienia|z (?:poważaniem|wyrazami szacunku)",
}
_THANK = {
    "en": r"(?:many |best )?thanks(?: a lot| again| in advance| so much)?|thank you(?: very much| so much| in advance)?|thx",
    "uk": r"(?:щиро )?дякую(?: заздалегідь| наперед)?|спасибі",
    "ru": r"(?:большое )?спасибо(?: заранее| большое)?|заранее (?:спасибо|благодарю)|благодарю",
    "de": r"(?:vielen |besten |herzlichen )?dank(?:e)?(?: schön| im voraus)?",
    "fr": r"merci(?: beaucoup| bien| d['’]avance| par avance)?",
    "es": r"(?:muchas )?gracias(?: de antemano)?",
    "pt": r"(?:muito )?obrigad[oa](?: desde já)?",
    "pl": r"(?:z góry )?dziękuję(?: bardzo| z góry)?|dzięki",
}
# Looked for in lower case: an expression that ignores case takes three times as long.
_CLOSING = re.compile(
    rf"(?<![^\W_])(?:(?P<close>{'|'.join(_CLOSE.values())})|(?P<thank>{'|'.join(_THANK.values())}))(?![^\W_])"
)
# A mail program's or a phone's own line, or the word before a number.
_BEHIND = (
    r"(?:sent (?:from|by|with|via)|get outlook|gesendet|von mein|надіслано|відправлено|отправлено|enviado|envoyé|wysłan|"
    r"(?:tel|phone|ph|mob|mobile|cell|ext|тел|телефон|моб|tél|kom|telefon|téléphone|teléfono|telefone|handy|móvil|celular)(?![^\W\d_]))"
)
_GAP = r"[,.!]{0,2}[ \t]{0,3}(?:[–—-]{1,2}[ \t]{1,3})?(?:\n[ \t>*_–—-]{0,6}){0,2}"
_EDGE = rf"(?=[ \t]{{0,3}}(?:[,;|(/\r\n\u2028–—]|-[ \t-]|\Z|[.!](?:\s|\Z)|{CLAIMED})|[ ](?i:{_BEHIND}))"
_MARKED = rf"(?=[ \t]{{0,3}}[,;|(–—-]{{0,2}}[ \t]{{0,3}}(?:(?i:{_BEHIND})|[+(]?\d|{CLAIMED}))"
_NAME_BEHIND = {
    "close": (re.compile(rf"{_GAP}({ANY_NAME}){_EDGE}"),),
    "thank": (re.compile(rf"{_GAP}({FULL_NAME}){_EDGE}"), re.compile(rf"{_GAP}({ANY_NAME}){_MARKED}")),
    "loose": (re.compile(rf"{_GAP}({FULL_NAME}){_MARKED}"),),
}
# "Danke! Neue Kasse, alter Drucker": a German sentence often begins with two capitals.
_NEW_SENTENCE = re.compile(r"[.!]")
_OPENERS = frozenset('.!?…,;:)]»”"*_>–—-\n\r\u2028' + CLAIMED)


def sign_offs(text: str) -> Iterator[Span]:
    """Find the name behind a closing or thanks that begins a clause; elsewhere one with a number or a phone's line behind it."""
    lowered = text.lower()
    if len(lowered) != len(text):  # "İ" becomes two
        lowered = "".join(letter.lower()[0] for letter in text)
    for cue in _CLOSING.finditer(lowered):
        is_loose = not _opens(text, cue.start()) or ("dank" in cue[0] and _NEW_SENTENCE.match(text, cue.end()))
        for pattern in _NAME_BEHIND["loose" if is_loose else cue.lastgroup or ""]:
            if match := pattern.match(text, cue.end()):
                yield from name_in(match)
                break


def _opens(text: str, start: int) -> bool:
    """Say whether a clause begins there: "give my regards to" and "as regards" close nothing."""
    before = text[max(0, start - 4) : start].rstrip(" \t")
    return not before or before[-1] in _OPENERS
