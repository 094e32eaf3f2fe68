"""What people ask for besides an answer: one source by its id, similar tickets, and incidents that head the answers.

Wraps the flow. Doors say by the routing value `do` what is wanted; everything else goes through the flow.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from uuid import uuid4

import structlog

from bot.answers.compose import cited, visible
from bot.answers.kept_answers import AnswerStore
from bot.checks.closed_output import hosts_of
from bot.desk.end_times import UntilUnclear, read_until, zone_of
from bot.desk.incidents import MOST, HeadedSink, Incident, Incidents, headed, is_about
from bot.desk.kinds import OfKinds
from bot.early import offered, offering
from bot.ends import hit_of
from bot.errors import BotError
from bot.flow import Ports
from bot.lexicon import DEFAULT
from bot.messages import AcceptedMessage, Answer, MessageId, Outcome
from bot.pipeline import Pipeline
from bot.ports import Responder
from bot.questions.access import KINDS
from bot.texts import say
from retrieval.errors import RetrievalError
from retrieval.passages import Passage, SourceText
from retrieval.redaction import RedactedText

DO = "do"  # name of the routing value
SHOWN_CHARACTERS = 9_000
_SIMILAR = 5
_SEARCHED = 20
_QUOTE = 280
_INCIDENTS_WITHIN_S = 1.0
# Ends that say nothing about a subject: nothing of theirs is explained by an incident.
_UNHEADED = frozenset({Outcome.COURTESY, Outcome.CLARIFY, Outcome.NOT_PERMITTED})
_NUMBERED = re.compile(r"\d")
_log = structlog.get_logger(__name__)


class Task(StrEnum):
    """What a message wants; a question has no task."""

    SHOW = "show"
    SIMILAR = "similar"
    SHARE = "share"
    INCIDENT = "incident"
    INCIDENT_LIST = "incident_list"
    INCIDENT_END = "incident_end"
    LEAD = "lead"


class DeskResponder:
    """The flow with the tasks of a desk. Implements `bot.ports.Responder`; never raises for a question."""

    def __init__(self, flow: Responder, ports: Ports, incidents: Incidents, *, answers: AnswerStore) -> None:
        """Answer questions by the flow; look sources up through the ports; keep incidents there; share kept `answers`."""
        self._answers = answers
        self._flow = flow
        self._ports = ports
        self._incidents = incidents
        self._tasks: dict[str, Callable[[AcceptedMessage, str], Awaitable[Answer | None]]] = {
            Task.SHOW: self._show,
            Task.SIMILAR: self._similar,
            Task.SHARE: self._share,
            Task.INCIDENT: self._declare,
            Task.INCIDENT_LIST: self._list,
            Task.INCIDENT_END: self._end,
        }

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Do what the message wants; a refused one, and a source that is none, are the flow's."""
        task = self._tasks.get(message.route(DO))
        if task is not None and not message.refusal:
            language = self._language(message)
            try:
                done = await task(message, language)
            except (BotError, RetrievalError) as error:
                _log.warning("task failed", task=message.route(DO), error=type(error).__name__)
                done = _said(Outcome.UNAVAILABLE, say("unavailable", language), language)
            if done is not None:
                return done
        flow, sink = self._flow_of(message.route(KINDS)), offered()
        head = partial(self._explaining, message)
        with offering(HeadedSink(sink, head)) if sink is not None else nullcontext():
            answer = await flow.respond(message, is_stateless=is_stateless)
        return headed(answer, await self._explaining(message, answer))

    def _flow_of(self, kinds: str) -> Responder:
        """Give the flow that searches these kinds of sources only, all when none is named."""
        if not kinds:
            return self._flow
        passages = OfKinds(self._ports.passages, frozenset(kinds.split()))
        return Pipeline(replace(self._ports, passages=passages))

    def _language(self, message: AcceptedMessage) -> str:
        """Give the language of the words for the person: as Slack is set up for them, else that of what they wrote."""
        return message.route("locale")[:2] or self._ports.language_of(message.text) or DEFAULT

    async def _explaining(self, message: AcceptedMessage, answer: Answer) -> tuple[Incident, ...]:
        """Give the incidents that may explain a question; what cannot be read in time is left out."""
        if answer.outcome in _UNHEADED:
            return ()
        try:
            async with asyncio.timeout(_INCIDENTS_WITHIN_S):
                seen = [found for found in await self._incidents.standing() if found.is_seen(message.audience)]
                if not seen:
                    return ()
                asked = answer.queries or ((message.text,) if message.text else ())
                if not asked:
                    return ()
                rows = await self._ports.passages.similarity(asked, [incident.text for incident in seen])
        except (BotError, RetrievalError, TimeoutError) as error:
            _log.warning("incidents not read", error=type(error).__name__)
            return ()
        text = " ".join(asked)
        return tuple(
            incident
            for place, incident in enumerate(seen)
            if is_about(text, incident.text, max(row[place] for row in rows))
        )

    async def _show(self, message: AcceptedMessage, language: str) -> Answer | None:
        passages = OfKinds(self._ports.passages, frozenset(message.route(KINDS).split()))
        name, audience = str(message.text), frozenset(message.audience)
        forms = dict.fromkeys((name, name.lower(), name.upper()))
        found = [await passages.document(form, audience=audience) for form in forms]
        source = next(filter(None, found), None)
        if source is None:
            # "/kb show invoices" asks something; "/kb show kb-999" names what is not there.
            unknown = say("show_unknown", language, id=message.text)
            return _said(Outcome.NO_MATCH, unknown, language) if _NUMBERED.search(message.text) else None
        return _whole(source, language)

    async def _similar(self, message: AcceptedMessage, language: str) -> Answer:
        ranking = await self._ports.passages.search(
            (message.text,), audience=frozenset(message.audience), top_k=_SEARCHED
        )
        tickets = [
            passage
            for passage in ranking.passages
            if passage.document.kind == "ticket"
            and passage.relevance >= ranking.uncertain_cut
            and not passage.document.quarantined
        ][:_SIMILAR]
        if not (tickets and message.text.strip()):
            return _said(Outcome.NO_MATCH, say("similar_none", language), language)
        solved = [_solved(passage, ranking.hosts) for passage in tickets]
        lines = [
            RedactedText.joined((RedactedText.stored(f"{n}. "), text, RedactedText.stored(f" [{n}]")), "")
            for n, text in enumerate(solved, 1)
        ]
        return replace(
            _said(Outcome.ANSWERED, RedactedText.joined((say("similar_found", language), *lines), "\n"), language),
            citations=tuple(
                cited(n, passage.document, text)
                for n, (passage, text) in enumerate(zip(tickets, solved, strict=True), 1)
            ),
            hits=tuple(hit_of(passage, used=True) for passage in tickets),
            queries=(message.text,),
            cut=ranking.cut,
            uncertain_cut=ranking.uncertain_cut,
        )

    async def _share(self, message: AcceptedMessage, language: str) -> Answer:
        """Give the answer of a draft once more, for everybody in its thread; its turn is in the history already."""
        of = MessageId(message.route("of"))
        kept = await self._answers.find(message.thread, of)
        if kept is None:
            return _said(Outcome.NOT_PERMITTED, say("draft_gone", language), language)
        if not set(kept.message.audience) <= set(message.audience):
            return _said(Outcome.NOT_PERMITTED, say("not_permitted", language), language)
        return replace(kept.answer, outcome=Outcome.COURTESY)

    async def _declare(self, message: AcceptedMessage, language: str) -> Answer:
        offset = message.route("tz_offset")
        zone = zone_of(message.route("tz"), offset_s=float(offset or 0))
        now = self._ports.clock.now()
        try:
            until = read_until(message.route("until") if message.text.strip() else "", now=now, zone=zone)
        except UntilUnclear as error:
            said = error.said if message.route("until") and message.text.strip() else "until_missing"
            example = RedactedText.stored(datetime.fromtimestamp(now + 7_200, zone).strftime("%H:00"))
            return _said(Outcome.CLARIFY, say(said, language, example=example), language)
        told_at = datetime.fromtimestamp(until, zone).utcoffset()
        offset_s = int(told_at.total_seconds()) if told_at else 0
        labels = tuple(label for label in message.audience if label != "public") or message.audience
        incident = Incident(message.text, until, labels, message.thread, offset_s)
        if not await self._incidents.declare(incident):
            return _said(Outcome.NOT_PERMITTED, say("incident_full", language, most=MOST), language)
        id_ = RedactedText.stored(incident.id)
        text = say("incident_stands", language, incident=incident.shown(language), id=id_)
        return _said(Outcome.COURTESY, text, language)

    async def _list(self, message: AcceptedMessage, language: str) -> Answer:
        seen = [found for found in await self._incidents.standing() if found.is_seen(message.audience)]
        lines = [
            RedactedText.joined((RedactedText.stored(f"- {found.id}: "), found.shown(language)), "") for found in seen
        ]
        text = RedactedText.joined(lines, "\n") if lines else say("incident_none", language)
        return _said(Outcome.COURTESY, text, language)

    async def _end(self, message: AcceptedMessage, language: str) -> Answer:
        wanted = str(message.text).strip().casefold()
        for found in await self._incidents.standing():
            if found.id == wanted and found.is_seen(message.audience):
                await self._incidents.end(found)
                return _said(Outcome.COURTESY, say("incident_ended", language, text=found.text), language)
        unknown = say("incident_unknown", language, id=message.text)
        return _said(Outcome.CLARIFY, unknown, language)


def _said(outcome: Outcome, text: RedactedText, language: str) -> Answer:
    return Answer(outcome=outcome, text=text, language=language, request_id=uuid4().hex)


def _whole(source: SourceText, language: str) -> Answer:
    """Give a source as its own page shows it, cut where it is longer than anybody reads in a chat."""
    card = source.card
    text = visible(source.text.cut(SHOWN_CHARACTERS), source.hosts | hosts_of((card.url,)))
    if len(source.text) > SHOWN_CHARACTERS:
        text = RedactedText.joined((text, say("show_cut", language)), " …\n\n")
    return replace(_said(Outcome.ANSWERED, text, language), citations=(cited(1, card, text.cut(_QUOTE)),))


def _solved(passage: Passage, hosts: frozenset[str]) -> RedactedText:
    """Give what solved a ticket, as far as one line goes; of what the customer wrote nothing is shown."""
    hosts |= hosts_of((passage.document.url,))
    text = visible(RedactedText.joined([sentence.text for sentence in passage.sentences], " "), hosts)
    return RedactedText.stored(" ".join(text.split())).cut(_QUOTE)
