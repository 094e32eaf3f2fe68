"""Gate: declines end, doubts and failures pass."""

import asyncio

from bot.ends import Ended
from bot.flow import FlowLimits
from bot.messages import GatedQuestion, Question
from bot.stages.gate import gate_stage
from retrieval.passages import GateScore, GateVerdict
from retrieval.redaction import RedactedText
from tests.bot.flow_kit import RESET, message, ports, text
from tests.fakes import FakePassageSource

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
