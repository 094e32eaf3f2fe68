"""`triage ask` and `triage chat` over the sample with the real model."""

import argparse
import asyncio
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from config.settings import Settings, load_settings
from scripts import ask, chat
from scripts.cli import main
from tests.conftest import MODELS

ROOT = Path(__file__).parents[2]
RESET = "How do I reset a forgotten console password?"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Give a data folder of its own with the kept model."""
    (tmp_path / "models").symlink_to(MODELS / "models")
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(tmp_path))
    return load_settings(None)


def _arguments(module: object, *given: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)  # type: ignore[attr-defined]
    return parser.parse_args(given)


def _ask(settings: Settings, *given: str) -> int:
    return asyncio.run(ask.ask_and_print(_arguments(ask, *given), settings))


def _objects(out: str) -> list[dict[str, Any]]:
    # Events of the log share the output here: only `run` sends them to the error stream.
    return [json.loads(line) for line in out.splitlines() if line.startswith("{")]


def test_the_answer_names_its_source(
    settings: Settings, sample_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A person sees the quote, the id, and with --explain the hits and times."""
    assert _ask(settings, RESET, "--index", str(sample_index), "--explain") == 0
    shown = capsys.readouterr().out
    assert "Forgot password" in shown
    assert "[1] kb-101" in shown
    assert "cosine" in shown
    assert "retrieve" in shown


def test_a_file_gives_one_object_a_line(
    settings: Settings, sample_index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rows keep their ids; a broken line is named, the rest is answered, and the code is 1."""
    rows = tmp_path / "q.jsonl"
    rows.write_text(
        f'{{"id": "a", "query": "{RESET}"}}\nnot json\n{{"id": "b", "query": "thanks 👍"}}\n{{"id": "c"}}\n',
        encoding="utf-8",
    )
    assert _ask(settings, "--queries", str(rows), "--index", str(sample_index), "--json") == 1
    shown = capsys.readouterr()
    answers = _objects(shown.out)
    assert [(a["id"], a["outcome"]) for a in answers] == [("a", "answered"), ("b", "courtesy")]
    assert f"{rows}:2" in shown.err
    assert f"{rows}:4" in shown.err


def test_a_thread_is_kept_between_processes(
    settings: Settings, sample_index: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second call, with everything opened anew, knows the first question."""
    for question in (RESET, "and if no message arrives?"):
        assert _ask(settings, question, "--thread", "t1", "--index", str(sample_index), "--json") == 0
    follow_up = _objects(capsys.readouterr().out)[-1]
    assert len(follow_up["queries"]) == 3
    assert "password" in follow_up["queries"][1]
    assert "kb-101" in [citation["id"] for citation in follow_up["citations"]]


def test_chat_reads_lines_of_a_pipe(
    settings: Settings, sample_index: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A follow-up knows the line before; after /new nothing does."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{RESET}\n\nand if no message arrives?\n/new\nand on Android?\n"))
    assert asyncio.run(chat.talk(_arguments(chat, "--show-query", "--index", str(sample_index)), settings)) == 0
    shown = capsys.readouterr().out
    assert "[searched: reset forgotten console password and if no message arrives?]" in shown
    assert shown.count("[searched: and on Android?]") == 1
    assert "message arrives? and on Android" not in shown


def test_one_process_answers_with_the_contract() -> None:
    """From the console script: exit code 2 and one line of advice where there is no index."""
    done = subprocess.run(
        [sys.executable, "-m", "scripts.cli", "ask", "x", "--index", "/nonexistent/index"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "triage index" in done.stderr


@pytest.mark.parametrize("given", [[], ["x", "--queries", "y.jsonl"], ["--queries", "/nonexistent.jsonl"]])
def test_nothing_can_be_done_without_one_input(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """No question, two inputs, or a missing file: code 2 and one line."""
    assert main(["ask", *given]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_broken_row_costs_no_other_and_headings_are_redacted(
    settings: Settings, sample_index: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nesting and a thread of a wrong kind are faults of their rows; a person sees the question without personal data."""
    rows = tmp_path / "q.jsonl"
    lines = [
        '{"x":' + "[" * 100_000,
        '{"query": "x", "thread": ["t"]}',
        '{"query": "mail ann@example.com", "thread": null}',
    ]
    rows.write_text("\n".join(lines), encoding="utf-8")
    assert _ask(settings, "--queries", str(rows), "--index", str(sample_index)) == 1
    shown = capsys.readouterr()
    assert "# mail [EMAIL]" in shown.out
    assert "ann@" not in shown.out
    assert f"{rows}:1: is not JSON" in shown.err
    assert f"{rows}:2: needs 'thread' as text" in shown.err


def test_neither_asking_nor_an_unchanged_index_imports_torch(
    settings: Settings, sample_index: Path, tmp_path: Path
) -> None:
    """A new process answers, and recognises an unchanged base, without torch, transformers or an HTML parser."""
    articles = tmp_path / "kb.jsonl"
    articles.write_text('{"id": "kb-1", "title": "Reset", "text": "Press Reset."}\n', encoding="utf-8")
    index = ["index", str(articles), "--out", str(tmp_path / "index"), "--json"]
    assert main(index) == 0
    commands = [["ask", RESET, "--index", str(sample_index), "--json"], index]
    code = (
        "import json, sys; from scripts.cli import main;"
        "code = main(json.loads(sys.argv[1]));"
        "heavy = ('torch', 'transformers', 'sentence_transformers', 'bs4', 'openvino_telemetry');"
        "print(code, [name for name in heavy if sys.modules.get(name)], file=sys.stderr)"
    )
    for command in commands:
        done = subprocess.run(
            [sys.executable, "-c", code, json.dumps(command)], capture_output=True, text=True, check=True
        )
        assert done.stderr.strip().splitlines()[-1] == "0 []"
        found = json.loads(done.stdout)
        assert found.get("embedded", 0) == 0
        assert found.get("outcome", "answered") == "answered"
