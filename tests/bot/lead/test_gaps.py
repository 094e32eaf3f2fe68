"""Questions that nobody could answer: which answers leave one, what is kept of it, and that keeping it costs no answer."""

from dataclasses import replace

import pytest

from bot.errors import StateUnavailable
from bot.lead.gaps import Gap, GapNotingResponder, GapReason, gap_from_json, gap_of, gap_to_json
from bot.messages import AcceptedMessage, Answer, Notice, NoticeKind, Outcome, Told
from retrieval.passages import GateScore, GateVerdict
from retrieval.redaction import RedactedText
from tests.sample_messages import answer, message, turn

UNSURE = GateScore(GateVerdict.ASK, 0.5)
DECLINED = GateScore(GateVerdict.DECLINE, 0.1)
FAINT = (Notice(NoticeKind.UNCERTAIN, ("kb-101",), RedactedText.stored("not sure")),)


class Fixed:
    """A `Responder` with one answer."""

    def __init__(self, given: Answer) -> None:
        self.given = given

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give it."""
        return self.given


class Kept:
    """A `GapStore` in memory, which can be away."""

    def __init__(self, *, is_away: bool = False) -> None:
        self.gaps: list[Gap] = []
        self.is_away = is_away

    async def note(self, gap: Gap) -> None:
        """Keep one."""
        if self.is_away:
            raise StateUnavailable("away")
        self.gaps.append(gap)


async def named(user_id: str) -> str:
    """Name somebody."""
    return f"hash of {user_id}"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (answer(outcome=Outcome.NO_MATCH), GapReason.NO_MATCH),
        (replace(answer(outcome=Outcome.OFF_TOPIC), gate=UNSURE), GapReason.DECLINED),
        (replace(answer(), notices=FAINT), GapReason.UNCERTAIN),
        (answer(), None),
        (replace(answer(outcome=Outcome.OFF_TOPIC), gate=DECLINED), None),
        (answer(outcome=Outcome.COURTESY), None),
        (answer(outcome=Outcome.UNAVAILABLE), None),
        (answer(outcome=Outcome.NOT_PERMITTED), None),
    ],
)
def test_which_answers_leave_a_gap(given: Answer, reason: GapReason | None) -> None:
    """Nothing found, a faint answer, and a refusal that the gate was unsure of; not small talk, nor what is no question for a desk."""
    gap = gap_of(message(), given)
    assert (gap.reason if gap else None) == reason


def test_a_follow_up_is_kept_as_it_stands_alone() -> None:
    """Alone, "and on Android?" groups with nothing; outside of a thread the second query is an expansion and not the question."""
    queries = tuple(map(RedactedText.stored, ("and on Android?", "reset the password on Android", "password reset")))
    alone = replace(answer(outcome=Outcome.NO_MATCH), queries=queries)
    asked = message()
    within = replace(alone, told=Told(asked.text, (turn(),)))
    first, second = gap_of(asked, alone), gap_of(asked, within)
    assert first is not None
    assert second is not None
    assert (first.query, second.query) == (asked.text, queries[1])


async def test_noted_with_a_pseudonym_and_read_back() -> None:
    """The asker is a hash; what was written is read back as it was."""
    kept = Kept()
    given = answer(outcome=Outcome.NO_MATCH)
    assert await GapNotingResponder(Fixed(given), kept, name_of=named).respond(message()) is given
    (gap,) = kept.gaps
    assert gap.asker == "hash of U1"
    assert gap_from_json(gap_to_json(gap)) == gap


async def test_a_store_that_is_away_costs_no_answer() -> None:
    """The answer is given all the same."""
    given = answer(outcome=Outcome.NO_MATCH)
    assert await GapNotingResponder(Fixed(given), Kept(is_away=True)).respond(message()) is given


@pytest.mark.parametrize("text", ["", "[]", '{"message_id": "m"}', "null"])
def test_what_another_version_wrote_is_none(text: str) -> None:
    """It is skipped, not an error."""
    assert gap_from_json(text) is None
