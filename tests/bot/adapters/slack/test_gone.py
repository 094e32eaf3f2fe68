"""Deleted messages and uninstalled workspaces: told on at once, answered 200, and delivered again while they cannot be."""

from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from bot.adapters.slack import SlackParts, build_client, build_slack_app, mount_slack
from bot.errors import StateUnavailable
from bot.messages import MessageId, ThreadRef
from bot.ports import Place
from retrieval.redaction import Redactor
from tests.bot.adapters.slack.conftest import Desk
from tests.fake_state import FakeClock, FakeThreadStore, FakeWorkQueue
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_payloads import CHANNEL, SECRET, TEAM, Json, event_body, message

TS, ROOT = "1700000001.000200", "1700000000.000100"


class Told:
    """Keeps what it was told."""

    def __init__(self) -> None:
        self.withdrawn: list[tuple[MessageId, str]] = []
        self.left: list[str] = []
        self.is_away = False

    async def withdraw(self, message_id: MessageId, thread: ThreadRef) -> None:
        """Keep it, or be without Redis."""
        if self.is_away:
            raise StateUnavailable("away")
        self.withdrawn.append((message_id, thread.thread_id))

    async def leave(self, place: Place) -> None:
        """Keep it."""
        self.left.append(place.key)


@pytest.fixture
def told() -> Told:
    """Give the ear of the receiver."""
    return Told()


@pytest.fixture
async def listening(peer: SlackPeer, told: Told) -> AsyncIterator[Desk]:
    """Give the adapter that tells what is gone."""
    queue, threads, clock = FakeWorkQueue(), FakeThreadStore(), FakeClock()
    client = build_client(BOT_TOKEN, base_url=peer.base_url)
    slack = build_slack_app(client, SlackParts(queue, threads, Redactor(), clock, told), signing_secret=SECRET)
    web = FastAPI()
    mount_slack(web, slack)
    transport = httpx.ASGITransport(app=web, raise_app_exceptions=True)
    async with httpx.AsyncClient(transport=transport, base_url="http://bot.test") as http:
        yield Desk(slack, queue, threads, clock, http)


def deleted(**previous: object) -> Json:
    """Give Slack's event of a deletion."""
    gone = message("gone", ts=TS, **previous)
    return {
        "type": "message", "subtype": "message_deleted", "hidden": True, "channel": CHANNEL, "channel_type": "channel",
        "ts": "1700000009.000300", "event_ts": "1700000009.000300", "deleted_ts": TS, "previous_message": gone,
    }  # fmt: skip


def tombstone() -> Json:
    """Give Slack's event of a deleted root with replies."""
    now = {
        "type": "message",
        "subtype": "tombstone",
        "ts": ROOT,
        "thread_ts": ROOT,
        "text": "This message was deleted.",
    }
    return {"type": "message", "subtype": "message_changed", "channel": CHANNEL, "ts": "1700000009.1", "message": now}


@pytest.mark.parametrize(
    ("event", "withdrawn"),
    [
        (deleted(thread_ts=ROOT), (f"slack:{TEAM}:{CHANNEL}:{TS}", ROOT)),
        (deleted(), (f"slack:{TEAM}:{CHANNEL}:{TS}", TS)),
        (tombstone(), (f"slack:{TEAM}:{CHANNEL}:{ROOT}", ROOT)),
    ],
)
async def test_a_deleted_message_is_withdrawn(
    listening: Desk, told: Told, event: Json, withdrawn: tuple[str, str]
) -> None:
    """In a thread, alone, and as the root of a thread that others replied in; no question comes of it."""
    response = await listening.event(event_body(event))
    assert response.status_code == 200
    assert told.withdrawn == [withdrawn]
    assert listening.queue.messages == []


@pytest.mark.parametrize(
    ("event", "left"),
    [
        ({"type": "app_uninstalled"}, [f"slack/{TEAM}"]),
        ({"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": ["U2"]}}, [f"slack/{TEAM}"]),
        ({"type": "tokens_revoked", "tokens": {"oauth": ["U1"], "bot": []}}, []),
        ({"type": "tokens_revoked"}, [f"slack/{TEAM}"]),
    ],
)
async def test_a_workspace_that_removed_the_bot_is_left(
    listening: Desk, told: Told, event: Json, left: list[str]
) -> None:
    """Uninstalled, or the bot's token revoked; tokens of users alone say nothing."""
    assert (await listening.event(event_body(event))).status_code == 200
    assert told.left == left


@pytest.mark.parametrize("event", [{"type": "message", "subtype": "message_deleted"}, deleted() | {"deleted_ts": ""}])
async def test_a_broken_deletion_is_nothing(listening: Desk, told: Told, event: Json) -> None:
    """Without channel or time stamp nothing is named."""
    assert (await listening.event(event_body(event))).status_code == 200
    assert told.withdrawn == []


async def test_without_redis_the_deletion_is_delivered_again(listening: Desk, told: Told) -> None:
    """A deletion that cannot be noted is answered 500."""
    told.is_away = True
    assert (await listening.event(event_body(deleted()))).status_code == 500
