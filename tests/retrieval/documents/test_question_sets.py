"""A folder in BEIR's layout gives its corpus, and not the questions that are asked of it."""

from pathlib import Path

import pytest

from retrieval.documents import load_documents
from retrieval.documents.question_sets import is_of_questions

CORPUS = '{"_id": "d1", "title": "Reset", "text": "Press the button."}\n'
QUERIES = '{"_id": "q1", "text": "how do I reset it?"}\n'
QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t1\n"


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    """Give a folder that holds a data set below it."""
    folder = tmp_path / "sets" / "scifact"
    (folder / "qrels").mkdir(parents=True)
    for name, text in (("corpus.jsonl", CORPUS), ("queries.jsonl", QUERIES), ("qrels/test.tsv", QRELS)):
        (folder / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_questions_of_a_data_set_are_no_documents(beir: Path) -> None:
    """Each would find itself; that they are left out is told, and is no problem."""
    loaded = load_documents([beir])
    assert [document.id for document in loaded.documents] == ["d1"]
    assert not loaded.problems
    assert not loaded.is_incomplete


@pytest.mark.parametrize("missing", ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])
def test_files_of_these_names_elsewhere_are_read(beir: Path, missing: str) -> None:
    """Only the whole layout says what they are."""
    folder = beir / "sets" / "scifact"
    (folder / missing).unlink()
    if "/" in missing:
        (folder / "qrels").rmdir()
    kept = folder / ("qrels/test.tsv" if missing == "queries.jsonl" else "queries.jsonl")
    assert not is_of_questions(kept)


def test_a_file_that_is_named_is_read(beir: Path) -> None:
    """What is given by its own path is meant."""
    loaded = load_documents([beir / "sets" / "scifact" / "queries.jsonl"])
    assert [document.id for document in loaded.documents] == ["q1"]
