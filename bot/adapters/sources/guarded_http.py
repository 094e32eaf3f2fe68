"""GET requests to a source: public addresses only, patient with limits, credentials for its own host alone."""

import asyncio
import base64
import json
import socket
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Self

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from pydantic import SecretStr
from yarl import URL

from bot.adapters.sources.address import SourceAddress, is_allowed, is_public
from bot.errors import SourceRefused, SourceUnavailable

TIMEOUT_S = 60.0
TRIES = 6
MAX_WAIT_S = 120.0
MAX_BODY_BYTES = 100_000_000
MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)


@dataclass(frozen=True, slots=True)
class Access:
    """How a source is spoken to. `pause_s` is the first wait after a failure; it doubles."""

    allowed: Collection[str] = ()
    user: str = ""
    token: SecretStr | None = None
    pause_s: float = 0.5


class _Retry(Exception):
    """A request that may be made again, after so many seconds when the source told."""

    def __init__(self, reason: str, after_s: float | None = None) -> None:
        super().__init__(reason)
        self.after_s = after_s


class GuardedResolver(AbstractResolver):
    """Resolves names, and refuses one of which any address is not public; the addresses checked are those connected to."""

    def __init__(self, allowed: Collection[str]) -> None:
        self._allowed = allowed
        self._inner = aiohttp.ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Give the addresses of a host.

        Raises:
            SourceRefused: one of them is private, loopback or a metadata service's.
        """
        found = await self._inner.resolve(host, port, family)
        if not is_allowed(host, self._allowed):
            for each in found:
                _check(each["host"])
        return found

    async def close(self) -> None:
        """Close the resolver beneath."""
        await self._inner.close()


def _check(address: str) -> None:
    if not is_public(address):
        raise SourceRefused(
            "the source stands at a private, loopback or metadata address; TRIAGE_SOURCE_HOSTS names hosts that may"
        )


class GuardedHttp:
    """A client for one source. Used as an asynchronous context."""

    def __init__(self, address: SourceAddress, access: Access) -> None:
        self._origin = URL(address.origin)
        self._access = access
        self._headers = {"Accept": "application/json", "Authorization": _authorization(access)}
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        """Open the session; nothing of the environment (proxies, netrc) is used."""
        connector = aiohttp.TCPConnector(resolver=GuardedResolver(self._access.allowed), use_dns_cache=False)
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_S)
        self._session = aiohttp.ClientSession(connector=connector, timeout=timeout, trust_env=False)
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Close it."""
        if self._session is not None:
            await self._session.close()

    async def get(self, target: str) -> dict[str, Any]:
        """Give the JSON object behind a path, or behind a link that the source gave.

        Raises:
            SourceRefused: the address is not to be spoken to, or the link leads to another host.
            SourceUnavailable: no such page, no permission, or still no answer after several tries.
        """
        url = self._origin.join(URL(target, encoded=True))
        if url.origin() != self._origin.origin():
            raise SourceRefused("the source gave a link to another host for its next page; it is not followed")
        pause = self._access.pause_s
        for number in range(TRIES):
            try:
                return await self._follow(url)
            except _Retry as retry:
                if number == TRIES - 1:
                    raise SourceUnavailable(f"{retry} after {TRIES} tries") from None
                wait = pause * 2**number if retry.after_s is None else retry.after_s
                await asyncio.sleep(min(wait, MAX_WAIT_S))
        raise AssertionError  # pragma: no cover - the last try returns or raises

    async def _follow(self, url: URL) -> dict[str, Any]:
        for _ in range(MAX_REDIRECTS + 1):
            found = await self._once(url)
            if not isinstance(found, URL):
                return found
            url = found
        raise SourceUnavailable(f"more than {MAX_REDIRECTS} redirects")

    async def _once(self, url: URL) -> dict[str, Any] | URL:
        host = url.host or ""
        may_be_anywhere = is_allowed(host, self._access.allowed)
        if url.scheme != "https" and not (url.scheme == "http" and may_be_anywhere):
            raise SourceRefused("only https is spoken, http only with hosts of TRIAGE_SOURCE_HOSTS")
        if _is_ip(host) and not may_be_anywhere:  # aiohttp asks the resolver for names only
            _check(host)
        is_own = url.origin() == self._origin.origin()
        headers = self._headers if is_own else {"Accept": "application/json"}
        assert self._session is not None
        try:
            async with self._session.get(url, headers=headers, allow_redirects=False) as response:
                if response.status in _REDIRECTS:
                    return url.join(URL(response.headers.get("Location", ""), encoded=True))
                return await _json_of(response)
        except aiohttp.ClientConnectorError as error:
            if isinstance(error.__cause__, SourceRefused):
                raise error.__cause__ from None
            raise _Retry("the source cannot be reached") from None
        except (aiohttp.ClientError, TimeoutError, ConnectionError) as error:
            raise _Retry(f"the connection broke ({type(error).__name__})") from None


async def _json_of(response: aiohttp.ClientResponse) -> dict[str, Any]:
    status = response.status
    if status == 429 or status >= 500:
        raise _Retry(f"the source answered {status}", _seconds(response.headers.get("Retry-After", "")))
    if status in (401, 403):
        raise SourceUnavailable(f"the source refuses the credentials ({status}); check them and their permissions")
    if status != 200:
        raise SourceUnavailable(f"the source answered {status}")
    body = bytearray()
    async for block in response.content.iter_chunked(1 << 16):
        body += block
        if len(body) > MAX_BODY_BYTES:
            raise SourceUnavailable(f"the source answered more than {MAX_BODY_BYTES / 1e6:.0f} MB for one page")
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise _Retry("the source answered something that is no JSON") from None
    if not isinstance(value, dict):
        raise SourceUnavailable("the source answered something else than an object")
    return value


def _seconds(text: str) -> float | None:
    try:
        return max(0.0, float(text))
    except ValueError:
        return None


def _is_ip(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()


def _authorization(access: Access) -> str:
    if access.token is None:
        return ""
    secret = access.token.get_secret_value()
    if not access.user:
        return f"Bearer {secret}"
    return "Basic " + base64.b64encode(f"{access.user}:{secret}".encode()).decode()
