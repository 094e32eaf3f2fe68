"""Who may ask where, and what they may see: by channel id and by workspace, never by name."""

from dataclasses import dataclass, field
from enum import StrEnum

from bot.adapters.slack.identity import BotIdentity
from bot.adapters.slack.payload import Payload, id_at
from bot.questions.access import REFUSED_CHANNEL, REFUSED_GUEST, Place, Places


class Sharing(StrEnum):
    """Whether people of another company can read a channel."""

    PRIVATE = "private"
    SHARED = "shared"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class SlackRules:
    """What the operator allows.

    Args:
        channels: ids of the channels where the bot may speak; empty allows all. Direct messages are always allowed.
        home_teams: further workspaces of the same company (an Enterprise Grid has several).
        are_guests_answered: whether guests and people of other companies get answers (from public documents) or a
            refusal.
        places: what holds in single channels; one that is named there counts as allowed.
        groups: user groups whose members may ask anywhere; empty leaves it to the places.
        incident_users: who may tell of incidents; nobody when these and the groups are empty.
        incident_groups: user groups whose members may.
        lead_groups: user groups whose members get links to the lead's page.
        apps: ids of other bots, their users or apps, and of channels, whose mentions of the bot are answered.
    """

    channels: frozenset[str] = frozenset()
    home_teams: frozenset[str] = frozenset()
    are_guests_answered: bool = False
    places: Places = field(default_factory=Places)
    groups: tuple[str, ...] = ()
    incident_users: frozenset[str] = frozenset()
    incident_groups: tuple[str, ...] = ()
    lead_groups: tuple[str, ...] = ()
    apps: frozenset[str] = frozenset()

    @property
    def all_groups(self) -> tuple[str, ...]:
        """Every user group that is named anywhere."""
        return tuple(dict.fromkeys((*self.groups, *self.places.group_ids, *self.incident_groups, *self.lead_groups)))

    @property
    def named_channels(self) -> frozenset[str]:
        """The channels that the settings name, directly or by an entry of their own."""
        return self.channels | {name for name in self.places.by_id if name.startswith(("C", "G"))}

    def place(self, channel_id: str, *, is_direct: bool) -> Place:
        """Give what holds in a channel."""
        return self.places.of(channel_id, is_direct=is_direct)

    def refusal(self, channel_id: str, *, is_direct: bool, is_guest: bool) -> str:
        """Give the key of the refusal, empty when the question is welcome."""
        is_listed = channel_id in self.channels or self.places.is_named(channel_id)
        is_elsewhere = bool(self.channels) and not is_direct and not is_listed
        if is_elsewhere or not self.place(channel_id, is_direct=is_direct).is_allowed:
            return REFUSED_CHANNEL
        return REFUSED_GUEST if is_guest and not self.are_guests_answered else ""

    def is_home(self, team_id: str, identity: BotIdentity) -> bool:
        """Tell whether a workspace (or Grid organisation, `E…`) is the customer's own; an unnamed one is."""
        known = {identity.team_id, identity.enterprise_id, *self.home_teams} - {""}
        return not team_id or not known or team_id in known


def asker_team(event: Payload) -> str:
    """Give the workspace of the person who wrote, as far as the event says it."""
    return id_at(event, "user_team", "source_team", "team")


def sharing_of(body: Payload, *, is_direct: bool, is_guest: bool) -> Sharing:
    """Tell whether people of another company can read the channel.

    `is_ext_shared_channel` decides; any value but a plain yes or no counts as yes. Where the delivery says nothing it
    is unknown, and counts as shared until Slack was asked. A direct message is read by its asker alone.
    """
    given = body.get("is_ext_shared_channel")
    if is_guest or (given is not None and given is not False):
        return Sharing.SHARED
    return Sharing.PRIVATE if given is False or is_direct else Sharing.UNKNOWN
