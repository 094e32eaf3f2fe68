"""Who may ask where, and what they may see: by channel id and by workspace, never by name."""

from dataclasses import dataclass

from bot.adapters.slack.identity import BotIdentity
from bot.adapters.slack.payload import Payload, id_at

INTERNAL_AUDIENCE = ("public", "internal")
SHARED_AUDIENCE = ("public",)
NOT_PERMITTED = "not_permitted"  # key of `bot.texts`


@dataclass(frozen=True, slots=True)
class SlackRules:
    """What the operator allows.

    Args:
        channels: ids of the channels where the bot may speak; empty allows all. Direct messages are always allowed.
        home_teams: further workspaces of the same company (an Enterprise Grid has several).
        are_guests_answered: whether people of other companies get answers (from public documents) or a refusal.
    """

    channels: frozenset[str] = frozenset()
    home_teams: frozenset[str] = frozenset()
    are_guests_answered: bool = False

    def refusal(self, channel_id: str, *, is_direct: bool, is_guest: bool) -> str:
        """Give the key of the refusal, empty when the question is welcome."""
        is_elsewhere = bool(self.channels) and not is_direct and channel_id not in self.channels
        is_unwanted = is_guest and not self.are_guests_answered
        return NOT_PERMITTED if is_elsewhere or is_unwanted else ""

    def is_home(self, team_id: str, identity: BotIdentity) -> bool:
        """Tell whether a workspace (or Grid organisation, `E…`) is the customer's own; an unnamed one is."""
        known = {identity.team_id, identity.enterprise_id, *self.home_teams} - {""}
        return not team_id or not known or team_id in known


def asker_team(event: Payload) -> str:
    """Give the workspace of the person who wrote, as far as the event says it."""
    return id_at(event, "user_team", "source_team", "team")


def is_shared(body: Payload, *, is_guest: bool) -> bool:
    """Tell whether people of another company can read the channel.

    `is_ext_shared_channel` decides; any value but a plain yes or no counts as yes, and where the delivery says nothing
    a foreign asker proves it.
    """
    given = body.get("is_ext_shared_channel")
    return is_guest or (given is not None and given is not False)
