"""What `bot/languages/<code>.toml` says of each language: fixed texts and the small words that the rules need."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "uk", "ru", "de", "fr", "es", "pl", "pt", "zh", "ja")
DEFAULT = "en"
_PHRASES = (
    "leading",
    "defines",
    "joins",
    "adds",
    "thanks",
    "greetings",
    "how",
    "quantity",
    "limit",
    "duration",
    "price",
    "version",
    "remedy",
    "who",
    "absence",
    "more",
    "at_length",
)
_FOLDER = Path(__file__).parent / "languages"


@dataclass(frozen=True, slots=True)
class PlayWords:
    """Words by which a request to make or play something is known, casefolded.

    `please` may stand before the request and changes nothing; `make` asks for a made thing, as an order or at the end behind "can
    you"; `made` are things that no desk makes; `about` joins a thing with its subject where no verb stands; `openers` open a game;
    `translate` asks for a translation, which is play only of a quoted text.
    """

    please: frozenset[str]
    make: frozenset[str]
    made: frozenset[str]
    about: frozenset[str]
    translate: frozenset[str]
    openers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language's texts and word lists, all words casefolded.

    `stop` are words without meaning of their own, `vague` ones that name no subject ("problem"), `small` both, `spoken` those and the words of
    politeness, by which a short text's language is told, `works` what is said of
    a thing that works again, `leading` openers of
    a follow-up ("and", "what about"), `asking` words that open a second question in a sentence, behind one of `joins`; `adds` say that
    something else is asked too ("also", "in addition"), `anaphora` sentence openers that lean on the sentence before, `how` how one asks for a procedure,
    `quantity` for a number or a time, of which `duration`, `price` and `version` tell what kind,
    `limit` for a bound unless a procedure is asked for, `remedy` for what to do about a trouble, `who` for who may do something,
    which a sentence with one of `roles` tells, `absence`
    how one says that sources lack something, `more` messages that ask for more of the last answer, `at_length` phrases that
    ask for a long one. `requests` open a request that stands alone ("explain roles"), `expletive` words follow a pronoun that stands
    for nothing before it ("is it possible to …"). `kind` words stand behind a word of thanks and make it no question ("your help",
    "the quick reply").
    """

    code: str
    names: Mapping[str, str]
    texts: Mapping[str, str]
    stop: frozenset[str]
    vague: frozenset[str]
    small: frozenset[str]
    spoken: frozenset[str]
    works: frozenset[str]
    question: frozenset[str]
    asking: frozenset[str]
    pronouns: frozenset[str]
    doubtful: frozenset[str]
    hosts: frozenset[str]
    measures: frozenset[str]
    nods: frozenset[str]
    prepositions: frozenset[str]
    anaphora: frozenset[str]
    negation: frozenset[str]
    requests: frozenset[str]
    expletive: frozenset[str]
    kind: frozenset[str]
    roles: frozenset[str]
    play: PlayWords
    leading: tuple[str, ...]
    defines: tuple[str, ...]
    joins: tuple[str, ...]
    adds: tuple[str, ...]
    thanks: tuple[str, ...]
    greetings: tuple[str, ...]
    how: tuple[str, ...]
    quantity: tuple[str, ...]
    limit: tuple[str, ...]
    duration: tuple[str, ...]
    price: tuple[str, ...]
    version: tuple[str, ...]
    remedy: tuple[str, ...]
    who: tuple[str, ...]
    absence: tuple[str, ...]
    more: tuple[str, ...]
    at_length: tuple[str, ...]


@cache
def lexicon(language: str) -> Lexicon:
    """Give the lexicon of a language; English when there is none."""
    code = language if language in LANGUAGES else DEFAULT
    with (_FOLDER / f"{code}.toml").open("rb") as file:
        raw: dict[str, Any] = tomllib.load(file)
    words: dict[str, Any] = raw["words"]

    def small(name: str) -> frozenset[str]:
        return frozenset(words[name].casefold().split())

    def phrases(name: str) -> tuple[str, ...]:
        # Longest first, so that "thank you very much" is taken before "thank you".
        return tuple(sorted(words[name], key=len, reverse=True))

    return Lexicon(
        code=code,
        names=raw["names"],
        texts=raw["say"],
        stop=small("stop"),
        vague=small("vague"),
        small=small("stop") | small("vague"),
        spoken=small("stop")
        | small("vague")
        | frozenset(" ".join((*phrases("thanks"), *phrases("greetings"))).split()),
        works=small("works"),
        question=small("question"),
        asking=small("asking"),
        pronouns=small("pronouns"),
        doubtful=small("doubtful"),
        hosts=small("hosts"),
        measures=small("measures"),
        nods=small("nods"),
        prepositions=small("prepositions"),
        anaphora=small("anaphora"),
        negation=small("negation"),
        requests=small("requests"),
        expletive=small("expletive"),
        kind=small("kind"),
        roles=small("roles"),
        play=_play_words(raw["play"]),
        **{name: phrases(name) for name in _PHRASES},
    )


def _play_words(raw: Mapping[str, Any]) -> PlayWords:
    lists = {name: frozenset(raw[name].split()) for name in ("please", "make", "made", "about", "translate")}
    return PlayWords(**lists, openers=tuple(raw["openers"]))


@cache
def lexicons() -> tuple[Lexicon, ...]:
    """Give all lexicons, English first."""
    return tuple(lexicon(code) for code in LANGUAGES)
