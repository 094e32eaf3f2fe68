"""A desk on which people press buttons: the real adapter twice, the real flow and worker, a real Redis, a loopback Slack."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx
from fastapi import FastAPI

from bot.adapters.slack import (
    SlackAdmission,
    SlackParts,
    SlackPoster,
    SlackWorking,
    build_client,
    build_slack_app,
    mount_slack,
)
from bot.adapters.slack.answer_buttons import Buttons
from bot.adapters.slack.rules import SlackRules
from bot.adapters.store.answers import RedisAnswers, RedisFeedback, RedisPresses
from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.limits import Bounds, RedisLimits
from bot.adapters.store.post_notes import RedisPostNotes
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.answers.answer_tasks import Handover, TaskResponder
from bot.answers.drafting import Drafter, DraftStyle
from bot.answers.kept_answers import KeepingResponder
from bot.desk.incidents import NoIncidents
from bot.desk.requests import DeskResponder
from bot.flow import Ports
from bot.lead.feedback import Rated
from bot.messages import Platform, ThreadRef
from bot.pipeline import Pipeline
from bot.ports import ChatModel
from bot.questions.admission import AdmittedQueue
from bot.worker import Worker
from retrieval.language import language_of
from retrieval.passages import DocumentCard, Passage
from retrieval.redaction import RedactedText, Redactor
from tests.fake_state import FakeClock, FakeThreadStore, FakeWorkQueue
from tests.fakes import FakePassageSource, make_passage
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_clicks import click, signed_interaction, submission
from tests.peers.slack_payloads import SECRET, TEAM, Json, event_body, mention, signed_json
from tests.peers.slack_posts import Post

sealed = RedactedText.stored
NOW = 1_800_000_000.0
PUBLIC, INTERNAL = ("public",), ("internal",)


def card(name: str, *, url: str | None = None, visibility: Sequence[str] = PUBLIC, **fields: str) -> DocumentCard:
    """Describe a source."""
    dated = {"updated_at": "2026-03-01", "lang": "en", **fields}
    return DocumentCard(name, sealed(f"About {name}"), url=url, visibility=tuple(visibility), **dated)  # type: ignore[arg-type]


SYNC = make_passage(card("kb-101"), "Restart the sync agent when sync fails with error 500.")


@dataclass(slots=True)
class ButtonDesk:
    """Two replicas of the bot behind one Redis; clicks go to the one that did not take the question."""

    peer: SlackPeer
    link: RedisLink
    keys: Keyspace
    passages: Sequence[Passage] = (SYNC,)
    groups: dict[str, str] = field(default_factory=dict)
    rules: SlackRules = field(default_factory=SlackRules)
    style: DraftStyle = field(default_factory=DraftStyle)
    clock: FakeClock = field(default_factory=FakeClock)
    queue: FakeWorkQueue = field(default_factory=FakeWorkQueue)
    threads: FakeThreadStore = field(default_factory=FakeThreadStore)
    is_known: bool = False
    model: ChatModel | None = None
    bounds: Bounds = field(default_factory=Bounds)

    @property
    def people(self) -> Pseudonyms:
        return Pseudonyms(self.link, self.keys)

    @property
    def answers(self) -> RedisAnswers:
        return RedisAnswers(self.link, self.keys)

    @property
    def feedback(self) -> RedisFeedback:
        return RedisFeedback(self.link, self.keys, self.people)

    @property
    def source(self) -> FakePassageSource:
        return FakePassageSource(*self.passages)

    async def _deliver(self, path: str, raw: bytes, headers: dict[str, str]) -> httpx.Response:
        """Deliver to a fresh replica: nothing that another one holds in memory is there."""
        client = build_client(BOT_TOKEN, base_url=self.peer.base_url)
        limits = RedisLimits(self.link, self.keys, self.people, self.bounds)
        parts = SlackParts(
            AdmittedQueue(self.queue, limits),
            self.threads,
            Redactor(),
            self.clock,
            answers=self.answers,
            feedback=self.feedback,
            presses=RedisPresses(self.link, self.keys),
            working=SlackWorking(client, RedisPostNotes(self.link, self.keys), self.clock),
        )
        web = FastAPI()
        slack = build_slack_app(client, parts, signing_secret=SECRET, rules=self.rules)
        if self.is_known:
            await slack.identity.ask()
        mount_slack(web, slack)
        transport = httpx.ASGITransport(app=web, raise_app_exceptions=True)
        async with httpx.AsyncClient(transport=transport, base_url="http://bot.test") as http:
            return await http.post(path, content=raw, headers=headers)

    async def event(self, body: Json) -> httpx.Response:
        """Deliver an event."""
        return await self._deliver("/slack/events", *signed_json(body))

    async def ask(self, text: str, **fields: object) -> Post:
        """Ask in the channel, have the question answered, and give the newest post."""
        response = await self.event(event_body(mention(text, **fields)))
        assert response.status_code == 200
        await self.work()
        return self.peer.posts[-1]

    async def post_mention(self, text: str) -> Json:
        """Ask in the channel and have the question answered, wherever the answer goes; give the event."""
        event = mention(text)
        await self._deliver("/slack/events", *signed_json(event_body(event)))
        await self.work()
        return event

    def thread_of(self, event: Json) -> ThreadRef:
        """Name the thread of a top-level message."""
        return ThreadRef(Platform.SLACK, TEAM, event["channel"], event["ts"])

    async def press(self, post: Post, label: str, **fields: object) -> httpx.Response:
        """Press the button with this label; what is enqueued waits for `work`."""
        return await self.interact(click(self.peer, post, label, **fields))  # type: ignore[arg-type]

    async def submit(self, text: str | None, **fields: str) -> httpx.Response:
        """Send the newest form."""
        return await self.interact(submission(self.peer, text, **fields))

    async def interact(self, body: Json) -> httpx.Response:
        """Deliver an interaction."""
        return await self._deliver("/slack/interactivity", *signed_interaction(body))

    async def work(self) -> None:
        """Have a fresh worker do everything that waits."""
        client = build_client(BOT_TOKEN, base_url=self.peer.base_url)
        ports = self._ports()
        flow = DeskResponder(Pipeline(ports), ports, NoIncidents(), answers=self.answers)
        keeping = KeepingResponder(flow, self.answers, name_of=self.people.of)
        drafter = Drafter(Pipeline(self._ports()), self.style)
        responder = TaskResponder(keeping, self.answers, drafter=drafter, passages=self.source)
        poster = SlackPoster(client, clock=self.clock, buttons=Buttons(Handover(self.groups)))
        admit = SlackAdmission(client, rules=self.rules, clock=self.clock)
        worker = Worker(
            self.queue,  # type: ignore[arg-type]
            responder,
            store=self.threads,
            posters={Platform.SLACK: poster},
            prepare={Platform.SLACK: admit},
            name_of=self.people.of,
        )
        while self.queue.messages:
            await worker.handle(self.queue.messages.pop(0))

    def _ports(self) -> Ports:
        redactor = Redactor()
        return Ports(
            self.source,
            lambda text: redactor.redact(text).text,
            self.clock,
            self.threads,
            self.model,
            language_of=language_of,
        )

    async def rated(self) -> list[Rated]:
        """Give every answer with votes."""
        return [rated async for rated in self.feedback.all()]
