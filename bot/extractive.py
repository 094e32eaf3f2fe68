"""An answer without a model: the evidence sentences nearest in meaning, quoted with their neighbours.

Sentences are chosen by their vectors' cosine with the question, never by common words, so a Chinese question gets the
right English sentence. Raw cosines favour a sentence in the asker's own language, so they choose within a passage;
between passages the ranking decides.
"""

from collections.abc import Sequence

from bot.messages import DraftSentence, SentenceRef
from bot.neighbours import ask_of, nearest, with_neighbours
from bot.words import content_words, lexicon_of
from retrieval.passages import Passage

MOST_SOURCES = 3
MOST_SENTENCES = 5
# What a source after the first may add.
_FURTHER = 2
# A further source must be about as relevant as the first, and its sentence about as near.
_RELEVANCE_SHARE = 0.75
_NEARNESS = 0.01
# 0.6 instead of 0.85 moves one of 128 first citations on the sample and two of 68 on letsencrypt, in opposite directions.
_SAME_LANGUAGE_SHARE = 0.6
_COPY_OVERLAP = 0.6


def extract(passages: Sequence[Passage], question: str, language: str) -> tuple[DraftSentence, ...]:
    """Choose the sentences to quote, best source first, as verbatim quotes with their places.

    Args:
        passages: usable passages, best first.
        question: as asked; one for a number or a time is answered by one step of a list, others by the whole list.
        language: the asker's; of equally relevant sources the one in this language leads.

    Returns:
        Two to five sentences where there are as many (a list of steps up to eight) from at most three passages; empty
        when none can be quoted.
    """
    ask = ask_of(question)
    chosen: list[SentenceRef] = []
    for index in _ordered(passages, language):
        sources = {ref.passage for ref in chosen}
        best = nearest(passages[index], ask)
        if best is None or len(sources) == MOST_SOURCES or len(chosen) >= MOST_SENTENCES:
            continue
        if chosen and not _adds(passages, index, best, chosen, language):
            continue
        room = min(_FURTHER, MOST_SENTENCES - len(chosen)) if chosen else MOST_SENTENCES
        places = with_neighbours(passages[index], best, room, ask)
        chosen += [SentenceRef(index, place) for place in places]
    return tuple(quote_of(passages, ref) for ref in chosen)


def quote_of(passages: Sequence[Passage], ref: SentenceRef) -> DraftSentence:
    """Give an evidence sentence as a quote of itself."""
    return DraftSentence(passages[ref.passage].sentences[ref.sentence].text, (ref,), is_quote=True)


def _ordered(passages: Sequence[Passage], language: str) -> list[int]:
    """Put a source in the asker's language first when it is about as relevant as the best one."""
    order = list(range(len(passages)))
    if not passages or passages[0].document.lang == language:
        return order
    enough = passages[0].relevance * _SAME_LANGUAGE_SHARE
    own = [i for i in order[:MOST_SOURCES] if passages[i].document.lang == language and passages[i].relevance >= enough]
    return [*own[:1], *(i for i in order if i not in own[:1])]


def _adds(passages: Sequence[Passage], index: int, best: int, chosen: Sequence[SentenceRef], language: str) -> bool:
    """Say whether a further source is about as near as the first and says something that was not quoted yet."""
    passage, first = passages[index], passages[chosen[0].passage]
    if passage.relevance < _RELEVANCE_SHARE * first.relevance:
        return False
    # A third language beside an answer costs a hurried reader more than it gives; mostly it is a translation anyway.
    if passage.document.lang not in ("", language, first.document.lang):
        return False
    nearest_so_far = max(first.sentences[ref.sentence].similarity for ref in chosen if ref.passage == chosen[0].passage)
    if passage.sentences[best].similarity < nearest_so_far - _NEARNESS:
        return False
    new = _terms(passage.sentences[best].text)
    quoted = [_terms(passages[ref.passage].sentences[ref.sentence].text) for ref in chosen]
    return not any(len(new & old) > _COPY_OVERLAP * min(len(new), len(old)) for old in quoted if old and new)


def _terms(text: str) -> frozenset[str]:
    return frozenset(content_words(text, lexicon_of(text)))
