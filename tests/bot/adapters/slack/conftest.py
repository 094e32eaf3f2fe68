"""The real adapter on in-memory ports, reached by its real doors."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest
from fastapi import FastAPI

from bot.adapters.slack import SlackApp, SlackParts, build_client, build_slack_app, mount_slack, slack_rules
from bot.adapters.slack.rules import SlackRules
from retrieval.redaction import Redactor
from tests.fake_state import FakeClock, FakeThreadStore, FakeWorkQueue
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_payloads import SECRET, Json, signed_form, signed_json


@pytest.fixture
async def peer() -> AsyncIterator[SlackPeer]:
    """Give a running loopback Slack."""
    async with SlackPeer() as running:
        yield running


@dataclass(slots=True)
class Desk:
    """The adapter with its ports, and ways in."""

    slack: SlackApp
    queue: FakeWorkQueue
    threads: FakeThreadStore
    clock: FakeClock
    http: httpx.AsyncClient

    async def event(self, body: Json, *, retry: int = 0) -> httpx.Response:
        """Deliver an event over signed HTTP."""
        raw, headers = signed_json(body, retry=retry)
        return await self.http.post("/slack/events", content=raw, headers=headers)

    async def command(self, fields: dict[str, str]) -> httpx.Response:
        """Deliver a slash command over signed HTTP."""
        raw, headers = signed_form(fields)
        return await self.http.post("/slack/commands", content=raw, headers=headers)


def make_desk(peer: SlackPeer, rules: SlackRules | None = None, **given: object) -> Desk:
    """Build the adapter against the peer, by these rules or by what `slack_rules` makes of the rest."""
    queue, threads, clock = FakeWorkQueue(), FakeThreadStore(), FakeClock()
    client = build_client(BOT_TOKEN, base_url=peer.base_url)
    parts = SlackParts(queue=queue, threads=threads, redactor=Redactor(), clock=clock)
    slack = build_slack_app(client, parts, signing_secret=SECRET, rules=rules or slack_rules(**given))  # type: ignore[arg-type]
    web = FastAPI()
    mount_slack(web, slack)
    transport = httpx.ASGITransport(app=web, raise_app_exceptions=True)
    return Desk(slack, queue, threads, clock, httpx.AsyncClient(transport=transport, base_url="http://bot.test"))


@pytest.fixture
async def desk(peer: SlackPeer) -> AsyncIterator[Desk]:
    """Give the adapter with default rules."""
    made = make_desk(peer)
    yield made
    await made.http.aclose()
