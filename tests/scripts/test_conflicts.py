"""`triage conflicts`."""

import json
from pathlib import Path

import pytest

from scripts.cli import main


def test_each_row_gets_its_relation_and_slots(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON object a row, with exactly the three keys."""
    rows = [
        {"id": 1, "a": "The refund window is 14 days.", "b": "The refund window is 30 days."},
        {"id": "x", "a": "The refund window is 14 days.", "b": "The refund window is two weeks."},
    ]
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    assert main(["conflicts", "--pairs", str(file), "--json"]) == 0
    out = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["id"], row["relation"]) for row in out] == [(1, "contradict"), ("x", "agree")]
    assert set(out[0]) == {"id", "relation", "slots"}
    assert out[0]["slots"][0]["values"] == ["14 days", "30 days"]


def test_a_broken_row_costs_only_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are answered; the exit code says that something was skipped."""
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"id": 1, "a": "x"}\nnot json\n{"id": 2, "a": "A day.", "b": "A week."}\n', "utf-8")
    assert main(["conflicts", "--pairs", str(file)]) == 1
    told = capsys.readouterr()
    assert told.out.startswith("2  ")
    assert f"{file}:1" in told.err
    assert f"{file}:2" in told.err


def test_no_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there ends the command with one sentence."""
    assert main(["conflicts", "--pairs", str(tmp_path / "none.jsonl"), "--json"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("command", [["conflicts", "--pairs"], ["redact", "--jsonl"], ["screen"]])
def test_a_file_without_a_readable_row_ends_with_2(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing could be done: not even a number that is no JSON comes out again."""
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'\x00\x00\n{"id": NaN, "a": "x", "b": "y", "text": "z"}\n')
    assert main([*command, str(file), "--json"]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err == f"triage: {file}:1: is not JSON\ntriage: {file}:2: is not JSON\n"
