"""Time limits, retries and the way to the server, over real HTTP."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator

import pytest

from bot.adapters.model.chat import ChatOptions
from bot.adapters.model.client import Endpoint, MessagesClient, bounded
from bot.errors import ChatModelError, ChatModelOutputInvalid, ChatModelRejected, ChatModelUnavailable
from tests.bot.adapters.model.chat_samples import answer_request, api_options, local_options, opened
from tests.peers.anthropic_api import KEY, AnthropicPeer, Fault, anthropic_peer


@pytest.fixture
async def api() -> AsyncIterator[AnthropicPeer]:
    async with anthropic_peer() as peer:
        yield peer


async def asked(peer: AnthropicPeer, *, timeout_s: float = 5.0) -> int:
    """Ask one question and give the number of requests that its usage names."""
    async with opened(api_options(peer)) as chat:
        return (await chat.answer(answer_request(timeout_s=timeout_s))).usage.calls


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 504, 529])
async def test_passing_faults_are_tried_again(api: AnthropicPeer, status: int) -> None:
    """Twice a fault of the server, then an answer: three requests."""
    api.script(Fault("status", status, "0.01"), Fault("status", status, "0.01"))
    assert await asked(api) == 3
    assert len(api.bodies) == 3


@pytest.mark.parametrize("status", [401, 402, 403, 404, 413])
async def test_refusals_are_not_tried_again(api: AnthropicPeer, status: int) -> None:
    """Key, credit, model name and size do not get better by asking again."""
    api.always = Fault("status", status)
    with pytest.raises(ChatModelRejected) as caught:
        await asked(api)
    assert caught.value.status == status
    assert len(api.bodies) == 1


async def test_spend_limit_is_not_tried_again(api: AnthropicPeer) -> None:
    """A 429 that means spent money is a refusal."""
    details = {"details": {"error_code": "enforced_spend_limit_reached"}}
    api.always = Fault("status", 429, "0.01", details)
    with pytest.raises(ChatModelRejected):
        await asked(api)
    assert len(api.bodies) == 1


async def test_three_faults_end_the_call(api: AnthropicPeer) -> None:
    """A server that stays overloaded gets three requests."""
    api.always = Fault("status", 529, "0.01")
    with pytest.raises(ChatModelUnavailable):
        await asked(api)
    assert len(api.bodies) == 3


async def test_wait_beyond_the_deadline_ends_the_call_at_once(api: AnthropicPeer) -> None:
    """`Retry-After: 3600` does not hold the question: no sleep, no second request."""
    api.script(Fault("status", 429, "3600"))
    started = time.monotonic()
    with pytest.raises(ChatModelUnavailable):
        await asked(api)
    assert time.monotonic() - started < 4
    assert len(api.bodies) == 1


async def test_wait_is_as_long_as_told(api: AnthropicPeer) -> None:
    """A short `Retry-After` is kept to the letter."""
    api.script(Fault("status", 429, "0.4"))
    async with opened(api_options(api)) as chat:
        started = time.monotonic()
        await chat.answer(answer_request())
    assert 0.4 <= time.monotonic() - started < 4


async def test_date_as_retry_after_falls_back_to_our_own_wait(api: AnthropicPeer) -> None:
    """A date in `Retry-After` is not read; the first wait of our own is at most half a second."""
    api.script(Fault("status", 429, "Wed, 21 Oct 2099 07:28:00 GMT"))
    assert await asked(api) == 2


async def test_silence_ends_at_the_deadline(api: AnthropicPeer) -> None:
    """A server that takes the request and says nothing costs no more than the time limit."""
    api.always = Fault("stall")
    async with opened(api_options(api)) as chat:
        started = time.monotonic()
        with pytest.raises(ChatModelUnavailable, match=r"0\.3 s"):
            await chat.answer(answer_request(timeout_s=0.3))
    assert time.monotonic() - started < 3


async def test_own_limit_wins_over_a_longer_one(api: AnthropicPeer) -> None:
    """The shorter of the two limits counts."""
    api.always = Fault("stall")
    async with opened(api_options(api, timeout_s=0.2)) as chat:
        with pytest.raises(ChatModelUnavailable):
            await chat.answer(answer_request(timeout_s=60))


async def test_cut_connection_is_tried_again(api: AnthropicPeer) -> None:
    """A body that breaks off with the connection is a fault of the network."""
    api.script(Fault("cut"))
    assert await asked(api) == 2


async def test_nobody_listening(unused_port: int) -> None:
    """A closed port is an outage."""
    options = ChatOptions(base_url=f"http://127.0.0.1:{unused_port}")
    async with opened(options) as chat:
        with pytest.raises(ChatModelUnavailable):
            await chat.answer(answer_request(timeout_s=3))
        with pytest.raises(ChatModelUnavailable):
            await chat.ping()


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "http://[broken", "http://127.0.0.1:99999", "localhost:11434"])
async def test_bad_base_url_names_itself(url: str) -> None:
    """A typing mistake in the base URL is told apart from an outage."""
    async with opened(ChatOptions(base_url=url)) as chat:
        with pytest.raises(ChatModelRejected, match="base URL"):
            await chat.answer(answer_request(timeout_s=3))


async def test_proxy_variables_do_not_lead_an_own_server_outside(
    api: AnthropicPeer, monkeypatch: pytest.MonkeyPatch, unused_port: int
) -> None:
    """With a base URL the proxy of the environment is ignored; the API is reached through it."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{unused_port}")
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    async with opened(local_options(api, api_key=KEY)) as chat:
        await chat.answer(answer_request())
    async with opened(api_options(api)) as chat:
        with pytest.raises(ChatModelUnavailable):
            await chat.answer(answer_request(timeout_s=3))
    assert len(api.bodies) == 1


async def test_redirects_are_not_followed(api: AnthropicPeer) -> None:
    """A server cannot send the question on to another host."""
    api.script(Fault("status", 307))
    with pytest.raises(ChatModelError):
        await asked(api)


async def test_key_goes_as_bearer_and_is_never_shown(api: AnthropicPeer) -> None:
    """The key travels in the header of the current API version and not in the representation of our values."""
    await asked(api)
    assert api.requests[0].headers["Authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(api_options(api))
    assert KEY not in repr(Endpoint(KEY))


@pytest.mark.parametrize("tail", ["/", "/v1", "/v1/"])
async def test_tails_of_a_base_url(api: AnthropicPeer, tail: str) -> None:
    """A slash or the usual `/v1` at the end of a base URL is understood."""
    async with opened(local_options(api, base_url=api.url + tail, api_key=KEY)) as chat:
        await chat.answer(answer_request())
    assert api.requests[0].path == "/v1/messages"


def test_what_is_a_server_of_ones_own() -> None:
    """Naming the API's own address as base URL changes nothing; any other address does."""
    assert not Endpoint(KEY).is_custom
    assert not Endpoint(KEY, "https://api.anthropic.com/").is_custom
    assert Endpoint(KEY, "http://127.0.0.1:11434").is_custom


async def test_environment_does_not_lend_its_key(api: AnthropicPeer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server of the customer's own does not receive the key of the API by accident."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-other")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "other-token")
    async with anthropic_peer("ollama") as ollama:
        async with opened(local_options(ollama)) as chat:
            await chat.answer(answer_request())
        assert "other" not in str(ollama.requests[0].headers)


async def test_ping(api: AnthropicPeer) -> None:
    """The ping accepts a reachable server, tells a wrong key from an outage, and costs no message."""
    async with opened(api_options(api)) as chat:
        await chat.ping()
    async with opened(api_options(api, api_key="wrong")) as chat:
        with pytest.raises(ChatModelRejected):
            await chat.ping()
    api.always = Fault("status", 404)
    async with opened(api_options(api)) as chat:
        await chat.ping()
    assert api.bodies == []


async def test_client_is_built_once_and_again_after_close(api: AnthropicPeer) -> None:
    """Two first requests at the same time share one client; after `close` a request opens a new one."""
    client = MessagesClient(Endpoint(KEY, None, api.url))
    first, second = await asyncio.gather(client.opened(), client.opened())
    assert first is second
    await client.close()
    await client.close()
    assert await client.opened() is not first
    await client.close()


async def test_timeouts_from_inside_are_not_mistaken() -> None:
    """The limit names itself in seconds when it ends a call, and leaves other errors alone."""
    with pytest.raises(ChatModelUnavailable, match=r"0\.01 s"):
        async with bounded(0.01):
            await asyncio.sleep(0.5)
    with pytest.raises(ChatModelOutputInvalid):
        async with bounded(1):
            raise ChatModelOutputInvalid("other")
