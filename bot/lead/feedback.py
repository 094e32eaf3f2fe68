"""What people say of an answer: useful or not, and why; and what that is worth as labelled questions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from bot.answers.kept_answers import KeptAnswer
from bot.messages import MessageId, Outcome, ThreadRef, Turn
from retrieval.redaction import EMPTY, RedactedText


class Verdict(StrEnum):
    """What somebody says of an answer."""

    USEFUL = "useful"
    NOT_USEFUL = "not_useful"


@dataclass(frozen=True, slots=True)
class Vote:
    """One person's verdict, the newest counts; `reason` is theirs, redacted. `at` is seconds since the epoch."""

    verdict: Verdict
    at: float
    reason: RedactedText = EMPTY


@dataclass(frozen=True, slots=True)
class Rated:
    """An answer with its votes, by the pseudonyms of who gave them."""

    message_id: MessageId
    thread: ThreadRef
    turn: Turn
    earlier: tuple[RedactedText, ...]
    votes: Mapping[str, Vote]


class FeedbackStore(Protocol):
    """Keeps votes. Raises `StateUnavailable` when Redis is out of reach."""

    async def vote(self, kept: KeptAnswer, user_id: str, vote: Vote) -> None:
        """Keep a person's vote; one with the same verdict and no reason leaves an earlier reason as it is."""
        ...

    async def withdraw(self, kept: KeptAnswer, user_id: str) -> None:
        """Drop a person's vote."""
        ...


def rated_answer(kept: KeptAnswer) -> Rated:
    """Make what is kept beside the votes: the question and what was cited, not the answer's words."""
    return Rated(kept.message.message_id, kept.message.thread, replace(kept.as_turn, answer=EMPTY), kept.earlier, {})


def evaluation_rows(rated: Iterable[Rated], *, since: float = 0.0) -> Iterator[dict[str, object]]:
    """Give the labelled questions that the votes are worth, in the form of `triage eval` and oldest first.

    What people found useful is relevant, and an honest "nothing found" that they agree with has no answer. Where most
    disagree it is not known what is relevant: such a row has neither `relevant` nor `answerable`, so that no evaluation
    takes it for an unanswerable question; it says which ids were `rejected` and why. A tie says nothing, and is left out.

    Args:
        rated: the answers.
        since: leave out those whose newest vote is older, seconds since the epoch.
    """
    for answer in sorted(rated, key=lambda one: one.turn.asked_at):
        votes = list(answer.votes.values())
        useful = sum(vote.verdict is Verdict.USEFUL for vote in votes)
        if 2 * useful == len(votes) or max(vote.at for vote in votes) < since:
            continue
        yield _row(answer, is_useful=2 * useful > len(votes), useful=useful)


def is_labelled(row: Mapping[str, object]) -> bool:
    """Tell whether `triage eval` can use a row as it is."""
    return "relevant" in row


def _row(answer: Rated, *, is_useful: bool, useful: int) -> dict[str, object]:
    turn = answer.turn
    is_answered = turn.outcome is Outcome.ANSWERED
    cited = list(turn.cited_ids)
    row: dict[str, object] = {"id": answer.message_id, "query": turn.question}
    if is_useful:
        row |= {"relevant": cited if is_answered else [], "answerable": is_answered}
    else:
        row["rejected"] = cited
    if answer.earlier:
        row["previous_user_turns"] = list(answer.earlier)
    row |= {"lang": turn.language, "outcome": str(turn.outcome)}
    row["votes"] = {"useful": useful, "not_useful": len(answer.votes) - useful}
    reasons = [vote.reason for vote in answer.votes.values() if vote.reason]
    return {**row, "reasons": reasons} if reasons else row
