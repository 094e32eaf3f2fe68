"""What Slack says of people, channels and user groups, kept for some minutes; a failed look-up keeps nothing."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import slack_errors
from bot.adapters.slack.payload import Payload, mapping_at, text_at
from bot.adapters.slack.rules import Sharing
from bot.ports import Clock

KEPT_S = 300.0
SHARING_KEPT_S = 60.0
_MOST_KEPT = 5_000
T = TypeVar("T")


def is_within(age_s: float, most_s: float) -> bool:
    """Tell whether an age is that of something kept; one from the future was written before the clock was set back."""
    return 0 <= age_s < most_s


class Standing(StrEnum):
    """Who an asker is to the company that runs the bot."""

    MEMBER = "member"
    GUEST = "guest"


@dataclass(frozen=True, slots=True)
class Person:
    """What Slack says of a person: guest or member, where their clock stands, and the language of their Slack."""

    standing: Standing
    time_zone: str = ""
    utc_offset_s: int = 0
    locale: str = ""


class _Kept(Generic[T]):
    """Answers by id, each until its time is over."""

    def __init__(self, clock: Clock, kept_s: float) -> None:
        self._clock = clock
        self._kept_s = kept_s
        self._found: dict[str, tuple[float, T]] = {}

    async def of(self, key: str, ask: Callable[[], Awaitable[T]]) -> T:
        """Give the kept answer, or ask."""
        since, value = self._found.get(key, (0.0, None))
        if value is not None and is_within(self._clock.now() - since, self._kept_s):
            return value
        self._found.pop(key, None)
        value = await ask()
        while len(self._found) >= _MOST_KEPT:
            del self._found[next(iter(self._found))]
        self._found[key] = (self._clock.now(), value)
        return value


class SlackLookups:
    """Every method raises `PlatformUnavailable` when Slack is out of reach, `SlackRefused` when it does not tell."""

    def __init__(self, client: AsyncWebClient, clock: Clock) -> None:
        """Ask through the client; answers are kept by the clock."""
        self._client = client
        self._people: _Kept[Person] = _Kept(clock, KEPT_S)
        self._members: _Kept[frozenset[str]] = _Kept(clock, KEPT_S)
        self._sharing: _Kept[Sharing] = _Kept(clock, SHARING_KEPT_S)

    async def standing(self, user_id: str) -> Standing | None:
        """Tell member from guest; None when the answer does not say."""
        person = await self.person(user_id)
        return person.standing if person else None

    async def person(self, user_id: str) -> Person | None:
        """Give what Slack says of a person; None when the answer does not say who it is about.

        Source: https://docs.slack.dev/reference/objects/user-object
        """

        async def ask() -> Person | None:
            user = mapping_at(await self._call("users.info", user=user_id, include_locale="true"), "user")
            flags = [user.get(name) for name in ("is_restricted", "is_ultra_restricted", "is_stranger")]
            is_guest = any(flag not in (None, False) for flag in flags)
            if not is_guest and user.get("id") != user_id:
                return None
            offset = user.get("tz_offset")
            return Person(
                Standing.GUEST if is_guest else Standing.MEMBER,
                text_at(user, "tz"),
                offset if isinstance(offset, int) else 0,
                text_at(user, "locale"),
            )

        return await self._people.of(user_id, ask)  # type: ignore[arg-type]  # None is never kept

    async def members(self, group_id: str) -> frozenset[str]:
        """Give the user ids of a user group; needs the scope `usergroups:read`."""

        async def ask() -> frozenset[str]:
            users = (await self._call("usergroups.users.list", usergroup=group_id)).get("users")
            return frozenset(str(user) for user in users) if isinstance(users, list) else frozenset()

        return await self._members.of(group_id, ask)

    async def sharing(self, channel_id: str) -> Sharing:
        """Tell whether people of another company can read a channel; doubt counts as yes."""

        async def ask() -> Sharing:
            channel = mapping_at(await self._call("conversations.info", channel=channel_id), "channel")
            names = ("is_ext_shared", "is_pending_ext_shared")
            is_private = channel.get("is_ext_shared") is False and not any(channel.get(name) for name in names)
            return Sharing.PRIVATE if is_private else Sharing.SHARED

        return await self._sharing.of(channel_id, ask)

    async def _call(self, method: str, **arguments: str) -> Payload:
        with slack_errors():
            answer = await self._client.api_call(method, data=arguments)
        return answer.data if isinstance(answer.data, Mapping) else {}
