"""An answer without a model: the evidence sentences nearest in meaning, quoted with their neighbours.

Sentences are chosen by their vectors' cosine with the question, never by common words, so a Chinese question gets the
right English sentence. Raw cosines favour a sentence in the asker's own language, so they choose within a passage;
between passages the ranking decides.
"""

from collections.abc import Iterator, Sequence

from bot.evidence import Shape, leans_back, shape_of
from bot.messages import DraftSentence, SentenceRef
from bot.words import content_words, lexicon_of
from retrieval.passages import Passage

MOST_SOURCES = 3
MOST_SENTENCES = 5
LEAST_SENTENCES = 2
# A procedure is quoted whole up to this many steps: half of one misleads.
MOST_STEPS = 8
# Cosines of one passage's sentences lie within about 0.1; a step this far above its list's mean answers by itself.
_STANDS_OUT = 0.035
_NEXT_IS_CLOSE = 0.015
# A further source must be about as relevant as the first, and its sentence about as near.
_RELEVANCE_SHARE = 0.75
_NEARNESS = 0.03
_SAME_LANGUAGE_SHARE = 0.85
_COPY_OVERLAP = 0.6


def extract(passages: Sequence[Passage], language: str) -> tuple[DraftSentence, ...]:
    """Choose the sentences to quote, best source first, as verbatim quotes with their places.

    Args:
        passages: usable passages, best first.
        language: the asker's; of equally relevant sources the one in this language leads.

    Returns:
        Up to five sentences (a list of steps up to eight) from at most three passages; empty when none can be quoted.
    """
    chosen: list[SentenceRef] = []
    first_similarity = 0.0
    sources = 0
    for index in _ordered(passages, language):
        best = _best(passages[index])
        if best is None or sources == MOST_SOURCES or len(chosen) >= MOST_SENTENCES:
            continue
        similarity = passages[index].sentences[best].similarity
        if chosen and not _adds(passages, index, best, chosen, first_similarity):
            continue
        room = MOST_SENTENCES - len(chosen) if not chosen else min(2, MOST_SENTENCES - len(chosen))
        first_similarity = first_similarity or similarity
        sources += 1
        chosen += [SentenceRef(index, place) for place in _with_neighbours(passages[index], best, room)]
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


def _best(passage: Passage) -> int | None:
    """Give the place of the nearest sentence that can stand as an answer."""
    places = [
        (sentence.similarity, -place)
        for place, sentence in enumerate(passage.sentences)
        if _can_lead(shape_of(sentence.text))
    ]
    return -max(places)[1] if places else None


def _can_lead(shape: Shape) -> bool:
    return shape.is_quotable


def _adds(
    passages: Sequence[Passage], index: int, best: int, chosen: Sequence[SentenceRef], first_similarity: float
) -> bool:
    """Say whether a further source is near enough and says something that was not quoted yet."""
    passage = passages[index]
    if passage.relevance < _RELEVANCE_SHARE * passages[chosen[0].passage].relevance:
        return False
    if passage.sentences[best].similarity < first_similarity - _NEARNESS:
        return False
    new = _terms(passage.sentences[best].text)
    quoted = [_terms(passages[ref.passage].sentences[ref.sentence].text) for ref in chosen]
    return not any(len(new & old) > _COPY_OVERLAP * min(len(new), len(old)) for old in quoted if old and new)


def _terms(text: str) -> frozenset[str]:
    return frozenset(content_words(text, lexicon_of(text)))


def _with_neighbours(passage: Passage, best: int, room: int) -> list[int]:
    """Give the places around the best sentence that make it understandable, in order."""
    shapes = [shape_of(sentence.text) for sentence in passage.sentences]
    if shapes[best].is_item or (shapes[best].is_lead_in and best + 1 < len(shapes)):
        places = _of_list(passage, shapes, best, room)
    else:
        places = _of_prose(passage, shapes, best, room)
    return places if len(places) >= LEAST_SENTENCES or room < LEAST_SENTENCES else _widened(passage, shapes, places)


def _of_list(passage: Passage, shapes: Sequence[Shape], best: int, room: int) -> list[int]:
    start = best + 1 if shapes[best].is_lead_in and not shapes[best].is_item else best
    first, last = start, start
    while first > 0 and shapes[first - 1].is_item:
        first -= 1
    while last + 1 < len(shapes) and shapes[last + 1].is_item and shapes[start].is_item:
        last += 1
    items = list(range(first, last + 1))
    lead = [first - 1] if first > 0 and shapes[first - 1].is_lead_in else []
    if shapes[start].is_step and not _stands_out(passage, items, best):
        return [*lead, *items][: MOST_STEPS if room >= MOST_SENTENCES else room]
    nearest = sorted(items, key=lambda place: -passage.sentences[place].similarity)
    kept = [place for place in nearest if place == best or _is_close(passage, place, best)]
    return sorted([*lead, *kept][: max(room, 1)])


def _stands_out(passage: Passage, items: Sequence[int], best: int) -> bool:
    others = [passage.sentences[place].similarity for place in items if place != best]
    return bool(others) and passage.sentences[best].similarity - sum(others) / len(others) > _STANDS_OUT


def _is_close(passage: Passage, place: int, best: int) -> bool:
    return passage.sentences[place].similarity >= passage.sentences[best].similarity - _NEXT_IS_CLOSE


def _of_prose(passage: Passage, shapes: Sequence[Shape], best: int, room: int) -> list[int]:
    places = [best]
    while places[0] > 0 and len(places) < room and leans_back(passage.sentences[places[0]].text):
        if not _can_join(shapes[places[0] - 1]):
            break
        places.insert(0, places[0] - 1)
    for following in _following(passage, shapes, best):
        if len(places) >= room:
            break
        places.append(following)
    return places


def _following(passage: Passage, shapes: Sequence[Shape], best: int) -> Iterator[int]:
    for place in range(best + 1, len(shapes)):
        is_wanted = leans_back(passage.sentences[place].text) or _is_close(passage, place, best)
        if not (_can_join(shapes[place]) and is_wanted):
            return
        yield place


def _can_join(shape: Shape) -> bool:
    return shape.is_quotable and not shape.is_item and not shape.is_lead_in and not shape.is_block


def _widened(passage: Passage, shapes: Sequence[Shape], places: list[int]) -> list[int]:
    """Add the nearer of the two neighbours, so that one short sentence does not stand alone."""
    beside = [p for p in (places[0] - 1, places[-1] + 1) if 0 <= p < len(shapes) and shapes[p].is_quotable]
    beside = [p for p in beside if shapes[p].is_item == shapes[places[0]].is_item and not shapes[p].is_lead_in]
    if not beside:
        return places
    return sorted([*places, max(beside, key=lambda place: passage.sentences[place].similarity)])
