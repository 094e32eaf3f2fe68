"""The adapter from door to post: signed HTTP in, the real worker, flow and poster on in-memory ports, a loopback Slack."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from bot.adapters.slack import SlackAdmission, SlackPoster, SlackPreparer, build_client, slack_rules
from bot.adapters.slack.rules import SlackRules
from bot.answers.kept_answers import KeptAnswer
from bot.desk.incidents import Incident, Incidents
from bot.desk.requests import DeskResponder
from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef
from bot.pipeline import Pipeline
from bot.ports import ChatModel
from bot.worker import Worker
from retrieval.redaction import Redactor
from tests.bot import flow_kit
from tests.bot.adapters.slack.conftest import Desk, make_desk
from tests.fakes import FakePassageSource
from tests.peers.slack_api import BOT_TOKEN, Post, SlackPeer
from tests.peers.slack_payloads import Json, command_fields, event_body


class FakeIncidents:
    """Incidents in memory; the clock is the caller's."""

    def __init__(self) -> None:
        self.kept: dict[str, Incident] = {}

    async def declare(self, incident: Incident) -> bool:
        self.kept[incident.id] = incident
        return True

    async def standing(self) -> tuple[Incident, ...]:
        return tuple(self.kept.values())

    async def end(self, incident: Incident) -> None:
        self.kept.pop(incident.id, None)


class FakeAnswers:
    """Kept answers in memory, by their message."""

    def __init__(self) -> None:
        self.kept: dict[MessageId, KeptAnswer] = {}

    async def keep(self, kept: KeptAnswer) -> None:
        self.kept[kept.message.message_id] = kept

    async def find(self, thread: ThreadRef, message_id: MessageId) -> KeptAnswer | None:
        return self.kept.get(message_id)


@dataclass(slots=True)
class Counter:
    """A desk with its worker; `say` and `command` wait until everything was answered."""

    desk: Desk
    worker: Worker
    peer: SlackPeer

    async def say(self, event: Json, **outer: object) -> list[Post]:
        """Deliver an event; give what was posted for it."""
        before = len(self.peer.posts)
        assert (await self.desk.event(event_body(event, **outer))).status_code == 200
        await self.worker.run()
        return self.peer.posts[before:]

    async def command(self, text: str, **fields: str) -> str:
        """Give a slash command; give what its asker reads at last."""
        before = len(self.peer.responses)
        given = command_fields(text, response_url=self.peer.response_url(), **fields)
        answer = await self.desk.command(given)
        await self.worker.run()
        new = self.peer.responses[before:]
        return "\n".join(shown(response) for response in new) or answer.json()["text"]


def shown(message: Json) -> str:
    """Give what a client with blocks shows."""
    texts = (block.get("text", "") for block in message.get("blocks") or ())
    return "\n".join(text if isinstance(text, str) else text.get("text", "") for text in texts) or message["text"]


@asynccontextmanager
async def open_counter(
    peer: SlackPeer,
    source: FakePassageSource | None = None,
    *,
    rules: SlackRules | None = None,
    model: ChatModel | None = None,
    incidents: Incidents | None = None,
) -> AsyncIterator[Counter]:
    """Open the adapter over these passages."""
    rules = rules or slack_rules()
    desk = make_desk(peer, rules=rules)
    client = build_client(BOT_TOKEN, base_url=peer.base_url)
    ports = replace(flow_kit.ports(source, threads=desk.threads, model=model), clock=desk.clock)
    admit = SlackAdmission(client, rules=rules, clock=desk.clock)
    prepare = SlackPreparer(client, redactor=Redactor(), clock=desk.clock)

    async def prepared(message: AcceptedMessage) -> AcceptedMessage:
        return await prepare(await admit(message))

    worker = Worker(
        desk.queue,
        DeskResponder(Pipeline(ports), ports, incidents or FakeIncidents(), answers=FakeAnswers()),
        store=desk.threads,
        posters={Platform.SLACK: SlackPoster(client, clock=desk.clock)},
        prepare={Platform.SLACK: prepared},
    )
    yield Counter(desk, worker, peer)
    await desk.http.aclose()
