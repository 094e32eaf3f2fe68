"""The two sides of a comparison: a sentence that an answer cites, and the sentences of another passage."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from bot.answers.compared_sentences import Read, are_alike, begun_of, read_from
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
    def _begun(self) -> list[tuple[int, Read, frozenset[str]]]:
        return [(number, read, begun_of(read)) for number, read in self.nearest]

    def meeting(self, claim: "Claim") -> list[tuple[int, Read]]:
        """Give the nearest ones that may be about the same as a claim and say something that can be compared with it.

        What a sentence says is looked for last: it takes ten times as long.
        """
        lang, ours = claim.read.lang, begun_of(claim.read)
        return [
            (number, read)
            for number, read, theirs in self._begun
            if (lang != read.lang or are_alike(ours, theirs)) and claim.telling.meets(telling_of(read.text))
        ]


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
