"""One deadline for a question, whatever its calls take."""

import asyncio
import time
from dataclasses import dataclass, replace

import pytest

from bot.errors import ChatModelError
from bot.flow import KEPT_BACK_S, FlowLimits
from bot.messages import Mode, NoticeKind, Outcome
from bot.pipeline import Pipeline
from bot.ports import AnswerRequest, ModelAnswer, ModelRewrite, RewriteRequest
from retrieval.language import language_of
from tests.bot.flow_kit import message, ports
from tests.fakes import ScriptedModel


@pytest.fixture(autouse=True, scope="module")
def _language_model() -> None:
    """Reading it takes seconds on a busy machine, once a process."""
    language_of("How do I reset my password?")


@dataclass
class SlowModel(ScriptedModel):
    """Takes its time for the rewrite, then never answers."""

    rewrite_s: float

    def __post_init__(self) -> None:
        super().__init__()

    async def rewrite(self, request: RewriteRequest) -> ModelRewrite:
        self.requests.append(request)
        await asyncio.sleep(self.rewrite_s)
        raise ChatModelError("too slow to be of use")

    async def answer(self, request: AnswerRequest) -> ModelAnswer:
        self.requests.append(request)
        await asyncio.Event().wait()
        raise AssertionError("never reached")


async def test_a_rewrite_takes_its_time_from_the_answer() -> None:
    """Each call alone is within its limit; together they end at the deadline, with quotes."""
    limits = FlowLimits(rewrite_timeout_s=0.2, model_timeout_s=0.4, answer_within_s=KEPT_BACK_S + 0.3)
    model = SlowModel(rewrite_s=0.15)
    began = time.monotonic()
    answer = await Pipeline(ports(model=model, limits=limits)).respond(message("How do I reset my password?"))
    took = time.monotonic() - began
    assert took < 0.5
    assert (answer.outcome, answer.mode) == (Outcome.ANSWERED, Mode.EXTRACTIVE)
    assert [notice.kind for notice in answer.notices] == [NoticeKind.DEGRADED]
    rewrite, said = model.requests
    assert isinstance(rewrite, RewriteRequest)
    assert isinstance(said, AnswerRequest)
    assert said.timeout_s <= 0.15 < rewrite.timeout_s


async def test_a_question_out_of_time_asks_no_model_in_vain() -> None:
    """With nothing left of its time the sources are quoted at once."""
    limits = FlowLimits(answer_within_s=KEPT_BACK_S)
    began = time.monotonic()
    answer = await Pipeline(ports(model=SlowModel(rewrite_s=5.0), limits=limits)).respond(message("How do I reset it?"))
    assert time.monotonic() - began < 1.0
    assert answer.mode is Mode.EXTRACTIVE


def test_the_promised_time_is_30_seconds() -> None:
    """The limits of single calls add up to more, so the deadline is what holds."""
    limits = FlowLimits()
    assert limits.answer_within_s == 30.0
    flow = replace(
        ports(limits=limits), deadline_s=time.monotonic() + limits.answer_within_s - limits.rewrite_timeout_s
    )
    assert flow.time_for(limits.model_timeout_s) == pytest.approx(24.0 - KEPT_BACK_S, abs=0.2)
