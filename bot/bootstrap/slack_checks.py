"""What `triage doctor` says of a Slack installation: scopes, event subscriptions and channels against what they need."""

import re
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING

from bot.bootstrap.platforms import slack_rules_of
from bot.errors import PlatformError
from config.settings import Settings

if TYPE_CHECKING:
    from bot.adapters.slack.examine import Installation, SlackExaminer

_APP = re.compile(r"[ABUW][A-Z0-9]{2,20}")
_CHANNEL = re.compile(r"[CG][A-Z0-9]{2,20}")
# Part, whether it is well, what was seen, what to do.
Seen = tuple[str, bool, str, str]


async def check_slack(settings: Settings, channels: Sequence[str]) -> AsyncIterator[Seen]:
    """Compare the installation with what is switched on, and each channel with what an answer there needs."""
    from bot.adapters.slack import build_client
    from bot.adapters.slack.examine import SlackExaminer

    assert settings.slack.bot_token is not None
    client = build_client(settings.slack.bot_token.get_secret_value(), base_url=settings.slack.api_base_url)
    examiner = SlackExaminer(client)
    try:
        installation = await examiner.installation()
    except PlatformError:  # said already by the check of the token
        return
    yield _scopes(settings, installation)
    yield await _events(settings, examiner, installation)
    for channel in dict.fromkeys((*_named_channels(settings), *channels)):
        yield await _channel(settings, examiner, channel)
    for name in settings.slack.bots:
        yield await _other_app(settings, examiner, installation, name)


def _scopes(settings: Settings, installation: "Installation") -> Seen:
    from bot.adapters.slack.needs import features_for, missing_line, scopes_of

    needed = scopes_of(features_for(has_groups=bool(slack_rules_of(settings).all_groups)))
    if not installation.scopes:
        return "slack scopes", True, "Slack did not name them", ""
    missing, spare = needed.keys() - installation.scopes, installation.scopes - needed.keys()
    beside = f"; not needed: {', '.join(sorted(spare))}" if spare else ""
    if not missing:
        return "slack scopes", True, f"{len(needed)} needed, all granted{beside}", ""
    advice = "add them under OAuth & Permissions (or take config/slack_manifest.yaml), and install the app again"
    return "slack scopes", False, f"missing: {missing_line(missing, needed)}{beside}", advice


async def _events(settings: Settings, examiner: "SlackExaminer", installation: "Installation") -> Seen:
    from bot.adapters.slack import build_client
    from bot.adapters.slack.needs import events_of, features_for, missing_line

    needed = events_of(features_for(has_groups=False))
    token = settings.slack.config_token
    if token is None:
        seen = f"needs {', '.join(sorted(needed))}; not compared: Slack tells them to SLACK_CONFIG_TOKEN alone"
        return "slack events", True, seen, ""
    config = build_client(token.get_secret_value(), base_url=settings.slack.api_base_url)
    try:
        subscribed = await examiner.events(config, installation.bot_id)
    except PlatformError as error:
        advice = "take a new app configuration token (they live for 12 hours), or unset SLACK_CONFIG_TOKEN"
        return "slack events", False, str(error), advice
    missing = needed.keys() - subscribed
    if not missing:
        return "slack events", True, f"{len(needed)} needed, all subscribed", ""
    advice = "subscribe to them under Event Subscriptions, Subscribe to bot events"
    return "slack events", False, f"missing: {missing_line(missing, needed)}", advice


def _named_channels(settings: Settings) -> tuple[str, ...]:
    """Give the channels that the settings name by Slack's ids; those that are closed need no bot."""
    places = settings.access.channels
    open_ones = (channel for channel, given in places.items() if given.allow)
    return (*settings.slack.channels, *(channel for channel in open_ones if _CHANNEL.fullmatch(channel)))


async def _other_app(settings: Settings, examiner: "SlackExaminer", own: "Installation", name: str) -> Seen:
    """Say of an id in `TRIAGE_SLACK_BOTS` whose mentions it lets in."""
    part = f"slack bot {name}"
    if _CHANNEL.fullmatch(name):
        _, is_well, seen, advice = await _channel(settings, examiner, name)
        return part, is_well, f"every bot in this channel may ask; {seen}", advice
    if not _APP.fullmatch(name):
        return part, False, "this is no id", "take the id of a bot (B…), its user (U…), its app (A…) or a channel (C…)"
    if name in (own.bot_id, own.user_id):
        return part, False, "this is the bot itself, which never answers itself", "take it out of TRIAGE_SLACK_BOTS"
    return (part, *await _known_app(examiner, name))


async def _known_app(examiner: "SlackExaminer", name: str) -> tuple[bool, str, str]:
    """Look up the id of a bot; those of users and apps cannot be."""
    if not name.startswith("B"):
        return True, "its mentions are answered", ""
    try:
        found = await examiner.bot(name)
    except PlatformError as error:
        return False, str(error), "try again"
    if not found:
        return False, "Slack knows no such bot", "take the id of the bot that is to ask, or take this one out"
    return True, f"mentions by {found} are answered", ""


async def _channel(settings: Settings, examiner: "SlackExaminer", channel: str) -> Seen:
    part = f"slack channel {channel}"
    if not _CHANNEL.fullmatch(channel):
        return part, False, "this is no id of a channel", "take the id (C…) from the channel's details, not its name"
    try:
        found = await examiner.membership(channel)
    except PlatformError as error:
        return part, False, str(error), "try again"
    if found.is_archived:
        return part, False, "it is archived", "unarchive it, or take it out of the settings"
    if not found.is_member:
        is_unseen = found.reason == "channel_not_found"
        advice = f"/invite the bot there{'; if it is private, that is why it is not seen' if is_unseen else ''}"
        return part, False, f"the bot is not in it ({found.reason})", advice
    if refusal := slack_rules_of(settings).refusal(channel, is_direct=False, is_guest=False):
        advice = "add it to TRIAGE_SLACK_CHANNELS, or name it in TRIAGE_CHANNELS"
        return part, False, f"the bot is in it and refuses questions there ({refusal})", advice
    shared = "; other companies read it, so only public documents are shown" if found.is_shared else ""
    return part, True, f"the bot is in it{shared}", ""
