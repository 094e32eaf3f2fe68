"""Deletes and corrects the bot's own posts on Slack."""

from collections.abc import Mapping

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import SlackRefused, slack_errors
from bot.lead.receipts import Receipt
from retrieval.redaction import RedactedText

# Nothing stands there any more.
_GONE = frozenset({"message_not_found", "channel_not_found", "thread_not_found"})


class SlackRemover:
    """`bot.lead.receipts.PostRemover` and `PostCorrector` for Slack; needs no scope beyond `chat:write`."""

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
            await self._call("chat.delete", {"channel": receipt.thread.channel_id, "ts": ts})

    async def correct(self, receipt: Receipt, text: RedactedText) -> None:
        """Let the first part of a reply say `text` and delete the others; one that is gone already counts as corrected.

        Raises:
            PlatformUnavailable: may be tried again.
            ReplyRejected: Slack will not change it.
        """
        for place, ts in enumerate(receipt.post_ids):
            at = {"channel": receipt.thread.channel_id, "ts": ts}
            if place:
                await self._call("chat.delete", at)
            else:
                blocks = [{"type": "section", "text": {"type": "plain_text", "text": str(text)}}]
                await self._call("chat.update", {**at, "text": str(text), "blocks": blocks})

    async def _call(self, method: str, arguments: Mapping[str, object]) -> None:
        try:
            with slack_errors():
                await self._client.api_call(method, json=dict(arguments))
        except SlackRefused as refusal:
            if refusal.code not in _GONE:
                raise
