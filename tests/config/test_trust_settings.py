"""Settings of access, limits and retention: tables by channel id, tokens with labels."""

import json
from pathlib import Path

import pytest

from config.settings import ConfigError, Settings
from tests.environment import settings_of

TABLE = {"C0123": {"labels": ["billing"], "groups": ["S0SUP"]}, "*": {"allow": False}}


def shown(settings: Settings) -> dict[str, tuple[tuple[str, ...] | None, bool, tuple[str, ...]]]:
    """Give the table of channels as plain values."""
    return {name: (row.labels, row.allow, row.groups) for name, row in settings.access.channels.items()}


def test_a_table_of_channels_inline_or_in_a_file(tmp_path: Path) -> None:
    """JSON in the variable, a JSON file and a TOML file say the same."""
    as_json, as_toml = tmp_path / "channels.json", tmp_path / "channels.toml"
    as_json.write_text(json.dumps(TABLE), encoding="utf-8")
    as_toml.write_text('[C0123]\nlabels = ["billing"]\ngroups = ["S0SUP"]\n["*"]\nallow = false\n', encoding="utf-8")
    found = [shown(settings_of(TRIAGE_CHANNELS=value)) for value in (json.dumps(TABLE), str(as_json), str(as_toml))]
    assert found == [{"C0123": (("billing",), True, ("S0SUP",)), "*": (None, False, ())}] * 3


@pytest.mark.parametrize(
    "value",
    [
        "{canary",
        '["canary"]',
        "canary/none.json",
        "canary\udcff",
        '{"C1": {"labels": "canary"}}',
        '{"C1": {"canary": true}}',
        '{"C1": "canary"}',
        "[" * 100_000,
    ],
)
def test_a_wrong_table_is_named_and_not_shown(value: str) -> None:
    """Whatever is wrong with it, the variable is named and nothing of it is shown."""
    with pytest.raises(ConfigError, match="TRIAGE_CHANNELS") as caught:
        settings_of(TRIAGE_CHANNELS=value)
    assert "canary" not in str(caught.value)


def test_tokens_with_labels() -> None:
    """Each token has its name and labels, public unless it says otherwise; a short token is refused."""
    given = {"crm": {"token": "canary-crm-token", "labels": ["public", "billing"]}, "site": {"token": "canary-site"}}
    settings = settings_of(TRIAGE_API_TOKENS=json.dumps(given))
    assert {name: row.labels for name, row in settings.access.api_tokens.items()} == {
        "crm": ("public", "billing"),
        "site": ("public",),
    }
    assert "canary" not in repr(settings)
    with pytest.raises(ConfigError, match="TRIAGE_API_TOKENS: it needs at least 8 characters") as caught:
        settings_of(TRIAGE_API_TOKENS='{"crm": {"token": "canary"}}')
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("value", ["#canary", "canary", "c0123", "C0123,C0456", " C0123x "])
def test_a_leads_channel_is_an_id(value: str) -> None:
    """A name of a channel is refused without being shown: Slack would take it, and post to whoever takes that name later."""
    assert settings_of(TRIAGE_LEAD_CHANNEL="C0123ABCD").access.lead_channel == "C0123ABCD"
    assert settings_of(TRIAGE_LEAD_CHANNEL="19:leads@thread.tacv2").access.lead_channel == "19:leads@thread.tacv2"
    with pytest.raises(ConfigError, match="TRIAGE_LEAD_CHANNEL") as caught:
        settings_of(TRIAGE_LEAD_CHANNEL=value)
    assert value not in str(caught.value)
