"""Tells the lead of documents that are held back though they alone would answer: once a document, in the lead's channel.

A note goes through the work queue, so it is posted once and survives whoever dies meanwhile.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace

import structlog

from bot.errors import StateUnavailable
from bot.lead.links import NoteLink
from bot.lead.note import HELD_NOTE, HeldSource, note_answer, note_of
from bot.messages import AcceptedMessage, Answer, Platform, ThreadRef
from bot.ports import Clock, Intake, Responder
from retrieval.redaction import EMPTY

_SERVICE_URL = "service_url"
_log = structlog.get_logger(__name__)

ReadHeld = Callable[[Collection[str]], Awaitable[Mapping[str, HeldSource]]]


@dataclass(frozen=True, slots=True)
class Lead:
    """Where the lead reads, and how held documents are looked up. `service_url` is Teams' where nobody asked on Teams."""

    platform: Platform
    channel_id: str
    read: ReadHeld
    service_url: str = ""


class LeadTold:
    """A `Responder` that enqueues a note for every held document which an answer found, and answers notes themselves."""

    def __init__(
        self, responder: Responder, queue: Intake, *, clock: Clock, lead: Lead | None, link: NoteLink | None = None
    ) -> None:
        """Answer as the responder does; without a lead nobody is told, and notes that lie in the queue still end well."""
        self._responder = responder
        self._queue = queue
        self._clock = clock
        self._lead = lead
        self._link = link

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give the answer; that the lead cannot be told now costs the note, not the answer."""
        if message.refusal == HELD_NOTE:
            return note_answer(message, await self._link() if self._link is not None else EMPTY)
        answer = await self._responder.respond(message, is_stateless=is_stateless)
        if answer.held and self._lead is not None:
            try:
                await self._tell(self._lead, message, answer)
            except StateUnavailable:
                _log.warning("lead not told of held documents", documents=list(answer.held))
        return answer

    async def _tell(self, lead: Lead, asked: AcceptedMessage, answer: Answer) -> None:
        is_same = asked.thread.platform is lead.platform
        channel = ThreadRef(
            lead.platform, "", lead.channel_id, ""
        )  # the same whoever asks where, so that notes are told apart
        url = (asked.route(_SERVICE_URL) if is_same else "") or lead.service_url
        for document_id, source in (await lead.read(answer.held)).items():
            note = note_of(document_id, source, channel, language=answer.language, at=self._clock.now())
            note = replace(note, routing=(*note.routing, (_SERVICE_URL, url)))
            if await self._queue.enqueue(note, claims=(note.message_id,)):
                _log.info("lead is told of a held document", document=document_id)
