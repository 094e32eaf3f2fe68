"""The first line of an answer is the sentence that answers."""

from collections.abc import Sequence

from bot.answers.evidence import leans_back, shape_of
from retrieval.passages import Passage


def led_by(passage: Passage, best: int, *, places: Sequence[int], scores: Sequence[float], close: float) -> list[int]:
    """Put the best sentence first, with what follows it: a reader stops at the first line that does not answer.

    What it leans on stays before it, and what answers about as well: there the text has the rule before its exception.

    Args:
        passage: the source.
        best: the place of the sentence that answers best.
        places: what is quoted, in the order of the text.
        scores: how well each sentence of the source answers.
        close: by how much less a sentence may answer that counts as about as good.
    """
    first = last = best
    while first - 1 in places and (_is_needed(passage, first) or scores[first - 1] >= scores[best] - close):
        first -= 1
    while last + 1 in places:
        last += 1
    group = list(range(first, last + 1))
    return [*group, *(place for place in places if place not in group)]


def _is_needed(passage: Passage, place: int) -> bool:
    """Say whether a sentence cannot be read without the one before it: it leans on it, or is an item that it announces."""
    above, own = (shape_of(passage.sentences[at].text) for at in (place - 1, place))
    is_announced = own.is_item and (above.is_item or above.is_lead_in)
    return leans_back(passage.sentences[place].text) or own.is_block or is_announced
