"""What of an answer becomes history."""

from dataclasses import replace

import pytest

from bot.messages import MessageId, Outcome, ThreadRef, Turn
from bot.questions.turns import FORGOTTEN, remember_turn, turn_of
from tests.sample_messages import answer, message


class _Turns:
    """A store that keeps turns by message."""

    def __init__(self) -> None:
        self.kept: dict[MessageId, Turn] = {}

    async def turns(self, thread: ThreadRef) -> tuple[Turn, ...]:
        return tuple(self.kept.values())

    async def remember(self, thread: ThreadRef, turn: Turn, *, message_id: MessageId) -> None:
        self.kept.setdefault(message_id, turn)

    async def ping(self) -> None:
        return None


def test_turn_holds_question_answer_and_each_id_once() -> None:
    """The turn has the asked text, the given text, cited ids without repeats, and the cost."""
    asked, given = message(), answer()
    kept = turn_of(asked, given)
    assert kept is not None
    assert (kept.question, kept.answer, kept.cited_ids) == (asked.text, given.text, ("kb-101",))
    assert (kept.asked_at, kept.cost_usd, kept.language) == (asked.received_at, 0.5, "en")


@pytest.mark.parametrize("outcome", Outcome)
async def test_ends_that_say_nothing_are_forgotten(outcome: Outcome) -> None:
    """A greeting, a refusal and a fault leave no turn; every other end does."""
    store = _Turns()
    await remember_turn(store, message(), answer(outcome=outcome))
    assert bool(store.kept) is (outcome not in FORGOTTEN)


def test_unread_files_are_in_history() -> None:
    """What was said of a file that was not read belongs to the turn, so that a follow-up can name it."""
    asked, given = replace(message(), routing=(("files", "screen.png\nlog.txt"),)), answer()
    kept = turn_of(asked, given)
    assert kept is not None
    assert kept.answer.startswith(f"{given.text}\n")
    assert "screen.png" in kept.answer
    assert "log.txt" in kept.answer
