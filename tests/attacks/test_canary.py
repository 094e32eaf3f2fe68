"""The canary run: personal values and secrets go in at every door of the real process, and are looked for everywhere after.

Planted: the values of `config/sample/planted.json` (the whole sample is indexed), and twelve kinds of secret in an article,
a ticket, questions, another person's message, a file name and a display name. Looked for, plain and encoded: every
key and value of Redis, its append-only and snapshot files, every file of the data folder, the process's output and
log, and what the model, Slack and Teams were sent. Not counted: what the asker typed himself stands in Slack's and
Teams' own history, which the peers do not keep, and the one outgoing look-up that names nobody (`users.info`).
"""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest

from bot.bootstrap import SAMPLE, index_tools
from config.settings import RetrievalSettings
from retrieval.documents import Document, FieldMap, load_documents
from retrieval.index import Update, update_index
from retrieval.ports import Encoder
from tests.attacks.secrets_in import held
from tests.peers.anthropic_api import AnthropicPeer, anthropic_peer
from tests.peers.anthropic_stubs import parrot
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import ANA, BEN, event_body, mention
from tests.peers.teams_connector import TeamsConnector
from tests.redis_servers import RedisServer
from tests.scenarios.bot_process import BotProcess, running, until
from tests.scenarios.data_folders import make_data_folder
from tests.scenarios.desk import open_link, slack_settings, teams_settings

SECRETS = {
    "slack": "xoxb-204918273645-918273645012-Ab3dEf6hIj9kLmN0pQrStUvW",
    "github": "ghp_Zq8Rk2Lw5Nt7Vx1Bc4Mh9Jd3Fs6Pg0Ya2Ue",
    "aws": "AKIAQ7Z3X9B2M5N8P4R6",
    "stripe": "sk_live_4eC39HqLyjWDarjtT1zdp7dcQ2",
    "google": "AIzaSyD3f5G7h9J1k2L4m6N8p0Q2r4S6t8U0v2W",
    "anthropic": "sk-ant-api03-Qw3Er5Ty7Ui9Op1As2Df4Gh6Jk8Lz0Xc",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJxdWluY2UtNzc3In0.Qk3v9XbT2mWc8ZrL5nHs1JdF7gPy4KuE",
    "password": "Tr0ub4dor&Quince91",
    "pin": "736184",
    "url password": "Vf7Kq2Zm9Xw4",
    "private key": "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
    "webhook": "whsec_5Gt8Hy2Ju6Ki9Lo3Mn7Bv1Cx4Za0Qs",
}
SPOKEN = (
    f"bot token {SECRETS['slack']}, github token {SECRETS['github']}, aws key {SECRETS['aws']}, stripe key {SECRETS['stripe']}, "
    f"maps key {SECRETS['google']}, model key {SECRETS['anthropic']}, bearer {SECRETS['jwt']}, password: {SECRETS['password']}, "
    f"PIN: {SECRETS['pin']}, postgres://admin:{SECRETS['url password']}@db.internal/desk, webhook {SECRETS['webhook']},\n"
    f"-----BEGIN PRIVATE KEY-----\n{SECRETS['private key']}\n-----END PRIVATE KEY-----\n"
)
PERSONAL = "Mail iryna.savchuk@quincebakery.example, phone +380 67 418 29 53, card 4539 8712 0045 7162."
OWN = ("iryna.savchuk@quincebakery.example", "+380 67 418 29 53", "4539 8712 0045 7162")
DOCUMENTS = (
    Document("kb-quince", "Quince scale", f"To restart the Quince scale hold its key for nine seconds. {PERSONAL} {SPOKEN}"),
    Document(
        "t-quince", "Quince scale", kind="ticket", question=f"The Quince scale stands still. {SPOKEN}", queue=OWN[0],
        resolution=f"We restarted the Quince scale from the menu Service. {PERSONAL} {SPOKEN}",
    ),
)  # fmt: skip
ASKED = "How do I restart the Quince scale?"


def _planted(*, are_names: bool) -> tuple[str, ...]:
    """Give the planted values. Names without a cue are promised by nobody; they are counted apart."""
    rows = json.loads((SAMPLE / "planted.json").read_text(encoding="utf-8"))["personal_data"]
    return tuple(dict.fromkeys(row["value"] for row in rows if (row["type"] == "NAME") == are_names))


def _questions() -> list[str]:
    """Give the customers' own words of the tickets that hold the planted values, as agents paste them."""
    ids = {row["id"] for row in json.loads((SAMPLE / "planted.json").read_text(encoding="utf-8"))["personal_data"]}
    rows = map(json.loads, (SAMPLE / "tickets.jsonl").read_text(encoding="utf-8").splitlines())
    asked = "What did we do about this?"
    pasted = [row["question"] for row in rows if row["id"] in ids]
    # The agent's own line stands before or behind what is pasted: behind it no sign-off is the text's end.
    return [f"{asked}\n{text}" if number % 2 else f"{text}\n{asked}" for number, text in enumerate(pasted)]


@pytest.fixture
def data_dir(tmp_path: Path, default_encoder: Encoder) -> Path:
    """Give a data folder with the sample and the planted documents indexed; the model is made first."""
    assert default_encoder.dimension
    folder = make_data_folder(tmp_path / "data", is_warm=True)
    sample = load_documents((SAMPLE / "articles", SAMPLE / "tickets.jsonl"), field_map=FieldMap.parse([])).documents
    tools = index_tools(RetrievalSettings(TRIAGE_DATA_DIR=folder))
    update_index(folder / "index", [*sample, *DOCUMENTS], tools, update=Update())
    return folder


class Desk:
    """The running bot and its peers."""

    def __init__(
        self, bot: BotProcess, slack: SlackPeer, teams: TeamsConnector, model: AnthropicPeer, public: str
    ) -> None:
        self.bot, self.slack, self.teams, self.model, self.public = bot, slack, teams, model, public
        self._asked = 0

    async def say(self, text: str, *, user: str = ANA, files: tuple[str, ...] = (), root: str = "") -> str:
        """Mention the bot on Slack, and wait for its reply."""
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        known = {"thread_ts": root} if root else {}
        event = mention(escaped, user=user, files=[{"name": name} for name in files], **known)
        before = len(self.slack.posts)
        assert await self.slack.deliver(event_body(event)) is not None
        await until(lambda: len(self.slack.posts) > before, 60)
        return str(root or event["ts"])

    async def say_on_teams(self, text: str) -> None:
        """Mention the bot on Teams, and wait for its reply."""
        self._asked += 1
        activity = self.teams.activity(text, number=f"17000000{self._asked:05d}")
        before = len(self.teams.activities)
        async with httpx.AsyncClient(base_url=self.public, trust_env=False) as http:
            headers = {"Authorization": f"Bearer {self.teams.token()}"}
            assert (await http.post("/api/messages", json=activity, headers=headers)).status_code == 200
        await until(lambda: len(self.teams.activities) > before, 60)


@pytest.fixture
async def desk(own_redis_server: RedisServer, data_dir: Path) -> AsyncIterator[Desk]:
    """Run `python -m bot all` in model mode against the peers; the model repeats every source it is given."""
    async with AsyncExitStack() as stack:
        slack, teams = await stack.enter_async_context(SlackPeer()), await stack.enter_async_context(TeamsConnector())
        model = await stack.enter_async_context(anthropic_peer("ollama"))
        model.stub = parrot
        slack.people[BEN] = {"real_name": "Zenobia Quincewell"}
        environment = {
            "TRIAGE_DATA_DIR": str(data_dir), "REDIS_URL": own_redis_server.url, "ANTHROPIC_BASE_URL": model.url,
            "TRIAGE_MODEL": "small", "TRIAGE_REWRITE_MODEL": "small", **slack_settings(slack), **teams_settings(teams),
        }  # fmt: skip
        bot = await stack.enter_async_context(running("all", environment))
        public = await bot.address("Platforms")
        await until(lambda: bool(slack.sockets), 60)
        yield Desk(bot, slack, teams, model, public)


def _files(folder: Path) -> dict[str, str]:
    """Give every file of the data folder; the embedding model is the publisher's."""
    files = (path for path in folder.rglob("*") if path.is_file() and "models" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes().decode("utf-8", "replace") for path in files}


async def _converse(desk: Desk) -> None:
    root = await desk.say(f"{ASKED} {PERSONAL} {SPOKEN}", user=BEN)
    await desk.say("And how long do I hold the key of the Quince scale?", root=root)
    await desk.say(f"{ASKED} <@{BEN}> knows", files=(f"{OWN[0]} {SECRETS['github']}.txt",))
    await desk.say_on_teams(f"{ASKED} <at>{OWN[0]}</at> {PERSONAL} {SPOKEN}")
    for question in _questions():
        await desk.say(question)


@pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
async def test_nothing_planted_is_found_anywhere(
    desk: Desk, own_redis_server: RedisServer, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After every value went in at every door, none of it stands in any store, file, log or outgoing request."""
    await _converse(desk)
    places: dict[str, str] = {}
    async with open_link(own_redis_server.url) as link:
        await link.execute("SAVE")
        places["append-only file"] = own_redis_server.written().decode("utf-8", "replace")
        places["snapshot"] = own_redis_server.snapshot().decode("utf-8", "replace")
    places |= _files(data_dir)
    places["log"] = "\n".join([*desk.bot.lines, *desk.bot.log])
    places["model"] = "\n".join(json.dumps(request.body, ensure_ascii=False) for request in desk.model.requests)
    places["slack"] = "\n".join(json.dumps(post.raw, ensure_ascii=False) for post in desk.slack.posts)
    places["teams"] = "\n".join(json.dumps(sent.body, ensure_ascii=False) for sent in desk.teams.activities)
    wanted = (*_planted(are_names=False), *SECRETS.values(), *OWN)
    found = {where: held(wanted, text) for where, text in places.items()}
    names = {value for text in places.values() for value in held(_planted(are_names=True), text)}
    with capsys.disabled():
        sizes = sum(map(len, places.values()))
        print(
            f"\n{len(wanted)} values in {len(places)} places of {sizes / 1e6:.1f} MB, {len(desk.model.requests)} model requests"
        )
    assert desk.model.requests
    assert "Quince scale" in places["model"]
    assert "nine seconds" in places["slack"]
    assert {where: values for where, values in found.items() if values} == {}
    assert len(names) <= 2
