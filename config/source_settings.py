"""Where knowledge is read from beside files: credentials, and hosts that may stand inside."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import NoDecode

from config.group import Group, Names, read_table


class SourceSettings(Group):
    """Credentials of Zendesk, Confluence and a database, and what their labels are called here."""

    zendesk_email: str = Field("", validation_alias="ZENDESK_EMAIL", repr=False)
    zendesk_token: SecretStr | None = Field(None, validation_alias="ZENDESK_API_TOKEN")
    confluence_email: str = Field("", validation_alias="CONFLUENCE_EMAIL", repr=False)
    confluence_token: SecretStr | None = Field(None, validation_alias="CONFLUENCE_API_TOKEN")
    sql_password: SecretStr | None = Field(None, validation_alias="TRIAGE_SQL_PASSWORD")
    hosts: Names = Field((), validation_alias="TRIAGE_SOURCE_HOSTS")
    labels: Annotated[dict[str, tuple[str, ...]], NoDecode] = Field(
        default_factory=dict, validation_alias="TRIAGE_SOURCE_LABELS"
    )

    @field_validator("labels", mode="before")
    @classmethod
    def _table(cls, value: object) -> object:
        table = read_table(value)
        if isinstance(table, Mapping) and not all(isinstance(each, list | tuple) and each for each in table.values()):
            raise ValueError(
                'each label takes a list of at least one label, such as {"zendesk-segment-7": ["internal"]}'
            )
        return table
