"""Who may ask what of a running bot: labels by channel, guests, groups, limits; every refusal is a private word to its asker."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.environment import settings_of
from tests.peers.slack_api import Fault, Post, SlackPeer
from tests.peers.slack_payloads import ANA, BEN, CHANNEL, Json, event_body, mention, signed_json
from tests.redis_servers import RedisServer
from tests.scenarios.bot_process import until
from tests.scenarios.data_folders import make_data_folder
from tests.scenarios.desk import running_bot, slack_settings

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
BILLING, LEADS, OFF, SHARED = "C0BILL", "C0LEADS", "C0OFF", "C0EXT"
GUEST = {"user": "U0EXT", "team": "T0CUSTOMER", "user_team": "T0CUSTOMER", "source_team": "T0CUSTOMER"}
CREDITS = "Who approves a goodwill credit for a merchant?"
INSTALL = "How do I install the Till app on an iPad?"
CHANNELS = {BILLING: {"labels": ["billing"]}, LEADS: {"groups": ["S0LEADS"]}, OFF: {"allow": False}}


@dataclass(slots=True)
class Desk:
    """A running bot and its Slack, reached by signed HTTP."""

    peer: SlackPeer
    public: httpx.AsyncClient

    async def said(self, text: str, **fields: object) -> str:
        """Mention the bot; give what it posts in the thread, or "private:" and what it tells the asker alone."""
        outer = {"is_ext_shared_channel": fields.pop("is_shared", False)}
        event: Json = mention(text, **fields)
        raw, headers = signed_json(event_body(event, **outer))
        heard = len(self.peer.ephemerals)
        assert (await self.public.post("/slack/events", content=raw, headers=headers)).status_code == 200
        await until(lambda: bool(self.peer.thread(event["ts"])) or len(self.peer.ephemerals) > heard)
        if len(self.peer.ephemerals) > heard:
            post: Post = self.peer.ephemerals[-1]
            assert post.user == event["user"]
            return f"private: {post.shown}"
        return "\n".join(post.shown for post in self.peer.thread(event["ts"]))


@asynccontextmanager
async def running_desk(redis: RedisServer, data_dir: Path, **settings: str) -> AsyncIterator[Desk]:
    """Run the bot with these settings."""
    async with SlackPeer() as peer:
        peer.channels |= {name: {} for name in (*CHANNELS, SHARED)}
        given = settings_of(REDIS_URL=redis.url, TRIAGE_DATA_DIR=str(data_dir), **slack_settings(peer), **settings)
        async with running_bot(given) as (_private, public):
            yield Desk(peer, public)


async def test_access_of_a_running_bot(own_redis_server: RedisServer, tmp_path: Path, sample_index: Path) -> None:
    """One bot, many askers (cases E4, E5)."""
    data_dir = make_data_folder(tmp_path / "data", index=sample_index)
    settings = {"TRIAGE_CHANNELS": json.dumps(CHANNELS), "TRIAGE_USER_PER_MINUTE": "20"}
    async with running_desk(own_redis_server, data_dir, **settings) as desk:
        await _labels_of_a_channel(desk)
        await _other_companies(desk)
        await _groups(desk)
        await _too_many(desk)
    rows = [json.loads(line) for line in (data_dir / "audit.jsonl").read_text().splitlines()]
    refused = [row["reason"] for row in rows if row["event"] == "refused"]
    assert set(refused) == {"refused_channel", "refused_guest", "refused_group", "group_unknown", "over_limit"}
    assert CREDITS not in json.dumps(rows)


async def _labels_of_a_channel(desk: Desk) -> None:
    assert "kb-123" in await desk.said(CREDITS, channel=BILLING)
    assert "kb-123" not in await desk.said(CREDITS, channel=CHANNEL)
    assert (await desk.said("Wie installiere ich die Till-App?", channel=OFF)).startswith("private: In diesem Kanal")


async def _other_companies(desk: Desk) -> None:
    assert (await desk.said(INSTALL, channel=SHARED, is_shared=True, **GUEST)).startswith("private: I can only answer")
    own = await desk.said(INSTALL, channel=SHARED, is_shared=True)
    assert "kb-" in own
    assert "kb-123" not in await desk.said(CREDITS, channel=BILLING, is_shared=True)
    desk.peer.faults["conversations.info"] = Fault(error="missing_scope")
    assert "searched public documents only" in await desk.said(INSTALL, channel=SHARED, is_shared=None)


async def _groups(desk: Desk) -> None:
    assert (await desk.said(INSTALL, channel=LEADS)).startswith("private: I could not check")
    desk.peer.groups["S0LEADS"] = [BEN]
    assert (await desk.said(INSTALL, channel=LEADS)).startswith("private: I may only answer members")
    assert "kb-" in await desk.said(INSTALL, channel=LEADS, user=BEN)


async def _too_many(desk: Desk) -> None:
    for _ in range(20):
        said = await desk.said("thanks", user=ANA)
        if said.startswith("private:"):
            break
    assert said.startswith("private: That is more questions")
