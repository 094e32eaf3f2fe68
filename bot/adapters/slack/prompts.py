"""The agent view: whoever opens the bot's messages is offered questions to begin with. Runs inline, nothing is queued.

Sources: https://docs.slack.dev/reference/events/app_home_opened,
https://docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts
"""

import asyncio
from collections.abc import Sequence

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import slack_errors
from bot.adapters.slack.lookups import SlackLookups
from bot.adapters.slack.payload import Payload, id_at, mapping_at
from bot.errors import PlatformError
from bot.lexicon import DEFAULT
from bot.ports import Clock
from bot.texts import say

MOST_PROMPTS = 4
_KEYS = ("prompt_password", "prompt_refund", "prompt_login")
_TITLE = 75
_WITHIN_S = 1.5
_log = structlog.get_logger(__name__)


class SuggestedPrompts:
    """Sets the prompts of the message tab, in the language of the person's Slack."""

    def __init__(self, client: AsyncWebClient, *, clock: Clock, prompts: Sequence[str] = ()) -> None:
        """Suggest these questions; ours where there are none."""
        self._client = client
        self._lookups = SlackLookups(client, clock)
        self._prompts = tuple(prompts)[:MOST_PROMPTS]

    async def serve(self, event: Payload) -> bool:
        """Tell whether the event opened the bot's messages; then prompts are set, and a failure costs nothing else."""
        thread = mapping_at(event, "assistant_thread")
        is_legacy = event.get("type") == "assistant_thread_started"
        is_opened = event.get("type") == "app_home_opened" and event.get("tab") == "messages"
        if not (is_legacy or is_opened):
            return False
        channel = id_at(thread, "channel_id") or id_at(event, "channel")
        user = id_at(thread, "user_id") or id_at(event, "user")
        if channel and user:
            try:
                async with asyncio.timeout(_WITHIN_S):
                    await self._set(channel, user, id_at(thread, "thread_ts"))
            except (PlatformError, TimeoutError) as error:
                _log.warning("prompts not set", error=type(error).__name__)
        return True

    async def _set(self, channel: str, user: str, thread_ts: str) -> None:
        language = await self._language(user)
        asked = self._prompts or tuple(say(key, language) for key in _KEYS)
        arguments: dict[str, object] = {
            "channel_id": channel,
            "title": say("prompts_title", language),
            "prompts": [{"title": text[:_TITLE], "message": text} for text in asked],
            **({"thread_ts": thread_ts} if thread_ts else {}),
        }
        with slack_errors():
            await self._client.api_call("assistant.threads.setSuggestedPrompts", json=arguments)

    async def _language(self, user: str) -> str:
        try:
            person = await self._lookups.person(user)
        except PlatformError:
            return DEFAULT
        return (person.locale[:2] if person else "") or DEFAULT
