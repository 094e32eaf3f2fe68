"""`triage lead-link`: a link to the port of the bot, another each time."""

from pathlib import Path

import pytest

from scripts.cli import main
from tests.redis_servers import RedisServer

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)


def test_a_link_is_printed(
    own_redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The link alone on standard output, with the port that was asked for, else that of the settings."""
    monkeypatch.setenv("REDIS_URL", own_redis_server.url)
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TRIAGE_PORT", "8712")
    links = []
    for arguments in (["lead-link"], ["lead-link", "--port", "9000"]):
        assert main(arguments) == 0
        links.append(capsys.readouterr().out)
    assert links[0].startswith("http://127.0.0.1:8712/lead?link=")
    assert links[1].startswith("http://127.0.0.1:9000/lead?link=")
    assert links[0][-20:] != links[1][-20:]
