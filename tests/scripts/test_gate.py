"""`triage gate` over the sample with the real model."""

import json
from pathlib import Path

import pytest

from scripts.cli import main
from tests.conftest import MODELS


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "models").symlink_to(MODELS / "models")
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(tmp_path))


def _rows(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def test_rows_are_judged_in_order(sample_index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object a row with its id; the desk's questions pass, small talk is declined, a follow-up leans on its question."""
    texts = _rows(
        tmp_path / "texts.jsonl",
        {"id": "a", "text": "Please analyse why the till does not sync at store 42"},
        {"id": 2, "text": "how long should I feed a sourdough starter"},
        {"id": "c", "text": "and on Android?", "previous": "Which version do I need for the till app?"},
        {"text": "як скинути пароль?"},
    )
    assert main(["gate", "--index", str(sample_index), "--texts", str(texts), "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["id"] for row in found] == ["a", 2, "c", None]
    assert [row["decision"] == "decline" for row in found] == [False, True, False, False]
    assert all(set(row) == {"id", "decision", "score"} and 0 <= row["score"] <= 1 for row in found)


def test_unreadable_rows_are_named_and_the_rest_judged(
    sample_index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A row without a text and a broken line give exit 1 and their line; the others are printed."""
    texts = _rows(tmp_path / "texts.jsonl", {"id": "a", "text": "reset password of ann@example.com"}, {"id": "b"})
    with texts.open("a", encoding="utf-8") as file:
        file.write("{broken\n" + "[" * 100_000 + "\n")
    assert main(["gate", "--index", str(sample_index), "--texts", str(texts)]) == 1
    out, err = capsys.readouterr()
    assert "reset password of [EMAIL]" in out
    assert "texts.jsonl:2" in err
    assert "texts.jsonl:3" in err
    assert "texts.jsonl:4" in err


def test_an_id_of_half_a_character_comes_back(
    sample_index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the JSON escape that it was, so that a reader finds its row again."""
    texts = tmp_path / "texts.jsonl"
    texts.write_text(r'{"id":"\ud800","text":"reset \udfff password"}', encoding="ascii")
    assert main(["gate", "--index", str(sample_index), "--texts", str(texts), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "\ud800"


def test_missing_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No file of texts and no index: exit 2 and one line."""
    assert main(["gate", "--texts", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl" in capsys.readouterr().err
    texts = _rows(tmp_path / "texts.jsonl", {"id": "a", "text": "x"})
    assert main(["gate", "--index", str(tmp_path / "nowhere"), "--texts", str(texts)]) == 2
    assert "no index" in capsys.readouterr().err
    assert main(["gate", "--texts", str(_rows(tmp_path / "empty.jsonl"))]) == 0
