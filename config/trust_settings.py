"""Who may ask and see what, how much, how long things are kept, and what is written down of it."""

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator
from pydantic_settings import NoDecode

from config.group import Group, Names, read_table

DAY_S = 86_400
_SLACK_CHANNEL = re.compile(r"[CGD][A-Z0-9]{2,20}")
_FROZEN = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


def is_slack_channel(channel_id: str) -> bool:
    """Tell a Slack channel's id from that of a Teams conversation, which holds a colon."""
    return bool(_SLACK_CHANNEL.fullmatch(channel_id))


class ChannelSettings(BaseModel):
    """What holds in one channel or conversation, named by its id; `*` is every other one, `direct` direct messages.

    `labels` are seen beside public documents (absent: `internal`). `groups` (Slack) and `users` are the ids of those who
    may ask; empty lets everybody ask. `follow` (Slack): replies in the bot's threads need no mention. `sources`: the kinds
    that are searched, all when empty. `draft` (Slack): only the asker sees an answer until they share it.
    """

    model_config = _FROZEN
    labels: tuple[str, ...] | None = None
    allow: bool = True
    groups: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    follow: bool = False
    sources: tuple[Literal["article", "ticket"], ...] = ()
    draft: bool = False


class ApiToken(BaseModel):
    """One further bearer token of the HTTP API with the labels that it sees."""

    model_config = _FROZEN
    token: SecretStr = Field(min_length=8)
    labels: tuple[str, ...] = ("public",)


class AccessSettings(Group):
    """Who may ask where, and what they see."""

    channels: Annotated[dict[str, ChannelSettings], NoDecode] = Field(
        default_factory=dict, validation_alias="TRIAGE_CHANNELS"
    )
    slack_groups: Names = Field((), validation_alias="TRIAGE_SLACK_GROUPS")
    incident_users: Names = Field((), validation_alias="TRIAGE_INCIDENT_USERS")
    incident_groups: Names = Field((), validation_alias="TRIAGE_INCIDENT_GROUPS")
    teams_users: Names = Field((), validation_alias="TRIAGE_TEAMS_USERS")
    teams_tenants: Names = Field((), validation_alias="TRIAGE_TEAMS_HOME_TENANTS")
    teams_guests: Literal["refuse", "public"] = Field("public", validation_alias="TRIAGE_TEAMS_GUESTS")
    lead_channel: str = Field("", validation_alias="TRIAGE_LEAD_CHANNEL")
    leads: Names = Field((), validation_alias="TRIAGE_LEADS")
    lead_groups: Names = Field((), validation_alias="TRIAGE_LEAD_GROUPS")
    lead_url: str = Field("", pattern=r"^(https?://[^\s?#]+)?$", validation_alias="TRIAGE_LEAD_URL")
    api_tokens: Annotated[dict[str, ApiToken], NoDecode] = Field(
        default_factory=dict, validation_alias="TRIAGE_API_TOKENS", repr=False
    )

    @field_validator("channels", "api_tokens", mode="before")
    @classmethod
    def _table(cls, value: Any) -> Any:
        return read_table(value)

    @field_validator("lead_channel")
    @classmethod
    def _channel_id(cls, value: str) -> str:
        if value and not (is_slack_channel(value) or ":" in value):
            raise ValueError(
                "it must be the id of a Slack channel (C0123ABCD) or of a Teams conversation (19:…@thread.tacv2)"
            )
        return value


class LimitSettings(Group):
    """How much may be asked and spent; 0 switches a limit off. `daily_budget_usd` counts from midnight UTC."""

    user_per_minute: int = Field(120, ge=0, validation_alias="TRIAGE_USER_PER_MINUTE")
    user_per_day: int = Field(1_000, ge=0, validation_alias="TRIAGE_USER_PER_DAY")
    channel_per_minute: int = Field(600, ge=0, validation_alias="TRIAGE_CHANNEL_PER_MINUTE")
    channel_per_day: int = Field(10_000, ge=0, validation_alias="TRIAGE_CHANNEL_PER_DAY")
    api_per_minute: int = Field(600, ge=0, validation_alias="TRIAGE_API_PER_MINUTE")
    daily_budget_usd: float | None = Field(None, ge=0, validation_alias="TRIAGE_DAILY_BUDGET_USD")


class RetentionSettings(Group):
    """How long posts and unanswered questions (0: not at all) are kept, and where the audit log goes. Seconds, bytes."""

    posts_ttl_s: int = Field(30 * DAY_S, ge=60, le=30 * DAY_S, validation_alias="TRIAGE_POSTS_TTL_S")
    gaps_ttl_s: int = Field(30 * DAY_S, ge=0, le=180 * DAY_S, validation_alias="TRIAGE_GAPS_TTL_S")
    audit: Literal["file", "stdout", "off"] = Field("file", validation_alias="TRIAGE_AUDIT")
    audit_bytes: int = Field(10_000_000, ge=10_000, validation_alias="TRIAGE_AUDIT_BYTES")
    audit_files: int = Field(10, ge=1, le=1_000, validation_alias="TRIAGE_AUDIT_FILES")
