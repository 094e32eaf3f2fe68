"""`triage gaps`: what was asked at the console and not answered, grouped."""

import json
from pathlib import Path

import pytest

from bot.lead.gaps import Gap, GapReason
from bot.messages import MessageId
from retrieval.redaction import RedactedText
from scripts.cli import main
from scripts.gaps import language_words
from tests.redis_servers import RedisServer
from tests.sample_messages import thread
from tests.scenarios.data_folders import make_data_folder

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
QUESTIONS = (
    "Is there a dark theme for the app?",
    "Does the app have a dark mode for the evening shift?",
    "How do I reset my console password, asks ana@corp.example",
)


@pytest.fixture
def _desk(own_redis_server: RedisServer, sample_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", own_redis_server.url)
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(make_data_folder(tmp_path / "data", index=sample_index)))


@pytest.mark.usefixtures("_desk")
def test_unanswered_questions_are_grouped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two ways to ask for a dark theme are one group with words, examples and the nearest documents; what was answered is not there."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({"id": str(n), "query": text}) + "\n" for n, text in enumerate(QUESTIONS)))
    assert main(["ask", "--queries", str(rows), "--json"]) == 0
    capsys.readouterr()
    assert main(["gaps", "--json", "--since", "1h"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["questions"] == 2
    (group,) = told["groups"]
    assert (group["count"], group["languages"]) == (2, {"en": 2})
    assert {example["question"] for example in group["examples"]} == set(QUESTIONS[:2])
    assert "dark" in group["words"]["en"]
    assert group["nearest"][0]["relevance"] >= group["nearest"][1]["relevance"]
    assert main(["gaps"]) == 0
    assert "2 questions without an answer, in 1 group" in capsys.readouterr().out
    assert main(["gaps", "--since", "2100-01-01"]) == 0
    assert "no question" in capsys.readouterr().out


@pytest.mark.usefixtures("_desk")
def test_kept_only_where_it_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`TRIAGE_GAPS_TTL_S=0` keeps nothing; a time that is none is one sentence."""
    monkeypatch.setenv("TRIAGE_GAPS_TTL_S", "0")
    assert main(["ask", QUESTIONS[0]]) == 0
    capsys.readouterr()
    assert main(["gaps", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["questions"] == 0
    assert main(["gaps", "--since", "yesterday"]) == 2
    assert "--since 'yesterday' is neither" in capsys.readouterr().err


@pytest.mark.usefixtures("own_redis_server")
def test_words_tell_groups_apart() -> None:
    """A word that every group has comes behind one that only this group has; each language has its own."""

    def gap(text: str, language: str) -> Gap:
        said = RedactedText.stored(text)
        return Gap(MessageId(text), thread(), said, said, language, GapReason.NO_MATCH, 1.0)

    first, second = language_words(
        [
            [gap("invoice printer", "en"), gap("Rechnung Drucker", "de")],
            [gap("invoice refund", "en"), gap("invoice tax", "en")],
        ]
    )
    assert first["en"] == ["printer", "invoice"]
    assert set(first["de"]) == {"rechnung", "drucker"}
    assert set(second["en"][:2]) <= {"invoice", "refund", "tax"}
