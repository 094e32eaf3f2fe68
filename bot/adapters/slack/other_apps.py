"""Mentions by other apps: answered only for those that the settings name, never for the bot itself, and never for long.

Two bots that answer each other would go on for ever, so the limits count what an app asks (`bot.questions.admission`), and nothing
is posted to one that is no answer.
"""

from collections.abc import Set as AbstractSet

from bot.adapters.slack.identity import BotIdentity
from bot.adapters.slack.payload import Payload, id_at, mapping_at, text_at
from bot.messages import Outcome, Reply
from bot.questions.admission import APP

_SLACKBOT = "USLACKBOT"
# Subtypes of a message that an app writes; what it edits, or joins, is no question.
# Source: https://docs.slack.dev/reference/events/message/bot_message
_SUBTYPES = frozenset({"", "bot_message", "file_share", "thread_broadcast"})
# What would only go to and fro between two machines.
_UNSAID = frozenset({Outcome.COURTESY, Outcome.CLARIFY, Outcome.NOT_PERMITTED})


def is_app(event: Payload) -> bool:
    """Tell whether an app wrote this message."""
    return bool(event.get("bot_id") or event.get("bot_profile")) or text_at(event, "subtype") == "bot_message"


def allowed_app(body: Payload, identity: BotIdentity, allowed: AbstractSet[str]) -> str:
    """Give the id of the app whose message may be answered; empty when it is the bot's own, Slack's, or not named.

    Args:
        body: the delivery.
        identity: who the bot is; while its bot id is not known nothing of an app is read, since it may be its own.
        allowed: ids of channels, bots, bot users and apps.
    """
    event = mapping_at(body, "event")
    profile, user, channel = mapping_at(event, "bot_profile"), id_at(event, "user"), id_at(event, "channel")
    bots = {id_at(event, "bot_id"), id_at(profile, "id")} - {""}
    apps = {id_at(event, "app_id"), id_at(profile, "app_id")} - {""}
    own = {identity.user_id, identity.bot_id, id_at(body, "api_app_id"), _SLACKBOT} - {""}
    if not (identity.bot_id and bots) or own & {*bots, *apps, user}:
        return ""
    is_message = text_at(event, "type") in {"message", "app_mention"} and text_at(event, "subtype") in _SUBTYPES
    is_new = event.get("hidden") is not True and not mapping_at(event, "edited")
    is_named = bool(allowed & {*bots, *apps, user, channel})
    is_placed = bool(channel and id_at(event, "ts")) and text_at(event, "channel_type") != "im"
    return min(bots) if is_message and is_new and is_named and is_placed else ""


def is_unsaid(reply: Reply) -> bool:
    """Tell whether a reply to an app is better not posted."""
    return bool(reply.message.route(APP)) and (bool(reply.message.refusal) or reply.answer.outcome in _UNSAID)
