"""Names of plans, packages and editions, as far as a word for such a thing stands beside them."""

import re

_NAME = r"[«„“\"'‘]?(?P<{0}>[A-ZА-ЯІЇЄ][\w+-]*)"
_KIND = (
    r"(?:plans?|tiers?|packages?|editions?|licen[cs]e|pakets?|tarifs?|lizenz|forfait|formule|offre|plan|paquete|edición|plano|pacote|pakie\w+|plani\w+"
    r"|тариф\w*|план\w*|пакет\w*|подписк\w+|підписк\w+)"
)
_NAMED = re.compile(
    rf"(?<!\w)(?:(?i:{_KIND})\s+{_NAME.format('after')}|{_NAME.format('before')}[»”\"'’]?[ -](?i:{_KIND})(?!\w))"
)
# Words that begin a sentence before "plan", and are no name of one.
_NO_NAMES = frozenset(
    (
        "the",
        "this",
        "your",
        "every",
        "each",
        "a",
        "which",
        "der",
        "das",
        "ihr",
        "jeder",
        "le",
        "la",
        "el",
        "our",
        "any",
        "all",
    )
)


def plans_named(sentence: str) -> frozenset[str]:
    """Give the names of plans in a sentence, casefolded: "Pro" in "the Pro plan", "im Paket Pro", "тарифу Pro"."""
    names = ((match["after"] or match["before"]).casefold() for match in _NAMED.finditer(sentence))
    return frozenset(name for name in names if name not in _NO_NAMES)
