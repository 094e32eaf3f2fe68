"""Who is told of held documents, built from the settings."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from functools import partial
from pathlib import Path

import structlog

from bot.adapters.web.lead_access import NOTE_LINK_TTL_S, RedisLeadDoor
from bot.audit import AuditTrail
from bot.bootstrap.clock import SystemClock
from bot.bootstrap.parts import State
from bot.lead.links import LeadLinks, LinkingResponder, NoteLink
from bot.lead.note import HeldSource
from bot.lead.telling import Lead, LeadTold, ReadHeld
from bot.messages import Platform
from bot.ports import Responder
from config.settings import ConfigError, Settings
from config.trust_settings import is_slack_channel
from retrieval.errors import RetrievalError

# Where Teams takes a message of the bot's own accord.
# https://learn.microsoft.com/microsoftteams/platform/bots/how-to/conversations/send-proactive-messages
TEAMS_SERVICE_URL = "https://smba.trafficmanager.net/teams/"
_log = structlog.get_logger(__name__)


def lead_told(responder: Responder, settings: Settings, state: State, trail: AuditTrail) -> Responder:
    """Give the responder that also tells the lead, where the settings name a channel."""
    make = partial(RedisLeadDoor(state.link, state.keys).make_link, NOTE_LINK_TTL_S)
    link = NoteLink(settings.access.lead_url, make, trail)
    return LeadTold(responder, state.queue, clock=SystemClock(), lead=lead_of(settings), link=link)


def lead_linked(responder: Responder, settings: Settings, state: State, trail: AuditTrail) -> Responder:
    """Give the responder that also gives one-time links to the lead's page, to the people that the settings name."""
    access, door = settings.access, RedisLeadDoor(state.link, state.keys)
    links = LeadLinks(access.leads, access.lead_url, door.make_link, state.people.of, trail)
    return LinkingResponder(responder, links)


def lead_of(settings: Settings) -> Lead | None:
    """Give where the lead reads, None when no channel is set.

    Raises:
        ConfigError: the channel's platform has no token.
    """
    channel = settings.access.lead_channel
    if not channel:
        return None
    is_slack = is_slack_channel(channel)
    if not (settings.slack if is_slack else settings.teams).is_enabled:
        name, token = ("Slack channel", "SLACK_BOT_TOKEN") if is_slack else ("Teams conversation", "CLIENT_ID")
        raise ConfigError(f"TRIAGE_LEAD_CHANNEL names a {name}, and {token} is not set")
    read = reader_of(settings.retrieval.index_dir)
    return Lead(Platform.SLACK, channel, read) if is_slack else Lead(Platform.TEAMS, channel, read, TEAMS_SERVICE_URL)


def lead_channel(settings: Settings) -> Callable[[], Awaitable[str]]:
    """Give the attempt to read the lead's channel on Slack, which fails where the bot is no member; Teams tells nothing."""

    async def attempt() -> str:
        lead = lead_of(settings)
        assert lead is not None
        if lead.platform is Platform.TEAMS:
            return "a Teams conversation, not tried"
        from bot.adapters.slack import build_client
        from bot.adapters.slack.failures import slack_errors

        assert settings.slack.bot_token is not None
        client = build_client(settings.slack.bot_token.get_secret_value(), base_url=settings.slack.api_base_url)
        with slack_errors():
            await client.conversations_history(channel=lead.channel_id, limit=1)
        return f"{lead.channel_id}, which the bot can read"

    return attempt


def reader_of(folder: Path) -> ReadHeld:
    """Give what looks held documents up in an index; those that are not held any more are left out."""

    def read(ids: Collection[str]) -> dict[str, HeldSource]:
        from retrieval.index import read_quarantine
        from retrieval.screening import content_hash

        waiting = (item for item in read_quarantine(folder) if item.screening.is_waiting)
        return {
            item.document.id: HeldSource(content_hash(item.document), item.screening.reasons)
            for item in waiting
            if item.document.id in ids
        }

    async def reading(ids: Collection[str]) -> Mapping[str, HeldSource]:
        try:
            return await asyncio.to_thread(read, ids)
        except RetrievalError as error:
            _log.warning("held documents not read", error=type(error).__name__)
            return {}

    return reading
