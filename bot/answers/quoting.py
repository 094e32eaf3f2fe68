"""The extractive draft of an answer: quotes for the question, or for each of its parts from its own best source.

How certain the answer is follows from what is quoted: a relevant hit that is not quoted makes nothing certain, and a quote about
another version than was asked for is uncertain.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from bot.answers.brevity import wants_more
from bot.answers.extractive import MOST_SOURCES, extract, quote_of, with_rows
from bot.answers.freshness import replaced_ids
from bot.answers.guesses import foreign_beside, is_guess
from bot.answers.in_thread import FAVOUR, SAID, Leaning
from bot.answers.neighbours import nearest
from bot.answers.other_versions import is_of_other_versions
from bot.answers.own_words import is_of_thread_alone
from bot.answers.sources import led, usable_passages
from bot.messages import DraftSentence, Part, Retrieved, SentenceRef
from bot.questions.asked import Ask, Asked, asked_of
from bot.questions.codes import codes_of, holding
from bot.words import folded
from retrieval.passages import Band, EvidenceSentence, Passage, Ranking


@dataclass(frozen=True, slots=True)
class Quoted:
    """Sentences quoted from passages; `SentenceRef.passage` counts in `passages`.

    `retrieved` is what was found, with the bands of what is quoted.
    """

    retrieved: Retrieved
    passages: tuple[Passage, ...]
    sentences: tuple[DraftSentence, ...]


@dataclass(frozen=True, slots=True)
class _Quotes:
    """What is quoted for one question or part, and how well the best of its sources answers it.

    `is_faint` when that is below the middle of the cuts. Of 15 parts of joined sample questions, sources between
    the cuts: above the middle 7 right and none wrong, below it 2 right, 2 wrong and 4 for what no source answers.
    """

    passages: tuple[Passage, ...]
    sentences: tuple[DraftSentence, ...]
    band: Band
    is_faint: bool = False


_NOTHING = _Quotes((), (), Band.NONE)
# A sentence that is found by the code of another part and is farther is not about this one; the two that were read had .39 and .44.
_FAR = 0.2
# Passages and the sentences quoted from them.
_Extracted = tuple[tuple[Passage, ...], tuple[DraftSentence, ...]]


def quoted(retrieved: Retrieved, usable: tuple[Passage, ...], today: date) -> Quoted:
    """Quote what answers a question; of one in parts, what answers each part that has a source.

    No source below the lower cut is quoted, save one that is named by its id or holds a code of the question. Beside a part
    that is answered plainly one that is nearer to nothing found than to plain counts as without a source.

    Args:
        retrieved: what was found.
        usable: usable passages for the whole question, the best first.
        today: for what has expired.
    """
    queries = retrieved.queries
    found: list[_Quotes] = []
    for part, ranking in zip(queries.parts if retrieved.parts else (), retrieved.parts, strict=True):
        said = frozenset(str(sentence.text) for one in found for sentence in one.sentences)
        quotes = _of_part(part, _with_said_last(ranking, said), retrieved, today)
        found.append(quotes if quotes.sentences else _in_quoted(part, found, retrieved))
    if any(one.band is Band.ANSWERED for one in found):
        found = [_NOTHING if one.is_faint else one for one in found]
    if any(one.sentences for one in found):
        parts = tuple(replace(part, band=one.band) for part, one in zip(retrieved.parts, found, strict=True))
        return _joined(replace(retrieved, parts=parts), [one for one in found if one.sentences])
    # A question that is one, or no part of it has a source of its own.
    whole = _of_whole(usable, retrieved, today)
    ranking = replace(retrieved.ranking, band=whole.band)
    return Quoted(replace(retrieved, ranking=ranking, parts=()), whole.passages, whole.sentences)


def _of_part(part: Part, ranking: Ranking, retrieved: Retrieved, today: date) -> _Quotes:
    if ranking.band is Band.NONE:
        return _NOTHING
    usable = usable_passages(ranking.passages, today, part.standalone, own=part.asked)
    wanted = asked_of(part.asked, prefer=retrieved.queries.gated.question.language)
    passages, sentences = _extracted(part.standalone, usable, ranking, retrieved, wanted)
    if codes_of(part.standalone) - codes_of(part.asked) and sentences and _is_far(passages, sentences[0]):
        return _NOTHING  # found by the code of another part, and no sentence is about this one
    # The places are shared: a part has one source, so that three parts have three.
    first = tuple(s for s in sentences if s.refs[0].passage == sentences[0].refs[0].passage)
    return _judged(part.standalone, (passages, first), ranking, retrieved)


def _is_far(passages: Sequence[Passage], sentence: DraftSentence) -> bool:
    return all(passages[ref.passage].sentences[ref.sentence].nearness < _FAR for ref in sentence.refs)


def _in_quoted(part: Part, found: Sequence[_Quotes], retrieved: Retrieved) -> _Quotes:
    """Look for the number that a part without a source asks for in what the part before it is answered from ("how much is the second?")."""
    wanted = asked_of(part.asked, prefer=retrieved.queries.gated.question.language)
    if wanted.kind is not Ask.QUANTITY or not wanted.units or not found or part.asked == part.standalone:
        return _NOTHING
    before = found[-1]
    cited = dict.fromkeys(before.passages[ref.passage] for sentence in before.sentences for ref in sentence.refs)
    for passage in cited:
        best = nearest(passage, wanted)
        if best is not None and best.fit >= 1:
            sentence = quote_of((passage,), SentenceRef(0, best.place), part.standalone)
            return _Quotes((passage,), (sentence,), Band.UNCERTAIN)
    return _NOTHING


def _with_said_last(ranking: Ranking, said: frozenset[str]) -> Ranking:
    """Judge what another part of the question quotes already as farther: it answers that one."""
    passages = tuple(
        replace(passage, sentences=tuple(_lowered(sentence, said) for sentence in passage.sentences))
        for passage in ranking.passages
    )
    return replace(ranking, passages=passages) if said else ranking


def _lowered(sentence: EvidenceSentence, said: frozenset[str]) -> EvidenceSentence:
    return replace(sentence, nearness=sentence.nearness - SAID * (str(sentence.text) in said))


def _of_whole(usable: Sequence[Passage], retrieved: Retrieved, today: date) -> _Quotes:
    question, ranking = retrieved.queries.standalone, retrieved.ranking
    asked = retrieved.queries.gated.question
    wanted = asked_of(question, prefer=asked.language)
    if (leaning := Leaning.of(asked)) is not None:
        wanted = leaning.asked(asked, wanted)
        # The order is that of the ranking, which read the whole question: by the few words of a follow-up two of 126 first
        # sources of mtrag were lost.
        usable = leaning.weighed(led(usable, wanted, today, favoured=leaning.cited, favour=FAVOUR), ranking)
    quotes = _judged(question, _extracted(question, usable, ranking, retrieved, wanted), ranking, retrieved)
    if quotes is _NOTHING:  # of the asker's language; a source in another one may be meant as well
        usable = foreign_beside(usable, ranking, asked.language)
        faint = replace(ranking, band=Band.UNCERTAIN)
        quotes = _judged(question, _extracted(question, usable, ranking, retrieved, wanted), faint, retrieved)
    cited = [quotes.passages[ref.passage] for sentence in quotes.sentences for ref in sentence.refs]
    previous = [turn.question for turn in asked.turns]
    if quotes.band is Band.ANSWERED and is_of_thread_alone(asked.text, previous, cited, asked.language):
        return replace(quotes, band=Band.UNCERTAIN)
    return quotes


def _extracted(
    question: str, usable: Sequence[Passage], ranking: Ranking, retrieved: Retrieved, wanted: Asked | None = None
) -> _Extracted:
    passages = holding(usable, codes_of(question) | _named(question, retrieved)) or _relevant(usable, ranking)
    asked = retrieved.queries.gated.question
    # A follow-up that names no subject ("how do I do it?") asks for what its thread has not heard yet.
    is_open = wanted is None or wanted.kind not in (Ask.WHO, Ask.QUANTITY)
    is_long = wants_more(asked.message.text) or (is_open and bool(asked.as_told.given))
    return passages, extract(passages, question, asked.language, is_long=is_long, asked=wanted)


def _judged(question: str, extracted: _Extracted, ranking: Ranking, retrieved: Retrieved) -> _Quotes:
    """Judge by the best source that is quoted; one that is named by its id is what was asked for."""
    passages, sentences = extracted
    cited = [passages[ref.passage] for sentence in sentences for ref in sentence.refs]
    if not cited:
        return _NOTHING
    best, named = max(passage.relevance for passage in cited), _named(question, retrieved)
    language = retrieved.queries.gated.question.language
    if is_of_other_versions(question, " ".join(sentence.text for sentence in sentences), _around(cited)):
        return _Quotes(passages, sentences, Band.UNCERTAIN)
    if best >= ranking.cut or any(folded(passage.document.id) in named for passage in cited):
        return _Quotes(passages, sentences, ranking.band)
    if not codes_of(question) and is_guess(question, _as_found(cited, ranking), ranking, language):
        return _NOTHING
    return _Quotes(passages, sentences, Band.UNCERTAIN, is_faint=best < (ranking.cut + ranking.uncertain_cut) / 2)


def _as_found(cited: Sequence[Passage], ranking: Ranking) -> tuple[Passage, ...]:
    """Give passages as they were found: for a follow-up their sentences are judged otherwise."""
    found = {passage.document.id: passage for passage in ranking.passages}
    return tuple(found.get(passage.document.id, passage) for passage in cited)


def _around(cited: Sequence[Passage]) -> str:
    """Give the words that stand around quotes: titles, headings, and all evidence of their passages."""
    return " ".join(
        " ".join((passage.document.title, passage.heading, *(sentence.text for sentence in passage.sentences)))
        for passage in dict.fromkeys(cited)
    )


def _named(question: str, retrieved: Retrieved) -> frozenset[str]:
    """Give the ids of sources that a question or part names, folded."""
    said = folded(question)
    ids = (folded(source.card.id) for source in retrieved.queries.gated.named)
    return frozenset(name for name in ids if name in said)


def _relevant(usable: Sequence[Passage], ranking: Ranking) -> tuple[Passage, ...]:
    """Leave out what is below the lower cut, unless it replaces a source that is not."""
    found = {passage.document.id for passage in ranking.passages if passage.relevance >= ranking.uncertain_cut}
    newer = {new for old, new in replaced_ids(ranking.passages).items() if old in found}
    return tuple(passage for passage in usable if passage.document.id in found | newer)


def _joined(retrieved: Retrieved, found: Sequence[_Quotes]) -> Quoted:
    passages: list[Passage] = []
    sentences: list[DraftSentence] = []
    # Where each sentence of a source is quoted: two parts may want different rows of one table.
    said: dict[tuple[str, str], int] = {}
    for one in found[:MOST_SOURCES]:
        for sentence in one.sentences:
            (ref,) = sentence.refs
            source = one.passages[ref.passage]
            whole = source.sentences[ref.sentence].text
            place = said.setdefault((source.document.id, str(whole)), len(sentences))
            if place < len(sentences):
                sentences[place] = with_rows(sentences[place], sentence, whole)
            else:
                sentences.append(replace(sentence, refs=(SentenceRef(ref.passage + len(passages), ref.sentence),)))
        passages.extend(one.passages)
    return Quoted(retrieved, tuple(passages), tuple(sentences))
