"""What each process is made of: `all`, `http`, `slack`, `teams`, `worker`."""

import asyncio
import secrets
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from bot.audit import AuditTrail
from bot.bootstrap.desk_answers import with_tasks
from bot.bootstrap.lead import lead_of, lead_told
from bot.bootstrap.parts import Flow, State, build_id, build_redactor, open_flow, open_state, private_folder
from bot.bootstrap.platforms import (
    build_notes,
    build_preparers,
    is_any_platform,
    open_posters,
    open_teams_door,
    slack_app,
    slack_socket,
)
from bot.bootstrap.sample_index import EXAMPLES, is_sample_served
from bot.bootstrap.services import Service, run_services
from bot.bootstrap.trust import api_access, audited, build_audit, build_limits, forget_requests, incidents_of
from bot.desk import DeskResponder
from bot.direct_door import DirectDoor
from bot.health import Health, Ping, check_health
from bot.messages import AcceptedMessage, Answer
from bot.ports import Responder
from bot.worker import Worker
from config.settings import ConfigError, Settings, set_names
from retrieval.redaction import Redactor

if TYPE_CHECKING:
    from bot.adapters.forget_requests import ForgetRequests
    from bot.adapters.listeners import Router
    from bot.adapters.metrics import AnswerMetrics
    from bot.adapters.slack import SlackApp

FIRST_PRIVATE_PORT = 8700
FIRST_PUBLIC_PORT = 8900


class Role(StrEnum):
    """What a process does."""

    ALL = "all"
    HTTP = "http"
    SLACK = "slack"
    TEAMS = "teams"
    WORKER = "worker"


@dataclass(slots=True)
class _Process:
    """A process while it is put together."""

    settings: Settings
    role: Role
    state: State
    announce: Callable[[str], None]
    audit: AuditTrail
    gone: "ForgetRequests"
    on_forgotten: Callable[[], None] = lambda: None
    services: list[Service] = field(default_factory=list)
    pings: dict[str, Ping] = field(default_factory=dict)

    def does(self, *roles: Role) -> bool:
        return self.role in {Role.ALL, *roles}


async def run_process(
    role: Role, settings: Settings, stop: asyncio.Event, announce: Callable[[str], None], on_page: Callable[[str], None]
) -> None:
    """Run one process until `stop` is set.

    Args:
        role: what it does.
        settings: everything it is built from.
        stop: set by the signals that end it.
        announce: shows one line to the person who started it.
        on_page: is told the playground's address.

    Raises:
        ConfigError: a token that the role needs is missing.
        RetrievalError: the index cannot be served.
        PortTaken: a port that was asked for is taken.
        StateUnavailable: the embedded Redis does not start.
        ServiceFailed: a part ended by itself.
    """
    _check_tokens(role, settings)
    data_dir = private_folder(settings.retrieval)
    async with AsyncExitStack() as stack:
        state = await stack.enter_async_context(
            open_state(settings.server, data_dir, posts_ttl_s=settings.retention.posts_ttl_s)
        )
        audit = build_audit(settings, sys.stdout)
        audit.write("started", role=str(role), build=build_id(), settings=list(set_names(settings)))
        process = _Process(
            settings, role, state, announce, audit, forget_requests(state, audit), pings={"redis": state.link.ping}
        )
        if process.does(Role.WORKER, Role.HTTP):
            flow = await stack.enter_async_context(open_flow(settings, state=state))
            process.pings["index"] = flow.index.source.ping
            process.services.append(Service("index watch", flow.index.watch))
            if flow.model is not None:
                process.on_forgotten = flow.model.forget
            metrics = _metrics()
            if process.does(Role.WORKER):
                await _add_worker(process, flow, metrics, stack)
            if process.does(Role.HTTP):
                _add_private_listener(process, flow, metrics, on_page)
        await _add_platform_doors(process, stack)
        process.services.append(Service("forgetting", lambda: process.gone.serve(process.on_forgotten)))
        await run_services(process.services, stop)


def _check_tokens(role: Role, settings: Settings) -> None:
    if role is Role.SLACK and settings.slack.app_token is None:
        raise ConfigError("SLACK_BOT_TOKEN and SLACK_APP_TOKEN are needed for Slack's Socket Mode")
    if role is Role.TEAMS and not settings.teams.is_enabled:
        raise ConfigError("CLIENT_ID, CLIENT_SECRET and TENANT_ID are needed for Teams")
    lead_of(settings)
    if role is Role.WORKER and not is_any_platform(settings):
        raise ConfigError("a worker posts to Slack or Teams, and neither has tokens")


def _metrics() -> "AnswerMetrics":
    from bot.adapters.metrics import AnswerMetrics

    return AnswerMetrics()


async def _add_worker(process: _Process, flow: Flow, metrics: "AnswerMetrics", stack: AsyncExitStack) -> None:
    if not is_any_platform(process.settings):
        return  # nothing comes into the queue
    posters = await stack.enter_async_context(open_posters(process.settings))
    desk = DeskResponder(flow.pipeline, flow.pipeline.ports, incidents_of(process.state))
    observed = _Observed(audited(desk, process.audit, process.state), metrics)
    responder = with_tasks(observed, process.settings, process.state, flow)
    told = lead_told(responder, process.settings, process.state)
    prepare = build_preparers(process.settings, flow.redactor)
    state = process.state
    worker = Worker(state.queue, told, store=state.threads, posters=posters, prepare=prepare, name_of=state.people.of)
    notes = build_notes(process.settings)
    process.services.append(Service("worker", lambda: worker.run(notes=notes)))


class _Observed:
    """The flow with every answer shown to the metrics."""

    def __init__(self, responder: Responder, metrics: "AnswerMetrics") -> None:
        self._responder = responder
        self._metrics = metrics

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        answer = await self._responder.respond(message, is_stateless=is_stateless)
        self._metrics.observe(answer, platform=message.thread.platform)
        return answer


def _add_private_listener(
    process: _Process, flow: Flow, metrics: "AnswerMetrics", on_page: Callable[[str], None]
) -> None:
    from bot.adapters.listeners import Listener, bind, health_routes, private_application

    key = secrets.token_urlsafe(24) if is_any_platform(process.settings) else ""
    routers = [health_routes(_checker(process.pings), metrics), *_private_routers(process, flow, metrics, key)]
    bound = bind("127.0.0.1", process.settings.server.port, first_tried=FIRST_PRIVATE_PORT, setting="TRIAGE_PORT")
    listener = Listener(private_application(routers), bound)
    page = listener.address + (f"?key={key}" if key else "")
    process.services.append(Service("private listener", listener.serve_bound))
    process.announce(f"Playground: {page}")
    on_page(page)


def _private_routers(process: _Process, flow: Flow, metrics: "AnswerMetrics", key: str) -> "list[Router]":
    """Build the API and the playground, which opens with `key`."""
    from bot.adapters.http_api import build_api
    from bot.adapters.playground import Channel, PlaygroundAccess, build_playground

    settings, source = process.settings, flow.index.source
    responder = lead_told(audited(flow.pipeline, process.audit, process.state), settings, process.state)
    door = DirectDoor(
        responder, process.state.threads, observe=lambda m, a: metrics.observe(a, platform=m.thread.platform)
    )
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
    return [api, playground]


def _checker(pings: Mapping[str, Ping]) -> Callable[[], Awaitable[Health]]:
    async def check() -> Health:
        return await check_health(pings)

    return check


async def _add_platform_doors(process: _Process, stack: AsyncExitStack) -> None:
    settings, redactor = process.settings, build_redactor(process.settings.retrieval, with_key=True)
    slack = None
    if settings.slack.is_enabled and process.does(Role.HTTP, Role.SLACK):
        slack = slack_app(settings, process.state, redactor, withdrawals=process.gone)
        process.services.append(Service("slack identity", _learning(slack)))
        socket = slack_socket(settings.slack, slack) if process.does(Role.SLACK) else None
        if socket is not None:
            process.pings["slack socket"] = socket.ping
            process.services.append(Service("slack socket", socket.serve))
    is_slack_http = slack is not None and bool(slack.signing_secret) and process.does(Role.HTTP)
    is_teams = settings.teams.is_enabled and process.does(Role.HTTP, Role.TEAMS)
    if is_slack_http or is_teams:
        await _add_public_listener(process, slack if is_slack_http else None, redactor, stack)


async def _add_public_listener(
    process: _Process, slack: "SlackApp | None", redactor: Redactor, stack: AsyncExitStack
) -> None:
    from bot.adapters.listeners import Listener, bare_application, bind, health_routes

    settings = process.settings
    application = bare_application([health_routes(None, None)])
    if slack is not None:
        from bot.adapters.slack import mount_slack

        mount_slack(application, slack)
    if settings.teams.is_enabled:
        application.include_router(
            await stack.enter_async_context(
                open_teams_door(settings, process.state, redactor, withdrawals=process.gone)
            )
        )
    server = settings.server
    bound = bind(server.public_host, server.public_port, first_tried=FIRST_PUBLIC_PORT, setting="TRIAGE_PUBLIC_PORT")
    listener = Listener(application, bound)
    process.services.append(Service("public listener", listener.serve_bound))
    process.announce(f"Platforms: {listener.address} (lead https://YOUR-HOST/slack/events and /api/messages here)")


def _learning(slack: "SlackApp") -> Callable[[], Awaitable[None]]:
    async def learn() -> None:
        await slack.identity.learn()
        await asyncio.Event().wait()

    return learn
