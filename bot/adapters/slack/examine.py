"""Asking Slack what an installation has: granted scopes, subscribed events, and the channels that the bot is in."""

from collections.abc import Mapping
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import SlackRefused, slack_errors
from bot.adapters.slack.payload import Payload, id_at, mapping_at, text_at

# Slack's words for a channel that the bot is not in, or does not even see since it is private.
_OUTSIDE = frozenset({"not_in_channel", "channel_not_found", "no_permission"})


@dataclass(frozen=True, slots=True)
class Installation:
    """Who the bot is, and what its token was granted; no scopes where Slack did not name them."""

    user_id: str
    bot_id: str
    team_id: str
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Membership:
    """How the bot stands to a channel; `reason` is Slack's word where that is not known."""

    channel_id: str
    is_member: bool
    is_archived: bool = False
    is_shared: bool = False
    reason: str = ""


class SlackExaminer:
    """Every method raises `PlatformUnavailable` when Slack is out of reach, `SlackRefused` when it does not tell."""

    def __init__(self, client: AsyncWebClient) -> None:
        """Ask through this client."""
        self._client = client

    async def installation(self) -> Installation:
        """Give who the bot is; its scopes stand in the header `x-oauth-scopes` of the answer."""
        with slack_errors():
            answer = await self._client.auth_test()
        headers = {str(name).lower(): value for name, value in (answer.headers or {}).items()}
        given = headers.get("x-oauth-scopes", "")
        text = given if isinstance(given, str) else ",".join(given)
        scopes = frozenset(scope.strip() for scope in text.split(",") if scope.strip())
        data = answer.data if isinstance(answer.data, Mapping) else {}
        return Installation(id_at(data, "user_id"), id_at(data, "bot_id"), id_at(data, "team_id"), scopes)

    async def events(self, config: AsyncWebClient, bot_id: str) -> frozenset[str]:
        """Give the bot events that the app subscribes to; `config` has an app configuration token, the only one that may.

        Source: https://docs.slack.dev/reference/methods/apps.manifest.export
        """
        app = id_at(mapping_at(await self._call("bots.info", bot=bot_id), "bot"), "app_id")
        with slack_errors():
            answer = await config.api_call("apps.manifest.export", data={"app_id": app})
        data: Payload = answer.data if isinstance(answer.data, Mapping) else {}
        settings = mapping_at(mapping_at(data, "manifest"), "settings")
        events = mapping_at(settings, "event_subscriptions").get("bot_events")
        return frozenset(str(event) for event in events) if isinstance(events, list) else frozenset()

    async def bot(self, bot_id: str) -> str:
        """Give the name of a bot by its id (`B…`); empty when Slack knows none, or it was removed.

        Source: https://docs.slack.dev/reference/methods/bots.info
        """
        try:
            found = mapping_at(await self._call("bots.info", bot=bot_id), "bot")
        except SlackRefused as refusal:
            if refusal.code != "bot_not_found":
                raise
            return ""
        return "" if found.get("deleted") is True else text_at(found, "name") or bot_id

    async def membership(self, channel_id: str) -> Membership:
        """Tell whether the bot is in a channel; without the scope to ask, reading one message tells it too."""
        try:
            found = mapping_at(await self._call("conversations.info", channel=channel_id), "channel")
        except SlackRefused as refusal:
            if refusal.code != "missing_scope":
                return Membership(channel_id, is_member=False, reason=refusal.code)
            return await self._by_reading(channel_id)
        is_member = found.get("is_member") is True or found.get("is_im") is True or found.get("is_mpim") is True
        is_shared = any(found.get(name) for name in ("is_ext_shared", "is_pending_ext_shared"))
        is_archived = found.get("is_archived") is True
        return Membership(channel_id, is_member, is_archived, is_shared, "" if is_member else "not_in_channel")

    async def _by_reading(self, channel_id: str) -> Membership:
        try:
            await self._call("conversations.history", channel=channel_id, limit="1")
        except SlackRefused as refusal:
            reason = "not_in_channel" if refusal.code in _OUTSIDE else refusal.code
            return Membership(channel_id, is_member=False, reason=reason)
        return Membership(channel_id, is_member=True)

    async def _call(self, method: str, **arguments: str) -> Payload:
        with slack_errors():
            answer = await self._client.api_call(method, data=arguments)
        return answer.data if isinstance(answer.data, Mapping) else {}
