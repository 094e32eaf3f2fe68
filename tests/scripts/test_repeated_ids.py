"""Ids that an input gives twice, named by every command that reads rows."""

import json
from pathlib import Path

import pytest

from scripts.cli import main
from scripts.queries import Row, RowsInvalid
from scripts.repeated_ids import naming_repeated


def test_rows_are_given_on_and_repeated_ids_are_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    """With the line of their second row; faults and rows without an id count for nothing, 1 and "1" are two ids."""
    rows: list[Row | RowsInvalid] = [
        Row(f"f:{n}", values) for n, values in enumerate(({"id": "a"}, {"id": 1}, {}, {"id": "1"}, {}, {"id": "a"}, {"id": "a"}), 1)
    ]  # fmt: skip
    rows.insert(1, RowsInvalid("f:9: is not JSON"))
    assert list(naming_repeated(rows)) == rows
    assert capsys.readouterr().err == "triage: 1 id in more than one row: a (f:6)\n"


def test_long_and_many_ids_are_cut(capsys: pytest.CaptureFixture[str]) -> None:
    """Ten are named, the others counted."""
    list(naming_repeated(Row(f"f:{n}", {"id": "x" * 80 + str(n % 12)}) for n in range(24)))
    said = capsys.readouterr().err
    assert "12 ids" in said
    assert "and 2 more" in said
    assert "x" * 61 not in said


@pytest.mark.parametrize(
    ("command", "row"),
    [
        (("conflicts", "--pairs", "{file}", "--json"), {"a": "Open at 8.", "b": "Open at 9."}),
        (("screen", "{file}", "--json"), {"text": "Press the green key."}),
        (("redact", "{file}", "--jsonl", "--json"), {"text": "Press the green key."}),
    ],
)
def test_commands_name_them_and_end_as_before(
    command: tuple[str, ...], row: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both rows are answered, stdout holds only them, and the exit code is 0."""
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps({"id": "same", **row}) + "\n" for _ in range(2)), "utf-8")
    assert main([part.format(file=file) for part in command]) == 0
    said = capsys.readouterr()
    assert [json.loads(line)["id"] for line in said.out.splitlines()] == ["same", "same"]
    assert said.err.strip() == f"triage: 1 id in more than one row: same ({file}:2)"
