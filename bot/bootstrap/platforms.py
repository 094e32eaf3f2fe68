"""Slack and Teams built from their settings: the doors that take questions in, and the posters that reply."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from bot.bootstrap.clock import SystemClock
from bot.bootstrap.desk_answers import build_answers, build_feedback, build_presses
from bot.bootstrap.parts import State
from bot.bootstrap.slack_replies import slack_poster, slack_working
from bot.bootstrap.trust import build_limits
from bot.messages import AcceptedMessage, Platform
from bot.ports import Notes, Poster, Withdrawals
from bot.questions.access import Place, Places
from bot.questions.admission import AdmittedQueue
from bot.worker import Prepare
from config.settings import ConfigError, Settings, SlackSettings, TeamsSettings
from config.trust_settings import AccessSettings
from retrieval.redaction import Redactor

if TYPE_CHECKING:
    from bot.adapters.slack import CatchUp, SlackApp, SlackSocket
    from bot.adapters.slack.rules import SlackRules
    from bot.adapters.teams import BotTokens
    from bot.adapters.web.listeners import Router


def is_any_platform(settings: Settings) -> bool:
    """Tell whether a platform's token is set."""
    return settings.slack.is_enabled or settings.teams.is_enabled


def slack_rules_of(settings: Settings) -> "SlackRules":
    """Build who may ask where on Slack."""
    from bot.adapters.slack import slack_rules

    slack, access = settings.slack, settings.access
    rules = slack_rules(
        channels=slack.channels,
        home_teams=slack.home_teams,
        are_guests_answered=slack.guests == "public",
        places=places_of(access),
        groups=access.slack_groups,
        apps=slack.bots,
    )
    return replace(
        rules,
        incident_users=frozenset(access.incident_users),
        incident_groups=access.incident_groups,
        lead_groups=access.lead_groups,
    )


def places_of(access: AccessSettings) -> Places:
    """Build what holds in single channels and conversations."""
    return Places(
        {
            channel: Place(
                given.labels,
                given.allow,
                given.groups,
                frozenset(given.users),
                is_followed=given.follow,
                kinds=given.sources,
                is_drafted=given.draft,
            )
            for channel, given in access.channels.items()
        }
    )


def admitted(settings: Settings, state: State) -> AdmittedQueue:
    """Build the queue as the doors see it: with the limits in front."""
    return AdmittedQueue(state.queue, build_limits(settings.limits, state))


def slack_app(
    settings: Settings, state: State, redactor: Redactor, *, withdrawals: Withdrawals | None = None
) -> "SlackApp":
    """Build the Slack application; nothing is opened and nobody is asked.

    Raises:
        ConfigError: no bot token.
    """
    from bot.adapters.slack import SlackParts, build_client, build_slack_app

    slack = settings.slack
    if slack.bot_token is None:
        raise ConfigError("SLACK_BOT_TOKEN is not set")
    secret = slack.signing_secret.get_secret_value() if slack.signing_secret else None
    client = build_client(slack.bot_token.get_secret_value(), base_url=slack.api_base_url)
    parts = SlackParts(
        admitted(settings, state),
        state.threads,
        redactor,
        SystemClock(),
        withdrawals,
        answers=build_answers(settings, state),
        feedback=build_feedback(settings, state),
        presses=build_presses(state),
        working=slack_working(settings, state),
        prompts=slack.prompts,
    )
    return build_slack_app(client, parts, signing_secret=secret, rules=slack_rules_of(settings))


def slack_socket(settings: SlackSettings, slack: "SlackApp") -> "SlackSocket | None":
    """Build the Socket Mode connection, None without an app token."""
    from bot.adapters.slack import SlackSocket

    if settings.app_token is None:
        return None
    return SlackSocket(slack, app_token=settings.app_token.get_secret_value())


def slack_catch_up(settings: Settings, state: State, redactor: Redactor, slack: "SlackApp") -> "CatchUp":
    """Build what looks for missed questions after a time without intake; they come beside the limits of a minute."""
    from bot.adapters.slack import CatchUp, SlackParts
    from bot.adapters.store.intake_record import IntakeRecord

    record = IntakeRecord(state.link, state.keys, platform=Platform.SLACK, me=uuid4().hex)
    parts = SlackParts(state.queue, state.threads, redactor, SystemClock())
    return CatchUp(slack, parts, rules=slack_rules_of(settings), record=record)


@asynccontextmanager
async def open_teams_door(
    settings: Settings, state: State, redactor: Redactor, *, withdrawals: Withdrawals | None = None
) -> AsyncIterator["Router"]:
    """Open the messaging endpoint of Teams.

    Raises:
        ConfigError: no client id.
    """
    from bot.adapters.teams import ActivityReader, ConnectorProof, TeamsCloud, TeamsRules, build_teams_door

    teams, access = settings.teams, settings.access
    if not teams.client_id:
        raise ConfigError("CLIENT_ID is not set")
    cloud = TeamsCloud(teams.openid_metadata_url or "", teams.token_issuer or "", teams.login_url or "")
    proof = ConnectorProof(client_id=teams.client_id, cloud=cloud)
    rules = TeamsRules(
        tenant_id=teams.tenant_id or "",
        conversations=frozenset(teams.conversations),
        tenants=frozenset(access.teams_tenants),
        are_guests_answered=access.teams_guests == "public",
        places=places_of(access),
        users=frozenset(access.teams_users),
    )
    try:
        reader = ActivityReader(redactor=redactor, rules=rules, clock=SystemClock())
        yield build_teams_door(proof, reader, admitted(settings, state), withdrawals=withdrawals)
    finally:
        proof.close()


@asynccontextmanager
async def open_posters(settings: Settings, state: State) -> AsyncIterator[dict[Platform, Poster]]:
    """Open a poster for each platform whose tokens are set."""
    async with AsyncExitStack() as stack:
        posters: dict[Platform, Poster] = {}
        if settings.slack.bot_token is not None:
            posters[Platform.SLACK] = slack_poster(settings, state)
        if settings.teams.client_id:
            posters[Platform.TEAMS] = await stack.enter_async_context(_teams_poster(settings.teams))
        yield posters


def build_notes(settings: Settings) -> dict[Platform, Notes]:
    """Build what tells people who wait long that there is a queue."""
    if settings.slack.bot_token is None:
        return {}
    from bot.adapters.slack import SlackNotes, build_client

    client = build_client(settings.slack.bot_token.get_secret_value(), base_url=settings.slack.api_base_url)
    return {Platform.SLACK: SlackNotes(client)}


def build_preparers(settings: Settings, redactor: Redactor) -> dict[Platform, Prepare]:
    """Build what looks up, before a question is answered, the things that only its platform knows."""
    if settings.slack.bot_token is None:
        return {}
    from bot.adapters.slack import SlackAdmission, SlackPreparer, build_client

    client = build_client(settings.slack.bot_token.get_secret_value(), base_url=settings.slack.api_base_url)
    admit = SlackAdmission(client, rules=slack_rules_of(settings), clock=SystemClock())
    prepare = SlackPreparer(client, redactor=redactor, clock=SystemClock(), memory_s=settings.server.history_ttl_s)

    async def prepared(message: AcceptedMessage) -> AcceptedMessage:
        return await prepare(await admit(message))

    return {Platform.SLACK: prepared}


def teams_tokens(settings: TeamsSettings) -> "BotTokens":
    """Build the bot's tokens towards the Bot Connector; nothing is asked for yet.

    Raises:
        ConfigError: no client secret.
    """
    from bot.adapters.teams import BotTokens, TeamsCloud

    if settings.client_secret is None:
        raise ConfigError("CLIENT_SECRET is not set")
    return BotTokens(
        client_id=settings.client_id or "",
        client_secret=settings.client_secret,
        tenant_id=settings.tenant_id or "",
        cloud=TeamsCloud(login_url=settings.login_url or ""),
    )


@asynccontextmanager
async def _teams_poster(settings: TeamsSettings) -> AsyncIterator[Poster]:
    from bot.adapters.teams import TeamsPoster

    poster = TeamsPoster(teams_tokens(settings))
    try:
        yield poster
    finally:
        await poster.close()
