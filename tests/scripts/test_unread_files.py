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
    """They are named, the exit code is 1, nothing is removed, not even what is gone beside them; mended, all is as always."""
    before = {name: (kb / name).read_bytes() for name in BROKEN}
    for name, data in BROKEN.items():
        (kb / name).write_bytes(data)
    (kb / "old.md").unlink()
    assert main(["index", str(kb), "--json"]) == 1
    (report,) = printed(capsys)
    assert (report["removed_ids"], report["changed_ids"], report["documents"]) == ([], [], 6)
    assert [told["where"] for told in report["skipped"]] == [str(kb / name) for name in sorted(BROKEN)]
    assert (report["incomplete"], report["closed_ids"]) == (True, [])
    for name, data in before.items():
        (kb / name).write_bytes(data)
    assert main(["index", str(kb), "--json"]) == 0
    assert printed(capsys)[0]["removed_ids"] == ["old"]


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
    assert "the input is incomplete: nothing else was taken for deleted; 2 documents that" in shown.out
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
