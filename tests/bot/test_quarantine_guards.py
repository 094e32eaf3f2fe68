"""Each guard against held documents by itself: what stands before it has let one through, and still nothing of it comes out."""

from dataclasses import replace

import pytest

from bot.adapters.model.request import sources_of
from bot.answers.freshness import day_of
from bot.answers.sources import usable_passages
from bot.answers.triage_vote import vote
from bot.ends import Ended, answer_of_end
from bot.messages import (
    Answer,
    DraftAnswer,
    DraftSentence,
    GatedQuestion,
    Mode,
    Outcome,
    Queries,
    Question,
    Retrieved,
    SentenceRef,
)
from bot.stages.verify import verify_stage
from retrieval.passages import Band, GateScore, GateVerdict, Passage, Ranking
from tests.bot.flow_kit import NOW, card, message, ports
from tests.fakes import FakePassageSource, make_passage


def passage(*, is_held: bool) -> Passage:
    """Give a true source, held back or not."""
    ticket = card("t-1", lang="en", kind="ticket", queue="billing", title="Board salaries", quarantined=is_held)
    return make_passage(ticket, "The board is paid 777 units a month by the bank.")


def ranking(found: Passage) -> Ranking:
    """Rank it first, as if the search knew nothing of decisions."""
    return Ranking((found,), Band.ANSWERED, 0.5, 0.3, "i", "c")


def draft(found: Passage, *, is_quote: bool) -> DraftAnswer:
    """Draft an answer that says what it says, as if neither the retrieve nor the answer stage had looked."""
    asked = message("How much is the board paid?")
    queries = Queries(
        GatedQuestion(Question(asked, asked.text, "en"), GateScore(GateVerdict.ANSWER, 1.0)), asked.text, asked.text
    )
    sentence = DraftSentence(found.sentences[0].text, (SentenceRef(0, 0),), is_quote=is_quote)
    mode = Mode.EXTRACTIVE if is_quote else Mode.MODEL
    return DraftAnswer(Retrieved(queries, ranking(found)), (found,), (sentence,), mode)


@pytest.mark.parametrize("is_quote", [True, False])
async def test_verify_alone_lets_nothing_of_a_held_document_out(is_quote: bool) -> None:
    """A true sentence of it, cited as it should be, is removed; neither quote, title nor id is left in any field."""
    for is_held in (False, True):
        found = passage(is_held=is_held)
        ended = await verify_stage(draft(found, is_quote=is_quote), ports=ports(FakePassageSource(found)))
        answer = answer_of_end(ended) if isinstance(ended, Ended) else ended
        assert isinstance(answer, Answer)
        assert (answer.outcome is Outcome.ANSWERED) != is_held
        assert all((word in repr(answer)) != is_held for word in ("777", "t-1", "Board salaries"))


def test_the_choice_of_evidence_alone_leaves_it_out() -> None:
    """Before a draft is made, whatever the ranking says."""
    for is_held in (False, True):
        assert bool(usable_passages([passage(is_held=is_held)], day_of(NOW))) != is_held


def test_the_request_alone_leaves_it_out() -> None:
    """A model is not sent it, whatever the answer stage hands over."""
    for is_held in (False, True):
        assert bool(sources_of([passage(is_held=is_held)])) != is_held


def test_it_votes_for_no_queue_and_is_named_nowhere() -> None:
    """Nor does its queue come out, or its title among the closest sources."""
    for is_held in (False, True):
        found = passage(is_held=is_held)
        assert (vote(ranking(found)) is not None) != is_held
        reached = replace(draft(found, is_quote=True), sentences=())
        assert ("Board salaries" in answer_of_end(Ended(Outcome.NO_MATCH, "no_match", reached)).text) != is_held
