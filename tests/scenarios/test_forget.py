"""Forgetting for real: a running bot on embedded defaults, `triage forget` beside it, and a search of every file.

Also here, since it needs the same conversation: every key in Redis has a lifetime.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot.bootstrap import SAMPLE, index_tools
from config.settings import RetrievalSettings
from retrieval.documents import Document, FieldMap, load_documents
from retrieval.index import Update, update_index
from tests.bot.adapters.serving import eventually
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import ANA, BEN, Json, event_body, mention
from tests.scenarios.bot_process import BotProcess, running, until
from tests.scenarios.data_folders import make_data_folder
from tests.scenarios.desk import open_link, slack_settings

ROOT = Path(__file__).parents[2]
CODE_WORD = "heliotrope-lagoon"
SECRET = "qwertzuiop"
KINDS = {"turns", "posted", "receipt", "claim", "lease", "asked"}
DOCUMENT = Document(
    id="kb-zebulon",
    title="Reset the Zebulon terminal",
    text=f"To reset the Zebulon terminal, hold the {SECRET} key for ten seconds until the lamp turns green.",
    visibility=("public",),
)


@dataclass(slots=True)
class Desk:
    """A running bot, its Slack, and its data folder."""

    peer: SlackPeer
    data_dir: Path
    environment: dict[str, str]
    bot: BotProcess
    asked: list[Json] = field(default_factory=list)

    async def ask(self, text: str, user: str) -> str:
        """Mention the bot in a new thread and give what it says."""
        event = mention(text, user=user)
        self.asked.append(event)
        assert await self.peer.deliver(event_body(event)) is not None
        await until(lambda: bool(self.peer.thread(event["ts"])))
        return "\n".join(post.shown for post in self.peer.thread(event["ts"]))

    async def forget(self, *arguments: str) -> dict[str, Any]:
        """Run `triage forget` and give its object."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "scripts.cli", "forget", *arguments, "--json",
            cwd=ROOT, env={"PATH": os.environ["PATH"], **self.environment},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, err = await process.communicate()
        assert process.returncode == 0, err.decode()
        return dict(json.loads(out))

    def files_with(self, value: str) -> list[str]:
        """Name every file of the data folder that holds a value; the model's own files are not ours."""
        files = (path for path in self.data_dir.rglob("*") if path.is_file() and "models" not in path.parts)
        return [str(path.relative_to(self.data_dir)) for path in files if value.encode() in path.read_bytes()]


@pytest.fixture(scope="module")
def planted_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a data folder whose index holds the sample and one planted article, in two generations."""
    folder = make_data_folder(tmp_path_factory.mktemp("forget") / "data", is_warm=True)
    sample = load_documents((SAMPLE / "articles",), field_map=FieldMap.parse([])).documents[:24]
    tools = index_tools(RetrievalSettings(TRIAGE_DATA_DIR=folder))
    for documents in ([*sample[:20], DOCUMENT], [*sample, DOCUMENT]):
        update_index(folder / "index", documents, tools, update=Update())
    return folder


@asynccontextmanager
async def open_desk(data_dir: Path) -> AsyncIterator[Desk]:
    """Run the bot on embedded defaults."""
    async with SlackPeer() as peer:
        environment = {"TRIAGE_DATA_DIR": str(data_dir), **slack_settings(peer)}
        async with running("all", environment) as bot:
            await bot.address("Playground")
            await peer.connected()
            yield Desk(peer, data_dir, environment, bot)


async def test_a_person_and_a_document_are_forgotten(planted_data: Path) -> None:
    """Nothing of them is in any file within 60 seconds, others stay, the bot's posts are listed and deleted, and every key expires."""
    async with open_desk(planted_data) as desk:
        said = await desk.ask(f"How do I reset the Zebulon terminal? Our code word is {CODE_WORD}.", ANA)
        assert SECRET in said
        other = await desk.ask("How do I reset the Zebulon terminal, please?", BEN)
        assert SECRET in other
        await until(lambda: len(desk.files_with(SECRET)) > 0 and len(desk.files_with(CODE_WORD)) > 0)
        await _every_key_expires(desk)
        await _forget_ana(desk)
        await _forget_the_document(desk)
        await _every_key_expires(desk)


async def _forget_ana(desk: Desk) -> None:
    begun = time.monotonic()
    done = await desk.forget("--user", ANA)
    assert desk.files_with(CODE_WORD) == []
    assert desk.files_with(ANA) == []
    assert time.monotonic() - begun < 60
    assert (done["files"], done["removed"]["turns"]) == ("rewritten", 1)
    (post,) = done["posts"]
    assert (post["deleted"], post["thread"], post["cited"]) == (None, desk.asked[0]["ts"], ["kb-zebulon"])


async def _forget_the_document(desk: Desk) -> None:
    begun = time.monotonic()
    done = await desk.forget("--document", "kb-zebulon", "--posts")
    assert desk.files_with(SECRET) == []
    assert (done["documents"], done["older_generations"]) == (["kb-zebulon"], 2)
    assert [post["deleted"] for post in done["posts"]] == [True, True]
    assert desk.peer.posts == []
    assert SECRET not in await desk.ask("How do I reset the Zebulon terminal today?", BEN)
    assert time.monotonic() - begun < 60
    assert desk.files_with(SECRET) == []


async def _every_key_expires(desk: Desk) -> None:
    socket = (desk.data_dir / "redis" / "socket.path").read_text()
    async with open_link(f"unix://{socket}") as link:

        async def all_kinds_are_kept() -> bool:  # a turn is kept after its post is seen
            names = [str(name) for name in await link.execute("KEYS", "*")]
            return {name.split(":")[2] for name in names if "{" in name} >= KINDS

        await eventually(all_kinds_are_kept)
        names = [str(name) for name in await link.execute("KEYS", "*")]
        ttls = {name: int(await link.execute("TTL", name)) for name in names}
    assert {name: ttl for name, ttl in ttls.items() if not (0 <= ttl <= 30 * 86_400 or ttl == -2)} == {}
