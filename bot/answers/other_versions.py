"""Is a quote about another version than the one that was asked for? Then it may be right and may as well mislead."""

import re

from retrieval.quantity_words import UNIT_OF

# "8.5", "v8.5.x", "7.0.0.41", "V9"; no date, and no number beside its unit ("2.5 hours"). Groups: the first number, of either form.
_VERSION = re.compile(
    r"(?i)(?<![\w.,:/$€£-])(?:v?(\d{1,2})(?:\.(?:\d{1,3}|x))+x?|v(\d{1,2}))(?![\w%-]|\.\d)\s*(?P<behind>[^\W\d_]*)"
)
# "Version 10 or later" answers for 14 too.
_BOUND = re.compile(
    r"(?i)\b(?:minimum|at least|(?:or|and) (?:later|newer|higher|above|up)|since|mindestens|ab version|(?:oder|und) (?:neuer|höher|später)"
    r"|au moins|minimale?|ou (?:ultérieure?|supérieure?)|mínim[oa]|o (?:posterior|superior)|ou (?:posterior|superior)|co najmniej|minimaln\w+"
    r"|(?:lub|i) (?:nowsz|wyższ)\w+|не ниже|минимальн\w+|(?:или|и) (?:новее|выше)|не нижче|мінімальн\w+|(?:або|і|й) (?:новіш|вищ)\w+)"
    r"|[≥+]|以上|以降|最低|至少"
)


def is_of_other_versions(question: str, quoted: str, around: str) -> bool:
    """Say whether a question names versions and what is quoted for it names only others.

    The first number of a version counts, so 8.5.1 is no other version than 8.5.x; a bound ("10 or later") speaks of others too. On techqa, askubuntu, mtrag and helpcenter it holds of
    3 of some 450 plain answers: two by a wrong source, and one to a question that no source answers.

    Args:
        question: as asked.
        quoted: the quoted sentences.
        around: title, heading and evidence of their passages; a version that stands there is meant by them too.
    """
    asked = _first_numbers(question)
    if not asked:
        return False
    said = _first_numbers(quoted)
    return bool(said) and not asked & (said | _first_numbers(around)) and not _BOUND.search(quoted)


def _first_numbers(text: str) -> frozenset[str]:
    found = (match for match in _VERSION.finditer(text) if match["behind"].casefold() not in UNIT_OF)
    return frozenset(match[1] or match[2] for match in found)
