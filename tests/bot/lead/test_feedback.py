"""Verdicts as labelled questions: what `triage eval` may take, and what waits for somebody."""

from dataclasses import replace
from pathlib import Path

from bot.lead.feedback import Rated, Verdict, Vote, evaluation_rows, is_labelled
from bot.messages import MessageId, Outcome
from retrieval.evaluation import LabelledQuestion
from retrieval.redaction import RedactedText
from scripts.labelled import question_of
from scripts.queries import Row
from tests.sample_messages import thread, turn

sealed = RedactedText.stored
GOOD, BAD = Vote(Verdict.USEFUL, 20.0), Vote(Verdict.NOT_USEFUL, 30.0, sealed("outdated"))


def rated(*votes: Vote, name: str = "m1", outcome: Outcome = Outcome.ANSWERED, asked_at: float = 1.0) -> Rated:
    """Make an answer with votes."""
    asked = replace(turn("q"), outcome=outcome, asked_at=asked_at)
    asked = asked if outcome is Outcome.ANSWERED else replace(asked, cited_ids=())
    return Rated(MessageId(name), thread(), asked, (sealed("before"),), {str(n): v for n, v in enumerate(votes)})


def read(row: dict[str, object]) -> LabelledQuestion:
    """Read a row as `triage eval` does."""
    return question_of(Row(str(Path("rows.jsonl")), row))


def test_a_useful_answer_is_relevant() -> None:
    """The ids that it cited, the questions before it and its language; the evaluation reads the row."""
    (row,) = evaluation_rows([rated(GOOD)])
    assert is_labelled(row)
    question = read(row)
    assert (question.relevant, question.is_answerable, question.previous_user_turns) == (("kb-101",), True, ("before",))


def test_an_honest_nothing_that_people_agree_with_has_no_answer() -> None:
    """It becomes an unanswerable question."""
    (row,) = evaluation_rows([rated(GOOD, outcome=Outcome.NO_MATCH)])
    assert (read(row).relevant, read(row).is_answerable) == ((), False)


def test_a_bad_verdict_labels_nothing() -> None:
    """What would have been right is not known: the row names what was rejected and why, and no evaluation can misread it."""
    (row,) = evaluation_rows([rated(BAD, BAD, GOOD)])
    assert not is_labelled(row)
    assert (row["rejected"], row["reasons"]) == (["kb-101"], ["outdated", "outdated"])
    assert {"relevant", "answerable"}.isdisjoint(row)


def test_rows_come_oldest_first_and_can_begin_at_a_day() -> None:
    """A verdict before the day leaves its answer out; a tie says nothing."""
    rows = [rated(GOOD, name="b", asked_at=2.0), rated(BAD, name="a"), rated(GOOD, BAD, name="tie")]
    assert [row["id"] for row in evaluation_rows(rows)] == ["a", "b"]
    assert [row["id"] for row in evaluation_rows(rows, since=25.0)] == ["a"]
