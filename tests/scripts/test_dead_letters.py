"""`triage dead-letters`: what it prints and how it ends."""

import asyncio
import json
from pathlib import Path

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.questions.message_json import message_to_json
from scripts.cli import main
from tests.redis_servers import RedisServer
from tests.sample_messages import message

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)


@pytest.fixture(autouse=True)
def _environment(own_redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", own_redis_server.url)
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(tmp_path / "data"))


async def _plant(url: str, *bodies: str) -> None:
    link, keys = RedisLink(url), Keyspace()
    for body in bodies:
        await link.execute("XADD", keys.of(7, "dead"), "*", "message", body, "reason", "too many starts")
    await link.close()


def _rows(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_list(own_redis_server: RedisServer, capsys: pytest.CaptureFixture[str]) -> None:
    """A line and an object a question, with id, reason, place and redacted text; none is told in words."""
    assert main(["dead-letters", "list"]) == 0
    assert capsys.readouterr().out == "0 dead letters\n"
    asyncio.run(_plant(own_redis_server.url, message_to_json(message("m1", received_at=1_700_000_000.0)), "no JSON"))
    assert main(["dead-letters", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "too many starts  slack C1 1700000000.000100  question m1" in lines[0]
    assert lines[-1] == "2 dead letters"
    assert main(["dead-letters", "list", "--json"]) == 0
    first, second = _rows(capsys)
    assert (first["readable"], second["readable"]) == (True, False)
    assert {k: first[k] for k in ("asked_at", "platform", "tenant", "channel", "message", "question", "reason")} == {
        "asked_at": "2023-11-14T22:13:20+00:00", "platform": "slack", "tenant": "T1", "channel": "C1",
        "message": "m1", "question": "question m1", "reason": "too many starts",
    }  # fmt: skip


def test_retry_and_drop(own_redis_server: RedisServer, capsys: pytest.CaptureFixture[str]) -> None:
    """0 when all of the named were changed, 1 when some, 2 when none; why not is said on stderr."""
    asyncio.run(_plant(own_redis_server.url, *(message_to_json(message(name)) for name in ("m1", "m2")), "no JSON"))
    main(["dead-letters", "list", "--json"])
    first, second, foreign = (str(row["id"]) for row in _rows(capsys))
    assert main(["dead-letters", "retry", first, "--json"]) == 0
    assert _rows(capsys) == [{"retried": [first], "failed": []}]
    assert main(["dead-letters", "retry", "--all", "--json"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out) == {"retried": [second], "failed": [foreign]}
    assert f"{foreign}: it cannot be read, and can only be dropped" in told.err
    assert main(["dead-letters", "drop", first]) == 2
    told_again = capsys.readouterr()
    assert "no such dead letter" in told_again.err
    assert not told_again.out
    assert main(["dead-letters", "drop", foreign]) == 0
    assert capsys.readouterr().out == "dropped 1 question\n"


@pytest.mark.parametrize("words", [["retry"], ["drop"], ["retry", "07-1-0", "--all"]])
def test_nothing_is_changed_by_mistake(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Without an id and without `--all`, or with both, it says what to do."""
    assert main(["dead-letters", *words]) == 2
    assert "--all" in capsys.readouterr().err


def test_redis_away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without Redis: one line, exit code 2."""
    monkeypatch.setenv("REDIS_URL", f"unix://{tmp_path}/none.sock")
    assert main(["dead-letters", "list"]) == 2
    assert "Redis is out of reach" in capsys.readouterr().err
