"""Rewrites of follow-ups for an evaluation: by the model, recorded, replayed, and refused when the prompt has changed."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.prompts import rewrite_prompt_id
from retrieval.errors import EvaluationInvalid
from retrieval.evaluation import LabelledQuestion
from scripts import check_recording
from scripts.cli import main
from scripts.labelled import read_questions
from scripts.rewriting import asked_hash, by_rules, check_prompt, replayed, simple_rewrite
from tests.conftest import MODELS
from tests.peers.anthropic_api import AnthropicPeer, Fault, anthropic_peer
from tests.peers.anthropic_stubs import joined
from tests.record_rewrites import RECORDED

SAMPLE = Path(__file__).parents[2] / "config" / "sample"
FOLLOW_UP = LabelledQuestion(
    "q2", "and quarterly ones?", ("kb-3",), is_answerable=True, previous_user_turns=("Export?",)
)
FIRST = LabelledQuestion("q1", "How do I export?", ("kb-3",), is_answerable=True)


def recorded(path: Path, *rows: dict[str, Any]) -> Path:
    """Write a recorded run."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_rewrites_without_a_model() -> None:
    """As asked, and by rules; another name is none of them."""
    as_asked, rules = simple_rewrite("none"), simple_rewrite("rules")
    assert as_asked is not None
    assert list(as_asked(FOLLOW_UP)) == ["and quarterly ones?"]
    assert rules is by_rules
    assert len(by_rules(FOLLOW_UP)) == 3
    assert simple_rewrite("rewrites.jsonl") is None


def test_a_recorded_run_is_replayed(tmp_path: Path) -> None:
    """The question as asked first, then what was recorded; a first turn may be missing, a follow-up may not."""
    note = {"note": "not a real model"}
    row = {"id": "q2", "queries": ["export quarterly reports"], "prompt": rewrite_prompt_id()}
    path = recorded(tmp_path / "r.jsonl", note, row | {"asked": asked_hash(FOLLOW_UP)})
    assert list(replayed(path)(FOLLOW_UP)) == ["and quarterly ones?", "export quarterly reports"]
    assert list(replayed(path)(FIRST)) == ["How do I export?"]
    own = recorded(tmp_path / "own.jsonl", {"id": "q2", "queries": "somebody's own words"})
    assert list(replayed(own)(FOLLOW_UP))[1:] == ["somebody's own words"]
    declined = recorded(tmp_path / "off.jsonl", row | {"off_topic": True})
    assert list(replayed(declined)(FOLLOW_UP)) == []
    with pytest.raises(EvaluationInvalid, match="holds no rewrite of question 'q2'"):
        replayed(recorded(tmp_path / "none.jsonl", note))(FOLLOW_UP)
    changed = recorded(tmp_path / "changed.jsonl", row | {"asked": "0" * 16})
    with pytest.raises(EvaluationInvalid, match=r"changed\.jsonl:1: was recorded for another wording of question 'q2'"):
        replayed(changed)(FOLLOW_UP)


def test_another_prompt_needs_another_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Replay refuses it, and so does the part of `make check`, which passes what is recorded now."""
    path = recorded(tmp_path / "old.jsonl", {"id": "q2", "queries": ["x"], "prompt": "rewrite-000000000000"})
    with pytest.raises(
        EvaluationInvalid, match=r"old\.jsonl:1: was recorded with the prompt rewrite-0+, the prompt is"
    ):
        check_prompt(path)
    with pytest.raises(EvaluationInvalid, match="record it again"):
        replayed(path)
    assert check_recording.main(path) == 1
    assert "python -m tests.record_rewrites" in capsys.readouterr().err
    assert check_recording.main() == 0


def test_the_sample_is_measured_with_its_recorded_rewrites(
    sample_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every follow-up of the sample is in the recording, and is found more often than by its own words."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(MODELS))
    follow_ups = [one for one in read_questions(SAMPLE / "questions.jsonl") if one.previous_user_turns]
    replay = replayed(RECORDED)
    assert all(len(replay(one)) == 2 for one in follow_ups)
    rows = [row for row in (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines() if "user_turns" in row]
    (tmp_path / "q.jsonl").write_text("\n".join(rows), encoding="utf-8")
    common = ["eval", "--index", str(sample_index), "--queries", str(tmp_path / "q.jsonl"), "--methods", "hybrid"]
    assert main([*common, "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert main([*common, "--json", "--rewrite", str(RECORDED), "--fail-under", "hit@5=0.9"]) == 0
    with_turns = json.loads(capsys.readouterr().out)
    assert with_turns["methods"]["hybrid"]["mrr@10"] > alone["methods"]["hybrid"]["mrr@10"]


async def evaluate(peer: AnthropicPeer, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run `triage eval --rewrite model` against the peer."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(MODELS))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", peer.url)
    monkeypatch.setenv("TRIAGE_REWRITE_MODEL", "stub")
    return await asyncio.to_thread(main, ["eval", "--rewrite", "model", "--methods", "hybrid", "--json", *arguments])


async def test_the_model_rewrites_and_is_recorded(
    sample_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One call a question, what it said is searched and written down with prompt and model; a failed call is by rules."""
    rows = [
        {
            "id": "a",
            "query": "And on Android?",
            "relevant": ["kb-110"],
            "previous_user_turns": ["How do I install it?"],
        },
        {"id": "b", "query": "How do I connect the till to a printer?", "relevant": ["kb-109"]},
        {"id": "c", "query": "Who won the cup final yesterday?", "relevant": [], "answerable": False},
        {"id": "d", "query": "Thanks!", "relevant": [], "answerable": False},
    ]
    questions = recorded(tmp_path / "q.jsonl", *rows)
    said = tmp_path / "said.jsonl"
    async with anthropic_peer("ollama") as peer:
        peer.rewrite_stub = joined
        where = ("--index", str(sample_index), "--queries", str(questions))
        assert await evaluate(peer, monkeypatch, *where, "--record", str(said)) == 0
        first = json.loads(capsys.readouterr().out)
        calls = len(peer.bodies)
        peer.always = Fault("status", 500)
        assert await evaluate(peer, monkeypatch, *where) == 2
        assert "the model rewrote none of the questions" in capsys.readouterr().err
    assert calls == 3  # thanks ask nothing
    written = {row["id"]: row for row in map(json.loads, said.read_text(encoding="utf-8").splitlines())}
    assert written["a"]["queries"] == ["How do I install it? And on Android?"]
    assert {row["prompt"] for row in written.values()} == {rewrite_prompt_id()}
    assert written["a"]["model"] == "stub"
    assert main(["eval", *where, "--methods", "hybrid", "--json", "--rewrite", str(said)]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["questions"] == first["questions"]
    assert again["refused"] == first["refused"]


def test_a_model_must_be_configured(
    sample_index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence each: no model, nothing to record, and nowhere to write it, which is said before a model is asked."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(MODELS))
    common = ["eval", "--index", str(sample_index), "--queries", str(SAMPLE / "questions.jsonl")]
    assert main([*common, "--rewrite", "model"]) == 2
    assert "--rewrite model needs one: set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL" in capsys.readouterr().err
    assert main([*common, "--rewrite", "rules", "--record", "x.jsonl"]) == 2
    assert "--record writes the rewrites of --rewrite model" in capsys.readouterr().err
    assert main([*common, "--rewrite", "model", "--record", "/nowhere/r.jsonl"]) == 2
    assert "/nowhere/r.jsonl: there is no folder /nowhere to write it to" in capsys.readouterr().err
