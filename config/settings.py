"""The only place that reads the environment.

Names that the ecosystem already has are kept (`SLACK_BOT_TOKEN`, `ANTHROPIC_API_KEY`, `REDIS_URL`, …); everything else
starts with `TRIAGE_`. A value that does not fit names its variable and never shows the value.
"""

import difflib
import json
import os
import re
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import NoDecode, SettingsError

from config.answer_settings import AnswerSettings
from config.group import Group, Names, read_table
from config.source_settings import SourceSettings
from config.trust_settings import AccessSettings, LimitSettings, RetentionSettings

# Of 1 for the same name: TRIAGE_MODLE is at 0.8 of TRIAGE_MODEL, TRIAGE_FOO at 0.29 of TRIAGE_PORT.
_NEAR = 0.7
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*(?::\d{1,5})?")


class ConfigError(Exception):
    """A setting is missing or does not fit; names the variable, hides the value."""


class SlackSettings(Group):
    """Slack tokens. The bot serves Slack when the bot token and either the app token or the signing secret are set."""

    bot_token: SecretStr | None = Field(None, validation_alias="SLACK_BOT_TOKEN")
    app_token: SecretStr | None = Field(None, validation_alias="SLACK_APP_TOKEN")
    signing_secret: SecretStr | None = Field(None, validation_alias="SLACK_SIGNING_SECRET")
    config_token: SecretStr | None = Field(None, validation_alias="SLACK_CONFIG_TOKEN")
    api_base_url: str = Field("https://slack.com/api/", validation_alias="SLACK_API_BASE_URL", repr=False)
    channels: Names = Field((), validation_alias="TRIAGE_SLACK_CHANNELS")
    home_teams: Names = Field((), validation_alias="TRIAGE_SLACK_HOME_TEAMS")
    guests: Literal["refuse", "public"] = Field("refuse", validation_alias="TRIAGE_SLACK_GUESTS")
    bots: Names = Field((), validation_alias="TRIAGE_SLACK_BOTS")
    prompts: Annotated[tuple[str, ...], NoDecode] = Field((), validation_alias="TRIAGE_SLACK_PROMPTS", max_length=4)

    @field_validator("prompts", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return json.loads(value) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.bot_token and not (self.app_token or self.signing_secret):
            raise ValueError("SLACK_BOT_TOKEN needs SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)")
        return self

    @property
    def is_enabled(self) -> bool:
        """Whether this process can serve Slack."""
        return self.bot_token is not None


class TeamsSettings(Group):
    """Microsoft Teams credentials. The bot serves Teams when the client id is set."""

    client_id: str | None = Field(None, validation_alias="CLIENT_ID")
    client_secret: SecretStr | None = Field(None, validation_alias="CLIENT_SECRET")
    tenant_id: str | None = Field(None, validation_alias="TENANT_ID")
    openid_metadata_url: str | None = Field(None, validation_alias="TRIAGE_TEAMS_OPENID_URL", repr=False)
    token_issuer: str | None = Field(None, validation_alias="TRIAGE_TEAMS_TOKEN_ISSUER", repr=False)
    login_url: str | None = Field(None, validation_alias="TRIAGE_TEAMS_LOGIN_URL", repr=False)
    conversations: Names = Field((), validation_alias="TRIAGE_TEAMS_CONVERSATIONS")

    @property
    def is_enabled(self) -> bool:
        """Whether this process can serve Teams."""
        return self.client_id is not None


class ModelSettings(Group):
    """The chat model. Model mode is on when a key or a base URL is set. Prices are US dollars per million tokens."""

    api_key: SecretStr | None = Field(None, validation_alias="ANTHROPIC_API_KEY")
    base_url: str | None = Field(None, validation_alias="ANTHROPIC_BASE_URL", repr=False)
    answer_model: str = Field("claude-opus-5", validation_alias="TRIAGE_MODEL")
    rewrite_model: str = Field("claude-haiku-5-5", validation_alias="TRIAGE_REWRITE_MODEL")
    citations: Literal["auto", "on", "off"] = Field("auto", validation_alias="TRIAGE_CITATIONS")
    timeout_s: float = Field(12.0, gt=0, le=120, validation_alias="TRIAGE_MODEL_TIMEOUT_S")
    max_tokens: int = Field(900, ge=64, le=8000, validation_alias="TRIAGE_MODEL_MAX_TOKENS")
    prices: dict[str, dict[str, float]] = Field(default_factory=dict, validation_alias="TRIAGE_PRICES")

    @property
    def is_enabled(self) -> bool:
        """Whether answers are written by a model."""
        return self.api_key is not None or self.base_url is not None


class RetrievalSettings(Group):
    """Embedding model, data folder and what redaction must know of this desk."""

    embedding_model: str = Field("", validation_alias="EMBEDDING_MODEL")
    embedding_device: Literal["auto", "cpu", "cuda"] = Field("auto", validation_alias="TRIAGE_EMBEDDING_DEVICE")
    reranker: str = Field("", validation_alias="TRIAGE_RERANKER")
    data_dir: Path = Field(Path(".triage"), validation_alias="TRIAGE_DATA_DIR")
    phone_regions: Names = Field(("UA", "RU", "DE", "PL", "GB", "US"), validation_alias="TRIAGE_PHONE_REGIONS")
    own_domains: Names = Field((), validation_alias="TRIAGE_OWN_DOMAINS")
    link_hosts: Names = Field((), validation_alias="TRIAGE_LINK_HOSTS")
    own_id_patterns: Annotated[dict[str, str], NoDecode] = Field(
        default_factory=dict, validation_alias="TRIAGE_OWN_ID_PATTERNS"
    )
    kept_id_patterns: Annotated[tuple[str, ...], NoDecode] = Field((), validation_alias="TRIAGE_KEPT_ID_PATTERNS")
    redaction_key: SecretStr | None = Field(None, min_length=16, validation_alias="TRIAGE_REDACTION_KEY")

    @field_validator("link_hosts")
    @classmethod
    def _plain_hosts(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not all(map(_HOST.fullmatch, value)):
            raise ValueError("give hosts by their names, such as docs.acme.example or localhost:8080")
        return tuple(host.casefold() for host in value)

    @field_validator("own_id_patterns", mode="before")
    @classmethod
    def _hidden_ids(cls, value: object) -> object:
        table = read_table(value)
        if isinstance(table, Mapping) and table:
            from retrieval.redaction.own_ids import checked_names, checked_pattern

            checked_names(table)
            return {name: checked_pattern(pattern) for name, pattern in table.items()}
        return table

    @field_validator("kept_id_patterns", mode="before")
    @classmethod
    def _kept_ids(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        from retrieval.redaction.own_ids import checked_pattern

        # A list in JSON, since expressions hold commas; one alone may stand as it is.
        patterns = json.loads(value) if value.lstrip().startswith('["') else [value]
        return tuple(checked_pattern(pattern) for pattern in patterns)

    @property
    def index_dir(self) -> Path:
        """Where the index lies unless a command names another folder."""
        return self.data_dir / "index"


class ServerSettings(Group):
    """Ports, API token, Redis and limits. Times are seconds. Ports of 0 take the next free one."""

    redis_url: SecretStr | None = Field(None, validation_alias="REDIS_URL")
    port: int = Field(0, ge=0, le=65535, validation_alias="TRIAGE_PORT")
    public_port: int = Field(0, ge=0, le=65535, validation_alias="TRIAGE_PUBLIC_PORT")
    public_host: str = Field("127.0.0.1", validation_alias="TRIAGE_PUBLIC_HOST")
    api_token: SecretStr | None = Field(None, validation_alias="TRIAGE_API_TOKEN")
    api_labels: Names = Field(("public",), validation_alias="TRIAGE_API_LABELS")
    partitions: int = Field(16, ge=1, le=256, validation_alias="TRIAGE_PARTITIONS")
    concurrency: int = Field(256, ge=1, le=2_000, validation_alias="TRIAGE_CONCURRENCY")
    most_waiting: int = Field(10_000, ge=100, le=1_000_000, validation_alias="TRIAGE_QUEUE_LIMIT")
    health_port: int = Field(0, ge=0, le=65535, validation_alias="TRIAGE_HEALTH_PORT")
    history_ttl_s: int = Field(14 * 86400, ge=60, le=30 * 86400, validation_alias="TRIAGE_HISTORY_TTL_S")
    history_turns: int = Field(20, ge=1, le=20, validation_alias="TRIAGE_HISTORY_TURNS")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", validation_alias="TRIAGE_LOG_LEVEL")

    @field_validator("redis_url")
    @classmethod
    def _known_scheme(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("it must start with redis://, rediss:// or unix://")
        return value


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, in groups."""

    slack: SlackSettings
    teams: TeamsSettings
    model: ModelSettings
    retrieval: RetrievalSettings
    server: ServerSettings
    access: AccessSettings
    limits: LimitSettings
    retention: RetentionSettings
    answers: AnswerSettings
    sources: SourceSettings


GROUPS: dict[str, type[Group]] = {
    "slack": SlackSettings,
    "teams": TeamsSettings,
    "model": ModelSettings,
    "retrieval": RetrievalSettings,
    "server": ServerSettings,
    "access": AccessSettings,
    "limits": LimitSettings,
    "retention": RetentionSettings,
    "answers": AnswerSettings,
    "sources": SourceSettings,
}
# Read by the tests, not by the processes.
_FOREIGN = frozenset({"TRIAGE_EVAL_DATA", "TRIAGE_LLMOCK"})


def variable_names() -> tuple[str, ...]:
    """Give every environment variable that the settings read, sorted."""
    return tuple(sorted(str(f.validation_alias) for group in GROUPS.values() for f in group.model_fields.values()))


def set_names(settings: Settings) -> tuple[str, ...]:
    """Give the variables that were set, sorted; no values."""
    groups = (getattr(settings, name) for name in GROUPS)
    return tuple(
        sorted(str(type(g).model_fields[field].validation_alias) for g in groups for field in g.model_fields_set)
    )


def has_display() -> bool:
    """Tell whether a person sits in front of this machine's screen, so that a browser may be opened."""
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")) or sys.platform == "darwin"


def load_settings(env_file: Path | None = Path(".env")) -> Settings:
    """Read the environment once, and beneath it the `.env` file where there is one.

    Raises:
        ConfigError: a variable does not fit, or one that starts with `TRIAGE_` is unknown (with the nearest name).
    """
    given = dict(dotenv_values(env_file)) if env_file and env_file.is_file() else {}
    _refuse_unknown({**given, **os.environ})
    try:
        # `_env_file` is an argument that pydantic-settings takes but its mypy form does not list.
        groups = {name: group(_env_file=env_file) for name, group in GROUPS.items()}  # type: ignore[call-arg]
    except ValidationError as error:
        raise ConfigError("; ".join(_described(e) for e in json.loads(error.json(include_input=False)))) from None
    except SettingsError as error:
        raise ConfigError(f"a setting is not the JSON it should be: {error}") from None
    return Settings(**groups)  # type: ignore[arg-type]  # each name maps to its own class in GROUPS


def _described(error: Mapping[str, object]) -> str:
    where = error.get("loc")
    name = str(where[0]) + ": " if isinstance(where, list) and where else ""
    bound = error.get("ctx")
    # Only secrets have a least length, and pydantic speaks of their "items".
    if error.get("type") == "too_short" and isinstance(bound, dict):
        return f"{name}it needs at least {bound.get('min_length')} characters"
    return f"{name}{str(error.get('msg')).removeprefix('Value error, ')}"


def _refuse_unknown(environ: Mapping[str, str | None]) -> None:
    known = set(variable_names()) | _FOREIGN
    for name in environ:
        if name.startswith("TRIAGE_") and name not in known:
            raise ConfigError(f"unknown setting {name}{_nearest(name, known)}")


def _nearest(name: str, known: Collection[str]) -> str:
    """Ask for the name that is meant, empty when none is near. What all of them begin with makes none of them near."""
    by_rest = {other.removeprefix("TRIAGE_"): other for other in sorted(known)}
    near = difflib.get_close_matches(name.removeprefix("TRIAGE_"), by_rest, n=1, cutoff=_NEAR)
    return f"; did you mean {by_rest[near[0]]}?" if near else ""
