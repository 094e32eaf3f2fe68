"""The bundled sample is evaluated in every run of the tests, and its figures are held."""

import json
from pathlib import Path

import pytest

from scripts.cli import main
from tests.conftest import MODELS

QUESTIONS = Path(__file__).parents[2] / "config" / "sample" / "questions.jsonl"
LANGUAGES = {"de", "en", "es", "fr", "pl", "uk", "zh"}


@pytest.mark.no_cover  # hundreds of equal searches
def test_hybrid_finds_the_source_in_seven_languages(
    sample_index: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Hybrid hit@5 is at least 0.95 over all languages, its MRR@10 above each arm, its hit@5 below none."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(MODELS))
    command = ["eval", "--index", str(sample_index), "--queries", str(QUESTIONS), "--methods", "bm25,dense,hybrid"]
    assert main([*command, "--fail-under", "hit@5=0.95", "--json"]) == 0
    methods = json.loads(capsys.readouterr().out)["methods"]
    hybrid, arms = methods["hybrid"], (methods["bm25"], methods["dense"])
    assert set(hybrid["languages"]) == LANGUAGES
    assert all(hybrid["mrr@10"] > arm["mrr@10"] for arm in arms)
    assert all(hybrid["hit@5"] >= arm["hit@5"] for arm in arms)
