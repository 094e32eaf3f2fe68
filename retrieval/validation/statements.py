"""Sentences of documents as statements: what about, for what, with which values, saying yes or no."""

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from retrieval.lexical.stems import stem
from retrieval.quantity_words import DIGIT_OF, MONTH_NUMBER, UNIT_OF
from retrieval.validation.carriers import carriers_in
from retrieval.validation.clauses import blanked, clauses_in, is_relative, sentences_in, without_values
from retrieval.validation.number_words import MORE_UNITS, NUMBER_WORDS
from retrieval.validation.opposites import Opposite, opposites_of, without_opposites
from retrieval.validation.plans import plans_told
from retrieval.validation.replies import reply_to_question, spoken_of
from retrieval.validation.spoken import spoken_words
from retrieval.validation.value import Value
from retrieval.validation.values import values_of
from retrieval.validation.weekdays import is_weekday
from retrieval.validation.words import (
    scope_names,
    scopes,
    signal_names,
    signals,
    stop_words,
    topic_names,
    topics,
)

_IDEA = "="
# What a rule holds for is also what it is about; of the others each word is an idea of its own.
_OF_RULES = ("plan:", "method:")
_LATIN = re.compile(r"[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a document.

    `features` are its ideas (behind "=") and stems, `context` those of its document's title and question only. `scopes` are
    "class:member"; `names` proper names in it; `signals` what its words say of it ("yes", "no", "rule", "case"). `opposites` are
    words that shut others out ("immediately"), `bare` the features without them.
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
    opposites: tuple[Opposite, ...] = ()
    bare: frozenset[str] = frozenset()

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
    document: str, text: str, *, about: str = "", asked: str = "", lang: str = "", scope: str = ""
) -> tuple[Statement, ...]:
    """Give the statements of a text.

    Args:
        document: id of what it is of.
        text: what may be quoted of it.
        about: its title and the customer's question: what its sentences leave unsaid.
        asked: the question that it replies to; empty for a text that answers nobody.
        lang: its language, ISO 639-1; empty when unknown.
        scope: the product that it is for; what two different ones say does not contradict.
    """
    product = frozenset({f"product:{scope.casefold()}"}) if scope else frozenset[str]()
    whole = _Whole(document, lang, _parsed(unicodedata.normalize("NFKC", about), lang), product)
    found: list[Statement] = []
    sentences = sentences_in(text)
    for order, sentence in enumerate(sentences):
        pointed = _parsed(without_values(spoken_of(order, sentences)), lang).features
        said = reply_to_question(sentence)
        own = _of_sentence(whole, sentence, pointed, said=said, order=order)
        found += own
        if said and asked and not order:
            found += _reply(own[0], _parsed(unicodedata.normalize("NFKC", asked), lang), said)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Whole:
    """What all sentences of a text share."""

    document: str
    lang: str
    around: _Parsed
    product: frozenset[str]


def _of_sentence(whole: _Whole, sentence: str, pointed: frozenset[str], *, said: str, order: int) -> list[Statement]:
    """Give a statement a clause; `pointed` is what the sentence before is about, where this one speaks of it."""
    clauses = _with_heads([(clause, _own(clause, whole.lang)) for clause in clauses_in(sentence)])
    features = whole.around.features.union(pointed, *(own.features for _, own in clauses))
    scopes_of_all = frozenset[str]().union(*(own.scopes for _, own in clauses))
    days, led_by, found = _days(sentence), frozenset[str](), list[Statement]()
    for place, (clause, own) in enumerate(clauses):
        scoped = _with_leading(own.scopes or scopes_of_all, led_by)
        led_by = led_by if values_of(clause) else led_by | own.scopes
        found.append(
            Statement(
                document=whole.document,
                text=sentence,
                lang=whole.lang,
                features=own.features,
                context=features - own.features,
                scopes=scoped | whole.product | days,
                context_scopes=whole.around.scopes,
                names=own.names,
                context_names=whole.around.names,
                signals=_settled(own.signals, "" if place else said),
                values=_rules(clause, days),
                order=order,
                opposites=(opposites := opposites_of(clause)),
                bare=_bare(clause, whole.lang) if opposites else own.features,
            )
        )
    return found


def _with_heads(clauses: list[tuple[str, _Parsed]]) -> list[tuple[str, _Parsed]]:
    """Let a clause that begins with "which" be about what stands before it."""
    for place, ((_, head), (clause, own)) in enumerate(pairwise(clauses), 1):
        if is_relative(clause):
            clauses[place] = clause, replace(own, features=own.features | head.features, names=own.names | head.names)
    return clauses


def statement_about(document: str, text: str, lang: str) -> Statement:
    """Give a whole text as one statement: what it is about and what it holds for, without its values."""
    own = _parsed(unicodedata.normalize("NFKC", text), lang)
    nothing = frozenset[str]()
    return Statement(
        document=document, text=text, lang=lang, features=own.features, context=nothing, scopes=own.scopes,
        context_scopes=nothing, names=own.names, context_names=nothing, signals=own.signals, values=(),
    )  # fmt: skip


def _settled(signals: frozenset[str], said: str) -> frozenset[str]:
    """Give what a clause says: "Yes, as long as it has not left" is no denial."""
    return (signals - {"no"}) | {said} if said == "yes" else signals | {said} if said else signals


def _reply(opening: Statement, asked: _Parsed, said: str) -> list[Statement]:
    """Give the yes or no that a reply begins with as a statement of what was asked; of "why can I not" neither says what."""
    if "no" in asked.signals:
        return []
    context = (opening.features | opening.context) - asked.features
    own = replace(opening, features=asked.features, context=context, scopes=opening.scopes | asked.scopes)
    return [replace(own, names=asked.names, signals=frozenset({said}), values=())]


def _rules(clause: str, days: frozenset[str]) -> tuple[Value, ...]:
    """Give the values of a clause; days of the week for which another value of the sentence holds are none."""
    return tuple(value for value in values_of(clause) if not days or value.kind != "weekdays")


def _days(sentence: str) -> frozenset[str]:
    """Give the days of the week that a sentence names as what its other values hold for."""
    values = values_of(sentence)
    days = frozenset(f"days:{value.low:.0f}" for value in values if value.kind == "weekdays")
    return days if any(value.kind != "weekdays" for value in values) else frozenset()


def _with_leading(scopes: frozenset[str], led_by: frozenset[str]) -> frozenset[str]:
    """Add what the clauses before say that it holds for ("On the Basic plan, …"), of classes that it does not name itself."""
    named = {name.split(":", 1)[0] for name in scopes}
    return scopes | {name for name in led_by if name.split(":", 1)[0] not in named}


def _bare(clause: str, lang: str) -> frozenset[str]:
    return _parsed(without_values(without_opposites(clause)), lang).features


def _own(clause: str, lang: str) -> _Parsed:
    """Read a clause; "without charge" denies nothing but a price."""
    own = _parsed(without_values(clause), lang)
    free = [value for value in values_of(clause) if value.kind == "money" and not value.high]
    if not free or "no" not in own.signals:
        return own
    return replace(own, signals=_parsed(blanked(clause, free), lang).signals)


@dataclass(frozen=True, slots=True)
class _Said:
    """What one word says; `is_content` when it has no meaning of the tables and is no small word or number."""

    scopes: frozenset[str]
    signals: frozenset[str]
    ideas: frozenset[str]
    is_content: bool


_SMALL, _PLAIN = (_Said(frozenset(), frozenset(), frozenset(), is_content) for is_content in (False, True))


@lru_cache(maxsize=200_000)
def _said(word: str) -> _Said:
    held, said = scope_names(word), signal_names(word)
    ideas = frozenset(_IDEA + idea for idea in topic_names(word))
    is_content = not ideas and not said and _is_content(word)
    if held or said or ideas:
        return _Said(held, said, ideas, is_content)
    return _PLAIN if is_content else _SMALL


# Every sentence of a document is read beside the same title.
@lru_cache(maxsize=4096)
def _parsed(text: str, lang: str) -> _Parsed:
    folded = f" {text.casefold()} "
    features: set[str] = {_IDEA + name for name in topics().in_text(folded)}
    scoped: set[str] = set(scopes().in_text(folded))
    scoped |= carriers_in(text)
    plans = {f"plan:{name}" for name in plans_told(text) if not (scope_names(name) or topic_names(name))}
    signal: set[str] = set(signals().in_text(folded))
    names: set[str] = set()
    previous = ""
    for place, (word, raw) in enumerate(spoken_words(text)):
        said = _said(word)
        if said is _PLAIN:
            if raw[0].isupper() and _is_name(raw, place, previous, lang):
                names.add(word[:6])
            else:
                features.add(stem(word, lang)[:12])
        elif said is not _SMALL:
            held = said.scopes if word not in _CAPITAL else _scopes_of(word, raw, is_first=place == 0 and lang == "de")
            scoped |= held
            signal |= said.signals
            features |= said.ideas
            if said.is_content:
                if _is_name(raw, place, previous, lang):
                    names.add(word[:6])
                elif not any(name.startswith(_OF_RULES) for name in held):
                    features.add(stem(word, lang)[:12])
        previous = word
    scoped |= plans
    features |= {name for name in scoped if name.startswith(_OF_RULES)} | plans
    return _Parsed(frozenset(features), frozenset(scoped), frozenset(names), frozenset(signal))


# Names that are other words in small letters ("write to us", "pro Konto").
_CAPITAL = frozenset(("us", "pro"))


def _scopes_of(word: str, raw: str, *, is_first: bool) -> frozenset[str]:
    """Give what a word restricts a rule to; a first word has a capital whatever it means."""
    if word in _CAPITAL and (raw == word or (is_first and not raw.isupper())):
        return frozenset()
    return scope_names(word)


def _is_content(word: str) -> bool:
    if len(word) < 3 or word[0].isdigit() or word in stop_words():
        return word[:1] > "\u3000"
    return not (
        word in UNIT_OF or word in MORE_UNITS or word in DIGIT_OF or word in NUMBER_WORDS or word in MONTH_NUMBER
    )


def _is_name(raw: str, place: int, previous: str, lang: str) -> bool:
    """Say whether a word is somebody's or something's own name, as far as its letters tell."""
    if not raw[0].isupper() or is_weekday(raw.casefold()) or raw.casefold() in MONTH_NUMBER:
        return False
    if lang in ("uk", "ru", "bg", "sr") and _LATIN.match(raw):
        return True
    if lang == "de":
        return previous in _BEFORE_NAMES
    return place > 0


_BEFORE_NAMES = frozenset(("in", "nach", "aus", "bei", "von", "an", "mit", "für", "filiale", "standort"))
