"""Cuts prose into sentences in many languages, without a model."""

import re

from retrieval.quantity_words import MONTH_NUMBER

# Ends a sentence when a blank follows; the full-width ones end it by themselves.
_END = re.compile(
    r"""(?P<wide>[。！？｡]+[」』”’）)]*)                        # no blank needed
      | (?P<plain>[.!?…؟۔।॥]+["'”’»)\]*_]*)(?=\s|$)          # a blank or the end
      | (?P<line>\n)""",
    re.VERBOSE,
)
# Lower case, without the dot. Of the languages whose fixed texts we ship; a wrong entry only makes a sentence longer.
_SHORT = (
    "e.g i.e etc vs cf approx no nr fig sec min max incl excl mr mrs ms dr prof st jr sr inc ltd co corp dept est tel ext ver v p pp vol"
    " z.b d.h bzw ggf usw ca evtl inkl exkl abs art bspw sog u.a o.ä z.t vgl mind"
    " p.ex ex env m mme mlle av cad c.-à-d réf p.ej ej sr sra ud uds pág núm aprox n.º"
    " т.е т.д т.п т.к т.н др пр см стр рис напр руб тел г гг ул им мин сек"
    " тощо та.ін т.зв див грн вул ст"
    " np tj itp itd tzw tzn m.in ul nr godz pkt wg ok jw"
)
_ABBREVIATIONS = frozenset(_SHORT.split())
# Of those the ones that a sentence may well end with.
_MAY_END = frozenset({"etc", "usw", "тощо", "itp", "itd", "др", "inc", "ltd", "co"})
_STEP = re.compile(r"\d{1,3}|[A-Za-z]|[IVX]{1,4}")
# "It takes 12. May I go?" ends one.
_MONTHS = frozenset(MONTH_NUMBER) - {"may", "march"}
_DAY = re.compile(r"(?<!\d)(?:[12]?\d|3[01])\Z")
_WORD = re.compile(r"[^\S\n]{1,40}([^\W\d_]+)")
_OPENING = re.compile(r"""[^\S\n]*["'“„«(\[*_¿¡-]*""")
_MOST = 2_000


def split_sentences(text: str) -> tuple[str, ...]:
    """Give the sentences of a text in order, stripped; joined they hold every non-blank character of it.

    Does not cut at abbreviations, decimal points, versions, URLs, file names, initials, the number of a step and the day of a month. A line
    break ends a sentence. Nothing longer than 2 000 characters is given.
    """
    pieces: list[str] = []
    start = 0
    for match in _END.finditer(text):
        if match["plain"] and not _is_end(text, start, match):
            continue
        pieces.append(text[start : match.end()])
        start = match.end()
    pieces.append(text[start:])
    return tuple(part for piece in pieces if (whole := piece.strip()) for part in _bounded(whole))


def _is_end(text: str, start: int, match: re.Match[str]) -> bool:
    if not match["plain"].startswith("."):
        return not _next_letter(text, match.end()).islower()
    sentence = text[start : match.start()]
    last = (sentence.split() or [""])[-1].lstrip("\"'“„«([*_")
    word = last.casefold()
    if len(word) == 1 and last.isupper():  # an initial
        return False
    if _STEP.fullmatch(sentence.strip()):  # the number of a step
        return False
    if _DAY.search(sentence) and _next_word(text, match.end()) in _MONTHS:  # "ab dem 1. Februar"
        return False
    if word in _ABBREVIATIONS and not match["plain"].startswith("..") and word not in _MAY_END:
        return False
    return not _next_letter(text, match.end()).islower()


def _next_word(text: str, position: int) -> str:
    """Give the word that follows on the same line, casefolded, empty where there is none."""
    word = _WORD.match(text, position)
    return word[1].casefold() if word else ""


def _next_letter(text: str, position: int) -> str:
    """Give the first letter or digit of what follows on the same line, empty at its end."""
    opening = _OPENING.match(text, position)
    return text[opening.end() : opening.end() + 1] if opening else ""


def _bounded(sentence: str) -> list[str]:
    """Cut what no reader would call a sentence: at a blank when there is one."""
    parts = []
    while len(sentence) > _MOST:
        cut = sentence.rfind(" ", _MOST // 2, _MOST)
        cut = cut if cut > 0 else _MOST
        parts.append(sentence[:cut].strip())
        sentence = sentence[cut:].strip()
    return [part for part in (*parts, sentence) if part]
