"""BEIR's layout is read as rows of our own form; what is wrong is named by file and line."""

import json
from pathlib import Path

import pytest

from retrieval.documents import FieldMap, load_documents
from retrieval.errors import EvaluationInvalid
from scripts.labelled import labelled_rows, read_questions, usable_questions
from scripts.queries import RowsInvalid

HEADER = "query-id\tcorpus-id\tscore\n"
CORPUS = [{"_id": "d1", "title": "Reset", "text": "Press Reset."}, {"_id": "d2", "title": "", "text": "Refunds."}]
QUERIES = [{"_id": f"q{i}", "text": f"question {i}", "metadata": {}} for i in (1, 2, 3)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two splits; q3 is judged in `train` alone."""
    for name, rows in (("corpus", CORPUS), ("queries", QUERIES)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "qrels").mkdir()
    split(tmp_path, "test", HEADER + "q1\td1\t2\nq1\td2\t1\n\nq2\td1\t0\n")
    split(tmp_path, "train", HEADER + "q3\td2\t1\n")
    return tmp_path


def split(folder: Path, name: str, text: str) -> Path:
    """Write one file of judgements."""
    path = folder / "qrels" / f"{name}.tsv"
    path.write_bytes(text.encode("latin-1"))
    return path


def test_a_folder_gives_the_questions_of_its_test_split(folder: Path) -> None:
    """Grades are gains, score 0 is not relevant, and queries of other splits are left out."""
    one, two = read_questions(folder)
    assert (one.id, one.query, one.relevant, one.is_answerable) == ("q1", "question 1", ("d1", "d2"), True)
    assert one.gains == {"d1": 2.0, "d2": 1.0}
    assert (two.id, two.relevant, two.is_answerable) == ("q2", (), False)
    assert read_questions(folder / "queries.jsonl") == [one, two]


def test_the_split_can_be_chosen(folder: Path) -> None:
    """By --qrels; else test, else dev, else the only one; of several others one must be named."""
    train = folder / "qrels" / "train.tsv"
    assert [row.text("id") for row in labelled_rows(folder, qrels=train)] == ["q3"]
    (folder / "qrels" / "test.tsv").unlink()
    assert [row.text("id") for row in labelled_rows(folder)] == ["q3"]
    split(folder, "dev", "q2\td1\t1\n")  # without a header
    assert [row.text("id") for row in labelled_rows(folder)] == ["q2"]
    (folder / "qrels" / "dev.tsv").rename(folder / "qrels" / "extra.tsv")
    with pytest.raises(RowsInvalid, match=r"qrels: holds extra, train; choose one with --qrels"):
        list(labelled_rows(folder))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (HEADER + "q1 d1 1\n", r"test\.tsv:2: must be query-id, corpus-id and score, separated by tabs"),
        (HEADER + "q1\td1\thigh\n", r"test\.tsv:2: has the score 'high', which is no number"),
        (HEADER + "q1\td1\tnan\n", r"test\.tsv:2: has the score 'nan', which is no number"),
        (
            HEADER + "q1\td1\t1\nq9\td1\t1\n",
            r"test\.tsv:3: judges the query 'q9', which .*queries\.jsonl does not hold",
        ),
        (HEADER + "q1\t\xff\t1\n", r"test\.tsv:2: is not UTF-8"),
        (HEADER, r"test\.tsv: holds no judgements"),
    ],
)
def test_a_wrong_judgement_is_named(folder: Path, text: str, fault: str) -> None:
    """One sentence with file and line."""
    split(folder, "test", text)
    with pytest.raises(RowsInvalid, match=fault):
        list(labelled_rows(folder))


def test_a_broken_query_costs_only_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For who measures; a judgement may be about the broken line, so it is no fault. Who publishes an index is told at once."""
    queries = folder / "queries.jsonl"
    first, *others = queries.read_text(encoding="utf-8").splitlines()
    queries.write_text("\n".join([first[:-5], *others]) + "\n", encoding="utf-8")
    questions, skipped = usable_questions(folder)
    assert ([question.id for question in questions], skipped) == (["q2"], 1)
    assert capsys.readouterr().err == f"triage: {queries}:1: is not JSON\n"
    with pytest.raises(RowsInvalid, match=r"queries\.jsonl:1: is not JSON"):
        read_questions(folder)


def test_a_wrong_folder_is_named(folder: Path, tmp_path: Path) -> None:
    """No judgements, a file that is not there, an id twice, no file of queries."""
    with pytest.raises(RowsInvalid, match=r"none\.tsv: No such file"):
        list(labelled_rows(folder, qrels=folder / "none.tsv"))
    with (folder / "queries.jsonl").open("a") as file:
        file.write('{"_id": "q1", "text": "again"}\n')
    with pytest.raises(RowsInvalid, match=r"queries\.jsonl:4: has the id 'q1' of .*queries\.jsonl:1"):
        list(labelled_rows(folder))
    (folder / "queries.jsonl").unlink()
    with pytest.raises(RowsInvalid, match=r"holds no queries\.jsonl"):
        list(labelled_rows(folder))
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "queries.jsonl").write_text('{"_id": "q1", "text": "x"}\n')
    with pytest.raises(RowsInvalid, match=r"qrels: holds no judgements"):
        list(labelled_rows(bare))


def test_rows_of_our_own_form_stay_what_they_are(folder: Path) -> None:
    """Labelled rows are read as such even beside a folder of judgements; grades and reference answers are kept."""
    row = {"id": "a", "query": "x", "relevant": ["d1"], "grades": {"d1": 3}, "reference_answer": "14 days"}
    (folder / "own.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (one,) = read_questions(folder / "own.jsonl")
    assert (one.gains, one.reference_answer) == ({"d1": 3.0}, "14 days")
    (folder / "own.jsonl").write_text(json.dumps(row | {"grades": {"d1": "much"}}) + "\n", encoding="utf-8")
    with pytest.raises(RowsInvalid, match=r"own\.jsonl:1: 'grades' must name a number from 0"):
        read_questions(folder / "own.jsonl")
    (folder / "own.jsonl").write_text('{"id": "a", "query": "x"}\n')
    with pytest.raises(EvaluationInvalid, match=r"own\.jsonl:1: needs 'relevant'"):
        read_questions(folder / "own.jsonl")
    (folder / "own.jsonl").write_text("\n")
    with pytest.raises(EvaluationInvalid, match="holds no questions"):
        read_questions(folder / "own.jsonl")


def test_a_corpus_is_indexed_by_its_ids(folder: Path) -> None:
    """`_id` is read as the id where no other is named."""
    loaded = load_documents([folder / "corpus.jsonl"], field_map=FieldMap.parse([]))
    assert [document.id for document in loaded.documents] == ["d1", "d2"]
