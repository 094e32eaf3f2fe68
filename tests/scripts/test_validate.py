"""`triage validate`."""

import json
from pathlib import Path

import pytest

from scripts.cli import main

_KEYS = {"conflicts", "stale", "superseded", "copies", "unresolved_tickets"}
_BASE: list[dict[str, object]] = [
    {"id": "kb-101", "title": "Refunds", "text": "The refund window is 14 days from delivery.", "updated_at": "2024-05-01", "owner": "Billing"},
    {"id": "t-2040", "kind": "ticket", "title": "Refund", "question": "How long can I ask for a refund?", "resolution": "The refund window is 30 days from delivery, booked.", "updated_at": "2026-02-01"},
    {"id": "t-1", "kind": "ticket", "question": "Anything?"},
    {"id": "kb-old", "title": "Bikes", "text": "Bikes may be parked in the yard behind the building at any time of the day.", "valid_until": "2024-01-01"},
    {"id": "kb-a", "title": "Desk", "text": "Please book a desk in the morning before you come to the office."},
    {"id": "kb-b", "title": "Desks", "text": "Please book a desk in the morning before you come to the office."},
    {"id": "kb-v1", "title": "Lunch", "text": "Lunch is on the second floor."},
    {"id": "kb-v2", "title": "Lunch", "text": "Lunch is on the ground floor.", "supersedes": ["kb-v1"]},
]  # fmt: skip


def _written(folder: Path, rows: list[dict[str, object]]) -> str:
    file = folder / "base.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return str(file)


def test_everything_that_is_wrong_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A contradiction with the preferred source and why, stale, replaced and copied pages, tickets without resolution."""
    assert main(["validate", _written(tmp_path, _BASE), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert set(found) >= _KEYS
    (conflict,) = found["conflicts"]
    assert set(conflict["ids"]) == {"kb-101", "t-2040"}
    assert set(conflict["values"]) == {"14 days", "30 days"}
    assert conflict["prefer"] == "kb-101"
    assert "2024-05-01" in conflict["reason"]
    assert {(one["id"], one["kind"]) for one in found["stale"]} == {("kb-old", "expired"), ("kb-101", "later_ticket")}
    assert found["superseded"] == [{"id": "kb-v1", "by": "kb-v2"}]
    assert found["copies"] == [["kb-a", "kb-b"]]
    assert found["unresolved_tickets"] == ["t-1"]


def test_the_same_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json a reader sees both values, the preferred one marked, and a count at the end."""
    assert main(["validate", _written(tmp_path, _BASE)]) == 1
    told = capsys.readouterr().out
    assert "→ kb-101 “Refunds”, 2024-05-01: 14 days" in told
    assert "copies  kb-a, kb-b" in told
    assert any(one.startswith("superseded  kb-v1 ") and one.endswith("by kb-v2") for one in told.splitlines())
    assert told.splitlines()[-1].startswith("1 conflict, 2 stale, 1 superseded")


def test_a_clean_base_is_said_to_be_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 0 and empty lists when nothing was found."""
    file = _written(tmp_path, [{"id": "a", "title": "Lunch", "text": "Lunch is at noon."}])
    assert main(["validate", file, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not any(found[key] for key in _KEYS)
    assert main(["validate", file]) == 0
    assert capsys.readouterr().out == "nothing was found\n"


def test_bad_input_is_named_and_the_rest_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rings of replacements, dates to come, missing dates and a repeated id are reported; nothing is lost."""
    rows: list[dict[str, object]] = [
        {"id": "a", "text": "Alpha is blue.", "supersedes": ["b"], "updated_at": "2099-01-01"},
        {"id": "b", "text": "Beta is green.", "supersedes": ["a"]},
        {"id": "b", "text": "Beta is red."},
        {"id": "c", "text": "Gamma is grey.", "supersedes": ["c"]},
    ]
    assert main(["validate", _written(tmp_path, rows), "--json"]) == 1
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert found["rings"] == [["a", "b"], ["c"]]
    assert found["superseded"] == []
    assert [(one["id"], one["kind"]) for one in found["stale"]] == [("a", "future_date")]
    assert "repeats id 'b'" in found["problems"][0]["reason"]
    assert "base.jsonl:3" in told.err
    assert main(["validate", _written(tmp_path, rows)]) == 1
    shown = capsys.readouterr().out
    assert "ring  a, b replace each other" in shown
    assert "ring  c says that it replaces itself" in shown


@pytest.mark.parametrize("arguments", [[], [""], ["x", "--index", "y"], ["/nowhere/at-all"], ["x", "--map", "oops"]])
def test_what_cannot_be_done_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """No path, an empty one, two kinds of input, a missing file, a broken mapping."""
    assert main(["validate", *arguments]) == 2
    assert capsys.readouterr().err.startswith("triage: ")


def test_what_is_quoted_is_redacted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Personal data of a file that was never indexed do not appear in the report."""
    rows = [dict(row) for row in _BASE[:2]]
    rows[1]["resolution"] = "The refund window is 30 days from delivery, write to eva.novak@example.org about it."
    main(["validate", _written(tmp_path, rows), "--json"])
    told = capsys.readouterr().out
    assert "30 days" in told
    assert "eva.novak" not in told


def test_who_else_says_the_same_is_named_with_the_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Seven tickets with one value against an article are one finding: five are named, the rest counted."""
    rows = [_BASE[0], *(_BASE[1] | {"id": f"t-{number}"} for number in range(8))]
    assert main(["validate", _written(tmp_path, rows)]) == 1
    told = capsys.readouterr().out
    assert told.count("conflict  ") == 1
    assert "so do t-1, t-2, t-3, t-4, t-5 and 2 more" in told
    assert main(["validate", _written(tmp_path, rows), "--json"]) == 1
    (conflict,) = json.loads(capsys.readouterr().out)["conflicts"]
    assert conflict["ids"][:2] == ["kb-101", "t-0"]
    assert len(conflict["ids"]) == 9
    assert conflict["sides"][0] == ["kb-101"]


def test_files_and_an_index_at_once_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both, or neither, is one line that says which."""
    assert main(["validate", "--index", str(tmp_path), str(tmp_path)]) == 2
    assert "were both named" in capsys.readouterr().err
    assert main(["validate"]) == 2
    assert "name files and folders, or an index" in capsys.readouterr().err
