"""Events that say that something is gone: a deleted message, or the workspace that removed the bot."""

from dataclasses import dataclass

from bot.adapters.slack.identity import BotIdentity
from bot.adapters.slack.payload import Payload, id_at, mapping_at
from bot.messages import MessageId, Platform, ThreadRef
from bot.ports import Place


@dataclass(frozen=True, slots=True)
class DeletedMessage:
    """A message that its author or an administrator deleted."""

    message_id: MessageId
    thread: ThreadRef


def read_gone(body: Payload, known: BotIdentity) -> DeletedMessage | Place | None:
    """Give what an `event_callback` body says to be gone, None for every other event.

    The root of a thread with replies is not deleted but becomes a tombstone.

    Sources: https://docs.slack.dev/reference/events/message/message_deleted,
    https://docs.slack.dev/reference/events/app_uninstalled, https://docs.slack.dev/reference/events/tokens_revoked
    """
    event, team = mapping_at(body, "event"), known.seen_in(body).team_id
    match event.get("type"), event.get("subtype"):
        case "app_uninstalled", _:
            return _workspace(body)
        case "tokens_revoked", _:
            return _workspace(body) if _are_ours(mapping_at(event, "tokens")) else None
        case "message", "message_deleted":
            return _deleted(event, id_at(event, "deleted_ts"), mapping_at(event, "previous_message"), team)
        case "message", "message_changed" if mapping_at(event, "message").get("subtype") == "tombstone":
            message = mapping_at(event, "message")
            return _deleted(event, id_at(message, "ts"), message, team)
        case _:
            return None


def _deleted(event: Payload, ts: str, message: Payload, team: str) -> DeletedMessage | None:
    channel = id_at(event, "channel")
    if not (channel and ts):
        return None
    thread = ThreadRef(Platform.SLACK, team, channel, id_at(message, "thread_ts") or ts)
    return DeletedMessage(MessageId(f"slack:{team}:{channel}:{ts}"), thread)


def _are_ours(tokens: Payload) -> bool:
    """Tell whether the bot's token is among the revoked ones; only users' tokens, which it never has, say nothing."""
    return bool(tokens.get("bot")) or not tokens.get("oauth")


def _workspace(body: Payload) -> Place | None:
    team = id_at(body, "team_id")
    return Place(Platform.SLACK, team) if team else None
