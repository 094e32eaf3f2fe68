"""The doors of Slack and Teams: socket, public listener, and what is looked for after a time without either."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from bot.bootstrap.index_parts import build_redactor
from bot.bootstrap.platforms import open_teams_door, slack_app, slack_catch_up, slack_socket
from bot.bootstrap.process import Process, Role
from bot.bootstrap.services import Service
from retrieval.redaction import Redactor

if TYPE_CHECKING:
    from bot.adapters.slack import SlackApp

FIRST_PUBLIC_PORT = 8900


async def add_platform_doors(process: Process, stack: AsyncExitStack) -> None:
    """Open what this role takes questions in by.

    Raises:
        ConfigError: a token is missing.
        PortTaken: the public port is taken.
    """
    settings, redactor = process.settings, build_redactor(process.settings.retrieval, with_key=True)
    slack = None
    if settings.slack.is_enabled and process.does(Role.HTTP, Role.SLACK):
        slack = slack_app(settings, process.state, redactor, withdrawals=process.gone)
        _add_slack(process, slack, redactor)
    is_slack_http = slack is not None and bool(slack.signing_secret) and process.does(Role.HTTP)
    is_teams = settings.teams.is_enabled and process.does(Role.HTTP, Role.TEAMS)
    if is_slack_http or is_teams:
        await _add_public_listener(process, slack if is_slack_http else None, redactor, stack)


def _add_slack(process: Process, slack: "SlackApp", redactor: Redactor) -> None:
    process.services.append(Service("slack identity", _learning(slack)))
    socket = slack_socket(process.settings.slack, slack) if process.does(Role.SLACK) else None
    if socket is not None:
        process.pings["slack socket"] = socket.ping
        process.services.append(Service("slack socket", socket.serve))
    catch_up = slack_catch_up(process.settings, process.state, redactor, slack)

    def is_open() -> bool:
        # Over HTTP nobody can tell whether Slack reaches us: a process that runs counts as open.
        return socket.is_connected if socket is not None else True

    process.services.append(Service("slack catch-up", lambda: catch_up.serve(is_open)))


async def _add_public_listener(
    process: Process, slack: "SlackApp | None", redactor: Redactor, stack: AsyncExitStack
) -> None:
    from bot.adapters.web.listeners import Listener, bare_application, bind, health_routes

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
