"""`triage index`, `search` and `eval` with the real model: output forms, exit codes, one-line errors."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from retrieval.index import read_manifest
from retrieval.index.folder import swap
from scripts.cli import main
from tests.conftest import MODELS

ROWS = [
    {"id": "kb-1", "title": "Reset a password", "text": "Open Settings and press Reset password. A link is sent."},
    {"id": "kb-2", "title": "Refunds", "text": "Refunds are made within 30 days of the payment."},
    {
        "id": "kb-3",
        "title": "Export",
        "text": "Reports are exported as CSV from the Reports page.",
        "visibility": "public",
    },
    {"id": "t-1", "kind": "ticket", "question": "Printer is dead", "resolution": "Restarted the print service."},
]
QUESTIONS = [
    {"id": "q1", "query": "how to change my password", "relevant": ["kb-1"], "answerable": True, "lang": "en"},
    {
        "id": "q2",
        "query": "and quarterly ones?",
        "relevant": ["kb-3"],
        "previous_user_turns": ["How do I export reports?"],
    },
    {"id": "q3", "query": "who won the football match", "relevant": [], "answerable": False},
]


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write JSON Lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, default_encoder: object) -> Path:
    """Give a data folder of its own with the kept model."""
    assert default_encoder
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "models").symlink_to(MODELS / "models")
    (tmp_path / "data" / "vectors.sqlite").symlink_to(MODELS / "vectors.sqlite")
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Read stdout, which may hold nothing but one JSON object a line."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_index_reports_and_a_second_run_embeds_nothing(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All keys are there; unchanged input embeds 0; a broken line gives exit 1 and is named on stderr."""
    corpus = lines(data_dir / "kb.jsonl", ROWS)
    assert main(["index", str(corpus), "--json"]) == 0
    (first,) = printed(capsys)
    assert (first["added"], first["changed"], first["removed"], first["documents"]) == (4, 0, 0, 4)
    assert {"quarantined", "redactions", "embedded", "reused", "chunks", "sentences_embedded"} <= first.keys()
    corpus.write_text(corpus.read_text() + "{broken\n")
    assert main(["index", str(corpus), "--json"]) == 1
    captured = capsys.readouterr()
    again = json.loads(captured.out)
    assert (again["added"], again["embedded"], again["reused"]) == (0, 0, 4)
    assert captured.err.startswith(f"triage: {corpus}:5: is not JSON")


def test_index_refuses_what_would_empty_it(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong path and a small rest both leave the index as it is, with one line and exit 2; --yes goes on, --add keeps."""
    corpus = lines(data_dir / "kb.jsonl", ROWS)
    assert main(["index", str(corpus)]) == 0
    capsys.readouterr()
    assert main(["index", str(data_dir / "none")]) == 2
    assert "nothing could be read; the index is unchanged" in capsys.readouterr().err
    lines(corpus, ROWS[:1])
    assert main(["index", str(corpus)]) == 2
    assert "add --yes" in capsys.readouterr().err
    lines(corpus, [{"id": "kb-9", "text": "Another article about invoices."}])
    assert main(["index", str(corpus), "--add", "--json"]) == 0
    assert printed(capsys)[0]["documents"] == 5
    assert main(["index", str(corpus), "--yes", "--json"]) == 0
    assert printed(capsys)[0]["removed"] == 4


def test_a_broken_off_input_removes_nothing(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a cut export does not name stays, and is said; --allow-removals takes it for deleted all the same."""
    corpus = lines(data_dir / "kb.jsonl", ROWS)
    assert main(["index", str(corpus)]) == 0
    corpus.write_text(corpus.read_text()[:-20])
    capsys.readouterr()
    assert main(["index", str(corpus), "--json"]) == 1
    (report,) = printed(capsys)
    assert (report["incomplete"], report["removed"], report["kept"], report["documents"]) == (True, 0, 1, 4)
    assert main(["index", str(corpus)]) == 1
    assert "the input is incomplete: nothing was taken for deleted; 1 document that" in capsys.readouterr().out
    assert main(["index", str(corpus), "--allow-removals", "--json"]) == 1
    assert printed(capsys)[0]["removed_ids"] == ["t-1"]


def test_a_dry_run_says_what_would_change_and_writes_nothing(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ids by what would happen to them, and whether it would be refused; the index stays as it is."""
    corpus = lines(data_dir / "kb.jsonl", ROWS)
    assert main(["index", str(corpus)]) == 0
    before = read_manifest(data_dir / "data" / "index")
    fresh = {"id": "kb-9", "text": "A new article about invoices.", "updated_at": "2099-01-01"}
    lines(corpus, [ROWS[0] | {"text": "Other words."}, ROWS[1], fresh])
    capsys.readouterr()
    assert main(["index", str(corpus), "--dry-run", "--json"]) == 1
    (plan,) = printed(capsys)
    assert (plan["added_ids"], plan["changed_ids"], plan["removed_ids"]) == (["kb-9"], ["kb-1"], ["kb-3", "t-1"])
    assert plan["refused"].startswith("this would remove 2 of 4 documents; add --allow-removals")
    assert (plan["undated"], plan["notes"][0]["reason"]) == (
        2, "updated_at 2099-01-01 of 'kb-9' lies in the future",
    )  # fmt: skip
    assert main(["index", str(corpus), "--dry-run"]) == 1
    told = capsys.readouterr().out
    assert "dry run, nothing written: 3 documents" in told
    assert "removed: kb-3, t-1" in told
    assert "it would be refused" in told
    assert main(["index", str(corpus), "--dry-run", "--allow-removals"]) == 0
    assert read_manifest(data_dir / "data" / "index") == before


def test_tickets_without_a_resolution_are_listed(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their ids in the object, their number on the console."""
    corpus = lines(data_dir / "kb.jsonl", [*ROWS, {"id": "t-2", "kind": "ticket", "question": "Nobody answered"}])
    assert main(["index", str(corpus), "--json"]) == 1
    assert printed(capsys)[0]["unresolved_tickets"] == ["t-2"]
    assert main(["index", str(corpus)]) == 1
    assert "1 ticket without a resolution, not indexed" in capsys.readouterr().out


def test_nothing_to_read_makes_no_index(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty folder, one of assets and an empty file: exit 2 with one line more, and no folder is made."""
    empty = data_dir / "kb"
    empty.mkdir()
    (empty / "logo.png").write_bytes(b"PNG")
    for path, more in (
        (empty, ""),
        (lines(data_dir / "none.jsonl", []), f"triage: {data_dir / 'none.jsonl'}: is empty\n"),
    ):
        for flags in ([], ["--dry-run"], ["--add", "--yes"]):
            assert main(["index", str(path), *flags]) == 2
            assert capsys.readouterr().err == f"{more}triage: nothing could be read; no index was made\n"
    assert not (data_dir / "data" / "index").exists()


def test_an_empty_knowledge_base_says_so(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An index that was emptied on purpose is searched and reported as empty."""
    (data_dir / "kb").mkdir()
    assert main(["index", str(lines(data_dir / "kb.jsonl", ROWS[:1]))]) == 0
    assert main(["index", str(data_dir / "kb")]) == 2
    assert "--yes" in capsys.readouterr().err
    assert main(["index", str(data_dir / "kb"), "--yes"]) == 0
    assert "the knowledge base is empty" in capsys.readouterr().out
    assert main(["search", "password", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["hits"] == []
    assert "empty" in captured.err


def test_search_gives_the_form_of_the_contract(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object a query, with the id of its row; an audience narrows; a bad row is named."""
    index = data_dir / "index"
    assert main(["index", str(lines(data_dir / "kb.jsonl", ROWS)), "--out", str(index)]) == 0
    capsys.readouterr()
    assert (
        main(["search", "--queries", str(lines(data_dir / "q.jsonl", QUESTIONS)), "--index", str(index), "--json"]) == 0
    )
    answers = printed(capsys)
    assert [answer["id"] for answer in answers] == ["q1", "q2", "q3"]
    assert answers[0].keys() == {"id", "query", "method", "cut", "hits"}
    assert answers[0]["hits"][0]["id"] == "kb-1"
    assert answers[0]["hits"][0].keys() == {"id", "chunk", "bm25", "cosine", "fused", "relevance", "used"}
    assert main(["search", "reports", "--index", str(index), "--audience", "public", "--method", "bm25", "--json"]) == 0
    (narrow,) = printed(capsys)
    assert "id" not in narrow
    assert [hit["id"] for hit in narrow["hits"]] == ["kb-3"]
    assert main(["search", "password", "--index", str(index)]) == 0
    assert "kb-1" in capsys.readouterr().out
    rows = data_dir / "bad.jsonl"
    rows.write_bytes(
        b'{"question":"x"}\n\xff\n{"x":' + b"[" * 100_000 + b'\n{"id":"\\ud800","query":"mail ann@example.com"}\n'
    )
    assert main(["search", "--queries", str(rows), "--index", str(index), "--json"]) == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out)["query"] == "mail [EMAIL]"
    assert "bad.jsonl:1: needs 'query' as text; found question" in shown.err
    assert "bad.jsonl:2: is not UTF-8" in shown.err
    assert "bad.jsonl:3: is not JSON" in shown.err
    assert main(["search", "mail ann@example.com \udcff", "--index", str(index)]) == 0
    assert "ann@" not in capsys.readouterr().out


def test_eval_measures_compares_and_fails_under(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON form, the page, the difference to an older result, rules for follow-ups, and exit 1 when a bound is missed."""
    index, questions = data_dir / "index", lines(data_dir / "q.jsonl", QUESTIONS)
    assert main(["index", str(lines(data_dir / "kb.jsonl", ROWS)), "--out", str(index)]) == 0
    capsys.readouterr()
    common = ["eval", "--index", str(index), "--queries", str(questions), "--methods", "bm25,hybrid"]
    assert main([*common, "--json", "--report", str(data_dir / "report.html")]) == 0
    old = capsys.readouterr().out
    assert json.loads(old)["methods"]["hybrid"]["n"] == 2
    assert "<svg" in (data_dir / "report.html").read_text(encoding="utf-8")
    (data_dir / "old.json").write_text(old)
    assert main([*common, "--json", "--compare", str(data_dir / "old.json"), "--rewrite", "rules"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert results["methods"]["bm25"]["hit@5"] == 1.0  # "and quarterly ones?" alone shares no word with its article
    assert results["compare"]["bm25"]["hit@5"] == 0.5
    recorded = lines(data_dir / "recorded.jsonl", [{"id": f"q{i}", "queries": ["export reports"]} for i in (1, 2, 3)])
    assert main([*common, "--rewrite", str(recorded)]) == 0
    assert "hybrid" in capsys.readouterr().out
    assert main([*common, "--fail-under", "hit@1=1.01"]) == 1
    assert "below 1.01" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (["--methods", "colbert"], "knows no 'colbert'"),
        (["--methods", ","], "needs at least one method"),
        (["--fail-under", "hit@5"], "takes MEASURE=NUMBER"),
        (["--fail-under", "hit@5=nan"], "takes MEASURE=NUMBER"),
        (["--fail-under", "accuracy=0.5"], "knows no measure 'accuracy'"),
        (["--fail-under", "hit@5=0.5", "--methods", "bm25"], "needs the method hybrid"),
        (["--compare", "none.json"], "none.json: is no result"),
        (["--compare", "deep.json"], "deep.json: is no result"),
        (["--compare", "odd.json"], "odd.json: is no result"),
        (["--rewrite", "none.jsonl"], "none.jsonl"),
        (["--rerank"], "set TRIAGE_RERANKER"),
    ],
)
def test_eval_refuses_wrong_options(
    data_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, extra: list[str], says: str
) -> None:
    """One line, exit 2, before any index is looked for."""
    questions = lines(data_dir / "q.jsonl", QUESTIONS)
    (data_dir / "deep.json").write_text("[" * 100_000)
    (data_dir / "odd.json").write_text('{"methods": {"bm25": {"hit@5": "x"}}}')
    monkeypatch.chdir(data_dir)
    assert main(["eval", "--queries", str(questions), "--index", str(data_dir / "index"), *extra]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_no_index_and_no_question_are_said(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing index, an empty file of questions, and no query at all."""
    assert main(["search", "x", "--index", str(data_dir / "none")]) == 2
    assert "there is no index in" in capsys.readouterr().err
    empty = lines(data_dir / "empty.jsonl", [])
    assert main(["eval", "--queries", str(empty)]) == 2
    assert "holds no questions" in capsys.readouterr().err
    assert main(["search"]) == 2
    assert main(["search", "x", "--top-k", "0"]) == 2
    assert main(["index", str(empty), "--map", "nothing"]) == 2
    assert "FIELD=COLUMN" in capsys.readouterr().err


def test_eval_asks_for_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of bare questions is named as such, not measured as all unanswerable."""
    rows = tmp_path / "questions.jsonl"
    rows.write_text('{"id": "q1", "query": "how?"}\n', encoding="utf-8")
    assert main(["eval", "--index", str(tmp_path), "--queries", str(rows)]) == 2
    assert "questions.jsonl:1: needs 'relevant'" in capsys.readouterr().err


def test_a_page_of_an_evaluation_shows_no_personal_data(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The questions are measured as they are and shown redacted; ids that no text can hold are unknown ids."""
    index, page = data_dir / "index", data_dir / "report.html"
    assert main(["index", str(lines(data_dir / "kb.jsonl", ROWS)), "--out", str(index)]) == 0
    rows = [{"id": "q", "query": "why was ann@example.com charged", "relevant": ["kb-3", "\ud800"]}]
    questions = str(lines(data_dir / "q.jsonl", rows))
    given = ["--queries", questions, "--methods", "bm25", "--report", str(page), "--json"]
    assert main(["eval", "--index", str(index), *given]) == 0
    assert "1 relevant id is not in the index" in capsys.readouterr().err
    text = page.read_text(encoding="utf-8")
    assert "[EMAIL]" in text
    assert "ann@" not in text


def test_an_empty_path_is_refused(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is neither the current folder to read nor the one to write."""
    corpus = str(lines(data_dir / "kb.jsonl", ROWS))
    for given in ([""], [corpus, "--out", ""]):
        assert main(["index", *given]) == 2
        assert capsys.readouterr().err == "triage: an empty path was given; name a folder or a file\n"


def test_an_empty_table_is_said(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing was lost, so the run is done, but nobody is left wondering."""
    corpus, empty = lines(data_dir / "kb.jsonl", ROWS), lines(data_dir / "tickets.jsonl", [])
    assert main(["index", str(corpus), str(empty), "--json"]) == 0
    assert capsys.readouterr().err == f"triage: {empty}: is empty\n"


def test_a_cache_in_a_wrong_place_is_one_line(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The vectors that cannot be kept are named with their file, exit 2."""
    (data_dir / "data" / "vectors.sqlite").unlink()
    (data_dir / "data" / "vectors.sqlite").mkdir()
    assert main(["index", str(lines(data_dir / "kb.jsonl", ROWS))]) == 2
    error = capsys.readouterr().err
    assert "vectors.sqlite cannot be used" in error
    assert error.count("\n") == 1


def test_an_index_of_older_rules_is_served_with_a_warning(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Search and ask answer, and say on stderr once that the index should be built again."""
    assert main(["index", str(lines(data_dir / "kb.jsonl", ROWS))]) == 0
    folder = data_dir / "data" / "index"
    capsys.readouterr()
    for command in (["search", "refunds"], ["ask", "how to change my password"]):
        assert main(command) == 0
        assert "older version" not in capsys.readouterr().err
    manifest = read_manifest(folder)
    swap(folder, replace(manifest, versions={**manifest.versions, "redactor": "0"}))
    for command in (["search", "refunds"], ["ask", "how to change my password"]):
        assert main(command) == 0
        out, err = capsys.readouterr()
        assert out
        assert err.count("was built by an older version or with other settings (redactor): run triage index") == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answerable": "maybe"}, "'answerable' must be true or false"),
        ({"answerable": 1}, "'answerable' must be true or false"),
        ({"previous_user_turns": "x"}, "'previous_user_turns' must be a list of texts"),
        ({"previous_user_turns": [None]}, "'previous_user_turns' must be a list of texts"),
        ({"query": "  "}, "'query' is empty"),
    ],
)
def test_a_question_of_a_wrong_kind_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], message: str
) -> None:
    """The file and the line are told; where no other can be used that is the end."""
    queries = lines(tmp_path / "q.jsonl", [{**QUESTIONS[0], **change}])
    for command in ("eval", "calibrate"):
        assert main([command, "--queries", str(queries)]) == 2
        end = f"triage: {queries}: holds no questions that can be used\n"
        assert capsys.readouterr().err == f"triage: {queries}:1: {message}\n{end}"


def test_a_broken_question_costs_only_itself(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are measured and fitted, the line is named, and the exit code is 1; so with a text that is off topic."""
    assert main(["index", str(lines(data_dir / "kb.jsonl", ROWS))]) == 0
    queries = lines(data_dir / "q.jsonl", [QUESTIONS[0], {"id": "x", "query": "no label"}, QUESTIONS[2]])
    queries.write_text("{broken\n" + queries.read_text())
    off_topic = lines(data_dir / "o.jsonl", [{"id": "1"}, {"id": "2", "text": "how long to boil an egg"}])
    capsys.readouterr()
    assert main(["eval", "--queries", str(queries), "--methods", "bm25", "--json"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["methods"]["bm25"]["n"] == 1
    assert (
        told.err
        == f"triage: {queries}:1: is not JSON\ntriage: {queries}:3: needs 'relevant' (a list of ids) or 'answerable': false\n"
    )
    assert main(["calibrate", "--queries", str(queries), "--off-topic", str(off_topic), "--force", "--json"]) == 1
    told = capsys.readouterr()
    values = json.loads(told.out)
    assert (values["stored"], values["gate"]["n"], values["gate"]["n_off_topic"]) == (True, 1, 1)
    assert f"{queries}:1: is not JSON" in told.err
    assert f"{off_topic}:1: needs 'query' as text" in told.err


def test_a_folder_that_cannot_be_written_is_one_sentence(
    data_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the folder and what to do, for the data folder and for that of the index."""
    corpus = lines(data_dir / "kb.jsonl", ROWS)
    (data_dir / "index" / ".lock").mkdir(parents=True)
    assert main(["index", str(corpus), "--out", str(data_dir / "index")]) == 2
    err = capsys.readouterr().err
    assert err.startswith(
        f"triage: the index folder {data_dir / 'index'} cannot be written (Is a directory); see who owns it"
    )
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(corpus))
    assert main(["index", str(corpus)]) == 2
    err = capsys.readouterr().err
    assert err == f"triage: the data folder {corpus} cannot be made (File exists); set TRIAGE_DATA_DIR to a folder\n"


def test_an_audit_log_that_cannot_be_written_is_told_once(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two questions are answered; one plain line on stderr says that nothing is written."""
    assert main(["index", str(lines(data_dir / "kb.jsonl", ROWS))]) == 0
    (data_dir / "data" / "audit.lock").mkdir()
    capsys.readouterr()
    queries = lines(data_dir / "q.jsonl", [{"query": "how to change my password"}, {"query": "refunds of a payment"}])
    assert main(["ask", "--queries", str(queries)]) == 0
    out, err = capsys.readouterr()
    assert out.count("# ") == 2
    assert (
        err
        == f"triage: the audit log in {data_dir / 'data'} cannot be written (Is a directory); answering without it\n"
    )


def test_one_of_a_kind_is_singular(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One document is no "documents", one problem no "problems"."""
    corpus = lines(data_dir / "kb.jsonl", ROWS[:1])
    corpus.write_text(corpus.read_text(encoding="utf-8") + "[]\n", encoding="utf-8")
    assert main(["index", str(corpus)]) == 1
    out = capsys.readouterr().out
    assert out.startswith("1 document in ")
    assert "1 chunk (" in out
    assert "1 problem\n" in out
