"""Gives the lead a one-time link to the lead's page when they ask for it with the slash command; only they see it."""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

import structlog

from bot.audit import AuditTrail
from bot.desk.requests import DO, Task
from bot.errors import StateUnavailable
from bot.lexicon import DEFAULT
from bot.messages import AcceptedMessage, Answer, Outcome, Platform
from bot.ports import Responder
from bot.texts import say
from retrieval.redaction import EMPTY, RedactedText

# Routing value of a wish for a link: the door has found who asks in a group of leads.
LEADS = "leads"
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class LeadLinks:
    """Who may have links, where the page is reached, how a link's secret is made, and what a person is called in the audit."""

    users: Collection[str]
    address: str
    make: Callable[[], Awaitable[str]]
    name_of: Callable[[str], Awaitable[str]]
    trail: AuditTrail


class LinkingResponder:
    """A `Responder` that answers "/kb lead" itself. The end is a courtesy, of which nothing is kept: no link lies in a store."""

    def __init__(self, responder: Responder, links: LeadLinks) -> None:
        """Answer everything else as the responder does."""
        self._responder = responder
        self._links = links

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give a link to who may have one, and say no to everybody else, and where it could be seen by others."""
        if message.route(DO) != Task.LEAD:
            return await self._responder.respond(message, is_stateless=is_stateless)
        language = message.route("locale")[:2] or DEFAULT
        is_slack = message.thread.platform is Platform.SLACK and message.is_command
        is_lead = message.user_id in self._links.users or message.route(LEADS) == "yes"
        if message.refusal or not is_slack or not is_lead or not self._links.address:
            return _said(Outcome.NOT_PERMITTED, say("lead_refused", language), language)
        try:
            secret = await self._links.make()
            actor = await self._links.name_of(message.user_id)
        except StateUnavailable:
            _log.warning("no link to the lead's page without Redis")
            return _said(Outcome.UNAVAILABLE, say("unavailable", language), language)
        self._links.trail.write("lead_link_sent", actor=actor)
        return _said(Outcome.COURTESY, say("lead_link", language, url=link_to(self._links.address, secret)), language)


def link_to(address: str, secret: str) -> RedactedText:
    """Give the one-time link itself, below where browsers reach the page."""
    return RedactedText.stored(f"{address.rstrip('/')}/lead?link={secret}")


@dataclass(frozen=True, slots=True)
class NoteLink:
    """The link in a note to the lead's channel: whoever reads that channel may open the page with it, once."""

    address: str
    make: Callable[[], Awaitable[str]]
    trail: AuditTrail

    async def __call__(self) -> RedactedText:
        """Make a link, which is audited; empty without an address, or when none can be made now: the note goes out all the same."""
        if not self.address:
            return EMPTY
        try:
            secret = await self.make()
        except StateUnavailable:
            _log.warning("no link to the lead's page without Redis")
            return EMPTY
        self.trail.write("lead_link_sent", actor="note")
        return link_to(self.address, secret)


def _said(outcome: Outcome, text: RedactedText, language: str) -> Answer:
    return Answer(outcome=outcome, text=text, language=language, request_id="")
