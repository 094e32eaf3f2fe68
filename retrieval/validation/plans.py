"""Names of plans, packages and editions, as far as a word for such a thing stands beside them."""

import re

_NAME = r"[A-ZА-ЯІЇЄ][\w+-]+"
_KIND = (
    r"(?i:plans?|tiers?|packages?|editions?|licen[cs]e|pakets?|tarifs?|lizenz|forfait|formule|offre|paquete|edición|plano|pacote|pakie\w+|plani\w+"
    r"|тариф\w*|план\w*|пакет\w*|подписк\w+|підписк\w+)"
)
# What every such word holds: most sentences speak of none, which is seen in a tenth of the time.
_CUES = ("plan", "tier", "package", "paket", "paquete", "pacote", "pakie", "edition", "edici", "licen", "lizenz", "tarif", "forfait", "formule", "offre", "тариф", "план", "пакет", "подписк", "підписк")  # fmt: skip
_AFTER = re.compile(rf"(?<!\w){_KIND}\s+[«„“\"'‘]?({_NAME})")
_BEFORE = re.compile(rf"(?<!\w)({_NAME})[»”\"'’]?[ -]{_KIND}(?!\w)")
_ASKED = re.compile(rf"(?<!\w){_KIND}(?!\w)")
_BEGINS = re.compile(r"(?:\A|[.!?:\n])\W*\Z")
# Words that begin a sentence before "plan", and are no name of one.
_OPENERS = (
    "the this your our every each any all which what der das den dem ihr jeder im beim zum mit le la les el los este cada"
    " au dans en no na em do w z we dla у в на з із до для к с этот цей кожен каждый new neuer old"
    " paid free current higher larger existing both some most custom trial all such same other another annual yearly monthly unser unsere sein euer"
)
_NO_NAMES = frozenset(_OPENERS.split())


def is_plan_asked(question: str) -> bool:
    """Say whether a question speaks of plans or packages."""
    return bool(_ASKED.search(question))


def plans_named(sentence: str) -> frozenset[str]:
    """Give the names of plans in a sentence, casefolded: "Pro" in "the Pro plan", "im Paket Pro", "тарифу Pro"."""
    for expression in (_AFTER, _BEFORE):
        names = frozenset(name.casefold() for name in expression.findall(sentence)) - _NO_NAMES
        if names:
            return names
    return frozenset()


def plan_places(text: str) -> list[tuple[str, int, int]]:
    """Give the names of plans in a text, casefolded, with the places of these and of the word "plan" beside them.

    Words that begin a sentence have a capital whatever they mean, and are none.
    """
    lowered = text.lower()
    if not any(map(lowered.__contains__, _CUES)):
        return []
    found = (match for expression in (_AFTER, _BEFORE) for match in expression.finditer(text))
    named = ((m[1].casefold(), *m.span()) for m in found if not _BEGINS.search(text[: m.start(1)]))
    return [place for place in named if place[0] not in _NO_NAMES]


def plans_told(text: str) -> frozenset[str]:
    """Give the names of plans in a text, save words that begin a sentence."""
    return frozenset(name for name, _, _ in plan_places(text))
