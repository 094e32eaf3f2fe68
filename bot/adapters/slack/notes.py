"""Small notes on Slack beside the answers, each seen by the asker alone."""

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import slack_errors
from bot.messages import AcceptedMessage
from bot.texts import say
from bot.words import lexicon_of


class SlackNotes:
    """`bot.ports.Notes` for Slack."""

    def __init__(self, client: AsyncWebClient) -> None:
        """Post through the client."""
        self._client = client

    async def waiting(self, message: AcceptedMessage) -> None:
        """Tell the asker that there is a queue; a slash command has its "looking it up" already.

        Raises:
            PlatformUnavailable: Slack is out of reach.
            ReplyRejected: Slack will not take it.
        """
        if message.is_command:
            return
        thread, ts = message.thread, message.route("ts")
        arguments: dict[str, str] = {"channel": thread.channel_id, "user": message.user_id}
        if thread.thread_id != ts:
            arguments["thread_ts"] = thread.thread_id
        text = say("busy", lexicon_of(message.text).code)
        with slack_errors():
            await self._client.api_call("chat.postEphemeral", json={**arguments, "text": text})
