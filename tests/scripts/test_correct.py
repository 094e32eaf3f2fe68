"""`triage correct`: what the lead sets right is in force, listed, exported, undone and forgotten."""

import json
from pathlib import Path

import pytest

from bot.adapters.files.corrections import CorrectionFile
from bot.bootstrap.corrections import forget_corrections
from bot.lead.forgetting import Subject, SubjectKind
from config.settings import load_settings
from scripts.cli import main
from tests.scenarios.data_folders import make_data_folder

ASKED = "Can I pay with Bitcoin?"


@pytest.fixture
def folder(sample_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a data folder with the sample, named by the environment."""
    made = make_data_folder(tmp_path / "data", index=sample_index)
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(made))
    return made


def test_set_right_and_undone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pin answers another wording with its source, personal data taken out; it is listed, a row, and gone when undone."""
    said = "No, by card; ask jane.doe@gmail.com."
    assert main(["correct", "pin", ASKED, "--document", "kb-103", "--answer", said]) == 0
    key = capsys.readouterr().out.split()[0]
    assert main(["ask", "--json", "Is it possible to pay with Bitcoin?"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["outcome"], answer["text"]) == ("answered", "No, by card; ask [EMAIL]. [1]")
    assert [cited["id"] for cited in answer["citations"]] == ["kb-103"]
    assert main(["ask", "--explain", ASKED]) == 0
    assert f"corrected  by {key}" in capsys.readouterr().out
    assert main(["correct", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lapsed"] == []
    assert main(["correct", "rows"]) == 0
    assert json.loads(capsys.readouterr().out)["relevant"] == ["kb-103"]
    assert main(["correct", "undo", key]) == 0
    assert main(["correct", "undo", key]) == 1
    assert main(["ask", "--json", ASKED]) == 0
    assert "by card" not in capsys.readouterr().out
    assert "jane" not in (folder / "corrections.json").read_text()


def test_hidden_and_refused(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be is refused with one sentence; what was hidden is a row to label by hand; all can be forgotten."""
    assert main(["correct", "hide", ASKED, "--document", "kb-9999"]) == 2
    assert main(["correct", "refuse", " "]) == 2
    assert main(["correct", "pin", ASKED, "--document", "kb-103", "--answer", ""]) == 2
    assert main(["correct", "pin", ASKED, "--document", "kb-103", "--answer", "<!channel> no"]) == 2
    assert "could ping" in capsys.readouterr().err
    linked = ["correct", "pin", ASKED, "--document", "kb-103", "--answer", "See https://pay.example.org/coins first."]
    assert main(linked) == 2
    assert "a host that no document has" in capsys.readouterr().err
    monkeypatch.setenv("TRIAGE_LINK_HOSTS", "pay.example.org")
    assert main(linked) == 0
    assert main(["ask", ASKED]) == 0
    assert "https://pay.example.org/coins" in capsys.readouterr().out
    assert main(["correct", "undo", next(iter(CorrectionFile(folder / "corrections.json").all())).key]) == 0
    assert main(["correct", "hide", ASKED, "--document", "kb-103"]) == 0
    assert main(["correct", "refuse", ASKED]) == 0
    capsys.readouterr()
    assert main(["correct", "rows", "--rejected"]) == 0
    assert json.loads(capsys.readouterr().out)["rejected"] == ["kb-103"]
    assert main(["correct", "list"]) == 0
    assert capsys.readouterr().out.count(ASKED) == 2
    settings = load_settings(None).retrieval
    assert forget_corrections(settings, Subject(SubjectKind.DOCUMENT, "kb-103")) == 1
    assert forget_corrections(settings, Subject(SubjectKind.USER, "U12345", "p1")) == 0
    assert forget_corrections(settings, Subject(SubjectKind.THREAD, "1.0")) == 0
    assert len(CorrectionFile(folder / "corrections.json").all()) == 1


def test_without_an_index_nothing_can_rest_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A refusal can be kept, a pin cannot."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(make_data_folder(tmp_path / "data")))
    assert main(["correct", "refuse", ASKED]) == 0
    assert main(["correct", "pin", ASKED, "--document", "kb-103", "--answer", "No."]) == 2
    assert "not in the index: kb-103" in capsys.readouterr().err
