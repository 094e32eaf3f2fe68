"""Settings: read once, frozen, silent about values."""

import os
from pathlib import Path

import pytest

from config.settings import ConfigError, load_settings, variable_names

README = Path(__file__).parents[2] / "README.md"
ENV_EXAMPLE = Path(__file__).parents[2] / ".env.example"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in variable_names():
        monkeypatch.delenv(name, raising=False)


def test_defaults_need_nothing() -> None:
    """Without any variable the bot has no platform, no model and the embedded defaults."""
    settings = load_settings(None)
    assert not settings.slack.is_enabled
    assert not settings.teams.is_enabled
    assert not settings.model.is_enabled
    assert settings.retrieval.index_dir == Path(".triage/index")


def test_lists_are_comma_separated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list variable splits at commas and drops blanks."""
    monkeypatch.setenv("TRIAGE_SLACK_CHANNELS", "C1, C2,,")
    assert load_settings(None).slack.channels == ("C1", "C2")


def test_a_misspelt_variable_is_named_with_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown TRIAGE_ variable stops the start and names the likely one."""
    monkeypatch.setenv("TRIAGE_MODLE", "x")
    with pytest.raises(ConfigError, match="unknown setting TRIAGE_MODLE; did you mean TRIAGE_MODEL"):
        load_settings(None)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("TRIAGE_FOO", ""),
        ("TRIAGE_COLOR", ""),
        ("TRIAGE_X", ""),
        ("TRIAGE_REDIS_URL", "; did you mean REDIS_URL?"),
        ("TRIAGE_DATADIR", "; did you mean TRIAGE_DATA_DIR?"),
        ("TRIAGE_MODELS", "; did you mean TRIAGE_MODEL?"),
    ],
)
def test_only_a_near_name_is_suggested(monkeypatch: pytest.MonkeyPatch, name: str, near: str) -> None:
    """That all names begin alike makes none of them near; one without the beginning is."""
    monkeypatch.setenv(name, "x")
    with pytest.raises(ConfigError) as refused:
        load_settings(None)
    assert str(refused.value) == f"unknown setting {name}{near}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRIAGE_PORT", "canary-70000"),
        ("TRIAGE_CITATIONS", "canary"),
        ("TRIAGE_PRICES", "{canary"),
        ("REDIS_URL", "http://canary"),
        ("TRIAGE_LINK_HOSTS", "https://canary.example/path"),
    ],
)
def test_a_wrong_value_is_named_but_never_shown(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """The error names the variable and hides the value, and the values of the others."""
    monkeypatch.setenv(name, value)
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-canary-token")
    monkeypatch.setenv("SLACK_APP_TOKEN", "xapp-canary-token")
    with pytest.raises(ConfigError) as caught:
        load_settings(None)
    assert "canary" not in str(caught.value)
    assert "Value error" not in str(caught.value)
    assert name in str(caught.value) or "prices" in str(caught.value)


def test_a_bot_token_alone_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slack needs a way in: an app token or a signing secret, and an empty one is none."""
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xoxb-canary")
    monkeypatch.setenv("SLACK_SIGNING_SECRET", "")
    with pytest.raises(ConfigError, match="SLACK_APP_TOKEN") as caught:
        load_settings(None)
    assert "canary" not in str(caught.value)


def test_secrets_do_not_print(monkeypatch: pytest.MonkeyPatch) -> None:
    """The repr of the settings holds no secret."""
    for name in ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "ANTHROPIC_API_KEY", "CLIENT_SECRET", "TRIAGE_API_TOKEN"):
        monkeypatch.setenv(name, f"canary-{name}")
    monkeypatch.setenv("REDIS_URL", "redis://:canary-password@127.0.0.1/0")
    assert "canary" not in repr(load_settings(None))


def test_an_env_file_lies_beneath_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Values of the file count where the environment says nothing."""
    file = tmp_path / ".env"
    file.write_text("TRIAGE_PORT=4001\nTRIAGE_MODEL=from-file\n", encoding="utf-8")
    monkeypatch.setenv("TRIAGE_PORT", "4002")
    settings = load_settings(file)
    assert (settings.server.port, settings.model.answer_model) == (4002, "from-file")
    assert "TRIAGE_MODEL" not in os.environ


def test_an_env_file_with_an_unknown_name_is_refused(tmp_path: Path) -> None:
    """Misspelt names in the file are refused too."""
    file = tmp_path / ".env"
    file.write_text("TRIAGE_PROT=4001\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="TRIAGE_PROT"):
        load_settings(file)


@pytest.mark.parametrize("file", [README, ENV_EXAMPLE])
def test_every_variable_is_documented(file: Path) -> None:
    """README and .env.example name every variable that is read."""
    text = file.read_text(encoding="utf-8")
    assert [name for name in variable_names() if name not in text] == []
