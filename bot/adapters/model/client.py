"""One connection to a server that speaks the Anthropic Messages API: time limits, retries, no detours.

An answer is read while it is written only where somebody waits to see its first sentences. Of eight independent servers
tried with SDK 2.14, three break it while streaming and none when the answer comes in one piece: a stream that breaks is
asked for again in one piece, and for the next hour nothing is streamed from there.
The SDK's own retries are off: it obeys `Retry-After` without a cap, so that one header could hold a question for an
hour. Here a wait that does not fit into the time left ends the call at once.
"""

import asyncio
import importlib
import logging
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import urlsplit

from bot.adapters.model.errors import as_ours, is_passing, retry_after_s, vendor_errors
from bot.adapters.model.stream import CHARACTERS_PER_TOKEN, EVENTS, FarTooLong, OnPart, read_stream
from bot.errors import ChatModelError, ChatModelRejected, ChatModelUnavailable
from bot.messages import Usage

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

API_URL: Final = "https://api.anthropic.com"
CONNECT_TIMEOUT_S: Final = 5.0
PING_TIMEOUT_S: Final = 3.0
MAX_CONNECTIONS: Final = 512  # as many questions as a worker has at once, with their rewrites
FIRST_RETRY_S: Final = 0.5
LONGEST_BACKOFF_S: Final = 4.0
NO_STREAMS_S: Final = 3_600.0
# What a server of one's own says to a request that it would take without `stream`; the API itself knows streams.
_NO_STREAMS: Final = frozenset({400, 404, 405, 406, 415, 422, 501})
# Servers on the customer's own network rarely ask for a key, but the SDK does not start without one.
_NO_KEY: Final = "not-needed"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the model is: at `base_url`, or without one at Anthropic's API, which needs a key."""

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    api_url: str = API_URL

    @property
    def url(self) -> str:
        """The address that requests go to; the SDK adds `/v1/messages`, so a `/v1` at its end is taken off."""
        return _bare(self.base_url or self.api_url)

    @property
    def is_custom(self) -> bool:
        """Whether this is a server of the customer's own, which is reached directly: proxy variables are ignored."""
        return self.url != _bare(self.api_url)


def _bare(url: str) -> str:
    return url.rstrip("/").removesuffix("/v1")


@dataclass(frozen=True, slots=True)
class Sent:
    """The body of an answer and how many HTTP requests it took."""

    body: bytes
    calls: int


@asynccontextmanager
async def bounded(timeout_s: float) -> AsyncIterator[float]:
    """Bound everything inside, waits included, and give the deadline in seconds of the event loop's clock.

    Raises:
        ChatModelUnavailable: the time is over.
    """
    try:
        async with asyncio.timeout(timeout_s) as scope:
            yield scope.when() or 0.0
    except TimeoutError as error:
        raise ChatModelUnavailable(f"the model did not answer within {timeout_s:g} s") from error


class Transport(Protocol):
    """Sends requests of the Messages API; `MessagesClient` is the one over the network."""

    async def send(self, parameters: dict[str, Any], *, deadline: float, retries: int) -> Sent:
        """Send one request and give the body of its answer."""
        ...

    async def stream(self, parameters: dict[str, Any], *, deadline: float, retries: int, on_part: OnPart) -> Sent:
        """Send one request and give the body of its answer, which is shown while it is written."""
        ...

    async def ping(self) -> None:
        """Raise a `ChatModelError` when the server is out of reach."""
        ...

    async def warm(self) -> None:
        """Get ready for the first request."""
        ...

    async def close(self) -> None:
        """End the connections."""
        ...


class _StreamFailed(Exception):
    """A stream that did not begin or broke; the same may be asked for in one piece after so many seconds."""

    def __init__(self, error: ChatModelError, wait_s: float = 0.0) -> None:
        super().__init__(str(error))
        self.error = error
        self.wait_s = wait_s


class MessagesClient:
    """Sends requests to one endpoint. The SDK is imported with the first request, on a thread (1.5 s)."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._client: AsyncAnthropic | None = None
        self._opening = asyncio.Lock()
        self._whole_until = 0.0

    async def send(self, parameters: dict[str, Any], *, deadline: float, retries: int) -> Sent:
        """Send one request; server and network faults are sent again up to `retries` times before the deadline.

        Raises:
            ChatModelUnavailable: still failing, or the wait asked for is longer than the time left.
            ChatModelRejected: the server will not take this request.
            ChatModelOutputInvalid: the answer broke off or cannot be read.
        """
        client = await self.opened()
        for attempt in range(retries + 1):
            try:
                response = await client.messages.with_raw_response.create(**parameters)
                return Sent(await response.read(), attempt + 1)
            except vendor_errors() as error:
                wait_s = _wait_s(error, attempt)
                if attempt == retries or not is_passing(error) or _now() + wait_s >= deadline:
                    failure = as_ours(error)
                    failure.usage = Usage(calls=attempt + 1)
                    raise failure from error
            await asyncio.sleep(wait_s)
        raise AssertionError("the loop returns or raises")  # pragma: no cover

    async def stream(self, parameters: dict[str, Any], *, deadline: float, retries: int, on_part: OnPart) -> Sent:
        """Send one request and show its answer while it is written; whatever goes wrong, it is asked for in one piece.

        A busy server is waited for as by `send`; one that does not stream, or breaks the stream, is not asked for another
        within the hour.

        Raises:
            ChatModelError: as `send`; the parts that were shown are then all that there was.
        """
        if time.monotonic() < self._whole_until:
            return await self.send(parameters, deadline=deadline, retries=retries)
        try:
            return Sent(await self._streamed(parameters, on_part), 1)
        except _StreamFailed as failed:
            wait_s = failed.wait_s
            if retries == 0 or _now() + wait_s >= deadline:
                failed.error.usage = Usage(calls=1)
                raise failed.error from failed
        await asyncio.sleep(wait_s)
        try:
            sent = await self.send(parameters, deadline=deadline, retries=retries - 1)
        except ChatModelError as error:
            error.usage = replace(error.usage, calls=error.usage.calls + 1)
            raise
        return replace(sent, calls=sent.calls + 1)

    async def _streamed(self, parameters: dict[str, Any], on_part: OnPart) -> bytes:
        from anthropic import AsyncStream

        client, is_begun = await self.opened(), False
        most = int(parameters["max_tokens"]) * CHARACTERS_PER_TOKEN
        try:
            async with client.messages.with_streaming_response.create(**parameters, stream=True) as response:
                if EVENTS not in response.headers.get("content-type", ""):
                    self._whole_until = time.monotonic() + NO_STREAMS_S
                    return bytes(await response.read())
                is_begun = True
                events = (event.data async for event in AsyncStream.raw_events(response.http_response))
                return await read_stream(events, most_characters=most, on_part=on_part)
        except FarTooLong as error:
            error.usage = Usage(calls=1)
            raise
        except ChatModelError as error:
            self._whole_until = time.monotonic() + NO_STREAMS_S
            raise _StreamFailed(error) from error
        except vendor_errors() as error:
            failure = as_ours(error)
            if is_begun or (self._endpoint.is_custom and getattr(failure, "status", 0) in _NO_STREAMS):
                self._whole_until = time.monotonic() + NO_STREAMS_S
                raise _StreamFailed(failure) from error
            if not is_passing(error):
                failure.usage = Usage(calls=1)
                raise failure from error
            raise _StreamFailed(failure, _wait_s(error, 0)) from error

    async def ping(self) -> None:
        """Ask for the list of models; a server that does not know that path is reachable all the same.

        Raises:
            ChatModelUnavailable: no connection, 429 or 5xx.
            ChatModelRejected: the key is not accepted.
        """
        import anthropic

        client = await self.opened()
        async with bounded(PING_TIMEOUT_S):
            try:
                await client.with_options(timeout=PING_TIMEOUT_S).models.with_raw_response.list()
            except (anthropic.NotFoundError, anthropic.BadRequestError):
                return
            except vendor_errors() as error:
                raise as_ours(error) from error

    async def opened(self) -> "AsyncAnthropic":
        """Give the SDK's client, made at the first call."""
        async with self._opening:
            if self._client is None:
                await self.warm()
                self._client = _open(self._endpoint)
            return self._client

    async def warm(self) -> None:
        """Import the SDK on a thread."""
        await asyncio.to_thread(importlib.import_module, "anthropic")

    async def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


def _open(endpoint: Endpoint) -> "AsyncAnthropic":
    import anthropic
    import httpx2

    _check_url(endpoint.url)
    # On level DEBUG the SDK prints whole requests; questions do not belong into logs.
    logging.getLogger("anthropic").setLevel(logging.WARNING)
    timeout = httpx2.Timeout(None, connect=CONNECT_TIMEOUT_S)  # the rest is bounded by the deadline of each call
    transport = httpx2.AsyncClient(
        timeout=timeout,
        limits=httpx2.Limits(max_connections=MAX_CONNECTIONS, max_keepalive_connections=MAX_CONNECTIONS // 8),
        trust_env=not endpoint.is_custom,
        follow_redirects=False,
    )
    return anthropic.AsyncAnthropic(
        api_key=endpoint.api_key or _NO_KEY,
        base_url=endpoint.url,
        timeout=timeout,
        max_retries=0,
        open_telemetry=False,
        http_client=transport,
    )


def _check_url(url: str) -> None:
    """Tell a typing mistake from an outage: the SDK reports both as a failed connection."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise ChatModelRejected("the base URL of the model is no valid HTTP address")


def _wait_s(error: Exception, attempt: int) -> float:
    told = retry_after_s(error)
    if told is not None:
        return told
    # Jitter keeps the workers of one deployment from coming back together.
    return min(FIRST_RETRY_S * 2.0**attempt, LONGEST_BACKOFF_S) * random.uniform(0.75, 1.0)  # noqa: S311


def _now() -> float:
    return asyncio.get_running_loop().time()
