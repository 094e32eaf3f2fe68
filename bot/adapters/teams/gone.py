"""Activities that say that something is gone: a deleted message, or a conversation that removed the bot."""

from dataclasses import dataclass

from bot.adapters.teams.accept import place_of, tenant_of
from bot.adapters.teams.activity import Activity, text_at
from bot.messages import MessageId, Platform, ThreadRef
from bot.ports import Place


@dataclass(frozen=True, slots=True)
class DeletedActivity:
    """A message that its author deleted."""

    message_id: MessageId
    thread: ThreadRef


def read_gone(activity: Activity) -> DeletedActivity | Place | None:
    """Give what an activity says to be gone, None for every other one.

    Removed from a team, the bot is told of the team's first channel only: what was said in its other channels expires.

    Sources: https://learn.microsoft.com/en-us/microsoftteams/platform/bots/how-to/conversations/conversation-messages,
    https://learn.microsoft.com/en-us/microsoftteams/platform/bots/how-to/conversations/subscribe-to-conversation-events
    """
    conversation, root = place_of(activity)
    tenant, message_id = tenant_of(activity), text_at(activity, "id")
    match activity.get("type"):
        case "messageDelete" if conversation and message_id:
            thread = ThreadRef(Platform.TEAMS, tenant, conversation, root or "chat")
            return DeletedActivity(MessageId(f"teams:{conversation}:{message_id}"), thread)
        case "installationUpdate" if conversation and text_at(activity, "action").startswith("remove"):
            return Place(Platform.TEAMS, tenant, conversation)
        case _:
            return None
