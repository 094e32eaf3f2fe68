"""An uncertain answer of a small base that would be a guess is none."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.answers.guesses import foreign_beside, is_guess
from bot.messages import NoticeKind, Outcome
from retrieval.passages import Band, Passage, Ranking
from retrieval.redaction import RedactedText
from tests.bot.flow_kit import ask, card
from tests.fakes import FakePassageSource, make_passage

QUESTION = "how do i pay with paypal"
TICKET = "If ten customers report one payment error, page the engineer."


class OfSize(FakePassageSource):
    """A base of so many documents."""

    def __init__(self, *passages: Passage, size: int) -> None:
        super().__init__(*passages)
        self.size = size

    async def search(self, queries: Sequence[RedactedText], *, audience: frozenset[str], top_k: int = 8) -> Ranking:
        ranking = await super().search(queries, audience=audience, top_k=top_k)
        return replace(ranking, size=self.size)


def found(text: str, *, relevance: float = 0.45, near: float = 0.2, lang: str = "en") -> Passage:
    """Make a passage between the fake's cuts of .3 and .5."""
    passage = make_passage(card(f"kb-{lang}", lang=lang), text, relevance=relevance)
    return replace(passage, sentences=tuple(replace(one, nearness=near) for one in passage.sentences))


def ranking(*passages: Passage, size: int = 30) -> Ranking:
    """Rank them in a base of this size."""
    return Ranking(passages, Band.UNCERTAIN, 0.5, 0.3, "i", "c", size=size)


@pytest.mark.parametrize(
    ("question", "passage", "size", "expected"),
    [
        (QUESTION, found(TICKET), 30, True),
        (QUESTION, found(TICKET, relevance=0.37, near=0.6), 30, True),  # hardly above the lower cut
        (QUESTION, found(TICKET, near=0.6), 30, False),  # a sentence is near
        (QUESTION, found("Paypal is how you pay."), 30, False),  # it holds the words
        (QUESTION, found(TICKET), 400, False),  # among many the cuts hold
        (QUESTION, found(TICKET), 0, False),  # nobody knows how many there are
        (QUESTION, found(TICKET), 9, False),  # so few that nothing was measured
        (QUESTION, found(TICKET, lang="de"), 30, False),  # no word can be expected
        (QUESTION, found(TICKET, relevance=0.1), 30, False),  # stands for the older version that was found
        ("how do i pay an overdue invoice of a foreign branch with paypal tonight", found(TICKET), 30, False),
        ("谁可以用银行卡付款", found(TICKET), 30, False),
    ],
)
def test_a_guess(question: str, passage: Passage, size: int, *, expected: bool) -> None:
    """A short question, a small base, a source of the asker's language that is barely relevant or shares too little."""
    assert is_guess(question, [passage], ranking(passage, size=size), "en") is expected


async def test_a_guess_ends_as_nothing_found() -> None:
    """The source is named as closest; in a large base it is quoted as uncertain."""
    answer = await ask(QUESTION, OfSize(found(TICKET), size=30))
    assert answer.outcome is Outcome.NO_MATCH
    assert [hit.id for hit in answer.nearest] == ["kb-en"]
    answer = await ask(QUESTION, OfSize(found(TICKET), size=400))
    assert [notice.kind for notice in answer.notices] == [NoticeKind.UNCERTAIN]


async def test_a_source_in_another_language_stands_in() -> None:
    """About as relevant as the guess, it is quoted as uncertain; one that is far more or less relevant is not."""
    german = found("Man zahlt per Lastschrift im Konto unter Zahlungsarten.", relevance=0.44, lang="de")
    answer = await ask(QUESTION, OfSize(found(TICKET), german, size=30))
    assert [citation.id for citation in answer.citations] == ["kb-de"]
    assert [notice.kind for notice in answer.notices] == [NoticeKind.UNCERTAIN]
    own = found(TICKET)
    for relevance in (0.31, 0.7):
        other = replace(german, relevance=relevance)
        assert foreign_beside([own, other], ranking(own, other), "en") == ()
