"""An answer checked once more as it was posted: is every sentence of its text supported by the sources it cites?

The verify stage judges a draft by the places that it names. Here the finished text is taken apart again, and each
sentence must hold by the evidence of the documents whose numbers stand behind it. For evaluations.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.answers.evidence import without_bullet
from bot.answers.tables import is_part_of
from bot.checks.closed_output import is_closed, written_out
from bot.checks.inert import inert
from bot.checks.support_check import (
    Evidence,
    absence_holds,
    facts_hold,
    is_absence,
    is_near,
    is_same_language,
    words_hold,
)
from bot.messages import Answer, Mode, Outcome
from bot.texts import say
from retrieval.documents.sentences import split_sentences
from retrieval.passages import Passage
from retrieval.redaction import RedactedText

# Texts against texts, raw cosines, as the port `PassageSource` gives them.
Similarity = Callable[[Sequence[str], Sequence[str]], Awaitable[list[list[float]]]]
# A quote ends its line, after the numbers perhaps the language it is in.
_AFTER_QUOTE = re.compile(r"((?:\[\d{1,3}\])+)(?: \([^()\n]{1,80}\))?$", re.MULTILINE)
_AFTER_SENTENCE = re.compile(r"((?:\[\d{1,3}\])+)(?=\s|$)")
_NUMBER = re.compile(r"\d+")
# Our own sign before a step of a list, which is no word of the model.
_LIST_SIGN = re.compile(r"^(?:\d{1,2}\.|-) ", re.MULTILINE)
# Stands where the words of a part would.
_ANY_PART = 70_707_070


@dataclass(frozen=True, slots=True)
class Audit:
    """How many sentences a text has, and those that nothing supports. `spoken` is the text without its numbers."""

    sentences: int
    unsupported: tuple[str, ...]
    spoken: str


async def audit(
    answer: Answer, passages: Sequence[Passage], question: str, *, similarity: Similarity, floor: float
) -> Audit:
    """Check every sentence of an answer against the passages of the documents that it cites.

    Args:
        answer: as it was given.
        passages: everything that was found for the question, every search of it.
        question: standing alone.
        similarity: compares across languages.
        floor: least cosine of a sentence with its evidence in another language.
    """
    if answer.outcome is not Outcome.ANSWERED:
        return Audit(0, (), answer.text)
    ids = {citation.n: citation.id for citation in answer.citations}
    count, unsupported, spoken = 0, [], []
    for text, numbers in _statements(answer):
        cited = [passage for passage in passages if passage.document.id in {ids.get(n) for n in numbers}]
        count += 1
        spoken.append(text)
        if numbers and answer.mode is Mode.EXTRACTIVE:
            holds = _is_quoted(text, cited)
        elif numbers:
            holds = await _is_supported(text, cited, similarity, floor)
        else:
            holds = is_absence(text) and absence_holds(text, question, passages)
        if not holds:
            unsupported.append(text)
    return Audit(count, tuple(unsupported), "\n".join(spoken))


def _statements(answer: Answer) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Give each statement with the numbers behind it: a quote as a whole, a model's text by sentences."""
    is_quoted = answer.mode is Mode.EXTRACTIVE
    said = _without_remarks(answer)
    said = said if is_quoted else _LIST_SIGN.sub("", said)
    start = 0
    for marks in (_AFTER_QUOTE if is_quoted else _AFTER_SENTENCE).finditer(said):
        text = said[start : marks.start()].strip()
        numbers = tuple(int(number) for number in _NUMBER.findall(marks[1]))
        start = marks.end()
        if is_quoted:
            yield text.removeprefix("“").removesuffix("”"), numbers
            continue
        *before, last = _sentences(text) or [text]
        yield from ((sentence, ()) for sentence in before)
        yield last, numbers
    yield from ((sentence, ()) for sentence in _sentences(said[start:]))


def _without_remarks(answer: Answer) -> str:
    """Give the text without our own lines about parts of the question that have no source."""
    before, _, after = say("part_without_source", answer.language, part=_ANY_PART).partition(str(_ANY_PART))
    lines = answer.text.split("\n")
    return "\n".join(line for line in lines if not (line.startswith(before) and line.endswith(after)))


def _sentences(text: str) -> list[str]:
    return [sentence.strip() for sentence in split_sentences(text) if sentence.strip()]


def _is_quoted(text: str, cited: Sequence[Passage]) -> bool:
    """Say whether a quote is nothing but evidence sentences of its sources, or rows of one of their tables."""
    said = [sentence.text for passage in cited for sentence in passage.sentences]
    forms = {written_out(inert(form)) for one in said for form in (one, without_bullet(one))}
    given = sorted(forms, key=len, reverse=True)
    urls = [passage.document.url for passage in cited if passage.document.url]
    if not is_closed(text, (*urls, *given)):
        return False
    if any(is_part_of(text, sentence) for sentence in given):
        return True
    for sentence in given:
        text = text.replace(sentence.strip(), "")
    return not text.strip()


async def _is_supported(sentence: str, cited: Sequence[Passage], similarity: Similarity, floor: float) -> bool:
    """Say whether one or two neighbouring evidence sentences support a sentence that a model wrote."""
    named = [window for passage in cited for window in _windows(passage)]
    held = [evidence for texts in named if facts_hold(sentence, evidence := Evidence(texts, tuple(cited)))]
    near = [evidence for evidence in held if is_same_language(sentence, evidence)]
    if any(words_hold(sentence, evidence) for evidence in near):
        return True
    foreign = [evidence for evidence in held if evidence not in near]
    if not foreign:
        return False
    given = tuple(dict.fromkeys(foreign[0].sentences))
    (row,) = await similarity([sentence], given)
    cosines: dict[str, float] = dict(zip(given, row, strict=True))
    return any(is_near(cosines, evidence, floor=floor) for evidence in foreign)


def _windows(passage: Passage) -> Iterator[tuple[RedactedText, ...]]:
    texts = [sentence.text for sentence in passage.sentences]
    yield from ((text,) for text in texts)
    yield from pairwise(texts)
