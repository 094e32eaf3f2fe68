"""The loopback listener of each process: playground and API where it answers, health and metrics everywhere."""

import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.bootstrap.gaps import noting_gaps
from bot.bootstrap.lead import lead_told
from bot.bootstrap.parts import Flow
from bot.bootstrap.platforms import is_any_platform
from bot.bootstrap.process import Process
from bot.bootstrap.sample_index import EXAMPLES, is_sample_served
from bot.bootstrap.services import Service
from bot.bootstrap.trust import api_access, audited, build_limits
from bot.errors import StateUnavailable
from bot.questions.direct_door import DirectDoor

if TYPE_CHECKING:
    from bot.adapters.web.listeners import Router

FIRST_PRIVATE_PORT = 8700
FIRST_HEALTH_PORT = 8800


def add_private_listener(process: Process, flow: Flow, on_page: Callable[[str], None]) -> None:
    """Serve playground, API, health and metrics; `on_page` is told the playground's address.

    Raises:
        PortTaken: `TRIAGE_PORT` is taken.
    """
    from bot.adapters.files.private_port import written_down
    from bot.adapters.web.guards import OpenedPath
    from bot.adapters.web.listeners import Listener, bind, private_application

    key = secrets.token_urlsafe(24) if is_any_platform(process.settings) else ""
    routers = [_health(process), *_private_routers(process, flow, key)]
    opened = OpenedPath("/lead", _origin(process.settings.access.lead_url))
    bound = bind("127.0.0.1", process.settings.server.port, first_tried=FIRST_PRIVATE_PORT, setting="TRIAGE_PORT")
    listener = Listener(private_application(routers, opened), bound)
    page = listener.address + (f"?key={key}" if key else "")

    async def serve() -> None:
        with written_down(process.settings.retrieval.data_dir, bound.getsockname()[1]):
            await listener.serve_bound()

    process.services.append(Service("private listener", serve))
    process.announce(f"Playground: {page}")
    on_page(page)


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if url else ""


def add_health_listener(process: Process) -> None:
    """Serve health and metrics alone, for a process that answers nobody directly.

    Raises:
        PortTaken: `TRIAGE_HEALTH_PORT` is taken.
    """
    from bot.adapters.web.listeners import Listener, bind, private_application

    port = process.settings.server.health_port
    bound = bind("127.0.0.1", port, first_tried=FIRST_HEALTH_PORT, setting="TRIAGE_HEALTH_PORT")
    listener = Listener(private_application([_health(process)]), bound)
    process.services.append(Service("health listener", listener.serve_bound))
    process.announce(f"Health: {listener.address}readyz")


def _health(process: Process) -> "Router":
    from bot.adapters.web.listeners import health_routes

    return health_routes(process.check, process.metrics, _queue_reader(process))


def _queue_reader(process: Process) -> Callable[[], Awaitable[None]]:
    """Give what reads the queue's figures right before they are scraped; without Redis they are absent."""
    from bot.adapters.work.figures import read_figures

    async def read() -> None:
        try:
            process.metrics.show_queue(await read_figures(process.state.link, process.state.keys))
        except StateUnavailable:
            process.metrics.show_queue(None)

    return read


def _private_routers(process: Process, flow: Flow, key: str) -> "list[Router]":
    """Build the API and the playground, which opens with `key`."""
    from bot.adapters.lead_page import build_lead_page
    from bot.adapters.playground import Channel, PlaygroundAccess, build_playground
    from bot.adapters.web.api import build_api
    from bot.adapters.web.lead_access import RedisLeadDoor
    from bot.bootstrap.lead_desk import build_lead_desk

    settings, source = process.settings, flow.index.source
    noted = noting_gaps(flow.pipeline, settings.retention, process.state)
    responder = lead_told(audited(noted, process.audit, process.state), settings, process.state, process.audit)
    door = DirectDoor(responder, process.state.threads, observe=process.metrics.observe_reply)
    api = build_api(
        door.answer, source, access=api_access(settings), redactor=flow.redactor, clock=flow.clock,
        limits=build_limits(settings.limits, process.state),
    )  # fmt: skip
    channel = Channel(
        EXAMPLES if is_sample_served(settings.retrieval) else (),
        flow.index.documents,
        "by a model" if flow.model else "quoted from the sources",
    )
    playground = build_playground(
        door.answer, source, access=PlaygroundAccess(key, frozenset({"public", "internal"})), channel=channel,
        redactor=flow.redactor, clock=flow.clock,
    )  # fmt: skip
    desk = build_lead_desk(process.settings, process.state, process.audit)
    lead_page = build_lead_page(desk, RedisLeadDoor(process.state.link, process.state.keys))
    return [api, playground, lead_page]
