"""What holds in a place, by the id of its channel or conversation: who may ask there, and what they see."""

from collections.abc import Mapping
from dataclasses import dataclass, field

PUBLIC = "public"
INTERNAL = "internal"
SHARED_AUDIENCE = (PUBLIC,)
OTHERS = "*"  # every channel without an entry of its own
DIRECT = "direct"  # every direct message without one

# Keys of `bot.texts`: why a question is refused.
REFUSED_CHANNEL = "refused_channel"
REFUSED_GUEST = "refused_guest"
REFUSED_GROUP = "refused_group"
GROUP_UNKNOWN = "group_unknown"
REFUSED_INCIDENT = "refused_incident"
OVER_LIMIT = "over_limit"
QUEUE_FULL = "queue_full"


@dataclass(frozen=True, slots=True)
class Place:
    """One channel. `labels` are seen beside public documents, None means `internal`.

    `groups` and `users` are the ids of those who may ask; where both are empty everybody may.
    """

    labels: tuple[str, ...] | None = None
    is_allowed: bool = True
    groups: tuple[str, ...] = ()
    users: frozenset[str] = frozenset()

    def audience(self, *, is_shared: bool) -> tuple[str, ...]:
        """Give the labels that are seen here; whatever the settings say, others' people see public documents only."""
        if is_shared:
            return SHARED_AUDIENCE
        return tuple(dict.fromkeys((PUBLIC, *((INTERNAL,) if self.labels is None else self.labels))))


@dataclass(frozen=True, slots=True)
class Places:
    """All places by id; an id without an entry takes that of `*`, a direct message that of `direct`."""

    by_id: Mapping[str, Place] = field(default_factory=dict)

    def of(self, channel_id: str, *, is_direct: bool) -> Place:
        """Give what holds in a channel."""
        found = self.by_id.get(channel_id)
        return found or self.by_id.get(DIRECT if is_direct else OTHERS) or Place()

    def is_named(self, channel_id: str) -> bool:
        """Tell whether the channel has an entry of its own."""
        return channel_id in self.by_id

    @property
    def group_ids(self) -> tuple[str, ...]:
        """Every group that is named."""
        return tuple(dict.fromkeys(group for place in self.by_id.values() for group in place.groups))
