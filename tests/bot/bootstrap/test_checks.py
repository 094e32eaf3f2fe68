"""`triage doctor`: each part is tried for real, and what is wrong comes with what to do; no finding holds a secret."""

import json
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.store.client import RedisLink
from bot.bootstrap import open_index
from bot.bootstrap.checks import Finding, check_all, without_user
from retrieval.index import read_manifest
from retrieval.index.folder import swap
from scripts.cli import main
from tests.environment import settings_of
from tests.peers.anthropic_api import KEY, AnthropicPeer, anthropic_peer
from tests.peers.slack_api import APP_TOKEN, BOT_TOKEN, SlackPeer
from tests.peers.slack_payloads import BOT, SECRET, TEAM
from tests.peers.teams_connector import CLIENT_ID, CLIENT_SECRET, TENANT_ID, TeamsConnector
from tests.redis_servers import RedisServer
from tests.scenarios.data_folders import make_data_folder

DEAD_REDIS = "redis://:canary-password@127.0.0.1:1/0"


async def found(part: str, **environment: str) -> Finding:
    """Check everything with these settings, and give what was found of one part."""
    findings = [finding async for finding in check_all(settings_of(**{"REDIS_URL": DEAD_REDIS, **environment}))]
    assert "canary" not in repr(findings)
    assert all(finding.is_well or finding.advice for finding in findings)
    return next(finding for finding in findings if finding.part == part)


@pytest.fixture
def data_dir(tmp_path: Path) -> str:
    """Give a private data folder without an index."""
    return str(make_data_folder(tmp_path / "data"))


@pytest.fixture
async def slack() -> AsyncIterator[SlackPeer]:
    async with SlackPeer() as peer:
        yield peer


@pytest.fixture
async def teams() -> AsyncIterator[TeamsConnector]:
    async with TeamsConnector() as peer:
        yield peer


@pytest.fixture
async def model() -> AsyncIterator[AnthropicPeer]:
    async with anthropic_peer() as peer:
        yield peer


async def test_data_folder(tmp_path: Path, data_dir: str) -> None:
    """A folder that others can read is a finding; a private or a future one is not."""
    open_folder = tmp_path / "open"
    open_folder.mkdir(mode=0o755)
    finding = await found("data folder", TRIAGE_DATA_DIR=str(open_folder))
    assert (finding.is_well, finding.advice) == (False, f"chmod 700 {open_folder}")
    assert (await found("data folder", TRIAGE_DATA_DIR=data_dir)).is_well
    future = await found("data folder", TRIAGE_DATA_DIR=str(tmp_path / "future"))
    assert (future.is_well, future.seen) == (True, f"{tmp_path / 'future'} is made at the first start")


async def test_data_folder_that_cannot_be(tmp_path: Path) -> None:
    """A file under its name, or under that of a folder above it, is a finding: no start would make it."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    for folder in (tmp_path / "file", tmp_path / "file" / "below" / "it"):
        for part in ("data folder", "audit log"):
            finding = await found(part, TRIAGE_DATA_DIR=str(folder))
            assert not finding.is_well
            assert f"{tmp_path / 'file'} is no folder" in finding.seen


async def test_index(tmp_path: Path, data_dir: str, sample_index: Path) -> None:
    """A missing and a damaged index are findings with the command that makes one; a good one is counted."""
    missing = await found("index", TRIAGE_DATA_DIR=data_dir)
    assert not missing.is_well
    assert missing.advice == f"triage index PATH… --out {data_dir}/index"
    shutil.copytree(sample_index, f"{data_dir}/index")
    good = await found("index", TRIAGE_DATA_DIR=data_dir)
    assert good.is_well
    assert good.seen.startswith("99 documents, ")
    vectors = next((tmp_path / "data" / "index").glob("sentences-*.npy"))
    sound = vectors.read_bytes()
    vectors.write_bytes(sound[:-8] + b"\7" * 8)
    changed = await found("index", TRIAGE_DATA_DIR=data_dir)
    assert (changed.is_well, vectors.name in changed.seen) == (False, True)
    vectors.write_bytes(sound)
    (tmp_path / "data" / "index" / "manifest.json").write_text("{", encoding="utf-8")
    damaged = await found("index", TRIAGE_DATA_DIR=data_dir)
    assert not damaged.is_well
    assert "manifest" in damaged.seen


async def test_index_of_older_rules(tmp_path: Path, data_dir: str, sample_index: Path) -> None:
    """An index that other rules made is a finding that names them and the command; it still opens for answering."""
    shutil.copytree(sample_index, f"{data_dir}/index")
    folder = tmp_path / "data" / "index"
    manifest = read_manifest(folder)
    swap(folder, replace(manifest, versions={**manifest.versions, "screen": "0", "chunker": "0"}))
    finding = await found("index", TRIAGE_DATA_DIR=data_dir)
    assert not finding.is_well
    assert "built by an older version or with other settings (chunker, screen): run triage index" in finding.seen
    async with open_index(settings_of(TRIAGE_DATA_DIR=data_dir).retrieval) as index:
        assert index.documents == 99


async def test_redis_away(data_dir: str) -> None:
    """A Redis that does not answer is named by its setting, without its address and password."""
    finding = await found("redis", TRIAGE_DATA_DIR=data_dir)
    assert not finding.is_well
    assert "REDIS_URL" in finding.advice


@pytest.mark.parametrize("redis_server", ["valkey"], indirect=True)
async def test_redis_there(redis_server: RedisServer, data_dir: str) -> None:
    """A given server is pinged."""
    finding = await found("redis", TRIAGE_DATA_DIR=data_dir, REDIS_URL=redis_server.url)
    assert (finding.is_well, finding.seen) == (True, "at REDIS_URL")


@pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
async def test_redis_that_takes_no_writes_or_keeps_none(own_redis_server: RedisServer, data_dir: str) -> None:
    """A full server fails with what to do; settings under which a question is lost are warnings, and leave it well."""
    given = {"TRIAGE_DATA_DIR": data_dir, "REDIS_URL": own_redis_server.url}
    link = RedisLink(own_redis_server.url)
    await link.execute("CONFIG", "SET", "appendfsync", "everysec")
    assert (await found("redis", **given)).is_well
    warned = await found("redis durability", **given)
    assert (warned.is_well, warned.is_warning) == (True, True)
    assert "appendfsync is everysec" in warned.seen
    assert warned.advice == "set appendfsync always in its configuration"
    await link.execute("CONFIG", "SET", "maxmemory", "1")
    full = await found("redis", **given)
    assert (full.is_well, full.seen) == (False, "Redis is full (maxmemory) and takes no writes")
    assert "maxmemory" in full.advice
    await link.close()


async def test_embedded_redis(tmp_path: Path, data_dir: str) -> None:
    """Without a URL the embedded server is started for the check and stopped after it; when it cannot, that is told."""
    finding = await found("redis", TRIAGE_DATA_DIR=data_dir, REDIS_URL="")
    assert (finding.is_well, finding.seen) == (True, "embedded server starts")
    assert not (tmp_path / "data" / "redis" / "server.pid").exists()
    shutil.rmtree(tmp_path / "data" / "redis")
    (tmp_path / "data" / "redis").write_text("in the way", encoding="utf-8")
    assert not (await found("redis", TRIAGE_DATA_DIR=data_dir, REDIS_URL="")).is_well


async def test_slack(slack: SlackPeer, data_dir: str) -> None:
    """A token that Slack takes shows who the bot is and by which ways it is served; another one is a finding."""
    settings = {"TRIAGE_DATA_DIR": data_dir, "SLACK_API_BASE_URL": slack.base_url, "SLACK_SIGNING_SECRET": SECRET}
    both = await found("slack", SLACK_BOT_TOKEN=BOT_TOKEN, SLACK_APP_TOKEN=APP_TOKEN, **settings)
    assert (both.is_well, both.seen) == (True, f"bot {BOT} in workspace {TEAM}, by Socket Mode and signed HTTP")
    assert (await found("slack", SLACK_BOT_TOKEN=BOT_TOKEN, **settings)).seen.endswith("by signed HTTP")
    bad = await found("slack", SLACK_BOT_TOKEN="xoxb-canary", **settings)
    assert not bad.is_well
    assert "invalid_auth" in bad.seen
    away = await found("slack", SLACK_BOT_TOKEN=BOT_TOKEN, **settings | {"SLACK_API_BASE_URL": "http://127.0.0.1:1/"})
    assert not away.is_well


async def test_teams(teams: TeamsConnector, data_dir: str) -> None:
    """The login service takes the secret or refuses it; no secret and no service are findings too."""
    settings = {
        "TRIAGE_DATA_DIR": data_dir,
        "TRIAGE_TEAMS_LOGIN_URL": teams.login_url,
        "CLIENT_ID": CLIENT_ID,
        "TENANT_ID": TENANT_ID,
    }
    good = await found("teams", CLIENT_SECRET=CLIENT_SECRET, **settings)
    assert (good.is_well, good.seen) == (True, f"bot {CLIENT_ID} has a token")
    assert not (await found("teams", CLIENT_SECRET="canary", **settings)).is_well
    assert (await found("teams", **settings)).seen == "CLIENT_SECRET is not set"
    teams.is_login_away = True
    assert not (await found("teams", CLIENT_SECRET=CLIENT_SECRET, **settings)).is_well


async def test_chat_model(model: AnthropicPeer, data_dir: str) -> None:
    """The model's server takes the key, refuses it, or is away; without one answers are quoted, and that is well."""
    settings = {"TRIAGE_DATA_DIR": data_dir, "ANTHROPIC_BASE_URL": model.url}
    good = await found("chat model", ANTHROPIC_API_KEY=KEY, **settings)
    assert (good.is_well, good.seen) == (True, model.url)
    assert not (await found("chat model", ANTHROPIC_API_KEY="sk-canary", **settings)).is_well
    away = settings | {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}
    assert not (await found("chat model", ANTHROPIC_API_KEY=KEY, **away)).is_well
    none = await found("chat model", TRIAGE_DATA_DIR=data_dir)
    assert (none.is_well, none.seen) == (True, "none: answers are quoted from the sources")


def test_doctor_prints_and_exits(
    data_dir: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`triage doctor` shows each part with its advice, as lines or as JSON, and exits with 1 when something was found."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", data_dir)
    monkeypatch.setenv("REDIS_URL", DEAD_REDIS)
    assert main(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "ok   data folder" in shown
    assert "FAIL index" in shown
    assert "→ triage index" in shown
    assert main(["doctor", "--json"]) == 1
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["part"]: row["is_well"] for row in rows}["redis"] is False


async def test_audit_log(tmp_path: Path, data_dir: str) -> None:
    """A log that cannot be written is a finding; elsewhere, or switched off, it is well."""
    assert (await found("audit log", TRIAGE_DATA_DIR=data_dir)).is_well
    assert (await found("audit log", TRIAGE_DATA_DIR=data_dir, TRIAGE_AUDIT="off")).seen == "off"
    assert (await found("audit log", TRIAGE_DATA_DIR=str(tmp_path / "future"))).is_well
    (tmp_path / "data" / "audit.jsonl").unlink()
    (tmp_path / "data" / "audit.jsonl").mkdir()
    finding = await found("audit log", TRIAGE_DATA_DIR=data_dir)
    assert (finding.is_well, "TRIAGE_AUDIT" in finding.advice) == (False, True)


async def test_slack_groups(slack: SlackPeer, data_dir: str) -> None:
    """Groups that are named are counted; one that cannot be resolved is a finding that names the scope."""
    slack.groups["S0SUP"] = ["U1", "U2"]
    settings = {"TRIAGE_DATA_DIR": data_dir, "SLACK_API_BASE_URL": slack.base_url, "SLACK_SIGNING_SECRET": SECRET}
    settings |= {"SLACK_BOT_TOKEN": BOT_TOKEN, "TRIAGE_SLACK_GROUPS": "S0SUP"}
    assert (await found("slack groups", **settings)).seen == "S0SUP has 2 members"
    table = '{"C1": {"groups": ["S0GONE"]}}'
    finding = await found("slack groups", TRIAGE_CHANNELS=table, **settings)
    assert (finding.is_well, "usergroups:read" in finding.advice) == (False, True)


def test_an_address_is_shown_without_its_password() -> None:
    """The user and the password of an address are left out, the rest is shown."""
    assert without_user("http://bob:canary@llm.example:8000/v1") == "http://llm.example:8000/v1"
    assert without_user("http://llm.example/v1") == "http://llm.example/v1"


async def test_lead_channel(data_dir: str, slack: SlackPeer, teams: TeamsConnector) -> None:
    """On Slack the bot tries to read it, so that a missing invitation is seen; a platform without a token is a finding."""
    given = {"TRIAGE_DATA_DIR": data_dir, "SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_SIGNING_SECRET": SECRET}
    given["SLACK_API_BASE_URL"] = slack.base_url
    assert not (await found("lead channel", TRIAGE_LEAD_CHANNEL="C0LEADS", **given)).is_well
    slack.channels["C0LEADS"] = {}
    assert (await found("lead channel", TRIAGE_LEAD_CHANNEL="C0LEADS", **given)).is_well
    missing = await found("lead channel", TRIAGE_LEAD_CHANNEL="19:leads@thread.tacv2", **given)
    assert "CLIENT_ID is not set" in missing.seen
    teams_given = {"CLIENT_ID": CLIENT_ID, "CLIENT_SECRET": CLIENT_SECRET, "TRIAGE_TEAMS_LOGIN_URL": teams.login_url}
    both = await found("lead channel", TRIAGE_LEAD_CHANNEL="19:leads@thread.tacv2", **given, **teams_given)
    assert both.is_well
