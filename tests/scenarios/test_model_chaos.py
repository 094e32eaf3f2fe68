"""Whatever the model's server does, every question gets an answer, soon, and never the raw reply."""

import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.answers.answer_json import answer_as_json
from bot.bootstrap import Flow, open_flow
from bot.messages import Platform
from bot.questions.accepting import accept_text, local_thread
from bot.texts import say
from config.settings import load_settings
from tests.conftest import MODELS
from tests.peers import anthropic_stubs as stubs
from tests.peers.anthropic_api import KEY, AnthropicPeer, Fault, anthropic_peer
from tests.scenarios.answer_contract import check_answer

QUESTION = "How do I reset my password for the console?"
LIMIT_S = 2.0
# What never ends well, and how many requests it may cost: rewrite and answer, with retries where they help.
FOREVER = [
    *((Fault("status", status, "0.01"), 3) for status in (429, 500, 504, 529)),
    *((Fault("status", status), 2) for status in (401, 402, 403, 413)),
    (Fault("status", 400), 3),
    (Fault("status", 429, "3600"), 2),
    (Fault("stall"), 2),
    (Fault("cut"), 3),
    *((Fault(kind), 2) for kind in ("early_end", "broken_json", "error_event", "no_stop", "empty", "refusal", "huge", "tool_use")),
]  # fmt: skip


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(sample_index: Path) -> AsyncIterator[tuple[Flow, AnthropicPeer]]:
    """Give one flow over the sample for all faults, with the peer as its cited model."""
    with pytest.MonkeyPatch.context() as patch:
        async with anthropic_peer() as peer:
            surroundings = {
                "ANTHROPIC_BASE_URL": peer.url, "ANTHROPIC_API_KEY": KEY, "TRIAGE_CITATIONS": "on",
                "TRIAGE_MODEL_TIMEOUT_S": str(LIMIT_S), "TRIAGE_DATA_DIR": str(MODELS), "TRIAGE_LOG_LEVEL": "error",
            }  # fmt: skip
            for name, value in surroundings.items():
                patch.setenv(name, value)
            async with open_flow(load_settings(None), index_dir=sample_index) as flow:
                yield flow, peer


async def asked(served: tuple[Flow, AnthropicPeer]) -> dict[str, Any]:
    flow, peer = served
    peer.requests.clear()
    message = accept_text(
        QUESTION,
        thread=local_thread(Platform.CONSOLE, "t"),
        redactor=flow.redactor,
        received_at=0.0,
        audience=frozenset({"public", "internal"}),
    )
    answer = answer_as_json(await flow.pipeline.respond(message))
    check_answer(answer)
    return answer


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("fault", "most"), FOREVER, ids=lambda value: getattr(value, "kind", None))
async def test_failing_model_gives_the_extractive_answer(
    served: tuple[Flow, AnthropicPeer], fault: Fault, most: int
) -> None:
    """The best sentences with notice `degraded`, within the limits of both calls, after at most three requests."""
    served[1].always = fault
    started = time.monotonic()
    answer = await asked(served)
    assert time.monotonic() - started < 2 * LIMIT_S + 3
    assert (answer["outcome"], answer["mode"]) == ("answered", "extractive")
    (notice,) = [notice for notice in answer["notices"] if notice["kind"] == "degraded"]
    is_there = fault.kind in {"early_end", "broken_json", "no_stop", "empty", "refusal", "huge", "tool_use"}
    assert notice["text"] == say("model_unusable" if is_there else "degraded", "en")
    assert len(served[1].bodies) <= most <= 3
    assert "Open it. Open it." not in answer["text"]


@pytest.mark.asyncio(loop_scope="module")
async def test_cut_answer_is_shown_with_its_notice(served: tuple[Flow, AnthropicPeer]) -> None:
    """At the token limit the complete verified sentences are posted and marked as truncated."""
    peer = served[1]
    peer.always, peer.stub = Fault("max_tokens"), stubs.honest
    answer = await asked(served)
    assert (answer["outcome"], answer["mode"]) == ("answered", "model")
    assert "truncated" in {notice["kind"] for notice in answer["notices"]}
    assert "open the adv" not in answer["text"]


@pytest.mark.asyncio(loop_scope="module")
async def test_model_is_used_again_when_it_is_back(served: tuple[Flow, AnthropicPeer]) -> None:
    """The next question after an outage is answered by the model, cited, with its tokens counted."""
    peer = served[1]
    peer.always, peer.stub = None, stubs.honest
    answer = await asked(served)
    assert (answer["mode"], answer["notices"]) == ("model", [])
    assert answer["provenance"]["prompt"].startswith("cited-")
    assert answer["usage"]["output_tokens"] > 0


@pytest.mark.asyncio(loop_scope="module")
async def test_obedient_model_posts_nothing_of_the_attacker(served: tuple[Flow, AnthropicPeer]) -> None:
    """A model that does everything a hostile text asks for: no prompt, mark, mention, link or foreign id is posted."""
    peer = served[1]
    peer.always, peer.stub = None, stubs.obey
    answer = await asked(served)
    shown = f"{answer['text']} {answer['citations']} {answer['notices']}"
    for word in ("My instructions", "zq", "<!channel", "U0ADMIN", "attacker", "KB-9999", "hoverboard"):
        assert word not in shown
