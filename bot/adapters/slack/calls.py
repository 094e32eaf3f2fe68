"""One call of Slack's Web API that posts or changes something."""

from collections.abc import Mapping

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import slack_errors


async def call(client: AsyncWebClient, method: str, arguments: Mapping[str, object]) -> str:
    """Call a method and give the time stamp that it answers; empty when it answers none.

    Raises:
        PlatformUnavailable: may be tried again.
        SlackRefused: Slack will never take it.
    """
    with slack_errors():
        response = await client.api_call(method, json=dict(arguments))
    return str(response.get("ts") or response.get("message_ts") or "")
