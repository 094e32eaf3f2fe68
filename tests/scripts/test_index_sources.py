"""`triage index` over sources: whole, broken off, again, and refused; through the command with loopback peers."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scripts.cli import main
from tests.bot.adapters.sources.reading import desk, ticket
from tests.peers.knowledge import TOKEN, ZENDESK_USER, KnowledgePeer
from tests.scripts.test_index_search_eval import data_dir, printed

__all__ = ["data_dir"]


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch) -> Iterator[KnowledgePeer]:
    """Serve a desk from another thread, since the command has a loop of its own."""
    served, ready, done = desk(tickets=12), threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def serve() -> None:
        async with served:
            ready.set()
            await done.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    assert ready.wait(20)
    monkeypatch.setenv("ZENDESK_EMAIL", ZENDESK_USER)
    monkeypatch.setenv("ZENDESK_API_TOKEN", TOKEN)
    monkeypatch.setenv("TRIAGE_SOURCE_HOSTS", "127.0.0.1")
    yield served
    loop.call_soon_threadsafe(done.set)
    thread.join(20)
    loop.close()


def index(
    peer: KnowledgePeer, capsys: pytest.CaptureFixture[str], folder: Path, *more: str
) -> tuple[int, dict[str, Any]]:
    """Run the command."""
    code = main(["index", f"zendesk+http://127.0.0.1:{peer.port}", "--out", str(folder), "--json", *more])
    captured = capsys.readouterr()
    assert TOKEN not in captured.out + captured.err
    return code, json.loads(captured.out)


def test_a_load_that_broke_off_ends_as_one_that_did_not(
    peer: KnowledgePeer, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever it breaks off, the next run ends in the same manifest byte by byte, and embeds nothing twice."""
    peer.fails_after = 20
    code, first = index(peer, capsys, data_dir / "parts")
    assert (code, first["incomplete"], 5 < first["documents"] < 17) == (1, True, True)
    peer.fails_after = 1_000_000
    code, second = index(peer, capsys, data_dir / "parts")
    assert (code, second["documents"], second["incomplete"], second["removed"]) == (0, 17, False, 0)
    code, whole = index(peer, capsys, data_dir / "whole")
    assert (code, whole["embedded"]) == (0, 0)
    assert first["embedded"] + second["embedded"] <= second["chunks"]
    assert (data_dir / "parts/manifest.json").read_bytes() == (data_dir / "whole/manifest.json").read_bytes()


def test_a_later_load_takes_changes_and_deletions(
    peer: KnowledgePeer, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only changed tickets are asked for; the others stay; --full reads all; a broken-off one removes nothing."""
    out = data_dir / "index"
    assert index(peer, capsys, out)[0] == 0
    peer.tickets += [ticket(2, status="deleted"), ticket(3, status="open")]
    peer.fails_after = len(peer.asked) + 5
    code, broken = index(peer, capsys, out)
    assert (code, broken["incomplete"], broken["removed"], broken["documents"]) == (1, True, 0, 17)
    peer.fails_after = 1_000_000
    before = len(peer.asked)
    code, report = index(peer, capsys, out, "--allow-removals")
    assert (code, report["removed_ids"], report["documents"]) == (0, ["zendesk-ticket-2", "zendesk-ticket-3"], 15)
    assert (report["embedded"], report["unresolved_tickets"]) == (0, ["zendesk-ticket-3"])
    assert not any("/comments" in path for path in peer.asked[before:])
    manifest = (out / "manifest.json").read_bytes()
    assert index(peer, capsys, out)[1]["documents"] == 15
    assert (out / "manifest.json").read_bytes() == manifest
    code, full = index(peer, capsys, out, "--full", "--dry-run")
    assert (full["documents"], full["removed"]) == (15, 0)


def test_refusals_are_one_line(data_dir: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without credentials, with a password in the address, and with a query that is not there; exit 2, nothing repeated."""
    for address, says in (
        ("zendesk://desk.example", "needs ZENDESK_EMAIL"),
        ("confluence://wiki.example/wiki", "needs CONFLUENCE_API_TOKEN"),
        ("sql+mysql://u:secret-4711@h/db", "an address with a password is refused"),
    ):
        assert main(["index", address]) == 2
        told = capsys.readouterr().err
        assert says in told
        assert "secret-4711" not in told
        assert told.count("\n") == 1
    assert main(["index", "sql+mysql://u@h/db", "--query", str(tmp_path / "none.sql")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert main(["index", "sql+mysql://u@h/db", "sql+mysql://u@h/db", "--query", "SELECT 1"]) == 2
    assert "named twice" in capsys.readouterr().err


def test_a_database_is_indexed_beside_a_folder(
    data_dir: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A query from a file, a map for its columns; an id that both have is told."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(tmp_path / "kb.db")) as base:
        base.execute("CREATE TABLE kb (nr TEXT, words TEXT)")
        base.execute("INSERT INTO kb VALUES ('kb-1', 'Refunds take 30 days.'), ('kb-2', 'Plans are monthly.')")
        base.commit()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/kb-2.md").write_text("Plans are yearly.")
    (tmp_path / "all.sql").write_text("SELECT nr, words FROM kb")
    arguments = [f"sql+sqlite:///{tmp_path}/kb.db", str(tmp_path / "docs"), "--query", str(tmp_path / "all.sql")]
    assert main(["index", *arguments, "--map", "id=nr", "--map", "text=words", "--json"]) == 1
    (report,) = printed(capsys)
    assert report["documents"] == 2
    assert "repeats id 'kb-2'" in report["skipped"][0]["reason"]
