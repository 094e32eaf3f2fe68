"""`triage eval --answers`: labelled questions through the whole flow, quoted and by a model."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from scripts.cli import main
from tests.conftest import MODELS
from tests.peers.anthropic_api import anthropic_peer
from tests.peers.anthropic_stubs import altered

ROWS = [
    {"id": "link", "query": "How long does a password reset link stay valid?", "relevant": ["kb-101"],
     "reference_answer": "30 minutes", "lang": "en"},
    {"id": "limit", "query": "How many API calls per minute are we allowed?", "relevant": ["kb-104", "kb-105"],
     "reference_answer": "a million", "lang": "en"},
    {"id": "thread", "query": "And on Android?", "relevant": ["kb-109"],
     "previous_user_turns": ["How do I install the Till app on an iPad?"], "lang": "en"},
    {"id": "absent", "query": "Who won the football cup final yesterday?", "relevant": [], "answerable": False},
]  # fmt: skip


def questions(folder: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows."""
    path = folder / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def command(index: Path, path: Path, *more: str) -> list[str]:
    """Give the command."""
    return ["eval", "--index", str(index), "--queries", str(path), "--methods", "hybrid", "--answers", *more]


def row(answers: dict[str, Any], id_: str) -> dict[str, Any]:
    """Give what was measured of one question."""
    stored = answers["questions"]
    place = stored["ids"].index(id_)
    return {name: values[place] for name, values in stored.items()}


def test_quoted_answers_are_measured(
    sample_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Outcome, citations and facts by question; a follow-up is asked in its thread; the page and the text show it."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(MODELS))
    path, page = questions(tmp_path, ROWS), tmp_path / "page.html"
    assert main(command(sample_index, path, "--json", "--report", str(page))) == 0
    answers = json.loads(capsys.readouterr().out)["answers"]
    first = row(answers, "link")
    assert (first["outcome"], first["right_outcome"], first["facts"]) == ("answered", 1.0, 1.0)
    assert first["cited_precision"] is not None
    assert row(answers, "limit")["facts"] == 0.0
    thread = row(answers, "thread")
    assert (thread["outcome"], thread["cited_recall"], thread["facts"]) == ("answered", 1.0, None)
    assert row(answers, "absent")["outcome"] == "off_topic"
    assert (answers["n"], answers["right_outcome"]["share"]) == (4, 1.0)
    assert answers["sentences"]["n"] >= 3
    assert answers["sentences"]["unsupported"] == 0
    assert answers["usage"]["calls"] == 0
    assert answers["length_words"]["median"] > 5
    assert "facts of the reference answer stand" in page.read_text(encoding="utf-8")
    assert main(command(sample_index, path)) == 0
    assert "right outcome                        1.000" in capsys.readouterr().out


async def test_a_models_answers_cost_and_are_checked(
    sample_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tokens and cost of the whole thread are counted; what a lying model says is not posted, so nothing is unsupported."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(MODELS))
    prices = {model: {"input": 1.0, "output": 5.0} for model in ("stub", "small")}
    monkeypatch.setenv("TRIAGE_PRICES", json.dumps(prices))
    monkeypatch.setenv("TRIAGE_MODEL", "stub")
    monkeypatch.setenv("TRIAGE_REWRITE_MODEL", "small")
    path = questions(tmp_path, ROWS[:3])
    async with anthropic_peer("ollama") as peer:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", peer.url)
        assert await asyncio.to_thread(main, command(sample_index, path, "--json")) == 0
        honest = json.loads(capsys.readouterr().out)["answers"]
        calls = len(peer.bodies)
        peer.stub = altered
        assert await asyncio.to_thread(main, command(sample_index, path, "--json")) == 0
        lying = json.loads(capsys.readouterr().out)["answers"]
    usage = honest["usage"]
    assert usage["calls"] == calls == 8  # four turns, each rewritten and answered
    assert (usage["input_tokens"], usage["output_tokens"]) == (800, 160)
    assert usage["cost_usd"] == pytest.approx((800 * 1.0 + 160 * 5.0) / 1e6)
    assert honest["sentences"]["n"] >= 3
    assert honest["sentences"]["unsupported"] == lying["sentences"]["unsupported"] == 0
