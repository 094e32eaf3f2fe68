"""One attack through the whole flow over fixed passages: real doors, redaction, stages, checks and output builders."""

import time
from dataclasses import dataclass, field, replace
from typing import Any

from bot.adapters.model.chat import AnthropicChat, ChatOptions
from bot.adapters.playground.views import render_reply
from bot.adapters.slack.accept import EventReader
from bot.adapters.slack.identity import BotIdentity
from bot.adapters.slack.render import render as render_slack
from bot.adapters.slack.rules import SlackRules
from bot.adapters.teams.accept import ActivityReader, TeamsRules
from bot.adapters.teams.poster import _appearance
from bot.adapters.teams.render import render as render_teams
from bot.answers.answer_json import answer_as_json
from bot.early import offered, offering
from bot.flow import Ports
from bot.messages import AcceptedMessage, Answer, MessageId, Reply, Turn
from bot.pipeline import Pipeline
from bot.prompts import Prompts
from bot.questions.turns import remember_turn
from retrieval.language import language_of
from retrieval.passages import DocumentCard, Passage
from tests.attacks.cases import RAW, Case, Place
from tests.attacks.fixed_source import REDACTOR, FixedSource, passage_of, sealed
from tests.attacks.invariants import Known, Posted, violations
from tests.attacks.stub_transport import StubTransport
from tests.fakes import FixedClock, InMemoryThreadStore
from tests.peers.anthropic_stubs import Stub
from tests.peers.slack_payloads import BEN, TEAM, event_body, mention
from tests.peers.teams_connector import BOT_ID, CHANNEL, TENANT_ID

NOW = 1_796_000_000.0
CLOCK = FixedClock(NOW)
HELP = "https://help.example.com/articles"
PRIVATE = passage_of(
    DocumentCard("kb-private-1", sealed("Salaries of the board"), visibility=("board",), url=f"{HELP}/private"),
    "The board is paid 777 units a month.", relevance=0.95,
)  # fmt: skip
PROMPTS = Prompts()  # one process has one mark
SLACK = EventReader(redactor=REDACTOR, rules=SlackRules(), clock=CLOCK)
TEAMS = ActivityReader(redactor=REDACTOR, rules=TeamsRules(tenant_id=TENANT_ID), clock=CLOCK)


@dataclass(slots=True)
class Result:
    """How one case ended."""

    broken: list[str]
    answer: Answer
    sent: str
    ms: float = 0.0
    is_useful: bool = False
    beginnings: int = 0


@dataclass(slots=True)
class Asked:
    """A question on its way: the sources that will be found, and the message."""

    passages: tuple[Passage, ...]
    message: AcceptedMessage
    earlier: tuple[Turn, ...] = ()
    raw: tuple[str, ...] = field(default_factory=lambda: tuple(RAW.values()))


def good_passage(case: Case, *, relevance: float = 0.9) -> Passage:
    """Give the unpoisoned article of a case."""
    subject = case.subject
    card = DocumentCard(
        subject.good_id,
        sealed(subject.title),
        lang=subject.language,
        url=f"{HELP}/{subject.name}",
        updated_at="2026-10-01",
    )
    return passage_of(card, "\n".join(subject.good), relevance=relevance)


def poisoned_passage(case: Case, *, relevance: float) -> Passage:
    """Give the article or ticket that the attack stands in, not held back: as if screening had seen nothing."""
    subject = case.subject
    is_ticket = case.place is Place.TICKET
    card = DocumentCard(
        f"t-{subject.name}" if is_ticket else f"kb-{subject.name}-old",
        sealed(f"{subject.title}" if is_ticket else f"{subject.title}: {case.text[:80]}"),
        kind="ticket" if is_ticket else "article",
        lang=subject.language,
        queue=sealed(case.text[:120]) if is_ticket else "",
        updated_at="2026-11-01",
    )
    return passage_of(card, "\n".join((subject.cover[0], case.text, subject.cover[1])), relevance=relevance)


def asked(case: Case) -> Asked:
    """Plant the attack, and ask about the subject."""
    passages: tuple[Passage, ...] = (good_passage(case), PRIVATE)
    if case.place in (Place.ARTICLE, Place.TICKET):
        is_first = sum(map(ord, case.id)) % 2 == 0
        poisoned = poisoned_passage(case, relevance=0.92 if is_first else 0.86)
        passages = (poisoned, *passages) if is_first else (passages[0], poisoned, PRIVATE)
    elif case.place is Place.THREAD:
        return Asked(passages, message_of(case.subject.question), (_strangers_turn(case),))
    message = _teams(case) if case.place is Place.NAME or sum(map(ord, case.id)) % 3 == 0 else message_of(*_typed(case))
    return Asked(passages, message)


def _typed(case: Case) -> tuple[str, tuple[str, ...]]:
    if case.place is Place.QUESTION:
        return f"{case.subject.question} {case.text}", ()
    return case.subject.question, (case.text,) if case.place is Place.FILE else ()


def message_of(text: str, files: tuple[str, ...] = ()) -> AcceptedMessage:
    """Deliver a question over Slack, with attached files."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    event = mention(escaped, files=[{"name": name} for name in files])
    incoming = SLACK.read(event_body(event), BotIdentity("U0BOT", "B0BOT", TEAM))
    assert incoming is not None
    return incoming.message


def _teams(case: Case) -> AcceptedMessage:
    text, files = _typed(case)
    name = case.text if case.place is Place.NAME else "Ana"
    entities: list[dict[str, Any]] = [
        {"type": "mention", "text": "<at>Triage Bot</at>", "mentioned": {"id": BOT_ID, "name": "Triage Bot"}}
    ]
    body = {
        "type": "message", "id": "1700000000001", "channelId": "msteams", "serviceUrl": "https://smba.trafficmanager.net/emea/",
        "from": {"id": "29:ana", "name": name, "aadObjectId": "ana-aad"},
        "recipient": {"id": BOT_ID, "name": "Triage Bot"},
        "conversation": {"id": f"{CHANNEL};messageid=1", "conversationType": "channel", "tenantId": TENANT_ID},
        "channelData": {"tenant": {"id": TENANT_ID}}, "textFormat": "plain", "entities": entities,
        "text": f"<at>Triage Bot</at> {text}" + (f" <at>{name[:190]}</at>" if case.place is Place.NAME else ""),
        "attachments": [{"contentType": "application/octet-stream", "name": name} for name in files],
    }  # fmt: skip
    incoming = TEAMS.read(body)
    assert incoming is not None
    return incoming.message


def _strangers_turn(case: Case) -> Turn:
    """What another person said to the bot in the same thread."""
    from bot.messages import Outcome

    return Turn(
        question=sealed(case.text),
        answer=sealed(case.subject.cover[0]),
        cited_ids=(case.subject.good_id,),
        language=case.subject.language,
        outcome=Outcome.ANSWERED,
        asked_at=NOW - 60,
        asker=BEN,
    )


@dataclass(slots=True)
class Beginnings:
    """An `EarlySink` that keeps what it was shown."""

    shown: list[Answer] = field(default_factory=list)

    async def show(self, answer: Answer) -> None:
        """Keep it."""
        self.shown.append(answer)


async def play(case: Case, stub: Stub | None, *, is_cited: bool = False) -> Result:
    """Play one case with a stub, or without a model."""
    return await run(asked(case), stub, is_cited=is_cited, good=(case.subject.good_id, case.subject.fact))


async def play_early(case: Case, stub: Stub, *, is_cited: bool = False) -> Result:
    """Play one case with a model whose answer is shown while it writes; every beginning is judged like a reply."""
    sink, given = Beginnings(), asked(case)
    with offering(sink):
        result = await run(given, stub, is_cited=is_cited, good=(case.subject.good_id, case.subject.fact))
    result.beginnings = len(sink.shown)
    for answer in sink.shown:
        posted = posted_forms(Reply(given.message, answer), InMemoryThreadStore())
        result.broken += [f"early: {broken}" for broken in violations(posted, known_of(given))]
    return result


async def run(given: Asked, stub: Stub | None, *, good: tuple[str, str], is_cited: bool = False) -> Result:
    """Answer, render for every platform, and judge."""
    store, source = InMemoryThreadStore(), FixedSource(*given.passages)
    sink = offered()
    is_seen = (lambda: bool(sink.shown)) if isinstance(sink, Beginnings) else (lambda: True)
    transport = StubTransport(stub, is_checked=is_cited, is_seen=is_seen) if stub else None
    chat = _chat(transport, is_cited=is_cited) if transport else None
    for number, turn in enumerate(given.earlier):
        await store.remember(given.message.thread, turn, message_id=MessageId(f"earlier-{number}"))
    ports = Ports(
        source, lambda text: REDACTOR.redact(text).text, CLOCK, store, chat, language_of,
        is_leak=chat.leaks if chat else lambda _text: False, build="attacks",
    )  # fmt: skip
    began = time.process_time()
    answer = await Pipeline(ports).respond(given.message)
    await remember_turn(store, given.message, answer)
    posted = posted_forms(Reply(given.message, answer), store)
    ms = (time.process_time() - began) * 1000
    broken = violations(posted, known_of(given))
    sent = "\n".join(transport.sent) if transport else ""
    if set(store.kept) - {given.message.thread.key} or source.passages != given.passages:
        broken.append("I9 something else was stored")
    broken += [f"I6 sent to the model: {value}" for value in given.raw if value in sent]
    id_, fact = good
    is_useful = id_ in {c.id for c in answer.citations} and fact in answer.text
    return Result(broken, answer, sent, ms, is_useful)


def _chat(transport: StubTransport, *, is_cited: bool) -> AnthropicChat:
    options = ChatOptions(base_url="http://model.test", citations="on" if is_cited else "off")
    return AnthropicChat(options, redactor=REDACTOR, prompts=PROMPTS, transport=transport)


def known_of(given: Asked) -> Known:
    """Give what may be said: the texts of the sources that were found and that the asker may see."""
    seen = [p for p in given.passages if set(given.message.audience) & set(p.document.visibility)]
    return Known(
        sources={p.document.id: f"{p.document.title}\n" + "\n".join(s.text for s in p.sentences) for p in seen},
        addresses=tuple(p.document.url for p in seen if p.document.url),
        mark=PROMPTS.canary,
        prompts=PROMPTS.secrets,
        raw=given.raw,
    )


def posted_forms(reply: Reply, store: InMemoryThreadStore) -> Posted:
    """Give everything that a reply becomes, also as the answer to a slash command."""
    command = replace(reply, message=replace(reply.message, is_command=True))
    slack = [part for one in (reply, command) for part in render_slack(one)]
    teams = render_teams(reply)
    cards = [_appearance(citation) for part in teams for citation in part.citations]
    return Posted(
        slack=tuple(part.markdown for part in slack),
        mrkdwn=tuple(part.text for part in slack),
        teams=tuple(part.text for part in teams),
        card=tuple({"name": card.name, "abstract": card.abstract, "url": card.url} for card in cards),
        answer=answer_as_json(reply.answer),
        page=render_reply(reply.answer),
        history=tuple(
            text for turns in store.kept.values() for turn in turns.values() for text in (turn.question, turn.answer)
        ),
    )
