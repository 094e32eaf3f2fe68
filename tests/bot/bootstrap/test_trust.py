"""Budget, tokens and audit log, each from its settings."""

import io
import json
from pathlib import Path

import pytest

from bot.audit import NoAudit
from bot.bootstrap.trust import api_access, build_audit, within_budget
from bot.budget import BudgetedModel
from bot.errors import ChatModelUnavailable
from config.settings import ConfigError
from tests.bot.test_budget import request
from tests.environment import settings_of
from tests.fakes import ScriptedModel

PRICES = {"claude-opus-5": {"input": 5, "output": 25}, "claude-haiku-5-5": {"input": 1, "output": 5}}


def test_a_budget_needs_prices() -> None:
    """A missing price is named with its model before anything is spent; a server of the customer's own may cost nothing."""
    for prices in ({}, PRICES | {"claude-haiku-5-5": {"input": 1}}):
        settings = settings_of(TRIAGE_DAILY_BUDGET_USD="5", TRIAGE_PRICES=json.dumps(prices))
        with pytest.raises(ConfigError, match=r"TRIAGE_PRICES, which lacks .*output of claude"):
            within_budget(ScriptedModel(), settings, None)
    model = ScriptedModel()
    assert within_budget(model, settings_of(), None) is model


async def test_a_process_without_redis_spends_nothing() -> None:
    """Nobody could count it: the model is not asked."""
    settings = settings_of(TRIAGE_DAILY_BUDGET_USD="5", TRIAGE_PRICES=json.dumps(PRICES))
    model = ScriptedModel()
    bounded = within_budget(model, settings, None)
    assert isinstance(bounded, BudgetedModel)
    with pytest.raises(ChatModelUnavailable):
        await bounded.answer(request())
    assert model.requests == []


def test_tokens_and_their_labels() -> None:
    """The one token and the named ones; none of them is shown."""
    tokens = '{"crm": {"token": "canary-crm-token", "labels": ["billing"]}}'
    access = api_access(
        settings_of(TRIAGE_API_TOKEN="canary-api-token", TRIAGE_API_LABELS="public,internal", TRIAGE_API_TOKENS=tokens)
    )
    assert access.labels == {"public", "internal"}
    assert [(who.name, who.labels) for who in access.others.values()] == [("crm", {"billing"})]
    assert "canary" not in repr(access)


def test_where_the_audit_log_goes(tmp_path: Path) -> None:
    """A file in the data folder, the stream that stands for standard output, or nowhere."""
    stream, base = io.StringIO(), {"TRIAGE_DATA_DIR": str(tmp_path)}
    build_audit(settings_of(**base), stream).write("started")
    assert (tmp_path / "audit.jsonl").read_text()
    build_audit(settings_of(**base, TRIAGE_AUDIT="stdout"), stream).write("started")
    assert json.loads(stream.getvalue())["event"] == "started"
    off = build_audit(settings_of(**base, TRIAGE_AUDIT="off"), stream)
    assert isinstance(off, NoAudit)
    off.write("started")
    assert len(stream.getvalue().splitlines()) == 1
