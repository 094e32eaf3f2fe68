"""The two sides of a comparison: a sentence that an answer cites, and the sentences of another passage."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from bot.answers.compared_sentences import Read, read_from
from bot.answers.near_sentences import nearest_of
from bot.messages import SentenceRef
from retrieval.passages import DocumentCard, Passage
from retrieval.validation.telling import Telling, telling_of

# So many of a passage's sentences are looked at.
_SENTENCES = 6


class Other:
    """A passage that claims are compared with; its nearest sentences are taken out once, when the first claim needs them."""

    def __init__(self, place: int, passage: Passage) -> None:
        self.place = place
        self.passage = passage

    @cached_property
    def nearest(self) -> list[tuple[int, Read]]:
        """The sentences that are nearest to the question, by their places."""
        return [(number, read_from(self.passage, number)) for number in nearest_of(self.passage, _SENTENCES)]

    @cached_property
    def _telling(self) -> list[tuple[int, Read, Telling]]:
        """The nearest ones that say something which could be compared: a third of them."""
        said = [(number, read, telling_of(read.text)) for number, read in self.nearest]
        return [one for one in said if any(one[2])]

    def meeting(self, claim: "Claim") -> list[tuple[int, Read]]:
        """Give the nearest ones that say something which a claim says something of the sort of."""
        return [(number, read) for number, read, telling in self._telling if claim.telling.meets(telling)]


class Claim(NamedTuple):
    """A sentence that is compared: its place, as it is read, its document, and how near it and its passage are to the question."""

    ref: SentenceRef
    read: Read
    card: DocumentCard
    relevance: float
    is_nearest: bool
    telling: Telling


def claim_of(ref: SentenceRef, cited: Passage, others: Sequence[Other]) -> Claim:
    """Read a cited sentence as what the others are compared with.

    Args:
        ref: its place.
        cited: its passage.
        others: the first passages, whose nearest sentences are known already.
    """
    if ref.passage < len(others):
        nearest = [number for number, _ in others[ref.passage].nearest[:1]]
    else:
        nearest = nearest_of(cited, 1)
    read = read_from(cited, ref.sentence)
    return Claim(ref, read, cited.document, cited.relevance, ref.sentence in nearest, telling_of(read.text))
