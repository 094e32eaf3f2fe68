"""The two listeners of a running bot behind a reverse proxy: what the internet reaches, and what it never does."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.environment import settings_of
from tests.peers.reverse_proxy import ReverseProxy
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import event_body, mention, signed_form, signed_json
from tests.peers.teams_connector import TeamsConnector
from tests.redis_servers import RedisServer
from tests.scenarios.bot_process import until
from tests.scenarios.data_folders import make_data_folder
from tests.scenarios.desk import running_bot, slack_settings, teams_settings

TOKEN = {"Authorization": "Bearer a-token-of-the-api"}
PRIVATE = (
    ("GET", "/"), ("GET", "/readyz"), ("GET", "/metrics"), ("POST", "/api/v1/ask"), ("POST", "/api/v1/search"),
    ("POST", "/playground/ask"), ("GET", "/playground/sources/kb-101"), ("GET", "/docs"), ("GET", "/openapi.json"),
    ("GET", "/slack/../readyz"), ("GET", "//readyz"), ("GET", "/%72eadyz"), ("POST", "/slack/events/../../api/v1/ask"),
)  # fmt: skip


@dataclass(slots=True)
class Front:
    """The bot with its two listeners, and what stands around it."""

    slack: SlackPeer
    teams: TeamsConnector
    private: str
    public: str


@pytest.fixture
async def front(own_redis_server: RedisServer, tmp_path: Path, sample_index: Path) -> AsyncIterator[Front]:
    """Run the bot with both platforms and an API token."""
    data_dir = make_data_folder(tmp_path / "data", index=sample_index)
    async with SlackPeer() as slack, TeamsConnector() as teams:
        settings = settings_of(
            REDIS_URL=own_redis_server.url,
            TRIAGE_DATA_DIR=str(data_dir),
            TRIAGE_API_TOKEN="a-token-of-the-api",
            **slack_settings(slack),
            **teams_settings(teams),
        )
        async with running_bot(settings) as (private, public):
            yield Front(slack, teams, str(private.base_url), str(public.base_url))


@pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
async def test_what_a_proxy_reaches(front: Front) -> None:
    """Before the public listener: platforms and liveness, nothing else. Before the private one by mistake: nothing at all."""
    async with httpx.AsyncClient(trust_env=False, timeout=20) as client:
        for keeps_host in (True, False):
            async with ReverseProxy(front.public, keeps_host=keeps_host) as proxy:
                await _platforms_get_through(front, client, proxy.url)
                await _nothing_else_does(client, proxy.url)
        await _the_private_one_stays_closed(front, client)
        await _its_own_callers_get_in(front, client)


async def _platforms_get_through(front: Front, client: httpx.AsyncClient, url: str) -> None:
    event = mention("How do I install the Till app on an iPad?")
    raw, headers = signed_json(event_body(event))
    assert (await client.post(f"{url}slack/events", content=raw, headers=headers)).status_code == 200
    await until(lambda: bool(front.slack.thread(event["ts"])))
    raw, headers = signed_form({"payload": '{"type": "block_actions"}'})
    assert (await client.post(f"{url}slack/interactivity", content=raw, headers=headers)).status_code == 200
    forged = headers | {"x-slack-signature": f"v0={'0' * 64}"}
    assert (await client.post(f"{url}slack/events", content=raw, headers=forged)).status_code == 401
    sent = len(front.teams.activities)
    bearer = {"Authorization": f"Bearer {front.teams.token()}"}
    activity = front.teams.activity("How do I install the Till app on an iPad?")
    assert (await client.post(f"{url}api/messages", json=activity, headers=bearer)).status_code == 200
    await until(lambda: len(front.teams.activities) > sent)
    assert (await client.post(f"{url}api/messages", json=activity)).status_code == 401
    assert (await client.get(f"{url}livez")).json() == {"live": True}


async def _nothing_else_does(client: httpx.AsyncClient, url: str) -> None:
    for method, path in PRIVATE:
        request = httpx.Request(method, url.rstrip("/"), headers=TOKEN, json={"question": "hi"})
        request.url = request.url.copy_with(raw_path=path.encode())
        assert (await client.send(request)).status_code in {404, 405}, path


async def _the_private_one_stays_closed(front: Front, client: httpx.AsyncClient) -> None:
    body = {"question": "How do I install the Till app on an iPad?"}
    for keeps_host, says_so in ((True, True), (False, True), (True, False)):
        async with ReverseProxy(front.private, keeps_host=keeps_host, says_so=says_so) as proxy:
            for path in ("", "livez", "readyz", "metrics", "playground/sources/kb-101"):
                assert (await client.get(proxy.url + path, headers=TOKEN)).status_code == 403
            for path in ("api/v1/ask", "playground/ask"):
                assert (await client.post(proxy.url + path, json=body, headers=TOKEN)).status_code == 403
    for headers in ({"Host": "bot.example.com"}, {"Origin": "https://attacker.example"}):
        assert (await client.get(f"{front.private}livez", headers=headers)).status_code == 403


async def _its_own_callers_get_in(front: Front, client: httpx.AsyncClient) -> None:
    body = {"question": "How do I install the Till app on an iPad?"}
    asked = await client.post(f"{front.private}api/v1/ask", json=body, headers=TOKEN)
    assert (asked.status_code, asked.json()["outcome"]) == (200, "answered")
    for path in ("slack/events", "api/messages"):
        assert (await client.post(front.private + path, json={})).status_code == 404
