"""The two listeners: a public one for the platforms, a private loopback one for everything else."""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable, Iterator, Sequence

import h11
import uvicorn
from fastapi import APIRouter, FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from bot.adapters.web.guards import OpenedPath, PrivateOnly
from bot.adapters.web.metrics import CONTENT_TYPE, AnswerMetrics
from bot.health import Health

PORTS_TRIED = 100
HEAD_TIMEOUT_S = 10.0  # from the connection, or its last response, to the end of the next request's head
MAX_CONNECTIONS = 512  # beyond it 503 at once: a process has 1 024 files, and Redis and the index need some
Router = APIRouter  # so that who puts routers together need not know the web framework
CheckHealth = Callable[[], Awaitable[Health]]


class PortTaken(OSError):
    """No port could be bound; the message names it and the setting."""


def health_routes(
    check: CheckHealth | None, metrics: AnswerMetrics | None, refresh: Callable[[], Awaitable[None]] | None = None
) -> APIRouter:
    """Build `/livez`, and with a check `/readyz`, and with metrics `/metrics`; `refresh` runs before they are shown."""
    router = APIRouter()

    @router.get("/livez")
    async def livez() -> Response:
        return JSONResponse({"live": True})

    if check is not None:

        @router.get("/readyz")
        async def readyz() -> Response:
            health = await check()
            parts = {name: "up" if up else "down" for name, up in health.parts}
            return JSONResponse({"ready": health.is_ready, "parts": parts}, status_code=200 if health.is_ready else 503)

    if metrics is not None:

        @router.get("/metrics")
        async def exposition() -> Response:
            if refresh is not None:
                await refresh()
            return Response(metrics.exposition(), media_type=CONTENT_TYPE)

    return router


def bare_application(routers: Sequence[APIRouter]) -> FastAPI:
    """Build an application without documentation pages, whose errors are one JSON object `{"detail"}`."""
    application = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    for router in routers:
        application.include_router(router)

    @application.exception_handler(HTTPException)
    async def refused(_request: Request, error: HTTPException) -> Response:
        return JSONResponse({"detail": error.detail}, status_code=error.status_code, headers=error.headers)

    return application


def private_application(routers: Sequence[APIRouter], opened: OpenedPath | None = None) -> ASGIApp:
    """Build the private application behind its guard, which lets the operator's proxy through to what is opened."""
    return PrivateOnly(bare_application(routers), opened)


def bind(host: str, port: int, *, first_tried: int, setting: str) -> socket.socket:
    """Bind the port, or with `port` 0 the next free one from `first_tried`.

    Raises:
        PortTaken: the port is taken; names it and the setting that chose it.
    """
    ports = (port,) if port else range(first_tried, first_tried + PORTS_TRIED)
    for number in ports:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen(128)
        except OSError:
            listener.close()
            continue
        return listener
    raise PortTaken(f"port {ports[0]} on {host} is taken; {setting} chooses another")


class _HeadInTime(H11Protocol):
    """Closes a connection on which no whole request head came in time; uvicorn itself waits for ever."""

    head_timeout_s = HEAD_TIMEOUT_S
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_watching()
        super().connection_lost(exc)

    def _watch(self) -> None:
        # A body that comes after its answer (413, 408) is waited for no longer than the next head.
        is_waiting = self.conn.their_state is h11.IDLE or self.conn.our_state is h11.DONE
        if not is_waiting:  # the head is read; the body has a limit of its own where it is read
            self._stop_watching()
        elif self._head_timer is None:  # bytes that trickle in do not start it anew
            self._head_timer = self.loop.call_later(self.head_timeout_s, self.transport.close)

    def _stop_watching(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None


class Listener(uvicorn.Server):
    """A uvicorn server that leaves signals to the process and serves one bound socket until told to stop."""

    def __init__(
        self,
        application: ASGIApp,
        listener: socket.socket,
        *,
        head_timeout_s: float = HEAD_TIMEOUT_S,
        max_connections: int = MAX_CONNECTIONS,
    ) -> None:
        """Prepare to serve the application on the socket, with limits for connections that bring nothing."""
        super().__init__(
            uvicorn.Config(
                application,
                http=type("HeadInTime", (_HeadInTime,), {"head_timeout_s": head_timeout_s}),
                limit_concurrency=max_connections,
                log_config=None,  # its own one writes tracebacks past ours, with the texts of exceptions
                log_level="warning",
                access_log=False,
                lifespan="off",
                server_header=False,
                proxy_headers=False,  # nothing here believes what a proxy says of the caller
                timeout_graceful_shutdown=10,
                h11_max_incomplete_event_size=64 * 1024,
            )
        )
        self._socket = listener

    @property
    def address(self) -> str:
        """The URL of the listener."""
        host, port = self._socket.getsockname()[:2]
        return f"http://{host}:{port}/"

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the process, which stops more than this server."""
        yield

    async def serve_bound(self) -> None:
        """Serve until cancelled; requests under way are finished first."""
        serving = asyncio.create_task(self.serve(sockets=[self._socket]))
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            self.should_exit = True
            await serving
            raise
        finally:
            self._socket.close()
