"""Which sentences of one passage are quoted together, so that the nearest one can be understood."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.answers.belonging import announced_by, with_blocks, without_blocks
from bot.answers.evidence import Shape, leans_back, shape_of
from bot.answers.first_line import led_by
from bot.answers.remedy import remedy_of, whole_reply, whole_resolution
from bot.questions.asked import Ask, Asked, fit_of
from bot.words import weight_of
from retrieval.passages import Passage

# A procedure is quoted whole up to this many steps: half of one misleads. Who asks for more gets the second figure.
MOST_STEPS, ALL_STEPS = 8, 40
LEAST = 2
# What else than steps is quoted of a source; a hurried reader reads no more.
MOST_WORDS, ALL_WORDS = 80, 250
# Nearness of one passage's sentences lies within about 0.6. On xquad the nearest sentence holds the answer in 0.85 of the
# questions in its language and 0.78 of the others, the nearest two in 0.94 and 0.92: a close second is quoted too.
CLOSE = 0.1
# Sentences that stand elsewhere: the second may be a little farther, the third must be close. Of the sentences with a
# number of the right kind the nearest holds the answer in 0.58 of the sample's questions across languages, the nearest
# two in 0.90.
_MARGINS = (0.2, 0.12)
# A question for a number or a time prefers a sentence with one, one for a procedure a step, unless another is nearer by
# more than this; a code that is named weighs as much again.
FITTING = 0.2
# A sentence with fewer words does not stand alone.
_SHORT = 10
# Asked how, the steps may stand a few sentences below the nearest one.
_STEPS_WITHIN = 3
# Below the name of a code its causes are listed before the remedy.
_STEPS_OF_CODE = 8
# Between two steps a note, a command or a few bullets may stand.
_BETWEEN_STEPS = 3
_HALF = 0.5
_FIRST_STEP = re.compile(r"\A\s*+(?:1|a|A)[.)]\s")


@dataclass(frozen=True, slots=True)
class Run:
    """Sentences of a passage that follow each other in the text: how each looks and how well it answers."""

    start: int
    texts: Sequence[str]
    shapes: Sequence[Shape]
    scores: Sequence[float]
    is_long: bool = False

    @property
    def most_steps(self) -> int:
        """How many steps of a procedure are quoted."""
        return ALL_STEPS if self.is_long else MOST_STEPS

    def is_close(self, place: int, best: int) -> bool:
        """Whether a sentence answers about as well as the best one."""
        return self.scores[place] >= self.scores[best] - CLOSE


@dataclass(frozen=True, slots=True)
class Best:
    """The sentence of a passage that answers best: its place, its score, how well its form fits (see `fit_of`)."""

    place: int
    score: float
    fit: float


def nearest(passage: Passage, asked: Asked) -> Best | None:
    """Give the sentence that answers best and can stand as an answer."""
    scored = [
        (score_of(passage, place, asked), -place)
        for place, sentence in enumerate(passage.sentences)
        if shape_of(sentence.text).is_quotable
    ]
    if not scored:
        return None
    score, place = max(scored)
    if asked.is_bare_code:  # what it means stands where it is first named
        named = [(score, place) for score, place in scored if _fit(passage, -place, asked) >= 1]
        score, place = max(named, key=lambda one: one[1], default=(score, place))
    return Best(-place, score, _fit(passage, -place, asked))


def score_of(passage: Passage, place: int, asked: Asked) -> float:
    """Give what sentences are chosen by: nearness, and whether it has the form of an answer."""
    return passage.sentences[place].nearness + FITTING * _fit(passage, place, asked)


def _fit(passage: Passage, place: int, asked: Asked) -> float:
    text = passage.sentences[place].text
    return fit_of(text, shape_of(text), asked)


def with_neighbours(passage: Passage, best: int, room: int, asked: Asked) -> list[int]:
    """Give the places of the sentences to quote: those around the best one first, each group in the order of the text.

    Args:
        passage: their passage.
        best: the place of the nearest sentence.
        room: how many may be quoted; a whole list of steps may be longer when `room` is 5 or more.
        asked: for a number or a time one step of a list answers by itself.

    Code and tables that belong to a sentence come with it, and count as part of it.
    """
    bare, kept = without_blocks(passage, best)
    at = best if best in kept else announced_by(passage, best)
    places = [kept[place] for place in _around(bare, kept.index(at), room, asked)]
    return with_blocks(passage, places, is_announcement_wanted=asked.kind is not Ask.QUANTITY)


def _around(passage: Passage, best: int, room: int, asked: Asked) -> list[int]:
    run = _run_of(passage, best, asked)
    at, ask = best - run.start, asked.kind
    is_before_list = run.shapes[at].is_lead_in and at + 1 < len(run.shapes) and run.shapes[at + 1].is_item
    if run.shapes[at].is_item or is_before_list:
        places = _of_list(run, at + is_before_list, room, ask)
    else:
        places = _of_prose(run, at, room)
        # "You can set a new one yourself." before a list of steps: the steps are the answer.
        within = _STEPS_OF_CODE if asked.is_bare_code else _STEPS_WITHIN if ask is Ask.HOW else 1
        step = _step_below(run.shapes, places[-1], within)
        if room > LEAST and ask not in (Ask.QUANTITY, Ask.WHO) and step is not None:
            between = [] if asked.is_bare_code else range(places[-1] + 1, step)
            places += [*between, *_of_list(run, step, run.most_steps, ask)]
    whole = sorted({run.start + place for place in places})
    # A procedure stands alone, and so does a table.
    is_whole = ask is not Ask.QUANTITY and any(run.shapes[place].is_step for place in places)
    is_whole |= run.shapes[at].is_block
    if asked.is_remedy and not is_whole and room > LEAST:
        scores = [score_of(passage, place, asked) for place in range(len(passage.sentences))]
        whole = sorted([*whole, *remedy_of(passage, whole, scores, MOST_WORDS)])
    for margin in () if is_whole else _MARGINS[len(whole) - 1 : room - 1]:
        other = _other(passage, whole, asked, score_of(passage, best, asked) - margin)
        if other is not None:
            whole = _bridged(passage, sorted([*whole, other]))
    # A step that has the number is the answer; the step before it is not.
    is_told = ask is Ask.QUANTITY and run.shapes[at].is_item and _fit(passage, best, asked) >= _HALF
    if len(whole) == 1 and room > 1 and weight_of(run.texts[at]) < _SHORT and not (run.shapes[at].is_block or is_told):
        whole = [run.start + place for place in _widened(run, places)]
    if not is_whole and asked.kind is not Ask.QUANTITY and room > LEAST:
        whole = whole_resolution(passage, whole) or whole_reply(passage, best) or whole
    if is_whole:
        return whole
    scores = [score_of(passage, place, asked) for place in range(len(passage.sentences))]
    return led_by(passage, best, places=whole, scores=scores, close=CLOSE)


def _bridged(passage: Passage, places: Sequence[int]) -> list[int]:
    """Add the one sentence of prose between two that are quoted: read together they make sense sooner."""
    whole = list(places)
    for left, right in pairwise(places):
        three = passage.sentences[left : right + 1]
        if len(three) != 3 or len({sentence.part for sentence in three}) > 1:
            continue
        words = sum(weight_of(passage.sentences[place].text) for place in (*whole, left + 1))
        if words <= MOST_WORDS and all(_can_join(shape_of(sentence.text)) for sentence in three):
            whole.append(left + 1)
    return sorted(whole)


def _run_of(passage: Passage, best: int, asked: Asked) -> Run:
    own = passage.sentences[best]
    # Below the name of a code the remedy may have a heading of its own.
    is_wide = asked.is_bare_code or asked.is_remedy
    places = [
        place
        for place, one in enumerate(passage.sentences)
        if one.part == own.part and (is_wide or one.section == own.section)
    ]
    texts = [passage.sentences[place].text for place in places]
    scores = [score_of(passage, place, asked) for place in places]
    return Run(places[0], texts, [shape_of(text) for text in texts], scores, asked.is_long)


def _of_list(run: Run, at: int, room: int, ask: Ask) -> list[int]:
    if ask is Ask.QUANTITY:
        return [at]
    if run.shapes[at].is_step:
        return _of_steps(run, at, run.most_steps if room > LEAST else room)
    first, last = at, at
    while first > 0 and run.shapes[first - 1].is_bullet:
        first -= 1
    while last + 1 < len(run.shapes) and run.shapes[last + 1].is_bullet:
        last += 1
    items = list(range(first, last + 1))
    lead = [first - 1] if first > 0 and run.shapes[first - 1].is_lead_in else []
    # "Requires either:" with one of three bullets says what is not true.
    if lead and len(items) < room and sum(weight_of(run.texts[place]) for place in items) <= MOST_WORDS:
        return [*lead, *items]
    by_score = sorted(items, key=lambda place: (place != at, -run.scores[place]))
    near = [place for place in by_score if place == at or run.is_close(place, at)]
    return [*lead, *near[: max(1, room - len(lead))]]


def _of_steps(run: Run, at: int, most: int) -> list[int]:
    """Give a procedure from its first step, with what stands between the steps, as far as there is room."""
    first = last = at
    while (before := _step_before(run, first)) is not None:
        first = before
    while (after := _step_after(run, last)) is not None:
        last = after
    lead = [first - 1] if first > 0 and run.shapes[first - 1].is_lead_in else []
    whole = [place for place in range(first, last + 1) if place == at or run.shapes[place].is_quotable]
    begin = 0 if whole.index(at) < most else whole.index(at) - most // 2
    return [*(lead if not begin else []), *whole[begin : begin + most]]


def _step_before(run: Run, place: int) -> int | None:
    found = (p for p in range(place - 1, max(-1, place - 2 - _BETWEEN_STEPS), -1) if run.shapes[p].is_step)
    before = next(found, None)
    return None if before is None or _begins_list(run, before, place) else before


def _step_after(run: Run, place: int) -> int | None:
    after = _step_below(run.shapes, place, 1 + _BETWEEN_STEPS)
    return None if after is None or _begins_list(run, place, after) else after


def _begins_list(run: Run, before: int, place: int) -> bool:
    """Say whether a step is the first of another list; some write "1." before every step."""
    is_first = bool(_FIRST_STEP.match(run.texts[place]))
    return is_first and not (place == before + 1 and _FIRST_STEP.match(run.texts[before]))


def _step_below(shapes: Sequence[Shape], place: int, within: int) -> int | None:
    return next((p for p in range(place + 1, min(place + 1 + within, len(shapes))) if shapes[p].is_step), None)


def _of_prose(run: Run, best: int, room: int) -> list[int]:
    places = [best]
    words = weight_of(run.texts[best])
    while places[0] > 0 and len(places) < room and leans_back(run.texts[places[0]]):
        if not _can_join(run.shapes[places[0] - 1]):
            break
        places.insert(0, places[0] - 1)
        words += weight_of(run.texts[places[0]])
    for place in range(best + 1, len(run.shapes)):
        words += weight_of(run.texts[place])
        # What an introduction announces stands below it, list or not.
        is_wanted = leans_back(run.texts[place]) or run.is_close(place, best) or run.shapes[place - 1].is_lead_in
        is_wanted |= run.is_long
        if (
            len(places) >= room
            or words > (ALL_WORDS if run.is_long else MOST_WORDS)
            or not is_wanted
            or not _can_join(run.shapes[place])
        ):
            break
        places.append(place)
    while run.is_long and places[0] > 0 and len(places) < room and _can_join(run.shapes[places[0] - 1]):
        words += weight_of(run.texts[places[0] - 1])
        if words > ALL_WORDS:
            break
        places.insert(0, places[0] - 1)
    return places


def _other(passage: Passage, places: Sequence[int], asked: Asked, floor: float) -> int | None:
    """Give the best sentence elsewhere in the passage, if it reaches a score and there is room for its words."""
    found = []
    for place, sentence in enumerate(passage.sentences):
        shape = shape_of(sentence.text)
        # One step or row may hold the number; of a procedure one step says nothing.
        can_join = shape.is_quotable if asked.kind is Ask.QUANTITY else _can_join(shape)
        if place in places or not can_join or leans_back(sentence.text):
            continue
        if (score := score_of(passage, place, asked)) >= floor:
            found.append((score, -place))
    if not found:
        return None
    other = -max(found)[1]
    words = sum(weight_of(passage.sentences[place].text) for place in (*places, other))
    return other if words <= MOST_WORDS else None


def _widened(run: Run, places: Sequence[int]) -> list[int]:
    """Add the nearer neighbour, so that one short sentence does not stand alone."""
    is_item = run.shapes[places[0]].is_item
    beside = [p for p in (places[0] - 1, places[-1] + 1) if 0 <= p < len(run.shapes)]
    beside = [p for p in beside if run.shapes[p].is_quotable and not run.shapes[p].is_lead_in]
    beside = [p for p in beside if run.shapes[p].is_item == is_item and not run.shapes[p].is_block]
    if not beside:
        return list(places)
    return sorted([*places, max(beside, key=lambda place: run.scores[place])])


def _can_join(shape: Shape) -> bool:
    return shape.is_quotable and not shape.is_item and not shape.is_lead_in and not shape.is_block
