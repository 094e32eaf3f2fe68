"""Who this bot is on Slack: asked once at the start, and read from the events that name their authorization."""

import asyncio
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import slack_errors
from bot.adapters.slack.payload import Payload, id_at, mappings_at
from bot.errors import PlatformUnavailable


@dataclass(frozen=True, slots=True)
class BotIdentity:
    """The bot's user, its bot id, and where it is installed; empty texts where not known yet."""

    user_id: str = ""
    bot_id: str = ""
    team_id: str = ""
    enterprise_id: str = ""

    def seen_in(self, body: Payload) -> "BotIdentity":
        """Give the identity that this delivery is for; what the delivery does not say stays as it was."""
        given = next(iter(mappings_at(body, "authorizations")), {})
        is_bot = given.get("is_bot") is True
        return BotIdentity(
            user_id=(id_at(given, "user_id") if is_bot else "") or self.user_id,
            bot_id=self.bot_id,
            team_id=id_at(given, "team_id") or self.team_id or id_at(body, "team_id"),
            enterprise_id=id_at(given, "enterprise_id") or self.enterprise_id or id_at(body, "enterprise_id"),
        )


class IdentityBook:
    """Keeps what `auth.test` said. Until it is known, events are read by their own authorizations alone."""

    def __init__(self, client: AsyncWebClient) -> None:
        """Ask through this client."""
        self._client = client
        self._identity = BotIdentity()

    @property
    def current(self) -> BotIdentity:
        """What is known now."""
        return self._identity

    @property
    def is_known(self) -> bool:
        """Whether `auth.test` has answered."""
        return bool(self._identity.user_id)

    async def ask(self) -> BotIdentity:
        """Ask `auth.test` once.

        Raises:
            PlatformUnavailable: out of reach, or the token is refused for now.
            ReplyRejected: Slack refuses for good.
        """
        with slack_errors():
            answer = await self._client.auth_test()
        self._identity = BotIdentity(
            user_id=str(answer.get("user_id") or ""),
            bot_id=str(answer.get("bot_id") or ""),
            team_id=str(answer.get("team_id") or ""),
            enterprise_id=str(answer.get("enterprise_id") or ""),
        )
        return self._identity

    async def learn(self, *, first_wait_s: float = 0.5, longest_wait_s: float = 30.0) -> BotIdentity:
        """Ask until Slack answers, waiting twice as long each time.

        Raises:
            ReplyRejected: Slack refuses for good.
        """
        wait_s = first_wait_s
        while True:
            try:
                return await self.ask()
            except PlatformUnavailable as error:
                await asyncio.sleep(max(wait_s, min(error.retry_after_s or 0.0, longest_wait_s)))
                wait_s = min(2 * wait_s, longest_wait_s)
