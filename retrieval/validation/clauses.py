"""A text cut into what is read by itself: sentences, and clauses with their own values."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from retrieval.documents.sentences import split_sentences
from retrieval.validation.settings_lines import setting_of
from retrieval.validation.value import Value
from retrieval.validation.values import values_of
from retrieval.validation.words import WORD

_MOST_SENTENCES = 60
# Of these the words are no ideas: "within 24 hours" says nothing of opening hours, "10 business days" of no plan.
_BLANKED = frozenset(("duration", "size", "percent", "time", "length", "weekdays"))


def without_values(clause: str) -> str:
    """Blank what was read as an amount, save words that stand alone ("monthly")."""
    amounts = (value for value in values_of(clause) if value.kind in _BLANKED and len(value.text.split()) > 1)
    return blanked(clause, amounts)


def blanked(clause: str, values: Iterable[Value]) -> str:
    """Put blanks in the place of some values of a clause."""
    for value in values:
        clause = f"{clause[: value.start]}{' ' * (value.end - value.start)}{clause[value.end :]}"
    return clause


_CLAUSE = re.compile(r"(?:(?<!\s)\s+)?[;:–—]\s+|,\s+")
_FEW = 3


def clauses_in(sentence: str) -> Sequence[str]:
    """Cut a sentence where a new thought begins, so that a value is read with its own words; short pieces stay with the next."""
    if setting_of(sentence) is not None:
        return [sentence]
    pieces: list[str] = []
    start = 0
    for match in _CLAUSE.finditer(sentence):
        piece, rest = sentence[start : match.start()], sentence[match.end() :]
        if len(piece.split()) >= _FEW and len(rest.split()) >= _FEW:
            pieces.append(piece)
            start = match.end()
    return [*pieces, sentence[start:]]


# German "die" and "das" begin main clauses as well.
_RELATIVE = re.compile(
    r"(?i)\A\W*(?:which|whose|welche[rsnm]?|як(?:ий|а|е|і|ого|ої|их)|котор(?:ый|ая|ое|ые|ого|ой|ых)|qui|lesquel\w*|laquelle|lequel|któr(?:y|a|e|zy|ego|ej|ych))\b"
)


def is_relative(clause: str) -> bool:
    """Say whether a clause speaks of what stands before it."""
    return bool(_RELATIVE.match(clause))


def sentences_in(text: str) -> Sequence[str]:
    """Cut a text into the sentences that are read, in NFKC form."""
    plain = unicodedata.normalize("NFKC", text)
    return [part for part in split_sentences(plain) if WORD.search(part)][:_MOST_SENTENCES]
