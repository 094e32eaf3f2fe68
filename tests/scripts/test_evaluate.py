"""`triage eval` on BEIR's layout, with a reranker, and compared with an older result."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.bootstrap import SAMPLE
from scripts.cli import main
from scripts.labelled import read_questions
from tests.conftest import MODELS
from tests.cross_encoders import build_overlap_model, words_of

QUESTIONS = SAMPLE / "questions.jsonl"


@pytest.fixture
def beir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put the sample's first questions into BEIR's layout; the first relevant document has the higher grade."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(MODELS))
    chosen = [question for question in read_questions(QUESTIONS) if question.relevant][:8]
    queries = "".join(json.dumps({"_id": one.id, "text": one.query}) + "\n" for one in chosen)
    rows = [
        f"{one.id}\t{name}\t{2 if place == 0 else 1}\n" for one in chosen for place, name in enumerate(one.relevant)
    ]
    (tmp_path / "queries.jsonl").write_text(queries, encoding="utf-8")
    (tmp_path / "qrels").mkdir()
    header = "query-id\tcorpus-id\tscore\n"
    (tmp_path / "qrels" / "test.tsv").write_text(header + "".join(rows), encoding="utf-8")
    (tmp_path / "qrels" / "dev.tsv").write_text(header + rows[0], encoding="utf-8")
    return tmp_path


def measured(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Run the command and read what it prints."""
    assert main(["eval", "--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def test_a_beir_folder_is_measured(sample_index: Path, beir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its test split or the one that is named; a wrong line is one sentence with file and line."""
    where = ("--index", str(sample_index), "--methods", "rrf,hybrid", "--queries")
    found = measured(capsys, *where, str(beir))
    assert found["methods"].keys() == {"rrf", "hybrid"}
    assert found["methods"]["hybrid"]["n"] == 8
    assert found["methods"]["hybrid"]["hit@5"] >= 0.75
    dev = measured(capsys, *where, str(beir / "queries.jsonl"), "--qrels", str(beir / "qrels" / "dev.tsv"))
    assert dev["methods"]["hybrid"]["n"] == 1
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1 kb-1 1\n", encoding="utf-8")
    assert main(["eval", *where, str(beir)]) == 2
    error = capsys.readouterr().err
    assert error == f"triage: {beir}/qrels/test.tsv:2: must be query-id, corpus-id and score, separated by tabs\n"


def test_the_reranker_is_measured_beside_the_plain_ranking(
    sample_index: Path, beir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whenever one is configured; without one `--rerank` says what is missing."""
    where = ("--index", str(sample_index), "--methods", "hybrid", "--queries", str(beir))
    assert main(["eval", *where, "--rerank"]) == 2
    assert "set TRIAGE_RERANKER to its folder or name" in capsys.readouterr().err
    texts = [one.query for one in read_questions(beir)]
    monkeypatch.setenv("TRIAGE_RERANKER", str(build_overlap_model(beir / "overlap", words_of(*texts))))
    found = measured(capsys, *where)
    assert found["methods"].keys() == {"hybrid", "hybrid+rerank"}
    ranks = found["questions"]["methods"]
    assert ranks["hybrid"]["rank"] != ranks["hybrid+rerank"]["rank"]
    monkeypatch.setenv("TRIAGE_RERANKER", str(beir / "none"))
    assert main(["eval", *where]) == 2
    assert "the reranker is missing" in capsys.readouterr().err


def test_the_order_alone_is_the_same_order(sample_index: Path, beir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every figure but the times is that of the whole search; a reranker has no sentences to read then."""
    where = ("--index", str(sample_index), "--methods", "bm25,rrf,hybrid", "--queries", str(beir))
    whole, alone = (measured(capsys, *where, *more) for more in ((), ("--order-only",)))
    for found in (whole, alone):
        del found["latency_ms"]
        for method in found["methods"].values():
            del method["latency_ms"]
    assert alone == whole
    assert main(["eval", *where, "--order-only", "--rerank"]) == 2
    assert "--order-only reads no sentences" in capsys.readouterr().err


def test_an_older_result_is_compared_question_by_question(
    sample_index: Path, beir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Differences by method as before, with interval and verdict beside them; the text has a line a measure."""
    where = ("--index", str(sample_index), "--methods", "bm25,hybrid", "--queries", str(beir))
    old = measured(capsys, *where)
    for place in range(8):
        old["questions"]["methods"]["hybrid"]["rank"][place] = None
    (beir / "old.json").write_text(json.dumps(old), encoding="utf-8")
    found = measured(capsys, *where, "--compare", str(beir / "old.json"))
    assert found["compare"]["bm25"]["mrr@10"] == 0.0
    details = {(one["method"], one["measure"]): one for one in found["compare_details"]}
    gain = details["hybrid", "mrr@10"]
    assert gain["difference"] == found["compare"]["hybrid"]["mrr@10"] > 0.5
    assert gain["ci95"][0] > 0
    assert gain["verdict"].endswith("n = 8: better")
    page = beir / "page.html"
    assert main(["eval", *where, "--compare", str(beir / "old.json"), "--report", str(page)]) == 0
    told = capsys.readouterr().out
    assert "+0.0000" not in told
    assert "measures are the same" in told
    assert "Compared with the older result" in page.read_text(encoding="utf-8")
    (beir / "old.json").write_text('{"methods": {"hybrid": {"mrr@10": "much"}}}', encoding="utf-8")
    assert main(["eval", *where, "--compare", str(beir / "old.json")]) == 2
    assert "is no result of `triage eval --json`" in capsys.readouterr().err
