"""What the Slack app needs for what is switched on: scopes and event subscriptions, each with what it is for.

The manifest in `config/` is compared with this by a test, an installation by `triage doctor`.
Sources: https://docs.slack.dev/reference/scopes, https://docs.slack.dev/reference/events
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Feature(StrEnum):
    """Something that the bot does on Slack."""

    MENTIONS = "mentions"
    THREADS = "threads"
    DIRECT = "direct messages"
    POSTS = "answers"
    COMMANDS = "/kb and the shortcut"
    PEOPLE = "names, guests, time zones"
    SHARING = "shared channels"
    FILES = "text files"
    AGENT_VIEW = "suggested prompts"
    REMOVAL = "forgetting after removal"
    GROUPS = "user groups"


@dataclass(frozen=True, slots=True)
class Need:
    """Scopes and events of one feature."""

    scopes: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


NEEDS: dict[Feature, Need] = {
    Feature.MENTIONS: Need(("app_mentions:read",), ("app_mention",)),
    Feature.THREADS: Need(
        ("channels:history", "groups:history", "mpim:history"), ("message.channels", "message.groups", "message.mpim")
    ),
    Feature.DIRECT: Need(("im:history",), ("message.im",)),
    Feature.POSTS: Need(("chat:write",)),
    Feature.COMMANDS: Need(("commands",)),
    Feature.PEOPLE: Need(("users:read",)),
    Feature.SHARING: Need(("channels:read", "groups:read", "im:read", "mpim:read")),
    Feature.FILES: Need(("files:read",)),
    Feature.AGENT_VIEW: Need(("assistant:write",), ("app_home_opened",)),
    Feature.REMOVAL: Need(events=("app_uninstalled", "tokens_revoked")),
    Feature.GROUPS: Need(("usergroups:read",)),
}
# Switched on by a setting alone.
OPTIONAL = frozenset({Feature.GROUPS})


def features_for(*, has_groups: bool) -> tuple[Feature, ...]:
    """Give what is switched on; user groups only where the settings name some."""
    return tuple(feature for feature in Feature if has_groups or feature not in OPTIONAL)


def scopes_of(features: Iterable[Feature]) -> dict[str, Feature]:
    """Give the scopes that these features need, each with the first feature that needs it."""
    return {scope: feature for feature in reversed(tuple(features)) for scope in NEEDS[feature].scopes}


def events_of(features: Iterable[Feature]) -> dict[str, Feature]:
    """Give the event subscriptions that these features need."""
    return {event: feature for feature in reversed(tuple(features)) for event in NEEDS[feature].events}


def missing_line(missing: Iterable[str], needed: dict[str, Feature]) -> str:
    """Name what is missing and what for: "files:read (text files)"."""
    return ", ".join(f"{name} ({needed[name]})" for name in sorted(missing))
