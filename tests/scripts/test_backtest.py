"""`triage backtest`: nothing younger than a ticket answers it, and what is reported and written of it."""

import json
from pathlib import Path

import pytest

from scripts.cli import main
from tests.scenarios.data_folders import make_data_folder

RESET = "Open Console › People, choose Reset second factor and have the person scan a new code within 24 hours."
REFUND = "The refund window is 30 days from the invoice date; we cancelled the plan and returned the full amount."


def _row(name: str, day: str, question: str, resolution: str) -> dict[str, object]:
    return {
        "id": name, "kind": "ticket", "question": question, "resolution": resolution, "lang": "en",
        "created_at": f"2026-0{day}T08:00:00Z", "updated_at": f"2026-0{day}T15:00:00Z", "queue": "access",
        "product": "Till",
    }  # fmt: skip


@pytest.fixture
def export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write an export: a question three times with the same answer, and an article that comes between."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(make_data_folder(tmp_path / "data", is_warm=True)))
    rows = [
        _row("t-1", "1-10", "I lost my phone and cannot pass the second factor. How do I get a new code?", RESET),
        _row("t-2", "2-10", "My authenticator phone is gone, how can I reset the second factor?", RESET),
        _row("t-3", "3-10", "How is the second factor reset for a colleague with a new phone?", f"As in t-1. {RESET}"),
        _row("t-4", "4-10", "Can I have my money back after three weeks on the plan?", REFUND),
        {"id": "t-5", "kind": "ticket", "question": "No date", "resolution": RESET},
        {"id": "t-6", "kind": "ticket", "question": "Nobody answered", "created_at": "2026-01-01"},
    ]
    path = tmp_path / "export.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_only_what_was_known_before_answers(export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first of its kind finds nothing, not even itself; later ones cite the earlier; rows are written, the index is gone."""
    rows_file = tmp_path / "rows.jsonl"
    assert main(["backtest", str(export), "--json", "--write", str(rows_file)]) == 1
    told = capsys.readouterr()
    assert "ticket 't-6' has no resolution" in told.err
    values = json.loads(told.out)
    assert (values["tickets"], values["skipped"]["undated"]) == (4, 1)
    whole = values["all"]
    assert (whole["n"], whole["answered"], whole["refused"]) == (4, 0.5, 0.5)
    assert whole["cited_rightly"] == 1.0
    assert whole["cited_rightly_ci95"][0] < 0.5
    assert whole["named"] == {"n": 1, "cited": 1}
    assert set(values["products"]) == {"Till"}
    assert values["months"]["2026-01"]["answered"] == 0.0
    written = {row["id"]: row for row in map(json.loads, rows_file.read_text().splitlines())}
    assert written["backtest-t-2"]["relevant"] == ["t-1"]
    assert written["backtest-t-2"]["held_out"] == ["t-2"]
    assert written["backtest-t-3"]["basis"] == ["named"]
    assert written["backtest-t-1"]["answerable"] is False
    assert not list((tmp_path / "data").glob("backtest-*"))
    _evaluated_without_the_ticket_itself(export, rows_file, tmp_path, capsys)


def _evaluated_without_the_ticket_itself(
    export: Path, rows_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The written rows measure an index that holds the tickets: each is searched without its own."""
    index = str(tmp_path / "index")
    assert main(["index", str(export), "--out", index]) == 1
    capsys.readouterr()
    assert main(["eval", "--index", index, "--queries", str(rows_file), "--methods", "hybrid", "--json"]) == 0
    hybrid = json.loads(capsys.readouterr().out)["methods"]["hybrid"]
    assert hybrid["hit@1"] == 1.0


def test_for_a_person_and_with_nothing_to_ask(export: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Lines by product, language and month with intervals, and what counts as right; an export without dates is one sentence."""
    assert main(["backtest", str(export), "--limit", "2"]) == 1
    told = capsys.readouterr().out
    assert "2 resolved tickets asked again" in told
    assert "by language" in told
    assert "a cited source is right when" in told
    empty = tmp_path / "empty.jsonl"
    empty.write_text(json.dumps({"id": "kb", "text": "An article"}) + "\n")
    assert main(["backtest", str(empty)]) == 2
    assert "nothing to ask again" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong", [["--limit", "0"], ["--limit", "-3"], ["--write", "none/rows.jsonl"], ["--write", "."]]
)
def test_what_cannot_be_done_is_told_before_the_work(
    wrong: list[str], export: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No ticket is asked for a number that is none, or for rows that could not be written."""
    monkeypatch.chdir(tmp_path)
    assert main(["backtest", str(export), *wrong]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"triage: {wrong[0]}")
