"""Limits, budget, API tokens and the audit log, each built from its settings."""

from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from bot.audit import AuditedResponder, AuditTrail, NoAudit, nobody
from bot.bootstrap.clock import SystemClock
from bot.budget import Budget, BudgetedModel, CallPrices
from bot.errors import StateUnavailable
from bot.ports import ChatModel, Responder
from config.settings import ConfigError, ModelSettings, Settings
from config.trust_settings import LimitSettings, RetentionSettings

if TYPE_CHECKING:
    from bot.adapters.files.audit_log import AuditFile
    from bot.adapters.store.forget_requests import ForgetRequests
    from bot.adapters.store.incidents import RedisIncidents
    from bot.adapters.store.limits import RedisLimits
    from bot.adapters.web.api import ApiAccess
    from bot.bootstrap.parts import State


def build_limits(settings: LimitSettings, state: "State") -> "RedisLimits":
    """Build the limits that all processes share."""
    from bot.adapters.store.limits import Bound, Bounds, RedisLimits

    bounds = Bounds(
        user=Bound(settings.user_per_minute, settings.user_per_day),
        channel=Bound(settings.channel_per_minute, settings.channel_per_day),
        token=Bound(settings.api_per_minute),
    )
    return RedisLimits(state.link, state.keys, state.people, bounds)


def within_budget(model: ChatModel, settings: Settings, state: "State | None") -> ChatModel:
    """Give the model as it is, or bounded by the day's budget; where nobody can count, it is not asked at all.

    Raises:
        ConfigError: a budget is set, and a price is missing that it would be counted by.
    """
    usd = settings.limits.daily_budget_usd
    if usd is None:
        return model
    prices = call_prices(settings.model)
    if state is None:
        return BudgetedModel(model, _Uncounted(), prices)
    from bot.adapters.store.limits import RedisBudget

    return BudgetedModel(model, RedisBudget(state.link, state.keys, clock=SystemClock(), usd_per_day=usd), prices)


def api_access(settings: Settings) -> "ApiAccess":
    """Build who may call the HTTP API, and what each caller sees."""
    from bot.adapters.web.api import ApiAccess, ApiCaller

    server = settings.server
    others = {
        row.token.get_secret_value(): ApiCaller(name, frozenset(row.labels))
        for name, row in settings.access.api_tokens.items()
    }
    token = server.api_token.get_secret_value() if server.api_token else ""
    return ApiAccess(token, frozenset(server.api_labels), others)


def audit_file(settings: RetentionSettings, data_dir: Path) -> "AuditFile":
    """Build the audit log in the data folder."""
    from bot.adapters.files.audit_log import FILE, AuditFile

    path = data_dir / FILE
    return AuditFile(path, SystemClock(), max_bytes=settings.audit_bytes, files=settings.audit_files)


def build_audit(settings: Settings, stream: TextIO) -> AuditTrail:
    """Build the audit log that the settings ask for; `stream` is what stands for standard output here."""
    from bot.adapters.files.audit_log import AuditStream

    match settings.retention.audit:
        case "off":
            return NoAudit()
        case "stdout":
            return AuditStream(stream, SystemClock())
        case _:
            return audit_file(settings.retention, settings.retrieval.data_dir)


def audited(responder: Responder, trail: AuditTrail, state: "State | None") -> Responder:
    """Give the responder with a row in the audit log for every answer."""
    return AuditedResponder(responder, trail, name_of=state.people.of if state else nobody)


def incidents_of(state: "State") -> "RedisIncidents":
    """Build what keeps the incidents that head answers."""
    from bot.adapters.store.incidents import RedisIncidents

    return RedisIncidents(state.link, state.keys, SystemClock())


def forget_requests(state: "State", trail: AuditTrail, data_dir: Path) -> "ForgetRequests":
    """Build what takes deleted messages out and forgets places that the bot was removed from."""
    from bot.adapters.files.corrections import FILE, CorrectionFile
    from bot.adapters.store.forget_requests import ForgetRequests
    from bot.adapters.store.forgetting import RedisForgetting

    forgetting = RedisForgetting(state.link, state.keys, state.people)
    return ForgetRequests(state.link, state.keys, forgetting, trail, corrections=CorrectionFile(data_dir / FILE))


def call_prices(settings: ModelSettings) -> CallPrices:
    """Give what both models cost.

    Raises:
        ConfigError: a price is missing that a budget would be counted by.
    """
    for model in (settings.answer_model, settings.rewrite_model):
        if missing := {"input", "output"} - set(settings.prices.get(model, {})):
            raise ConfigError(
                f"TRIAGE_DAILY_BUDGET_USD counts by TRIAGE_PRICES, which lacks {' and '.join(sorted(missing))} of {model}"
            )
    answer, rewrite = settings.prices[settings.answer_model], settings.prices[settings.rewrite_model]
    return CallPrices(answer, rewrite, settings.max_tokens)


class _Uncounted(Budget):
    """The budget of a process without Redis."""

    async def reserve(self, usd: float) -> bool:  # noqa: ARG002 - the port's form
        raise StateUnavailable("a budget is counted in Redis")

    async def settle(self, *, reserved: float, spent: float) -> None:  # noqa: ARG002 - the port's form
        raise AssertionError("nothing was reserved")
