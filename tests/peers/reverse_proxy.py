"""A reverse proxy as operators put in front of a bot: forwards every request to one address and says for whom."""

import asyncio
from types import TracebackType
from typing import Self

from aiohttp import ClientSession, web

# Hop by hop, or set anew by whoever sends.
_NOT_FORWARDED = {"connection", "keep-alive", "transfer-encoding", "content-length", "host", "te", "upgrade"}


class ReverseProxy:
    """The peer; use as an async context manager. `headers` are added to what it forwards.

    Args:
        target: where requests go, `http://host:port/`.
        keeps_host: the Host of the caller is passed on (nginx with `proxy_set_header Host $host`), else the target's.
        says_so: adds `X-Forwarded-*` and `Via`; a proxy that hides itself adds nothing.
    """

    def __init__(self, target: str, *, keeps_host: bool = False, says_so: bool = True) -> None:
        self._target = target.rstrip("/")
        self._keeps_host = keeps_host
        self._says_so = says_so
        self._runner: web.AppRunner | None = None
        self._client: ClientSession | None = None
        self.url = ""

    async def __aenter__(self) -> Self:
        self._client = ClientSession(auto_decompress=False)
        app = web.Application(client_max_size=4 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._forward)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
        if self._client is not None:
            await self._client.close()
            await asyncio.sleep(0)

    async def _forward(self, request: web.Request) -> web.Response:
        assert self._client is not None
        headers = [(name, value) for name, value in request.headers.items() if name.lower() not in _NOT_FORWARDED]
        if self._keeps_host:
            headers.append(("Host", "bot.example.com"))
        if self._says_so:
            headers += [
                ("X-Forwarded-For", request.remote or "203.0.113.9"),
                ("X-Forwarded-Proto", "https"),
                ("X-Forwarded-Host", "bot.example.com"),
                ("Via", "1.1 peer"),
            ]
        async with self._client.request(
            request.method, f"{self._target}{request.raw_path}", headers=headers, data=await request.read(),
            allow_redirects=False,
        ) as answer:  # fmt: skip
            kept = {name: value for name, value in answer.headers.items() if name.lower() not in _NOT_FORWARDED}
            return web.Response(status=answer.status, body=await answer.read(), headers=kept)
