"""No secret is printed: not by the settings or their errors, not by logs, tracebacks, commands or processes."""

import logging
import os
import pickle
import pprint
import subprocess
import sys
import traceback
from dataclasses import asdict
from pathlib import Path

import pytest

from config.settings import ConfigError, Settings, load_settings, set_names
from config.trust_settings import ApiToken
from tests.environment import settings_of

ROOT = Path(__file__).parents[2]
CANARY = "canary7f3a"
SECRETS = {
    "SLACK_BOT_TOKEN": f"xoxb-{CANARY}",
    "SLACK_APP_TOKEN": f"xapp-{CANARY}",
    "SLACK_SIGNING_SECRET": f"{CANARY}signing",
    "SLACK_API_BASE_URL": f"http://user:{CANARY}@127.0.0.1:1/api/",
    "CLIENT_SECRET": f"{CANARY}~teams",
    "TRIAGE_TEAMS_LOGIN_URL": f"http://user:{CANARY}@127.0.0.1:1/login",
    "TRIAGE_TEAMS_OPENID_URL": f"http://user:{CANARY}@127.0.0.1:1/openid",
    "TRIAGE_TEAMS_TOKEN_ISSUER": f"http://user:{CANARY}@127.0.0.1:1/issuer",
    "ANTHROPIC_API_KEY": f"sk-ant-{CANARY}",
    "ANTHROPIC_BASE_URL": f"http://user:{CANARY}@127.0.0.1:1",
    "REDIS_URL": f"redis://user:{CANARY}@127.0.0.1:1/0",
    "TRIAGE_API_TOKEN": f"{CANARY}-api",
    "TRIAGE_API_TOKENS": f'{{"crm": {{"token": "{CANARY}-crm"}}}}',
}
WRONG = {
    "SLACK_BOT_TOKEN": {"SLACK_BOT_TOKEN": f"xoxb-{CANARY}"},
    "REDIS_URL": {"REDIS_URL": f"http://:{CANARY}@127.0.0.1"},
    "TRIAGE_API_TOKENS is no JSON": {"TRIAGE_API_TOKENS": f"{{{CANARY}"},
    "TRIAGE_API_TOKENS is a path": {"TRIAGE_API_TOKENS": CANARY},
    "a token without its table": {"TRIAGE_API_TOKENS": f'{{"crm": "{CANARY}-crm"}}'},
    "a token as a name": {"TRIAGE_API_TOKENS": f'{{"{CANARY}": {{}}}}'},
    "labels that are none": {"TRIAGE_API_TOKENS": f'{{"crm": {{"token": "{CANARY}-crm", "labels": 7}}}}'},
    "too short": {"TRIAGE_API_TOKENS": '{"crm": {"token": "7f3a"}}'},
    "another setting": {**SECRETS, "TRIAGE_PORT": CANARY},
    "a misspelt one": {**SECRETS, "TRIAGE_API_TOKEM": CANARY},
}


@pytest.fixture
def settings() -> Settings:
    """Give settings whose every secret is planted."""
    return settings_of(**SECRETS, CLIENT_ID="id", TENANT_ID="tenant")


def test_settings_do_not_print(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    """By no way of printing: repr, str, format, pprint, asdict, dump of a group, log."""
    groups = [getattr(settings, name) for name in Settings.__slots__]
    logging.getLogger("test").warning("%s %r", settings, groups)
    shown = [
        repr(settings),
        str(settings),
        f"{settings}",
        pprint.pformat(settings),
        repr(asdict(settings)),
        caplog.text,
    ]
    shown += [repr(group) + str(group) for group in groups]
    assert [text for text in shown if CANARY in text] == []
    assert set(SECRETS) <= set(set_names(settings))


def test_addresses_are_read_all_the_same(settings: Settings) -> None:
    """What is not printed is used."""
    assert settings.slack.api_base_url == SECRETS["SLACK_API_BASE_URL"]
    assert CANARY in settings.access.api_tokens["crm"].token.get_secret_value()
    assert isinstance(pickle.loads(pickle.dumps(settings.access.api_tokens["crm"])), ApiToken)


@pytest.mark.parametrize("environment", WRONG.values(), ids=WRONG.keys())
def test_errors_do_not_print(environment: dict[str, str]) -> None:
    """Neither the error nor its traceback shows a value, its own or that of another variable."""
    with pytest.raises(ConfigError) as caught:
        settings_of(**environment)
    lines = traceback.format_exception(caught.value)
    assert [line for line in [str(caught.value), repr(caught.value), *lines] if CANARY in line or "7f3a" in line] == []


def test_a_file_with_secrets_is_not_shown(tmp_path: Path) -> None:
    """A broken line of `.env` is not quoted."""
    file = tmp_path / ".env"
    file.write_text(f"TRIAGE_PORT={CANARY}\nSLACK_BOT_TOKEN=xoxb-{CANARY}\n{CANARY}\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        for name in SECRETS:
            patch.delenv(name, raising=False)
        with pytest.raises(ConfigError) as caught:
            load_settings(file)
    assert CANARY not in "".join(traceback.format_exception(caught.value))


def run(*command: str, data_dir: Path, **environment: str) -> str:
    """Run one of our programs with every secret planted, and give all that it prints."""
    given = {"PATH": os.environ["PATH"], "TRIAGE_DATA_DIR": str(data_dir), **SECRETS, **environment}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, env=given, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode in {1, 2}, done.stderr
    assert done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("command", "environment"),
    [
        (("scripts.cli", "doctor"), {"CLIENT_ID": "id", "TENANT_ID": "t"}),
        (("scripts.cli", "forget", "--user", "U1"), {"TRIAGE_LOG_LEVEL": "debug"}),
        (("scripts.cli", "ask", "hi"), {"TRIAGE_LOG_LEVEL": "debug"}),
        (("scripts.cli", "doctor"), {"TRIAGE_PORT": CANARY}),
        (("bot", "worker"), {"TRIAGE_LOG_LEVEL": "debug"}),
        (("bot", "slack"), {"SLACK_APP_TOKEN": ""}),
    ],
    ids=["doctor", "forget", "ask", "wrong setting", "worker", "slack"],
)
def test_programs_do_not_print(command: tuple[str, ...], environment: dict[str, str], tmp_path: Path) -> None:
    """Everything is out of reach, every part fails and says so, and nothing of a secret is on either stream or in a file."""
    data_dir = tmp_path / "data"
    data_dir.mkdir(mode=0o700)
    assert CANARY not in run(*command, data_dir=data_dir, **environment)
    assert [path for path in data_dir.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()] == []
