"""Deletes the bot's own posts on Slack."""

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import SlackRefused, slack_errors
from bot.receipts import Receipt

# Nothing stands there any more.
_GONE = frozenset({"message_not_found", "channel_not_found", "thread_not_found"})


class SlackRemover:
    """`bot.receipts.PostRemover` for Slack; needs no scope beyond `chat:write`."""

    def __init__(self, client: AsyncWebClient) -> None:
        """Delete through this client."""
        self._client = client

    async def remove(self, receipt: Receipt) -> None:
        """Delete every part of a reply; one that is gone already counts as deleted.

        Raises:
            PlatformUnavailable: may be tried again.
            ReplyRejected: Slack will not delete it.
        """
        for ts in receipt.post_ids:
            try:
                with slack_errors():
                    await self._client.api_call("chat.delete", json={"channel": receipt.thread.channel_id, "ts": ts})
            except SlackRefused as refusal:
                if refusal.code not in _GONE:
                    raise
