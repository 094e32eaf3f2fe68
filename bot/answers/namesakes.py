"""Sources that answer one question about things of one name: each is shown with its id, since nobody said which is meant.

Only for a question that asks who, what, when, where, which or how many of something that it names. Measured on RAMDocs: more than
one side in .75 of the answers by their citations; on support bases hardly an answer changes (RESULTS.md).
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from bot.answers.evidence import shape_of
from bot.answers.near_sentences import is_number_asked, nearest_of, refs_of
from bot.messages import DraftSentence, SentenceRef
from bot.questions.asked import Ask, asked_of, fit_of
from bot.words import content_words, head_of, lexicon_of, words
from retrieval.language import language_of
from retrieval.passages import Passage
from retrieval.validation.values import values_of

# So near to the question, as a share of the nearest cited sentence, must another source's best sentence be. At .8 .67 of the
# RAMDocs rows show more than one side, at .6 .79, and among 91 answers of a help centre one more.
_AS_NEAR = 0.7
_PASSAGES, _SOURCES, _SENTENCES, _LOOKED_AT = 10, 3, 2, 6
# A number of the wrong unit is worth .3, see `fit_of`. An acronym has up to so many letters.
_FITTING, _SHORT = 0.5, 4
_ASKS = re.compile(
    r"(?i)^\W*(?:(?:in|at|on|from|to|of|by) )?(?:what|who|whom|when|where|which|whose|how (?:many|much|large|big|old|long|tall|high|far)"
    r"|was|wer|wem|wann|wo|welche\w?|wie (?:viele?|groß|alt|hoch|lang|weit)|що|хто|коли|де|який|яка|яке|які|скільки|что|кто|когда|где|какой|какая|какое|какие|сколько"
    r"|qui|quand|où|quel(?:le)?s?|combien|qué|quién|cuándo|dónde|cuál(?:es)?|cuánt[oa]s?|quem|quando|onde|qual|quais|quant[oa]s?|kto|co|kiedy|gdzie|który|która|które|jaki|jaka|jakie|ile)\b"
)
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]{2,120})[\"“”„«»]")


def is_about_a_name(question: str) -> bool:
    """Say whether a question asks for a fact about something that it names."""
    return bool(_ASKS.search(question)) and bool(_named(question))


def other_namesakes(
    sentences: Sequence[DraftSentence], passages: Sequence[Passage], question: str
) -> list[SentenceRef]:
    """Give the sentences with which other sources answer the question about what it names, up to two of a source.

    Args:
        sentences: what is quoted already.
        passages: cited ones and others that may be quoted.
        question: standing alone.
    """
    cited = refs_of(sentences, passages)
    if not cited or not is_about_a_name(question):
        return []
    known = {passages[ref.passage].document.id for ref in cited}
    least = _AS_NEAR * max(passages[ref.passage].sentences[ref.sentence].nearness for ref in cited)
    said = [_plain(str(sentence.text)) for sentence in sentences]
    found = _left_out(cited, passages, said, question)
    own = len({ref.passage for ref in found})
    for place, passage in _others(passages, known, _named(question), least):
        if len({ref.passage for ref in found}) < own + _SOURCES:
            found += _new(place, passage, said, question)
    return found


def _left_out(
    cited: Sequence[SentenceRef], passages: Sequence[Passage], said: list[str], question: str
) -> list[SentenceRef]:
    """Give of each cited source the sentence that says what is asked of the name, where only sentences with the name are quoted.

    "Moose Lake is a township in Cass County." is nearer to "What is the population of Moose Lake?" than "The population was 142."
    """
    found = []
    quoted: dict[int, list[str]] = {}
    for ref in cited:
        quoted.setdefault(ref.passage, []).append(str(passages[ref.passage].sentences[ref.sentence].text))
    for place, texts in quoted.items():
        if any(_says_asked(text, question) for text in texts):
            continue
        near = nearest_of(passages[place], _LOOKED_AT)
        answer = next((n for n in near if _says_asked(str(passages[place].sentences[n].text), question)), None)
        if answer is not None:
            said.append(_plain(str(passages[place].sentences[answer].text)))
            found.append(SentenceRef(place, answer))
    return found


def first_of_each(sentences: Sequence[DraftSentence], passages: Sequence[Passage]) -> tuple[DraftSentence, ...]:
    """Give the first sentence of each source: what stays of its side when an answer is cut for length."""
    first: dict[str, DraftSentence] = {}
    for sentence in sentences:
        for ref in refs_of([sentence], passages):
            first.setdefault(passages[ref.passage].document.id, sentence)
    return tuple(dict.fromkeys(first.values()))


def _others(
    passages: Sequence[Passage], known: set[str], named: frozenset[str], least: float
) -> Iterator[tuple[int, Passage]]:
    """Give the passages of other documents that speak of the name and are as near to the question."""
    for place, passage in enumerate(passages[:_PASSAGES]):
        near = nearest_of(passage, 1)
        is_open = passage.document.id not in known and not passage.document.quarantined
        if is_open and near and passage.sentences[near[0]].nearness >= least and named <= _spoken(passage):
            yield place, passage


def _spoken(passage: Passage) -> frozenset[str]:
    text = " ".join(str(sentence.text) for sentence in passage.sentences)
    return frozenset(words(f"{passage.document.title} {passage.heading} {text}"))


def _new(place: int, passage: Passage, said: list[str], question: str) -> list[SentenceRef]:
    """Give the sentences of a passage that nobody said yet; where a number is asked for, those with one first, and none without."""
    near = nearest_of(passage, _LOOKED_AT)
    if is_number_asked(question):
        fitting = [number for number in near if _is_fitting(str(passage.sentences[number].text), question)]
        near = [*fitting, *(number for number in near if number not in fitting)] if fitting else []
    near.sort(key=lambda number: not _says_asked(str(passage.sentences[number].text), question))
    found = []
    for number in near[:_SENTENCES]:
        text = _plain(str(passage.sentences[number].text))
        if not any(text in other or other in text for other in said):
            said.append(text)
            found.append(SentenceRef(place, number))
    return found


def _says_asked(text: str, question: str) -> bool:
    """Say whether a sentence speaks of what is asked of the name, and holds a number where one is asked for."""
    asked = _asked_of_name(question)
    if not asked or asked.isdisjoint(map(head_of, words(text))):
        return False
    return not is_number_asked(question) or _is_fitting(text, question)


@lru_cache(maxsize=256)
def _asked_of_name(question: str) -> frozenset[str]:
    """Give the heads of the words of a question that are no part of the name: "population", "founded"."""
    spoken = content_words(question, lexicon_of(question))
    return frozenset(head_of(word) for word in spoken if word not in _named(question))


def _is_fitting(text: str, question: str) -> bool:
    """Say whether a sentence holds a number of the kind that is asked for: a price, a length of time, or any."""
    asked = asked_of(question)
    if asked.kind is Ask.QUANTITY:
        return fit_of(text, shape_of(text), asked) >= _FITTING
    return bool(values_of(text))


def _is_short(word: str) -> bool:
    return word.isupper() and len(word) <= _SHORT


def _plain(text: str) -> str:
    return " ".join(words(text))


def _named(question: str) -> frozenset[str]:
    """Give the words of the names in a question: quoted ones, and those with a capital behind the first word.

    German writes every noun so: there two capitals in a row make a name.
    """
    quoted = {word for match in _QUOTED.findall(question) for word in words(match)}
    spoken = re.sub(r"[\"“”„«»?!]", " ", question).split()
    capitals = [place for place, word in enumerate(spoken) if place and word[:1].isupper()]
    # "API" alone is no name, but a word for a kind of thing.
    capitals = [place for place in capitals if not _is_short(spoken[place]) or {place - 1, place + 1} & set(capitals)]
    if language_of(question) == "de":
        capitals = [place for place in capitals if {place - 1, place + 1} & set(capitals)]
    return frozenset(quoted | {word for place in capitals for word in words(spoken[place])})
