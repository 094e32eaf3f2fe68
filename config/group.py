"""The base of every group of settings: frozen, read from the environment, silent about values."""

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

Names = Annotated[tuple[str, ...], NoDecode]
_INLINE = ("{", "[")


class Group(BaseSettings):
    """Frozen settings that never print the value of a variable, not even of a wrong one."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="ignore",
        hide_input_in_errors=True,
        populate_by_name=True,
        env_ignore_empty=True,
        case_sensitive=True,
    )

    @field_validator("*", mode="before")
    @classmethod
    def _split_lists(cls, value: object, info: ValidationInfo) -> object:
        """Read comma-separated lists where the field is a tuple of names."""
        if isinstance(value, str) and cls.model_fields[info.field_name or ""].annotation == tuple[str, ...]:
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value


def read_table(value: object) -> object:
    """Read a table that a variable holds: a JSON object, or the path of a JSON or TOML file.

    Raises:
        ValueError: it is neither, or the file cannot be read; never shows the value.
    """
    if not isinstance(value, str):
        return value
    text, is_toml = value.strip(), False
    if not text.startswith(_INLINE):
        path = Path(text)
        try:
            text, is_toml = path.read_text(encoding="utf-8"), path.suffix == ".toml"
        except (OSError, ValueError):  # a null byte or a lone surrogate is no path
            raise ValueError("it is neither a JSON object nor the path of a file that can be read") from None
    try:
        table: object = tomllib.loads(text) if is_toml else json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("it does not hold a table in JSON or TOML") from None
    if not isinstance(table, Mapping):
        raise ValueError('it must be a table, such as {"C0123": {"labels": ["billing"]}}')  # noqa: TRY004 - pydantic's
    return table
