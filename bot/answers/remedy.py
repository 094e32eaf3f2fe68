"""What to do about a trouble: a cause is no answer to "what now", and half of a short resolution is none either."""

import re
from collections.abc import Sequence

from bot.answers.evidence import leans_back, shape_of
from bot.answers.headings import is_head
from bot.words import weight_of
from retrieval.passages import Passage

TICKET = "ticket"
# A resolution of no more words is quoted whole: an agent wrote it for this very trouble.
_SHORT_RESOLUTION = 60
_SHORT_REPLY = 40
# A name in bold, a path through menus, a command, an address: where something is to be done, in any language.
_DOING = re.compile(r"\*\*[^*]{1,200}\*\*|[\w)]\s(?:>|→|›)\s\(?\w|`[^`]{1,300}`|https?://")


def is_doing(text: str) -> bool:
    """Say whether a sentence tells what to do: a step, or one with a button, a path through menus, a command or an address."""
    return shape_of(text).is_step or bool(_DOING.search(text))


def whole_resolution(passage: Passage, chosen: Sequence[int]) -> list[int]:
    """Give the places of a ticket's whole resolution when it is short and what is chosen of it does not say what to do; none else."""
    sentences = passage.sentences
    if passage.document.kind != TICKET or len({sentence.part for sentence in sentences}) > 1:
        return []
    if any(is_doing(sentences[place].text) for place in chosen):
        return []
    places = [place for place, sentence in enumerate(sentences) if shape_of(sentence.text).is_quotable]
    is_prose = not any(shape_of(sentence.text).is_item or shape_of(sentence.text).is_block for sentence in sentences)
    is_short = sum(weight_of(sentences[place].text) for place in places) <= _SHORT_RESOLUTION
    return places if is_prose and is_short else []


def whole_reply(passage: Passage, best: int) -> list[int]:
    """Give the places of all that is said below a question of a source, when it is short: "Yes, if …" is half a reply."""
    section = [place for place, one in enumerate(passage.sentences) if one.section == passage.sentences[best].section]
    places = [place for place in section if not is_head(passage.sentences[place])]
    shapes = [shape_of(passage.sentences[place].text) for place in places]
    is_prose = all(shape.is_quotable and not shape.is_item and not shape.is_block for shape in shapes)
    words = sum(weight_of(passage.sentences[place].text) for place in places)
    return places if len(places) < len(section) and is_prose and words <= _SHORT_REPLY else []


def remedy_of(passage: Passage, places: Sequence[int], scores: Sequence[float], most_words: int) -> list[int]:
    """Give the places to add where what is quoted does not say what to do: the nearest sentence that does, and what leans on it.

    Args:
        passage: the source.
        places: what is quoted of it.
        scores: how well each of its sentences answers.
        most_words: room for all of them.
    """
    sentences = passage.sentences
    if any(is_doing(sentences[place].text) for place in places):
        return []
    found = [place for place in range(len(sentences)) if place not in places and _can_stand(sentences[place].text)]
    if not found:
        return []
    first = max(found, key=lambda place: (scores[place], -place))
    added = [first]
    while first + 1 < len(sentences) and first + 1 not in places and leans_back(sentences[first + 1].text):
        first += 1
        added.append(first)
    words = sum(weight_of(sentences[place].text) for place in (*places, *added))
    return added if words <= most_words else added[:1]


def _can_stand(text: str) -> bool:
    shape = shape_of(text)
    return shape.is_quotable and not shape.is_item and not shape.is_block and not shape.is_lead_in and is_doing(text)
