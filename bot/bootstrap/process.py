"""A process while it is put together: its role, its state, its services and what its health depends on."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from bot.audit import AuditTrail
from bot.bootstrap.lead import lead_of
from bot.bootstrap.parts import State
from bot.bootstrap.platforms import is_any_platform
from bot.bootstrap.services import Service
from bot.health import Health, Ping, check_health
from config.settings import ConfigError, Settings

if TYPE_CHECKING:
    from bot.adapters.store.forget_requests import ForgetRequests
    from bot.adapters.web.metrics import AnswerMetrics


class Role(StrEnum):
    """What a process does."""

    ALL = "all"
    HTTP = "http"
    SLACK = "slack"
    TEAMS = "teams"
    WORKER = "worker"


@dataclass(slots=True)
class Process:
    """One process; the functions that add its parts append to `services` and `pings`.

    `state` is for what takes in and looks at, `work` is the same Redis over connections of its own, for what answers.
    """

    settings: Settings
    role: Role
    state: State
    work: State
    announce: Callable[[str], None]
    audit: AuditTrail
    gone: "ForgetRequests"
    metrics: "AnswerMetrics"
    on_forgotten: Callable[[], None] = lambda: None
    services: list[Service] = field(default_factory=list)
    pings: dict[str, Ping] = field(default_factory=dict)

    def does(self, *roles: Role) -> bool:
        """Tell whether it has one of the roles; `all` has every one."""
        return self.role in {Role.ALL, *roles}

    @property
    def check(self) -> Callable[[], Awaitable[Health]]:
        """The sum of all pings, those included that are added later."""

        async def check() -> Health:
            return await check_health(self.pings)

        return check


def check_tokens(role: Role, settings: Settings) -> None:
    """Refuse a role whose tokens are missing, before anything is opened.

    Raises:
        ConfigError: names the variables.
    """
    if role is Role.SLACK and settings.slack.app_token is None:
        raise ConfigError("SLACK_BOT_TOKEN and SLACK_APP_TOKEN are needed for Slack's Socket Mode")
    if role is Role.TEAMS and not settings.teams.is_enabled:
        raise ConfigError("CLIENT_ID, CLIENT_SECRET and TENANT_ID are needed for Teams")
    lead_of(settings)
    if role is Role.WORKER and not is_any_platform(settings):
        raise ConfigError("a worker posts to Slack or Teams, and neither has tokens")
