"""How the bot writes for customers, who takes over where it cannot help, and how long people's verdicts are kept."""

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator
from pydantic_settings import NoDecode

from config.group import Group, read_table
from config.trust_settings import DAY_S


class AnswerSettings(Group):
    """The house style of drafts, the Slack user groups that take questions over (by queue, `*` any), and feedback.

    Times are seconds. `draft_language` is ISO 639-1, empty for the language of the question.
    """

    draft_address: Literal["formal", "informal"] = Field("formal", validation_alias="TRIAGE_DRAFT_ADDRESS")
    draft_tone: str = Field("", max_length=200, validation_alias="TRIAGE_DRAFT_TONE")
    draft_sign_off: str = Field("", max_length=300, validation_alias="TRIAGE_DRAFT_SIGN_OFF")
    draft_language: str = Field("", pattern=r"^([a-z]{2})?$", validation_alias="TRIAGE_DRAFT_LANGUAGE")
    handover: Annotated[dict[str, str], NoDecode] = Field(default_factory=dict, validation_alias="TRIAGE_HANDOVER")
    slack_streaming: Literal["auto", "whole", "off"] = Field("auto", validation_alias="TRIAGE_SLACK_STREAMING")
    feedback_ttl_s: int = Field(90 * DAY_S, ge=60, le=400 * DAY_S, validation_alias="TRIAGE_FEEDBACK_TTL_S")

    @field_validator("handover", mode="before")
    @classmethod
    def _groups(cls, value: Any) -> Any:
        """Read a table of groups, or one group for every queue."""
        if isinstance(value, str) and value.strip().startswith("S") and value.strip().isalnum():
            return {"*": value.strip()}
        return read_table(value)
