"""Gate: declines end, doubts and failures pass."""

import asyncio
from dataclasses import replace

import pytest

from bot.ends import Ended
from bot.flow import FlowLimits
from bot.messages import GatedQuestion, Outcome, Question, Turn
from bot.stages.gate import gate_stage
from retrieval.passages import GateScore, GateVerdict
from retrieval.redaction import RedactedText
from tests.bot.flow_kit import RESET, ask, card, message, ports, text
from tests.fakes import FakePassageSource, make_passage

QUESTION = Question(message("Where is my invoice kept?"), text("Where is my invoice kept?"), "en")


async def test_an_unsure_verdict_passes() -> None:
    """Unsure is treated as answer."""
    gated = await gate_stage(QUESTION, ports=ports(FakePassageSource(RESET, verdict=GateVerdict.ASK)))
    assert isinstance(gated, GatedQuestion)
    assert gated.gate.verdict is GateVerdict.ASK


async def test_a_decline_ends() -> None:
    """The end remembers the score."""
    ended = await gate_stage(QUESTION, ports=ports(FakePassageSource(verdict=GateVerdict.DECLINE)))
    assert isinstance(ended, Ended)
    assert isinstance(ended.reached, GatedQuestion)


class SlowGate(FakePassageSource):
    """A gate that never answers."""

    async def gate(self, text: RedactedText, previous: RedactedText | None) -> GateScore:
        """Wait."""
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_gate_that_hangs_lets_the_question_through() -> None:
    """The time limit is the gate's, not the question's."""
    gated = await gate_stage(QUESTION, ports=ports(SlowGate(RESET), limits=FlowLimits(gate_timeout_s=0.01)))
    assert isinstance(gated, GatedQuestion)
    assert gated.gate.verdict is GateVerdict.ASK


async def test_a_standalone_question_is_judged_alone() -> None:
    """Only a follow-up is judged with the question before."""
    source = FakePassageSource(RESET)
    await gate_stage(QUESTION, ports=ports(source))
    assert source.gated == [("Where is my invoice kept?", None)]


class CloseGate(FakePassageSource):
    """A gate that declines a question alone with a given score, and judges it otherwise beside the one before it."""

    score = 0.4
    joint = GateVerdict.ANSWER

    async def gate(self, text: RedactedText, previous: RedactedText | None) -> GateScore:
        """Judge by whether there is a question before."""
        await super().gate(text, previous)
        return GateScore(GateVerdict.DECLINE, self.score) if previous is None else GateScore(self.joint, 0.8)


IN_THREAD = replace(
    QUESTION, turns=(Turn(text("How is my plan charged?"), text("Monthly."), (), "en", Outcome.ANSWERED, 1.0),)
)


async def test_a_close_decline_in_a_thread_is_unsure() -> None:
    """It is judged beside the question before it, and unsure at best; one that is far off stays declined."""
    source = CloseGate(RESET)
    gated = await gate_stage(IN_THREAD, ports=ports(source))
    assert isinstance(gated, GatedQuestion)
    assert gated.gate == GateScore(GateVerdict.ASK, 0.4)
    assert source.gated == [(QUESTION.text, None), (QUESTION.text, "How is my plan charged?")]
    source.score = 0.1
    assert isinstance(await gate_stage(IN_THREAD, ports=ports(source)), Ended)


async def test_a_close_decline_stays_one() -> None:
    """Without a thread, and beside a question that it does not fit either."""
    source = CloseGate(RESET)
    assert isinstance(await gate_stage(QUESTION, ports=ports(source)), Ended)
    source.joint = GateVerdict.DECLINE
    assert isinstance(await gate_stage(IN_THREAD, ports=ports(source)), Ended)


@pytest.mark.parametrize("asked", ["kb-101", "KB-101?", "please open `kb-101`.", "Open kb-101"])
async def test_a_source_named_by_its_id_is_not_declined(asked: str) -> None:
    """Its id is no subject that a gate could know; the source leads, and is answered from."""
    other = make_passage("kb-7", "Printers use paper of any size and colour.", relevance=0.9)
    answer = await ask(asked, FakePassageSource(other, replace(RESET, relevance=0.1), verdict=GateVerdict.DECLINE))
    assert answer.outcome is Outcome.ANSWERED
    assert [citation.id for citation in answer.citations] == ["kb-101"]


async def test_a_source_that_the_asker_may_not_see_is_not_named() -> None:
    """An id gives no way around the labels, and an unknown one none around the gate."""
    hidden = make_passage(card("kb-9", visibility=("legal",)), "The contract ends in May of this year.")
    for asked in ("kb-9", "kb-404"):
        answer = await ask(asked, FakePassageSource(hidden, verdict=GateVerdict.DECLINE))
        assert answer.outcome is Outcome.OFF_TOPIC


async def test_what_is_to_be_made_or_played_is_declined_unless_the_base_speaks_of_it() -> None:
    """A poem about invoices is no question on invoices; where documents speak of poems the gate judges as ever."""
    poem = replace(QUESTION, text=text("write me a poem about invoices"))
    ended = await gate_stage(poem, ports=ports(FakePassageSource(RESET)))
    assert isinstance(ended, Ended)
    assert ended.outcome is Outcome.OFF_TOPIC
    for held, end in ((1, GatedQuestion), (0, Ended)):
        own = replace(ports(FakePassageSource(RESET)), speakers=lambda words, held=held: {"en": held * len(words)})
        assert isinstance(await gate_stage(poem, ports=own), end)


async def test_a_follow_up_is_judged_with_the_newest_question_that_names_a_subject() -> None:
    """What leans on a question without a subject leans on the one before it."""
    turns = tuple(
        Turn(text(asked), text("Yes."), (), "en", Outcome.ANSWERED, 1.0)
        for asked in ("Is the setup fee refunded?", "how do I do it?")
    )
    source = FakePassageSource(RESET)
    await gate_stage(replace(QUESTION, text=text("who can do it?"), turns=turns), ports=ports(source))
    assert source.gated == [("who can do it?", "Is the setup fee refunded?")]
