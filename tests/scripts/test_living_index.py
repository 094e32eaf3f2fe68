"""What the lead does with a living index: check before publishing, go back, withdraw a source, take posts back."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.lead.receipts import Receipt, receipt_to_json
from bot.messages import MessageId
from scripts.cli import main
from tests.redis_servers import RedisServer
from tests.sample_messages import thread
from tests.scenarios.data_folders import make_data_folder

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
ROWS = [
    {"id": "kb-1", "title": "Reset a password", "text": "Open Settings and press Reset password. A link is sent."},
    {"id": "kb-2", "title": "Refunds", "text": "Refunds are made within 30 days of the payment."},
    {"id": "kb-3", "title": "Toner", "text": "The printer takes the toner cartridge T-44."},
    {"id": "kb-4", "title": "Parking", "text": "Visitors park behind the north gate and ask for a badge."},
]
QUESTIONS = [
    {"id": "q1", "query": "How do I reset my password?", "relevant": ["kb-1"]},
    {"id": "q2", "query": "Which toner does the printer take?", "relevant": ["kb-3"]},
]


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def folder(own_redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder with an index of four documents, and a Redis."""
    monkeypatch.setenv("REDIS_URL", own_redis_server.url)
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(make_data_folder(tmp_path / "data", is_warm=True)))
    assert main(["index", _write(tmp_path / "all.jsonl", ROWS)]) == 0
    return tmp_path


def test_a_withdrawn_source(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Out of the index and of the thread at once, its follow-up says so; a worse index is refused, and rolled back it is there again."""
    assert main(["ask", "--thread", "th", "How do I reset my password?", "--json"]) == 0
    capsys.readouterr()
    less = _write(folder / "less.jsonl", ROWS[1:])
    check = ["--check", _write(folder / "check.jsonl", QUESTIONS)]
    assert main(["index", less, *check]) == 2
    assert "answers worse than the one that is served" in capsys.readouterr().err
    assert main(["index", less, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["removed"] == 1
    assert main(["ask", "--thread", "th", "and how long is the link valid?", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {"kind": "withdrawn", "ids": ["kb-1"]}.items() <= answer["notices"][-1].items()
    assert all(citation["id"] != "kb-1" for citation in answer["citations"])
    _goes_back(folder, check, capsys)


def _goes_back(folder: Path, check: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", "rollback", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["documents"] == 4
    assert main(["index", "history", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["documents"], row["current"], row["rolled_back"]) for row in rows] == [
        (3, False, True),
        (4, True, False),
    ]
    assert [(row["generation"], row["index"]) for row in rows] == [
        (told["generation_before"], told["before"]),
        (told["generation"], told["index"]),
    ]
    assert main(["index", "history"]) == 0
    newest, current = capsys.readouterr().out.splitlines()
    assert newest.startswith(f"{told['generation_before']}  index {told['before']}  ")
    assert newest.endswith("rolled back from")
    assert current.startswith(f"{told['generation']}  index {told['index']}  ")
    _takes_either_id(told, capsys)
    assert main(["index", "rollback"]) == 2
    assert "no earlier generation" in capsys.readouterr().err
    assert main(["index", "rollback", "a", "b"]) == 2
    assert main(["index", "history", "a"]) == 2
    more = [*ROWS, {"id": "kb-5", "text": "Lunch is at noon."}]
    assert main(["index", _write(folder / "more.jsonl", more), *check]) == 0
    assert "hit@5 1.000 → 1.000" in capsys.readouterr().err


def _takes_either_id(told: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Forth by the id that answers name and back by the one that history names first."""
    assert main(["ask", "How do I reset my password?", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["provenance"]["index"] == told["index"]
    newest, current = (
        f"{told[one]} (index {told[two]}" for one, two in (("generation_before", "before"), ("generation", "index"))
    )
    for name, now, before in ((told["before"], newest, current), (told["generation"], current, newest)):
        assert main(["index", "rollback", name]) == 0
        line = capsys.readouterr().out
        assert line.startswith(f"serving generation {now}, ")
        assert f" instead of {before}); " in line


def test_posts_are_taken_back(folder: Path, own_redis_server: RedisServer, capsys: pytest.CaptureFixture[str]) -> None:
    """Listed first; without a token nothing can be changed, which is said and is exit 1; an empty id is refused."""
    assert folder.is_dir()

    async def plant() -> None:
        link, keys = RedisLink(own_redis_server.url), Keyspace()
        receipt = Receipt(MessageId("m1"), thread(), ("1.1",), ("kb-1",), "", 1_700_000_000.0)
        await link.execute("SET", keys.of_thread(thread(), "receipt", "m1"), receipt_to_json(receipt), "EX", 100)
        await link.close()

    asyncio.run(plant())
    capsys.readouterr()
    assert main(["recall", "--document", "kb-1", "--dry-run", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(post["ids"], post["done"]) for post in told["posts"]] == [(["1.1"], None)]
    assert main(["recall", "--document", "kb-1"]) == 1
    told_to_people = capsys.readouterr()
    assert "NOT corrected" in told_to_people.out
    assert "no token to change posts on slack" in told_to_people.err
    assert main(["recall", "--document", "kb-9", "--delete"]) == 0
    told = capsys.readouterr()
    assert "0 posts rest on it" in told.out
    assert "nothing is known of document kb-9" in told.err
    assert main(["recall", "--document", " "]) == 2
