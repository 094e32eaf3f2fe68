"""Queue and next step come from retrieved tickets alone."""

import pytest

from bot.answers.triage_vote import vote
from retrieval.passages import Band, Passage, Ranking
from tests.bot.flow_kit import RESET, card
from tests.fakes import make_passage


def _ticket(id_: str, queue: str, relevance: float = 0.9, **facts: object) -> Passage:
    return make_passage(
        card(id_, kind="ticket", queue=queue, **facts),
        f"We reset the key for {id_} and it worked.",
        relevance=relevance,
    )


def _ranking(*passages: Passage, band: Band = Band.ANSWERED) -> Ranking:
    return Ranking(passages, band, 0.5, 0.3, "i", "c")


def test_the_queue_of_most_relevance_wins() -> None:
    """Basis, similar tickets and next step name where it comes from."""
    voted = vote(
        _ranking(_ticket("t-1", "access"), RESET, _ticket("t-2", "billing", 0.46), _ticket("t-3", "access", 0.6))
    )
    assert voted is not None
    assert voted.queue == "access"
    assert voted.basis == ("t-1", "t-3")
    assert voted.similar == ("t-1", "t-2", "t-3")
    assert voted.next_step == "We reset the key for t-1 and it worked."
    assert 0.5 < voted.confidence < 1


def test_too_little_agreement_says_nothing() -> None:
    """Split votes, no tickets, no queue, irrelevant or quarantined tickets, or nothing found: no triage."""
    assert vote(_ranking(_ticket("t-1", "a", 0.4), _ticket("t-2", "b", 0.4), _ticket("t-3", "c", 0.4))) is None
    assert vote(_ranking(RESET)) is None
    assert vote(_ranking(_ticket("t-1", ""))) is None
    assert vote(_ranking(_ticket("t-1", "access", 0.1))) is None
    assert vote(_ranking(_ticket("t-1", "access", quarantined=True))) is None
    assert vote(_ranking(_ticket("t-1", "access"), band=Band.NONE)) is None


def test_one_weak_ticket_says_nothing() -> None:
    """Alone it must be as relevant as a plain answer, and the answer a plain one; two that agree may be weaker."""
    assert vote(_ranking(_ticket("t-1", "access", 0.45))) is None
    assert vote(_ranking(_ticket("t-1", "access", 0.6), band=Band.UNCERTAIN)) is None
    voted = vote(_ranking(_ticket("t-1", "access", 0.45), _ticket("t-2", "access", 0.45)))
    assert voted is not None
    assert voted.queue == "access"


def test_without_a_quotable_resolution_there_is_no_next_step() -> None:
    """The queue is still known."""
    bare = make_passage(card("t-1", kind="ticket", queue="access"), "Done.")
    voted = vote(_ranking(bare))
    assert voted is not None
    assert voted.next_step == ""


def test_a_ticket_far_behind_has_no_vote() -> None:
    """Half as relevant as the best source is about something else."""
    assert vote(_ranking(RESET, _ticket("t-1", "access", 0.4))) is None


def test_the_next_step_is_readable_new_and_no_salutation() -> None:
    """Of the asker's language or English, not said already, and not "Hi [NAME]"."""
    ukrainian = _ranking(_ticket("t-1", "access", lang="uk"))
    step = "We reset the key for t-1 and it worked."
    for language, said, expected in (("uk", "", step), ("fr", "", ""), ("", "", step), ("uk", f"“{step}” [1]", "")):
        voted = vote(ukrainian, language=language, said=said)
        assert voted is not None
        assert voted.next_step == expected
    polite = make_passage(card("t-1", kind="ticket", queue="access"), "Hi there, we have reset the key for you.")
    voted = vote(_ranking(polite))
    assert voted is not None
    assert voted.next_step == ""


@pytest.mark.parametrize("queue", ["<!channel>", "@here", "billing\n<!here>", "https://evil.example"])
def test_a_queue_that_would_ping_has_no_vote(queue: str) -> None:
    """The field of a ticket is foreign text too."""
    voted = vote(_ranking(_ticket("t-1", queue), _ticket("t-2", "billing")))
    assert voted is not None
    assert (voted.queue, voted.basis) == ("billing", ("t-2",))
    assert vote(_ranking(_ticket("t-1", queue))) is None
