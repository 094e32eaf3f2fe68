"""Watched ports do what they wrap does, and tell of it."""

from dataclasses import replace

import pytest

from bot.adapters.web.metrics import AnswerMetrics
from bot.errors import ChatModelRejected, ChatModelUnavailable
from bot.messages import Outcome
from bot.observed import ObservedModel, ObservedResponder
from bot.ports import AnswerRequest
from retrieval.redaction import EMPTY
from tests.fake_state import EchoResponder
from tests.fakes import ScriptedModel
from tests.sample_messages import message


async def test_every_answer_is_shown_with_its_refusal() -> None:
    """The answer is the wrapped one; a refused question is counted by its reason."""
    metrics = AnswerMetrics()
    watched = ObservedResponder(EchoResponder(), metrics.observe_reply)
    assert (await watched.respond(message("m1"))).outcome is Outcome.ANSWERED
    await watched.respond(replace(message("m2"), refusal="over_limit"))
    text = metrics.exposition().decode()
    assert 'triage_refusals_total{reason="over_limit"} 1.0' in text
    assert 'triage_answers_total{mode="extractive",outcome="answered",platform="slack"} 1.0' in text


async def test_failed_calls_are_shown_and_raised() -> None:
    """Which call failed and how, by its class; the error goes on as it was."""
    seen: list[tuple[str, str]] = []
    model = ScriptedModel(ChatModelUnavailable("secret"), ChatModelRejected("secret"))
    watched = ObservedModel(model, lambda call, error: seen.append((call, error)))
    request = AnswerRequest(EMPTY, "en", (), (), 1.0)
    with pytest.raises(ChatModelUnavailable):
        await watched.answer(request)
    with pytest.raises(ChatModelRejected):
        await watched.rewrite(request)  # type: ignore[arg-type]
    await watched.ping()
    assert seen == [("answer", "ChatModelUnavailable"), ("rewrite", "ChatModelRejected")]
