"""What a link, code or key is for: one that resets a password and one that opens an archive expire at different times."""

import re
from collections.abc import Iterable
from functools import lru_cache

from retrieval.validation.words import WORD, topic_names

# Head by its words; a purpose stands before it ("reset link", "Bestätigungslink") or behind a preposition ("посилання для входу").
_HEADS = {
    "link": r"links?|lien[s]?|enlaces?|посиланн\w+|ссыл\w+|odnośnik\w*",
    "code": r"codes?|kod\w*|código\w*|код\w*",
    "key": r"keys?|tokens?|schlüssels?|ключ\w*|токен\w*|clés?|claves?|klucz\w*",
}
_GERMAN = {"link": "link|links", "code": "code|codes|kode", "key": "schlüssel|schlüssels"}
_OWN = frozenset(_HEADS) | {"expire"}
_FOR = r"(?:for|to|zum|zur|für|um|для|до|на|к|с|pour|à|de|d['’]|du|para|do|da|z|od)"
_BEFORE = {
    head: re.compile(rf"(?i)(?<![^\W\d_])((?:[^\W\d_]{{1,40}}[ -]){{1,2}})(?:{words})(?!\w)")
    for head, words in _HEADS.items()
}
_BEHIND = {
    head: re.compile(rf"(?i)(?<!\w)(?:{words})\s+{_FOR}\s*((?:[^\W\d_]+\s*){{1,2}})") for head, words in _HEADS.items()
}
_COMPOUND = {head: re.compile(rf"(?i)(?<!\w)([^\W\d_]{{4,}}?)s?-?(?:{words})(?!\w)") for head, words in _GERMAN.items()}
# Most sentences speak of none, which is seen in a tenth of the time.
_CUES = ("link", "lien", "enlac", "посил", "ссыл", "odno", "code", "kod", "códig", "код", "key", "token", "schlüssel", "ключ", "токен", "clé", "clave", "klucz")  # fmt: skip


@lru_cache(maxsize=8192)
def carriers_in(clause: str) -> frozenset[str]:
    """Give "link_of:purpose" for each link, code or key of which a clause says what it is for."""
    folded = clause.casefold()
    if not any(map(folded.__contains__, _CUES)):
        return frozenset()
    return frozenset(
        f"{head}_of:{purpose}" for head in _HEADS for words in _said(head, clause) for purpose in _purposes(words)
    )


def _said(head: str, clause: str) -> Iterable[str]:
    for expression in (_BEFORE[head], _BEHIND[head], _COMPOUND[head]):
        yield from expression.findall(clause)


def _purposes(words: str) -> Iterable[str]:
    """Give the ideas that words name: two words of none may mean the same ("promo code", "voucher code")."""
    for match in WORD.finditer(words.casefold()):
        yield from topic_names(match[0]) - _OWN
