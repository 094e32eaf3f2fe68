"""The adapter against llmock, an Anthropic peer that others wrote: it answers, fails on demand and judges the client."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.adapters.model.chat import ChatOptions
from bot.errors import ChatModelOutputInvalid, ChatModelRejected, ChatModelUnavailable
from bot.ports import ModelAnswer
from tests.bot.adapters.model.chat_samples import answer_request, opened, rewrite_request
from tests.peers.llmock import Llmock, running_llmock

pytestmark = pytest.mark.llmock


@pytest.fixture(scope="module")
def llmock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Llmock]:
    """Give a running llmock."""
    with running_llmock(tmp_path_factory.mktemp("llmock")) as peer:
        yield peer


def options(peer: Llmock, **changes: Any) -> ChatOptions:
    return ChatOptions(**({"base_url": peer.url, "answer_model": "small", "rewrite_model": "small"} | changes))


async def test_scripted_answer_is_read(llmock: Llmock) -> None:
    """A reply with our numbers becomes sentences with evidence, and its usage is counted."""
    llmock.script({"type": "reply", "text": "Open Settings and choose Billing. [S1] Click Export [S2, S3]."})
    async with opened(options(llmock)) as chat:
        answer = await chat.answer(answer_request())
    found = [(s.text, [r.sentence for r in s.refs]) for s in answer.sentences]
    assert found == [("Open Settings and choose Billing.", [0]), ("Click Export.", [1, 2])]
    assert answer.usage.output_tokens > 0


async def test_cited_request_is_taken(llmock: Llmock) -> None:
    """A server that ignores citations answers a cited request without evidence, which is given as such."""
    llmock.script({"type": "reply", "text": "Open Settings."})
    async with opened(options(llmock, citations="on")) as chat:
        answer = await chat.answer(answer_request())
    assert [(s.text, s.refs) for s in answer.sentences] == [("Open Settings.", ())]


@pytest.mark.parametrize(("status", "told"), [(429, {"retry_after": 1}), (500, {}), (529, {})])
async def test_faults_are_met_as_llmock_wants(llmock: Llmock, status: int, told: dict[str, int]) -> None:
    """A fault and an answer: the wait asked for is kept (llmock tells whole seconds), and its verdict finds nothing."""
    llmock.script({"type": "fail", "status": status, **told}, {"type": "reply", "text": "Open Settings [S1]."})
    async with opened(options(llmock)) as chat:
        assert (await chat.answer(answer_request())).usage.calls == 2
    verdict = llmock.verdict()
    assert (verdict["passed"], verdict["attempts"], verdict["warnings"]) == (True, 2, 0)


async def test_refused_key_is_not_tried_again(llmock: Llmock) -> None:
    """A 401 is one request, which llmock approves of."""
    llmock.script({"type": "fail", "status": 401, "times": 5})
    async with opened(options(llmock)) as chat:
        with pytest.raises(ChatModelRejected):
            await chat.answer(answer_request())
    assert (llmock.verdict()["passed"], llmock.verdict()["attempts"]) == (True, 1)


async def test_hour_long_wait_and_silence_end_in_time(llmock: Llmock) -> None:
    """`Retry-After: 3600` and a server that holds the answer both end as an outage within the limit."""
    llmock.script({"type": "fail", "status": 429, "retry_after": 3600})
    async with opened(options(llmock)) as chat:
        with pytest.raises(ChatModelUnavailable):
            await chat.answer(answer_request())
        llmock.script({"type": "delay", "seconds": 0.9})
        with pytest.raises(ChatModelUnavailable):
            await chat.answer(answer_request(timeout_s=0.3))


async def test_chatter_instead_of_a_rewrite(llmock: Llmock) -> None:
    """Small talk of llmock over two lines is no rewrite; a labelled line is."""
    llmock.script(
        {"type": "reply", "text": "Hello!\nLLMock handled this."},
        {"type": "reply", "text": "STANDALONE: invoices on Android?"},
    )
    async with opened(options(llmock)) as chat:
        with pytest.raises(ChatModelOutputInvalid):
            await chat.rewrite(rewrite_request())
        assert (await chat.rewrite(rewrite_request())).standalone == "invoices on Android?"


async def test_ping_reaches_it(llmock: Llmock) -> None:
    """The list of models is there to be asked for."""
    llmock.script()
    async with opened(options(llmock)) as chat:
        await chat.ping()


@pytest.mark.parametrize("kind", ["", "truncate", "disconnect", "malformed"])
async def test_a_stream_of_others_is_read_or_asked_for_again(llmock: Llmock, kind: str) -> None:
    """A whole stream gives its sentences early; one that breaks in the middle is asked for in one piece."""
    said = "Open Settings and choose the section that is called Billing. [S1] Click Export. [S2] Then it is done. [S3]"
    fault = [{"type": "stream_fault", "kind": kind, "after_chunks": 3, "times": 1}] if kind else []
    llmock.script(*fault, {"type": "reply", "text": said, "times": 2})
    parts: list[Callable[[], ModelAnswer | None]] = []
    async with opened(options(llmock)) as chat:
        answer = await chat.answer(answer_request(written=parts.append))
    assert (len(answer.sentences), answer.usage.calls) == (3, 2 if kind else 1)
    assert kind or any(part() for part in parts)
