"""`triage index` with files that cannot be read: their documents stay as they were, unless nobody can say who may see them."""

from pathlib import Path

import docx
import pytest

from scripts.cli import main
from tests.scripts.test_index_search_eval import data_dir, printed

__all__ = ["data_dir"]

FILES = {
    "lockers.md": "---\nid: pd-1\ntitle: Lockers\nvisibility: public\n---\nThe code of a locker has six digits.\n",
    "codes.md": "---\nid: pd-2\nvisibility: [fraud]\n---\nThe master code is kept at the fraud desk.\n",
    "rates.jsonl": '{"id": "pd-3", "text": "A parcel costs 5 EUR."}\n',
    "hours.md": "The depot opens at eight.\n",
    "old.md": "The old depot is closed.\n",
}
BROKEN = {
    "lockers.md": FILES["lockers.md"].replace("Lockers", "Lockers: Hanau").encode(),
    "codes.md": FILES["codes.md"].replace("---\nThe", "The").encode(),
    "hours.md": "Das Depot öffnet um acht.".encode("latin-1"),
    "word.docx": b"PK\x03\x04",
}


@pytest.fixture
def kb(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Give a folder of documents that stand in the index."""
    folder = data_dir / "kb"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    word = docx.Document()
    word.add_paragraph("Drivers carry a badge.")
    word.save(str(folder / "word.docx"))
    assert main(["index", str(folder)]) == 0
    capsys.readouterr()
    return folder


def test_files_that_break_keep_their_documents(kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are named, the exit code is 1, what came from them stays, what is gone beside them goes; mended, all is as always."""
    before = {name: (kb / name).read_bytes() for name in BROKEN}
    for name, data in BROKEN.items():
        (kb / name).write_bytes(data)
    (kb / "old.md").unlink()
    assert main(["index", str(kb), "--json"]) == 1
    (report,) = printed(capsys)
    assert (report["removed_ids"], report["changed_ids"], report["documents"]) == (["old"], [], 5)
    assert [told["where"] for told in report["skipped"]] == [str(kb / name) for name in sorted(BROKEN)]
    assert (report["incomplete"], report["closed_ids"]) == (False, [])
    assert report["unread_ids"] == ["hours", "pd-1", "pd-2", "word"]
    for name, data in before.items():
        (kb / name).write_bytes(data)
    assert main(["index", str(kb), "--json"]) == 0
    assert printed(capsys)[0]["changed_ids"] == []


def test_a_broken_record_and_one_whose_readers_are_in_doubt(kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first stays as it was and what is gone beside it goes; of the other not even the earlier version stays, also with --add."""
    (kb / "rates.jsonl").write_text('{"id": "pd-3", "text": ["A parcel"]}\n')
    (kb / "old.md").unlink()
    assert main(["index", str(kb)]) == 1
    told = capsys.readouterr().out
    assert "1 removed" in told
    assert "could not be read and stays as it was: pd-3" in told
    (kb / "lockers.md").write_text(FILES["lockers.md"].replace("visibility: public", "visibilty: [fraud]"))
    assert main(["index", str(kb), "--add", "--dry-run", "--json"]) == 1
    assert printed(capsys)[0]["removed_ids"] == ["pd-1"]
    (kb / "hours.md").write_bytes(BROKEN["hours.md"])
    assert main(["index", str(kb)]) == 1
    shown = capsys.readouterr()
    assert "lockers.md: names 'visibilty', which is no field but nearly visibility" in shown.err
    assert "taken out, since who may see it is in doubt: pd-1" in shown.out
    assert "could not be read and stays as it was: hours, pd-3" in shown.out
    assert main(["index", str(kb), "--allow-removals", "--json"]) == 1
    (report,) = printed(capsys)
    assert (report["removed_ids"], report["unread_ids"], report["closed_ids"]) == (
        ["hours", "pd-3"],
        ["pd-3"],
        ["pd-1"],
    )


def test_a_dry_run_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither key nor model nor data folder, and it says what would change all the same."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "a.md").write_text("Text.")
    assert main(["index", str(tmp_path / "a.md"), "--dry-run", "--json"]) == 0
    assert printed(capsys)[0]["added_ids"] == ["a"]
    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


def test_what_may_stand_behind_a_broken_file_stays(kb: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also under another name, by the id that it still names, and by its place where even that is lost; a new one holds nothing back."""
    (kb / "lockers.md").rename(kb / "moved.md")
    (kb / "moved.md").write_bytes(BROKEN["lockers.md"])
    (kb / "codes.md").write_text(FILES["codes.md"].replace("id: pd-2", "id; pd-2"))
    (kb / "new.md").write_text("---\ntitle: A: b\n---\nText.")
    (kb / "hours.md").unlink()
    assert main(["index", str(kb), "--json"]) == 1
    (report,) = printed(capsys)
    assert (report["removed_ids"], report["unread_ids"]) == (["hours"], ["pd-1", "pd-2"])
    (kb / "codes.md").unlink()
    assert main(["index", str(kb), "--json"]) == 1
    assert printed(capsys)[0]["removed_ids"] == ["pd-2"]


@pytest.mark.parametrize(
    ("name", "broken", "is_sure"),
    [
        ("r.jsonl", '{"id": "r-2", "text": "a \\x"}\n', True),
        ("r.jsonl", '{"text": "a", "id": "r-2", "title": }\n', True),
        ("r.jsonl", '{"text": "a \\x", "id": "r-2"}\n', False),
        ("r.jsonl", '{"id": "r-2", "text": "cut', False),
        ("r.csv", "r-2,one,two,three\n", True),
        ("r.csv", 'r-2,"one\n', False),
    ],
)
def test_a_broken_row_holds_back_what_it_may_be(
    kb: Path, capsys: pytest.CaptureFixture[str], name: str, broken: str, *, is_sure: bool
) -> None:
    """Its document stays; one that is gone goes, unless nobody can tell which document the row is, or what the cut took."""
    rows = ["r-1", "r-2", "r-3"]
    head = "" if name.endswith("jsonl") else "id,text\n"
    whole = {row: f'{{"id": "{row}", "text": "Text."}}\n' if not head else f"{row},Text.\n" for row in rows}
    (kb / name).write_text(head + "".join(whole.values()))
    assert main(["index", str(kb / name), "--yes"]) == 0
    capsys.readouterr()
    (kb / name).write_text(head + whole["r-1"] + broken)
    assert main(["index", str(kb / name), "--dry-run", "--json"]) == 1
    assert printed(capsys)[0]["removed_ids"] == (["r-3"] if is_sure else [])


def test_tickets_without_resolution_are_told_once(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In their own line and not among the problems too."""
    (data_dir / "t.jsonl").write_text('{"id": "t", "question": "How?"}\n{"id": "a", "text": "So."}\n')
    assert main(["index", str(data_dir / "t.jsonl"), "--dry-run"]) == 1
    out = capsys.readouterr().out
    assert "1 ticket without a resolution, not indexed" in out
    assert "problem" not in out
