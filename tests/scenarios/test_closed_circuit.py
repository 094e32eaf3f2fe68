"""Closed circuit: a small model on the customer's own network, with all its faults, and no other host."""

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.answers.answer_json import answer_as_json
from bot.bootstrap import SAMPLE, Flow, open_flow
from bot.messages import Platform
from bot.questions.accepting import accept_text, local_thread
from config.settings import load_settings
from retrieval.documents import FieldMap, load_documents
from tests.conftest import MODELS
from tests.peers import anthropic_stubs as stubs
from tests.peers.anthropic_api import AnthropicPeer, anthropic_peer
from tests.scenarios.answer_contract import check_answer

ROOT = Path(__file__).parents[2]
ROWS = [json.loads(line) for line in (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
QUESTIONS = [row for row in ROWS if not row.get("previous_user_turns")][::7][:20]
# Words of the stubs that no source says, and traces of the request.
FORBIDDEN = (
    "hoverboard",
    "9999",
    "attacker",
    "@U0ADMIN",
    "<!",
    "გთხოვთ",
    "<think",
    "[S",
    "=== sources",
    "zq",
    '"source"',
)
# What `ask` may reach besides the model: nothing outside this machine; Redis listens on a socket file.
GUARD = """
import runpy, sys
def guard(event, args):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        with open(LOG, "a") as log:
            log.write(f"{event} {args[1] if event != 'socket.getaddrinfo' else args[:2]!r}\\n")
LOG, sys.argv = sys.argv[1], ["triage", *sys.argv[2:]]
sys.addaudithook(guard)
runpy.run_module("scripts.cli", run_name="__main__")
"""


@dataclass
class Rotation:
    """A small model with another fault for every question."""

    used: list[str] = field(default_factory=list)

    def __call__(self, ask: stubs.Ask) -> stubs.Blocks:
        fault = stubs.SMALL_MODEL_FAULTS[len(self.used) % len(stubs.SMALL_MODEL_FAULTS)]
        self.used.append(fault.__name__)
        return fault(ask)


@pytest.fixture
async def peer() -> AsyncIterator[AnthropicPeer]:
    async with anthropic_peer("ollama") as peer:
        yield peer


@pytest.fixture
async def flow(peer: AnthropicPeer, sample_index: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Flow]:
    """Give the whole flow as its settings build it, with the peer as the only model."""
    for name, value in surroundings(peer).items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    async with open_flow(load_settings(None), index_dir=sample_index) as flow:
        yield flow


def surroundings(peer: AnthropicPeer) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": peer.url, "TRIAGE_MODEL": "small", "TRIAGE_REWRITE_MODEL": "small",
        "TRIAGE_DATA_DIR": str(MODELS), "TRIAGE_LOG_LEVEL": "error",
    }  # fmt: skip


@pytest.fixture(scope="module")
def sources() -> dict[str, str]:
    """Give the letters and digits of every sample document by its id, as redaction leaves them."""
    from retrieval.redaction import Redactor

    redactor = Redactor()
    paths = (SAMPLE / "articles", SAMPLE / "tickets.jsonl")
    documents = load_documents(paths, field_map=FieldMap.parse([])).documents
    return {d.id: bare(str(redactor.redact(f"{d.title}\n{d.text}\n{d.resolution}").text)) for d in documents}


def bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def claims(answer: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Cut an answer into what stands before each number, and the id that the number names."""
    ids = {citation["n"]: citation["id"] for citation in answer["citations"]}
    text = re.sub(r"(\[\d+\])\s*\([^()]*\)", r"\1", answer["text"])  # "(quoted in Spanish)" is ours
    for words, numbers in re.findall(r"(.+?)((?:\s*\[\d+\])+)", text, re.DOTALL):
        yield words, ids[int(re.findall(r"\d+", numbers)[0])]


async def asked(flow: Flow, row: dict[str, Any]) -> dict[str, Any]:
    message = accept_text(
        row["query"],
        thread=local_thread(Platform.CONSOLE, row["id"]),
        redactor=flow.redactor,
        received_at=0.0,
        audience=frozenset({"public", "internal"}),
    )
    return answer_as_json(await flow.pipeline.respond(message))


async def test_twenty_questions_twenty_valid_answers(flow: Flow, peer: AnthropicPeer, sources: dict[str, str]) -> None:
    """With a fault in every answer of the model: twenty valid objects, and no sentence that its source does not hold.

    The stubs say true things only in the words of the evidence, so what is posted must stand in the cited document.
    """
    peer.stub = rotation = Rotation()
    answers = [await asked(flow, row) for row in QUESTIONS]
    for answer in answers:
        check_answer(answer)
        assert not [word for word in FORBIDDEN if word in answer["text"]]
        for words, id_ in claims(answer) if answer["outcome"] == "answered" else ():
            lines = [line for line in words.splitlines() if bare(line)]
            assert all(bare(re.sub(r"^\W*\d{1,2}[.)]\s", "", line)) in sources[id_] for line in lines), (words, id_)
    assert len(answers) == 20
    assert set(rotation.used) == {stub.__name__ for stub in stubs.SMALL_MODEL_FAULTS}
    assert peer.refusals == []
    assert {answer["mode"] for answer in answers if answer["outcome"] == "answered"} == {"model", "extractive"}


async def test_honest_small_model_is_used(flow: Flow, peer: AnthropicPeer) -> None:
    """A small model that does as told answers in its own name: mode, model, prompt and tokens say so."""
    answer = await asked(flow, {"id": "q", "query": "How do I reset my password for the console?"})
    check_answer(answer)
    assert (answer["outcome"], answer["mode"], answer["provenance"]["model"]) == ("answered", "model", "small")
    assert answer["provenance"]["prompt"].startswith("numbered-")
    assert answer["usage"]["input_tokens"] == 100 * answer["usage"]["calls"] > 0
    assert answer["usage"]["cost_usd"] is None
    assert [notice for notice in answer["notices"] if notice["kind"] == "degraded"] == []


async def test_socket_guard_sees_only_the_configured_host(
    peer: AnthropicPeer, sample_index: Path, tmp_path: Path
) -> None:
    """From process start to answer, `triage ask` connects to the base URL's host and port, and looks no name up."""
    log = tmp_path / "connections"
    query = "How do I reset my password for the console?"
    command = [sys.executable, "-c", GUARD, str(log), "ask", query, "--json", "--index", str(sample_index)]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **surroundings(peer)}
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    check_answer(json.loads(out))
    host, port = peer.url.removeprefix("http://").split(":")
    seen = log.read_text(encoding="utf-8").splitlines()
    assert any(f"('{host}', {port})" in line for line in seen)
    assert {line for line in seen if f"'{host}', " not in line or f"{port}" not in line} == set()
    assert json.loads(out)["mode"] == "model"
