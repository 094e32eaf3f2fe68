"""`triage calibrate` with the real model: the error before and after, what is stored, one-line errors."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from bot.bootstrap import SAMPLE
from retrieval.index import read_manifest
from retrieval.ports import Encoder
from retrieval.ranking.bundled import bundled_calibration
from retrieval.ranking.calibration import Measured
from retrieval.ranking.labelled import LABELLED, GateFit, Labelled
from retrieval.retriever import Retriever
from scripts.calibrate import is_gain, is_worse, is_worth_storing
from scripts.cli import main
from tests.scenarios.data_folders import make_data_folder


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sample_index: Path) -> Path:
    """Give an index of the sample of one's own."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(make_data_folder(tmp_path / "data")))
    shutil.copytree(sample_index, tmp_path / "index")
    return tmp_path / "index"


def rows(path: Path, *values: dict[str, Any]) -> str:
    """Write JSON Lines and give the path as an argument."""
    path.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values), encoding="utf-8")
    return str(path)


def sample(*, answerable: bool, every: int = 6) -> list[dict[str, Any]]:
    """Give some of the sample's questions."""
    found = [json.loads(line) for line in (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row for row in found if row["answerable"] == answerable][::every]


def calibrate(index: Path, *arguments: str) -> int:
    """Run the command on an index."""
    return main(["calibrate", "--index", str(index), *arguments])


def test_labelled_questions_are_fitted_and_stored(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], default_encoder: Encoder
) -> None:
    """Both errors are told with their numbers, and the index is served with the new calibration and the same contents."""
    before = read_manifest(index)
    queries = rows(tmp_path / "q.jsonl", *sample(answerable=True, every=2), *sample(answerable=False, every=3))
    off_topic = rows(tmp_path / "o.jsonl", {"id": "1", "text": "how long to boil an egg"}, {"query": "set an alarm"})
    assert calibrate(index, "--queries", queries, "--off-topic", off_topic, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    after = read_manifest(index)
    assert after.index_id == before.index_id
    assert after.calibration["basis"] == LABELLED
    assert printed["n"] == len(sample(answerable=True, every=2))
    assert printed["absent"] == "labelled"
    assert set(printed["before"]) == set(printed["after"]) == {"n", "n_absent", "refused", "plain", "false_plain"}
    assert printed["gate"]["n_off_topic"] == 2
    retriever = Retriever.open(index, encoder=default_encoder)
    assert retriever.calibration.id == printed["calibration"]
    assert retriever.calibration.measured.n == printed["n"]
    retriever.close()


def test_a_handful_without_unanswerable_ones_is_enough(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same questions without their documents stand in, and the cuts stay near to where they were; a remark says that it is few."""
    before = read_manifest(index).calibration
    queries = rows(tmp_path / "q.jsonl", *sample(answerable=True, every=40))
    assert calibrate(index, "--queries", queries, "--force") == 0
    out, err = capsys.readouterr()
    assert "4 the same with their documents held out" in out
    assert "topic gate: 4 questions, 0 off-topic texts" in out
    assert "off-topic texts declined" not in out
    assert "only 4 questions with an answer" in err
    after = read_manifest(index).calibration
    assert abs(float(str(after["answered"])) - float(str(before["answered"]))) < 0.1


def test_worse_numbers_are_not_stored_unless_forced(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code, JSON and index agree on whether they were stored; with --force they always are."""
    before = read_manifest(index)
    queries = rows(tmp_path / "q.jsonl", *sample(answerable=True, every=40))
    code = calibrate(index, "--queries", queries, "--json")
    out, err = capsys.readouterr()
    printed = json.loads(out)
    old, new = Measured(**printed["before"]), Measured(**printed["after"])
    assert printed["worse"] is is_worse(old, new)
    assert not printed["stored"] or is_gain(old, new)
    assert code == (0 if printed["stored"] else 1)
    assert ("nothing was stored" in err) is not printed["stored"]
    assert (read_manifest(index) == before) is not printed["stored"]
    assert calibrate(index, "--queries", queries, "--json", "--force") == 0
    assert json.loads(capsys.readouterr().out)["stored"]
    assert read_manifest(index).calibration["basis"] == LABELLED


@pytest.mark.parametrize(
    ("n", "after", "gate", "expected"),
    [
        (29, (0.1, 0.7, 0.1), (0.0, 0.5), False),
        (30, (0.1, 0.7, 0.1), (0.0, 0.5), True),
        (29, (0.1, 0.7, 0.1), (0.0, 0.6), True),
        (29, (0.2, 0.7, 0.1), (0.0, 0.6), False),
        (29, (0.2, 0.8, 0.2), (0.0, 0.5), True),
        (90, (0.2, 0.7, 0.1), (0.0, 0.6), False),
    ],
)
def test_a_few_questions_must_gain_something(
    n: int, after: tuple[float, float, float], gate: tuple[float, float], expected: bool
) -> None:
    """Of few the same shares are chance, of many they are as good as before; what is worse is never worth it."""
    made = Labelled(bundled_calibration("any"), Measured(n, n, 0.1, 0.7, 0.1), Measured(n, n, *after))
    assert is_worth_storing(made, GateFit(0.1, n, 5, (0.0, 0.5), gate)) is expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ((0.0, 0.75, 0.0), (0.25, 0.5, 0.25), True),
        ((0.1, 0.7, 0.1), (0.1, 0.7, 0.1), False),
        ((0.1, 0.7, 0.1), (0.2, 0.7, 0.1), True),
        ((0.1, 0.7, 0.1), (0.0, 0.6, 0.1), True),
        ((0.1, 0.7, 0.1), (0.1, 0.6, 0.0), False),
        ((0.1, 0.7, 0.1), (0.2, 0.8, 0.2), False),
    ],
)
def test_worse_is_a_loss_without_a_gain(
    before: tuple[float, float, float], after: tuple[float, float, float], expected: bool
) -> None:
    """Shares refused, plain and wrongly plain: fewer wrong ones or more plain ones are a gain."""
    old, new = (Measured(30, 30, *shares) for shares in (before, after))
    assert is_worse(old, new) is expected


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ([], "holds no questions"),
        ([{"query": "a"}], "q.jsonl:1: needs 'relevant'"),
        ([{"query": "how to reset", "answerable": False}], "needs questions with an answer"),
        ([{"query": "how to reset", "relevant": ["of-another-base"]}], "none of the relevant ids is in the index"),
        ([{"query": "how to reset", "answerable": True}], "needs unanswerable questions"),
    ],
)
def test_questions_that_cannot_be_used_are_refused(
    index: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    questions: list[dict[str, Any]],
    message: str,
) -> None:
    """Exit 2, one sentence, and the index keeps its calibration."""
    before = read_manifest(index)
    assert calibrate(index, "--queries", rows(tmp_path / "q.jsonl", *questions)) == 2
    assert message in capsys.readouterr().err
    assert read_manifest(index) == before


def test_off_topic_rows_without_a_text_are_named(
    index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """File and line; an empty file too."""
    queries = rows(tmp_path / "q.jsonl", *sample(answerable=True, every=60))
    assert calibrate(index, "--queries", queries, "--off-topic", rows(tmp_path / "o.jsonl", {"id": "1"})) == 2
    assert "o.jsonl:1" in capsys.readouterr().err
    assert calibrate(index, "--queries", queries, "--off-topic", rows(tmp_path / "o.jsonl")) == 2
    assert "holds no texts" in capsys.readouterr().err
