"""Which sentences of one passage are quoted together, so that the nearest one can be understood."""

import re
from collections.abc import Sequence
from enum import StrEnum

from bot.evidence import Shape, leans_back, shape_of
from bot.words import folded, has_digit, is_unspaced, lexicon_of, words
from retrieval.passages import Passage

# A procedure is quoted whole up to this many steps: half of one misleads.
MOST_STEPS = 8
LEAST = 2
# Raw cosines of one passage's sentences lie within about 0.1. On xquad the nearest sentence holds the answer in 0.84 of
# the English and 0.75 of the other questions, the nearest two in 0.92 and 0.91: a close second is quoted too.
CLOSE = 0.02
# A question for a number or a time prefers a sentence with a digit, one for a procedure a step, unless another is nearer
# by more than this.
_FITTING_BONUS = 0.02


# Asked how, the steps may stand a few sentences below the nearest one.
_STEPS_WITHIN = 3
_FIRST_STEP = re.compile(r"\s*(?:1|a|A)[.)]\s")


class Ask(StrEnum):
    """What a question wants: a number or a time, a procedure, or something else."""

    QUANTITY = "quantity"
    HOW = "how"
    OTHER = "other"


def ask_of(question: str) -> Ask:
    """Tell what a question wants, by the words it begins to ask with."""
    language = lexicon_of(question)
    text = folded(question)
    if not is_unspaced(text):
        text = " ".join(["", *words(text), ""])
    for kind, phrases in ((Ask.QUANTITY, language.quantity), (Ask.HOW, language.how)):
        if any((phrase if is_unspaced(phrase) else f" {phrase} ") in text for phrase in phrases):
            return kind
    return Ask.OTHER


def nearest(passage: Passage, ask: Ask) -> int | None:
    """Give the place of the sentence that is nearest to the question and can stand as an answer."""
    places = []
    for place, sentence in enumerate(passage.sentences):
        shape = shape_of(sentence.text)
        if shape.is_quotable:
            places.append((sentence.similarity + _bonus(sentence.text, shape, ask), -place))
    return -max(places)[1] if places else None


def _bonus(text: str, shape: Shape, ask: Ask) -> float:
    is_fitting = (ask is Ask.QUANTITY and has_digit(_without_mark(text))) or (ask is Ask.HOW and shape.is_step)
    return _FITTING_BONUS if is_fitting else 0.0


def _without_mark(text: str) -> str:
    return text.lstrip(" 0123456789.)-*•")


def with_neighbours(passage: Passage, best: int, room: int, ask: Ask) -> list[int]:
    """Give the places of the sentences to quote, in the order of the text.

    Args:
        passage: their passage.
        best: the place of the nearest sentence.
        room: how many may be quoted; a whole list of steps may be longer when `room` is 5 or more.
        ask: for a number or a time one step of a list answers by itself.
    """
    shapes = [shape_of(sentence.text) for sentence in passage.sentences]
    is_before_list = shapes[best].is_lead_in and best + 1 < len(shapes) and shapes[best + 1].is_item
    if shapes[best].is_item or is_before_list:
        places = _of_list(passage, shapes, best + is_before_list, room, ask)
    else:
        places = _of_prose(passage, shapes, best, room)
        # "You can set a new one yourself." before a list of steps: the steps are the answer.
        step = _step_below(shapes, places[-1], _STEPS_WITHIN if ask is Ask.HOW else 1)
        if room > LEAST and ask is not Ask.QUANTITY and step is not None:
            places += [*range(places[-1] + 1, step), *_of_list(passage, shapes, step, MOST_STEPS, ask)]
    if len(places) < min(LEAST, room) and not shapes[best].is_block:
        places = _widened(passage, shapes, places)
    return sorted(set(places))


def _of_list(passage: Passage, shapes: Sequence[Shape], at: int, room: int, ask: Ask) -> list[int]:
    first, last = at, at
    while first > 0 and _same_list(passage, shapes, first - 1):
        first -= 1
    while last + 1 < len(shapes) and _same_list(passage, shapes, last):
        last += 1
    items = list(range(first, last + 1))
    lead = [first - 1] if first > 0 and shapes[first - 1].is_lead_in else []
    if ask is Ask.QUANTITY:
        return [at]
    if shapes[at].is_step:
        return [*lead, *items[: MOST_STEPS if room > LEAST else room]]
    by_nearness = sorted(items, key=lambda place: (place != at, -passage.sentences[place].similarity))
    near = [place for place in by_nearness if place == at or _is_close(passage, place, at)]
    return [*lead, *near[: max(1, room - len(lead))]]


def _step_below(shapes: Sequence[Shape], place: int, within: int) -> int | None:
    return next((p for p in range(place + 1, min(place + 1 + within, len(shapes))) if shapes[p].is_step), None)


def _same_list(passage: Passage, shapes: Sequence[Shape], place: int) -> bool:
    """Say whether the sentence after a place goes on with its list: of one kind, and no new first step."""
    before, after = shapes[place], shapes[place + 1]
    if before.is_step and after.is_step:
        return not _FIRST_STEP.match(passage.sentences[place + 1].text)
    return before.is_bullet and after.is_bullet


def _of_prose(passage: Passage, shapes: Sequence[Shape], best: int, room: int) -> list[int]:
    places = [best]
    while places[0] > 0 and len(places) < room and leans_back(passage.sentences[places[0]].text):
        if not _can_join(shapes[places[0] - 1]):
            break
        places.insert(0, places[0] - 1)
    for place in range(best + 1, len(shapes)):
        leans = leans_back(passage.sentences[place].text)
        if len(places) >= room or not _can_join(shapes[place]) or not (leans or _is_close(passage, place, best)):
            break
        places.append(place)
    second = _close_second(passage, shapes, places, best)
    return sorted([*places, second]) if second is not None and len(places) < room else places


def _close_second(passage: Passage, shapes: Sequence[Shape], places: Sequence[int], best: int) -> int | None:
    """Give a sentence elsewhere in the passage that is about as near as the best one."""
    others = [p for p in range(len(shapes)) if p not in places and _can_join(shapes[p]) and _is_close(passage, p, best)]
    others = [place for place in others if not leans_back(passage.sentences[place].text)]
    return max(others, key=lambda place: passage.sentences[place].similarity, default=None)


def _widened(passage: Passage, shapes: Sequence[Shape], places: Sequence[int]) -> list[int]:
    """Add the nearer neighbour, so that one short sentence does not stand alone."""
    is_item = shapes[places[0]].is_item
    beside = [p for p in (places[0] - 1, places[-1] + 1) if 0 <= p < len(shapes)]
    beside = [p for p in beside if shapes[p].is_quotable and not shapes[p].is_lead_in and not shapes[p].is_block]
    beside = [p for p in beside if shapes[p].is_item == is_item]
    if not beside:
        return list(places)
    return [*places, max(beside, key=lambda place: passage.sentences[place].similarity)]


def _is_close(passage: Passage, place: int, best: int) -> bool:
    return passage.sentences[place].similarity >= passage.sentences[best].similarity - CLOSE


def _can_join(shape: Shape) -> bool:
    return shape.is_quotable and not shape.is_item and not shape.is_lead_in and not shape.is_block
