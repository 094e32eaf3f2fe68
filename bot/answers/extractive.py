"""An answer without a model: the evidence sentences that answer best, quoted with their neighbours.

Sentences are chosen by meaning more than by common words, so a Chinese question gets the right English sentence; a
question for a price, a time or a number prefers a sentence that has one. Between sources the ranking decides, and of
sources that are about as relevant the asker's language, then English.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot.answers.evidence import shape_of
from bot.answers.neighbours import MOST_WORDS, Best, nearest, with_neighbours
from bot.answers.tables import joined_rows, named_rows
from bot.messages import DraftSentence, SentenceRef
from bot.questions.asked import Ask, Asked, asked_of
from bot.words import content_words, lexicon_of, weight_of
from retrieval.passages import Passage
from retrieval.redaction import RedactedText

MOST_SOURCES = 3
MOST_SENTENCES = 5
# What a source after the first may add.
_FURTHER = 2
# A further source must be about as relevant as the first, and its sentence answer about as well.
_RELEVANCE_SHARE = 0.75
_NEARNESS = 0.02
# 0.6 instead of 0.85 moves one of 128 first citations on the sample and two of 68 on letsencrypt, in opposite directions.
_SAME_LANGUAGE_SHARE = 0.6
# A language that most support agents read leads before one that only the author reads.
_COMMON = "en"
_COMMON_SHARE = 0.75
# A source that answers less well than this does not lead for its language, nor one without the number that is asked for; one
# that answers so much better is clearly better.
_LESS = 0.2
# A ticket that asks the same in the same words leads by far over the article that has the number it lacks.
_NUMBER_SHARE, _LOOKED_AT = 0.45, 5
_COPY_OVERLAP = 0.6


def extract(
    passages: Sequence[Passage], question: str, language: str, *, is_long: bool = False, asked: Asked | None = None
) -> tuple[DraftSentence, ...]:
    """Choose the sentences to quote, best source first, as verbatim quotes with their places.

    Args:
        passages: usable passages, best first.
        question: as asked; one for a number or a time is answered by one step of a list, others by the whole list.
        language: the asker's; of about equally relevant sources the one in this language leads, else an English one.
        is_long: whether all there is was asked for.
        asked: what the question wants, where its words alone do not tell.

    Returns:
        One to five sentences (a list of steps up to eight) from at most three passages, twice as many sentences and
        procedures up to forty steps when `is_long`; empty when none can be quoted.
    """
    asked = replace(asked or asked_of(question, prefer=language), is_long=is_long)
    most = 2 * MOST_SENTENCES if is_long else MOST_SENTENCES
    answers = [nearest(passage, asked) for passage in passages]
    chosen: list[SentenceRef] = []
    first = 0.0
    order = _with_number_first(_ordered(passages, answers, language), passages, answers, asked, language)
    for index in order:
        passage, best = passages[index], answers[index]
        sources = {ref.passage for ref in chosen}
        if best is None or len(sources) == MOST_SOURCES or _is_full(passages, chosen):
            continue
        if chosen and (best.score < first - _NEARNESS or _is_half(passage, best, asked)):
            continue
        if chosen and not _adds(passages, index, best.place, chosen, language):
            continue
        first = first if chosen else best.score
        room = min(_FURTHER, MOST_SENTENCES - len(chosen)) if chosen else most
        places = with_neighbours(passage, best.place, room, asked)
        chosen += [SentenceRef(index, place) for place in places]
    return tuple(quote_of(passages, ref, question, asked.own) for ref in chosen)


def quote_of(passages: Sequence[Passage], ref: SentenceRef, question: str = "", own: str = "") -> DraftSentence:
    """Give an evidence sentence as a quote of itself; of a table the rows that are asked for."""
    text = passages[ref.passage].sentences[ref.sentence].text
    if shape_of(text).is_block and (rows := named_rows(text, question, own)) != text:
        text = RedactedText.stored(rows)
    return DraftSentence(text, (ref,), is_quote=True)


def with_rows(said: DraftSentence, other: DraftSentence, table: str) -> DraftSentence:
    """Give a quote of rows of a table with those of another quote of it."""
    if said.text == other.text:
        return said
    return replace(said, text=RedactedText.stored(joined_rows(table, said.text, other.text)))


def _is_full(passages: Sequence[Passage], chosen: Sequence[SentenceRef]) -> bool:
    words = sum(weight_of(passages[ref.passage].sentences[ref.sentence].text) for ref in chosen)
    return len(chosen) >= MOST_SENTENCES or words > MOST_WORDS


def _ordered(passages: Sequence[Passage], answers: Sequence[Best | None], language: str) -> list[int]:
    """Put a source in the asker's language first when it is about as relevant as the best one and answers as well.

    When there is none, an English one.
    """
    order = list(range(len(passages)))
    first = answers[0] if answers else None
    for code, share in ((language, _SAME_LANGUAGE_SHARE), (_COMMON, _COMMON_SHARE)):
        if first is None or passages[0].document.lang == code:
            return order
        for index in order[1:MOST_SOURCES]:
            best = answers[index]
            is_relevant = passages[index].relevance >= share * passages[0].relevance
            if passages[index].document.lang == code and is_relevant and best is not None and _is_as_good(best, first):
                return [index, *(i for i in order if i != index)]
    return order


def _with_number_first(
    order: list[int], passages: Sequence[Passage], answers: Sequence[Best | None], asked: Asked, language: str
) -> list[int]:
    """Asked for a number, put a source that has one before a leading one that has none.

    One in the asker's language when its sentence answers clearly better, any when it is about as relevant as the leading one.
    """
    first = answers[order[0]] if order else None
    if asked.kind is not Ask.QUANTITY or first is None or first.fit:
        return order
    leading = passages[order[0]].relevance
    found = [(index, best) for index in order[1:_LOOKED_AT] if (best := answers[index]) is not None and best.fit]
    own = [i for i, best in found if passages[i].document.lang == language and best.score >= first.score + _LESS]
    near = [index for index, _ in found if index in order[1:MOST_SOURCES]]
    for index, share in (*((i, _NUMBER_SHARE) for i in own), *((i, _COMMON_SHARE) for i in near)):
        if passages[index].relevance >= share * leading:
            return [index, *(i for i in order if i != index)]
    return order


def _is_as_good(best: Best, first: Best) -> bool:
    return best.fit >= first.fit and best.score >= first.score - _LESS


def _is_half(passage: Passage, best: Best, asked: Asked) -> bool:
    """Say whether only a part of a procedure could be quoted: there is no room for a second one, and half misleads."""
    return asked.kind is not Ask.QUANTITY and shape_of(passage.sentences[best.place].text).is_step


def _adds(passages: Sequence[Passage], index: int, best: int, chosen: Sequence[SentenceRef], language: str) -> bool:
    """Say whether a further source is about as relevant as the first and says something that was not quoted yet."""
    passage, first = passages[index], passages[chosen[0].passage]
    if passage.relevance < _RELEVANCE_SHARE * first.relevance:
        return False
    # A third language beside an answer costs a hurried reader more than it gives; mostly it is a translation anyway.
    if passage.document.lang not in ("", language, first.document.lang):
        return False
    new = _terms(passage.sentences[best].text)
    quoted = [_terms(passages[ref.passage].sentences[ref.sentence].text) for ref in chosen]
    return not any(len(new & old) > _COPY_OVERLAP * min(len(new), len(old)) for old in quoted if old and new)


def _terms(text: str) -> frozenset[str]:
    return frozenset(content_words(text, lexicon_of(text)))
