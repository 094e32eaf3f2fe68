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
# Routing values: kinds of sources that are searched; only the asker sees the answer.
KINDS, DRAFTED = "kinds", "drafted"
SILENT = "silent"  # not for the bot after all: nothing is posted
OVER_LIMIT = "over_limit"
QUEUE_FULL = "queue_full"


@dataclass(frozen=True, slots=True)
class Place:
    """One channel. `labels` are seen beside public documents, None means `internal`.

    `groups` and `users` are the ids of those who may ask; where both are empty everybody may. `is_followed`: replies in
    the bot's threads count without a mention. `kinds` are the kinds of sources that are searched, empty all. `is_drafted`:
    only the asker sees an answer until they share it.
    """

    labels: tuple[str, ...] | None = None
    is_allowed: bool = True
    groups: tuple[str, ...] = ()
    users: frozenset[str] = frozenset()
    is_followed: bool = False
    kinds: tuple[str, ...] = ()
    is_drafted: bool = False

    @property
    def routing(self) -> tuple[tuple[str, str], ...]:
        """What of it goes along with a question."""
        kinds = ((KINDS, " ".join(self.kinds)),) if self.kinds else ()
        return (*kinds, (DRAFTED, "yes")) if self.is_drafted else kinds

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
