"""Settings that do nothing as they are."""

import json
from pathlib import Path

import pytest

from bot.bootstrap.setting_checks import idle_settings
from tests.bot.bootstrap.test_checks import found
from tests.environment import settings_of

PRICES = {"claude-opus-5": {"input": 5, "output": 25}, "claude-haiku-5-5": {"input": 1, "output": 5}}


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"TRIAGE_CHANNELS": '{"C0123": {}, "canary": {}, "#general": {}}'}, "TRIAGE_CHANNELS: entry 2, 3 of 3"),
        ({"TRIAGE_LEADS": "canary"}, "TRIAGE_LEADS: entry 1 of 1"),
        ({"TRIAGE_LEADS": "U0123ABCD,@canary"}, "TRIAGE_LEADS: entry 2 of 2"),
        ({"TRIAGE_PHONE_REGIONS": "UA,XX"}, "TRIAGE_PHONE_REGIONS: entry 2 of 2"),
        ({"TRIAGE_PHONE_REGIONS": "UK"}, "TRIAGE_PHONE_REGIONS: entry 1 of 1"),
        ({"TRIAGE_DAILY_BUDGET_USD": "5"}, "TRIAGE_DAILY_BUDGET_USD counts by TRIAGE_PRICES"),
        (
            {"TRIAGE_DAILY_BUDGET_USD": "5", "TRIAGE_PRICES": json.dumps(PRICES), "TRIAGE_MODEL": "other"},
            "lacks input and output of other",
        ),
    ],
)
def test_what_does_nothing_is_named(environment: dict[str, str], said: str) -> None:
    """By its variable and place, without its value, and with what to do."""
    ((seen, advice),) = idle_settings(settings_of(**environment))
    assert said in seen
    assert advice
    assert "canary" not in seen + advice


def test_what_fits_is_not_named() -> None:
    """Ids of both platforms, names that stand for all, regions in any case, and a budget with its prices."""
    teams = "8a6f9b2e-1c3d-4e5f-8a6b-1c2d3e4f5a6b"
    settings = settings_of(
        TRIAGE_CHANNELS='{"*": {}, "direct": {}, "C0123ABCD": {}, "G1X": {}, "19:x@thread.tacv2": {}}',
        TRIAGE_LEADS=f"U0123ABCD,W0123ABCD,29:1abc-D_e,{teams}",
        TRIAGE_PHONE_REGIONS="ua,GB",
        TRIAGE_DAILY_BUDGET_USD="5",
        TRIAGE_PRICES=json.dumps(PRICES),
    )
    assert not list(idle_settings(settings))
    assert not list(idle_settings(settings_of()))


async def test_doctor_tells_them(tmp_path: Path) -> None:
    """As a part of their own that fails."""
    finding = await found("settings", TRIAGE_LEADS="bob", TRIAGE_DATA_DIR=str(tmp_path / "none"))
    assert not finding.is_well
