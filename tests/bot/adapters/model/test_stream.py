"""Answers read while they are written, over real HTTP, and the way back to one piece when a stream breaks."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from bot.adapters.model.chat import AnthropicChat
from bot.adapters.model.client import Endpoint, MessagesClient
from bot.errors import ChatModelError, ChatModelOutputInvalid, ChatModelRejected, ChatModelUnavailable
from bot.ports import ModelAnswer
from tests.bot.adapters.model.chat_samples import EXPORT, LIMITS, answer_request, api_options, local_options, opened
from tests.peers.anthropic_api import AnthropicPeer, Fault, anthropic_peer
from tests.peers.anthropic_events import StreamAs
from tests.peers.anthropic_rules import Json
from tests.peers.anthropic_stubs import Ask, parrot, text_blocks

Read = Callable[[], ModelAnswer | None]


@pytest.fixture
async def api() -> AsyncIterator[AnthropicPeer]:
    async with anthropic_peer() as peer:
        peer.stub = parrot
        yield peer


@pytest.fixture
async def local() -> AsyncIterator[AnthropicPeer]:
    async with anthropic_peer("ollama") as peer:
        peer.stub = parrot
        yield peer


async def asked(chat: AnthropicChat, **changes: Any) -> tuple[ModelAnswer, list[ModelAnswer]]:
    """Ask; give the answer and the different parts that could be read before its end."""
    parts: list[Read] = []
    answer = await chat.answer(answer_request(written=parts.append, **changes))
    read = [part for part in (part() for part in parts) if part is not None]
    return answer, [one for one, before in zip(read, [None, *read], strict=False) if one != before]


@pytest.mark.parametrize("is_cited", [True, False])
async def test_parts_are_the_beginnings_of_the_answer(
    api: AnthropicPeer, local: AnthropicPeer, *, is_cited: bool
) -> None:
    """Each part holds whole sentences with their evidence, one more than the last; the answer is that of a plain request."""
    options = api_options(api) if is_cited else local_options(local)
    async with opened(options) as chat:
        answer, parts = await asked(chat)
        plain = await chat.answer(answer_request())
    assert answer == plain
    assert [len(part.sentences) for part in parts] == [2, 3, 4]
    for part in parts:
        assert part.sentences == answer.sentences[: len(part.sentences)]
    (streamed, whole) = (api if is_cited else local).bodies
    assert (streamed["stream"], "stream" in whole) == (True, False)


async def test_a_part_is_there_while_the_model_writes(api: AnthropicPeer) -> None:
    """The first sentences can be read before the server has sent the last."""
    seen = asyncio.Event()

    async def wait(said: str) -> None:
        if LIMITS[1] in said:
            await seen.wait()

    api.on_piece = wait

    def written(read: Read) -> None:
        if (part := read()) is not None and part.sentences[0].text == EXPORT[0]:
            seen.set()

    async with opened(api_options(api)) as chat, asyncio.timeout(5):
        assert len((await chat.answer(answer_request(written=written))).sentences) == 5


async def test_a_first_part_tells_its_language(local: AnthropicPeer) -> None:
    """Below forty letters nothing is shown, and nothing of an answer in another language."""
    local.stub = text_blocks("Go on. [S1] Yes. [S1] Open it. [S1] Then it is done. [S1] Good.")
    async with opened(local_options(local)) as chat:
        assert (await asked(chat))[1] == []
        german = "Öffnen Sie die Einstellungen und wählen Sie dort die Abrechnung aus. [S1] Klicken Sie auf Export. [S1] Gut."
        local.stub = text_blocks(german)
        with pytest.raises(ChatModelOutputInvalid):
            await asked(chat)


async def test_evidence_that_may_still_come_is_waited_for(local: AnthropicPeer) -> None:
    """A sentence is not whole while the numbers behind it are being written, nor while it may go on."""
    said = (
        "Open Settings and choose Billing in it, if you please. [S1] [S2] Use version 1.5 of the tool. [S3] Then end."
    )
    local.stub = text_blocks(said)
    async with opened(local_options(local)) as chat:
        answer, parts = await asked(chat)
    assert [sentence.refs for sentence in parts[0].sentences] == [answer.sentences[0].refs]
    assert [len(part.sentences) for part in parts] == [1, 2]
    assert parts[1].sentences[1].text == "Use version 1.5 of the tool."


@pytest.mark.parametrize("stream_as", ["cut", "early end", "malformed", "error event"])
async def test_a_broken_stream_is_asked_for_in_one_piece(local: AnthropicPeer, stream_as: StreamAs) -> None:
    """The answer comes all the same, both requests are counted, and the next one is not streamed."""
    local.stream_as = stream_as
    async with opened(local_options(local)) as chat:
        answer, parts = await asked(chat)
        assert (len(answer.sentences), answer.usage.calls) == (5, 2)
        assert parts
        await asked(chat)
    assert [bool(body.get("stream")) for body in local.bodies] == [True, False, False]


@pytest.mark.parametrize("stream_as", ["refused", "in one piece"])
async def test_a_server_without_streams_is_remembered(local: AnthropicPeer, stream_as: StreamAs) -> None:
    """One that refuses `stream`, or does not heed it, is asked plainly from then on."""
    local.stream_as = stream_as
    calls = []
    async with opened(local_options(local)) as chat:
        for _ in range(2):
            answer, parts = await asked(chat)
            assert (len(answer.sentences), parts) == (5, [])
            calls.append(answer.usage.calls)
    assert calls == [2 if stream_as == "refused" else 1, 1]
    assert [bool(body.get("stream")) for body in local.bodies][-1] is False


async def test_data_lines_alone_are_read(local: AnthropicPeer) -> None:
    """A stream without names of events, without starts and ends of blocks, is a stream."""
    local.stream_as = "bare"
    async with opened(local_options(local)) as chat:
        answer, parts = await asked(chat)
    assert (len(answer.sentences), len(parts), answer.usage.calls) == (5, 3, 1)


async def test_an_endless_stream_is_not_asked_for_again(local: AnthropicPeer) -> None:
    """More than the limit can hold ends the call at once."""
    local.stream_as = "endless"
    async with opened(local_options(local)) as chat:
        with pytest.raises(ChatModelOutputInvalid):
            await asked(chat)
    assert len(local.bodies) == 1


async def test_a_busy_server_gets_three_requests(api: AnthropicPeer) -> None:
    """A 529 before the stream costs what it costs a plain request, and streams stay on."""
    api.script(Fault("status", 529, "0.01"))
    async with opened(api_options(api)) as chat:
        assert (await asked(chat))[0].usage.calls == 2
        await asked(chat)
        api.always = Fault("status", 529, "0.01")
        with pytest.raises(ChatModelUnavailable) as caught:
            await asked(chat)
    assert caught.value.usage.calls == 3
    assert [bool(body.get("stream")) for body in api.bodies] == [True, False, True, True, False, False]


@pytest.mark.parametrize("status", [400, 401, 413])
async def test_what_the_api_refuses_is_refused(api: AnthropicPeer, status: int) -> None:
    """The API knows streams: its refusal is of the request, which is not sent again."""
    api.always = Fault("status", status)
    async with opened(api_options(api, citations="on")) as chat:
        with pytest.raises(ChatModelRejected):
            await asked(chat)
    assert len(api.bodies) == 1


async def test_what_a_stream_says_of_its_end_counts(api: AnthropicPeer) -> None:
    """A refusal, room that ran out, thoughts before the answer: as in an answer of one piece."""

    def thinking(ask: Ask) -> list[Json]:
        return [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, *parrot(ask)]

    api.stub = thinking
    async with opened(api_options(api)) as chat:
        answer, parts = await asked(chat)
    assert (len(answer.sentences), len(parts)) == (5, 3)
    assert answer.usage.output_tokens == 20


async def test_without_another_try_a_broken_stream_is_the_end(local: AnthropicPeer) -> None:
    """Who allows one request makes one."""
    local.stream_as = "early end"
    client = MessagesClient(Endpoint(base_url=local.url))
    call = {"model": "small", "max_tokens": 100, "messages": [{"role": "user", "content": "STANDALONE:"}]}
    local.stub = text_blocks("One two three. Four five six.")
    deadline = asyncio.get_running_loop().time() + 5
    with pytest.raises(ChatModelError):
        await client.stream(call, deadline=deadline, retries=0, on_part=lambda _message, _is_open: None)
    await client.close()
    assert len(local.bodies) == 1
