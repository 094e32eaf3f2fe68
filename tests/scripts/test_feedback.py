"""`triage feedback export`: rows that `triage eval` reads."""

import asyncio
import json
from pathlib import Path

import pytest

from bot.adapters.store.answers import RedisFeedback
from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.answers.kept_answers import kept_answer
from bot.lead.feedback import Verdict, Vote
from scripts.cli import main
from tests.redis_servers import RedisServer
from tests.sample_messages import answer, message

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)


@pytest.fixture(autouse=True)
def _votes(own_redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", own_redis_server.url)
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(tmp_path / "data"))
    asyncio.run(_plant(own_redis_server.url))


async def _plant(url: str) -> None:
    link, keys = RedisLink(url), Keyspace()
    feedback = RedisFeedback(link, keys, Pseudonyms(link, keys))
    for name, verdict in (("m1", Verdict.USEFUL), ("m2", Verdict.NOT_USEFUL)):
        kept = kept_answer(message(name, received_at=1_800_000_000.0), answer(), asker="")
        await feedback.vote(kept, "U1", Vote(verdict, 1_800_000_000.0))
    await link.close()


def test_export(capsys: pytest.CaptureFixture[str]) -> None:
    """What people found useful is printed with its ids; the rest on request, to be labelled by hand."""
    assert main(["feedback", "export"]) == 0
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["id"], row["query"], row["relevant"]) == ("m1", "question m1", ["kb-101"])
    assert main(["feedback", "export", "--rejected"]) == 0
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["id"], row["rejected"]) == ("m2", ["kb-101"])


def test_since(capsys: pytest.CaptureFixture[str]) -> None:
    """A day or an age leaves older verdicts out, as in the report; what is neither is refused in one line."""
    assert main(["feedback", "export", "--since", "2027-01-16"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["feedback", "export", "--since", "9999w", "--json"]) == 0
    assert capsys.readouterr().out.count("\n") == 1
    assert main(["feedback", "export", "--since", "yesterday"]) == 2
    assert "neither a date" in capsys.readouterr().err
