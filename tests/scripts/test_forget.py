"""`triage forget`: what it prints and how it ends."""

import asyncio
import json
from pathlib import Path

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.lead.receipts import Receipt, receipt_to_json
from bot.messages import MessageId
from scripts.cli import main
from tests.redis_servers import RedisServer
from tests.sample_messages import thread, turn
from tests.scenarios.data_folders import make_data_folder

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
ROOT_TS = thread().thread_id


@pytest.fixture(autouse=True)
def _environment(own_redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", own_redis_server.url)
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(make_data_folder(tmp_path / "data")))


async def _plant(url: str) -> None:
    link, keys = RedisLink(url), Keyspace()
    await RedisThreadStore(link, keys).remember(thread(), turn(), message_id=MessageId("m1"))
    receipt = Receipt(MessageId("m1"), thread(), ("1.1",), ("kb-101",), "", 1_700_000_000.0)
    await link.execute("SET", keys.of_thread(thread(), "receipt", "m1"), receipt_to_json(receipt), "EX", 100)
    await link.close()


def test_as_json(own_redis_server: RedisServer, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One object: what was removed, and where the bot's posts stand; the audit log names the thread."""
    asyncio.run(_plant(own_redis_server.url))
    assert main(["forget", "--thread", ROOT_TS, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["thread"], told["removed"]["turns"], told["files"]) == (ROOT_TS, 1, "rewritten")
    assert told["posts"] == [
        {
            "platform": "slack", "tenant": "T1", "channel": "C1", "thread": ROOT_TS, "ids": ["1.1"],
            "cited": ["kb-101"], "at": "2023-11-14T22:13:20+00:00", "deleted": None,
        }
    ]  # fmt: skip
    (row,) = (json.loads(line) for line in (tmp_path / "data" / "audit.jsonl").read_text().splitlines())
    assert (row["event"], row["subject"], row["counts"]) == ("forgotten", ROOT_TS, ["cost=1", "turns=1"])


def test_for_a_person(own_redis_server: RedisServer, capsys: pytest.CaptureFixture[str]) -> None:
    """Lines that say what was removed, what stands, and what could not be deleted; 1 when something is left to do."""
    asyncio.run(_plant(own_redis_server.url))
    assert main(["forget", "--thread", ROOT_TS]) == 0
    assert "post slack C1 1.1: stands (--posts deletes it)" in capsys.readouterr().out
    assert main(["forget", "--thread", ROOT_TS, "--posts"]) == 1
    told = capsys.readouterr()
    assert "NOT deleted" in told.out
    assert "no token to delete posts on slack" in told.err
    assert main(["forget", "--document", "kb-none"]) == 0
    told = capsys.readouterr()
    assert "removed nothing" in told.out
    assert "nothing is known of document kb-none; is the id right?" in told.err


def test_nothing_is_done_for_an_empty_id(capsys: pytest.CaptureFixture[str]) -> None:
    """An empty id, or none, is an error."""
    assert main(["forget", "--user", " "]) == 2
    assert "--user needs an id" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["forget", "--user", "U1", "--thread", "t1"])
    assert ended.value.code == 2


def test_a_server_that_will_not_rewrite_its_files(
    own_redis_server: RedisServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """A managed Redis may forbid it: everything else is done, and the operator is told what to run."""

    async def forbid() -> None:
        link = RedisLink(own_redis_server.url)
        await link.execute("ACL", "SETUSER", "default", "-bgrewriteaof")
        await link.close()

    asyncio.run(_plant(own_redis_server.url))
    asyncio.run(forbid())
    assert main(["forget", "--thread", ROOT_TS]) == 1
    told = capsys.readouterr()
    assert "run BGREWRITEAOF" in told.err
    assert "1 turns" in told.out


def test_without_redis(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, and 2."""
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:1/0")
    assert main(["forget", "--user", "U1"]) == 2
    assert "Redis is out of reach" in capsys.readouterr().err
