"""Sentences of documents as statements: what about, for what, with which values, saying yes or no."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from retrieval.documents.sentences import split_sentences
from retrieval.lexical.stems import stem
from retrieval.quantity_words import DIGIT_OF, MONTH_NUMBER, UNIT_OF
from retrieval.validation.number_words import MORE_UNITS, NUMBER_WORDS
from retrieval.validation.settings_lines import setting_of
from retrieval.validation.value import Value
from retrieval.validation.values import values_of
from retrieval.validation.words import (
    WORD,
    scope_names,
    scopes,
    signal_names,
    signals,
    stop_words,
    topic_names,
    topics,
)

_IDEA = "="
_MOST_SENTENCES = 60
_LATIN = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a document.

    `features` are its ideas (behind "=") and stems, `context` those of its document's title and question only. `scopes` are
    "class:member"; `names` proper names in it; `signals` what its words say of it ("yes", "no", "rule", "case").
    """

    document: str
    text: str
    lang: str
    features: frozenset[str]
    context: frozenset[str]
    scopes: frozenset[str]
    context_scopes: frozenset[str]
    names: frozenset[str]
    context_names: frozenset[str]
    signals: frozenset[str]
    values: tuple[Value, ...]
    order: int = 0

    @property
    def all_features(self) -> frozenset[str]:
        """What the sentence and its document's title and question are about."""
        return self.features | self.context

    @property
    def is_denied(self) -> bool:
        """Whether it says no."""
        return "no" in self.signals


@dataclass(frozen=True, slots=True)
class _Parsed:
    features: frozenset[str]
    scopes: frozenset[str]
    names: frozenset[str]
    signals: frozenset[str]


def statements_of(
    document: str, text: str, *, about: str = "", lang: str = "", scope: str = ""
) -> tuple[Statement, ...]:
    """Give the statements of a text.

    Args:
        document: id of what it is of.
        text: what may be quoted of it.
        about: its title and the customer's question: what its sentences leave unsaid.
        lang: its language, ISO 639-1; empty when unknown.
        scope: the product that it is for; what two different ones say does not contradict.
    """
    around = _parsed(unicodedata.normalize("NFKC", about), lang)
    product = frozenset({f"product:{scope.casefold()}"}) if scope else frozenset[str]()
    found = []
    for order, sentence in enumerate(_sentences(text)):
        clauses = [(clause, _parsed(_without_workdays(clause), lang)) for clause in _clauses(sentence)]
        whole = frozenset[str]().union(*(own.features for _, own in clauses))
        scopes_of_all = frozenset[str]().union(*(own.scopes for _, own in clauses))
        led_by = frozenset[str]()
        for clause, own in clauses:
            scoped = _with_leading(own.scopes or scopes_of_all, led_by)
            led_by = led_by if values_of(clause) else led_by | own.scopes
            found.append(
                Statement(
                    document=document,
                    text=sentence,
                    lang=lang,
                    features=own.features,
                    context=(around.features | whole) - own.features,
                    scopes=scoped | product,
                    context_scopes=around.scopes,
                    names=own.names,
                    context_names=around.names,
                    signals=own.signals,
                    values=values_of(clause),
                    order=order,
                )
            )
    return tuple(found)


def _with_leading(scopes: frozenset[str], led_by: frozenset[str]) -> frozenset[str]:
    """Add what the clauses before say that it holds for ("On the Basic plan, …"), of classes that it does not name itself."""
    named = {name.split(":", 1)[0] for name in scopes}
    return scopes | {name for name in led_by if name.split(":", 1)[0] not in named}


def _without_workdays(clause: str) -> str:
    """Blank lengths of time in working days: "10 business days" is no plan and "5 dias úteis" no time of the week."""
    for value in values_of(clause):
        if value.unit == "workday":
            clause = f"{clause[: value.start]}{' ' * (value.end - value.start)}{clause[value.end :]}"
    return clause


_CLAUSE = re.compile(r"(?:(?<!\s)\s+)?[;:–—]\s+|,\s+")
_FEW = 3


def _clauses(sentence: str) -> Sequence[str]:
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


def _sentences(text: str) -> Sequence[str]:
    plain = unicodedata.normalize("NFKC", text)
    return [part for part in split_sentences(plain) if WORD.search(part)][:_MOST_SENTENCES]


# Every sentence of a document is read beside the same title.
@lru_cache(maxsize=4096)
def _parsed(text: str, lang: str) -> _Parsed:
    folded = f" {text.casefold()} "
    features: set[str] = {_IDEA + name for name in topics().in_text(folded)}
    scoped: set[str] = set(scopes().in_text(folded))
    signal: set[str] = set(signals().in_text(folded))
    names: set[str] = set()
    previous = ""
    for place, (word, raw) in enumerate(_words(text)):
        scoped |= scope_names(word)
        said = signal_names(word)
        signal |= said
        ideas = topic_names(word)
        features |= {_IDEA + idea for idea in ideas}
        if not ideas and not said and _is_content(word):
            if _is_name(raw, place, previous, lang):
                names.add(word[:6])
            else:
                features.add(stem(word, lang)[:12])
        previous = word
    return _Parsed(frozenset(features), frozenset(scoped), frozenset(names), frozenset(signal))


_ELISION = re.compile(r"(?i)^(?:qu|[ldnscj])['’](?=[^\W\d_]{2})")  # l'essai, d'achat


def _words(text: str) -> Iterator[tuple[str, str]]:
    for match in WORD.finditer(text):
        raw = _ELISION.sub("", match[0])
        yield raw.casefold().replace("’", "'"), raw


def _is_content(word: str) -> bool:
    if len(word) < 3 or word[0].isdigit() or word in stop_words():
        return word[:1] > "\u3000"
    return not (
        word in UNIT_OF or word in MORE_UNITS or word in DIGIT_OF or word in NUMBER_WORDS or word in MONTH_NUMBER
    )


def _is_name(raw: str, place: int, previous: str, lang: str) -> bool:
    """Say whether a word is somebody's or something's own name, as far as its letters tell."""
    if not raw[0].isupper():
        return False
    if lang in ("uk", "ru", "bg", "sr") and _LATIN.match(raw):
        return True
    if lang == "de":
        return previous in _BEFORE_NAMES
    return place > 0


_BEFORE_NAMES = frozenset(("in", "nach", "aus", "bei", "von", "an", "mit", "für", "filiale", "standort"))
