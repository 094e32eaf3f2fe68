"""What only the asker sees on Slack: ephemeral posts, answers to a command, and windows that stand open."""

import structlog
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.adapters.slack.answer_views import found_view, whole_source_view
from bot.adapters.slack.calls import call
from bot.adapters.slack.desk_clicks import WINDOW
from bot.adapters.slack.failures import SlackRefused, slack_errors
from bot.adapters.slack.quiet_log import quiet_logger
from bot.adapters.slack.render import Part
from bot.adapters.slack.response_url import is_response_url
from bot.errors import PlatformUnavailable
from bot.messages import AcceptedMessage, Reply

_TIMEOUT_S = 10
_log = structlog.get_logger(__name__)


class PrivateReplies:
    """Posts and windows of one workspace that nobody but the asker sees."""

    def __init__(self, client: AsyncWebClient) -> None:
        """Post through the client."""
        self._client = client

    async def post(self, message: AcceptedMessage, parts: list[Part]) -> str:
        """Post parts that only the asker sees; gives the time stamp of the first.

        Raises:
            PlatformUnavailable: may be tried again.
            ReplyRejected: never will be taken.
        """
        thread, ts = message.thread, message.route("ts")
        arguments: dict[str, object] = {"channel": thread.channel_id, "user": message.user_id}
        if ts and (thread.thread_id != ts or message.task) and not message.is_command:
            arguments["thread_ts"] = thread.thread_id  # at a root, an ephemeral thread would open for nobody else
        stamps = [
            await call(self._client, "chat.postEphemeral", {**arguments, "text": part.text, "blocks": part.blocks()})
            for part in parts
        ]
        return stamps[0]

    async def fill_window(self, reply: Reply) -> str:
        """Put a source's text into the window that stands open for it; one that was closed meanwhile needs none."""
        try:
            view = {"view_id": reply.message.route("view"), "view": whole_source_view(reply.answer)}
            await call(self._client, "views.update", view)
        except SlackRefused as refusal:
            _log.info("window not filled", reason=refusal.code)
        return ""

    async def fill_waiting(self, reply: Reply) -> bool:
        """Put what was found into the window that waits for it; False when that was closed, or never opened."""
        window = {"external_id": reply.message.route(WINDOW), "view": found_view(reply.answer)}
        try:
            await call(self._client, "views.update", window)
        except SlackRefused as refusal:
            _log.info("window not filled", reason=refusal.code)
            return False
        return True

    async def answer_command(self, message: AcceptedMessage, parts: list[Part]) -> str:
        """Answer a command by its response URL; what that does not take is posted to the asker alone."""
        url = message.route("response_url")
        if not is_response_url(url, self._client.base_url):
            return await self.post(message, parts)
        for number, part in enumerate(parts):
            if not await self._respond(url, part):
                return await self.post(message, parts[number:])
        return ""

    async def _respond(self, url: str, part: Part) -> bool:
        """Give whether the response URL took the part; it lives for 30 minutes and five uses."""
        webhook = AsyncWebhookClient(url, timeout=_TIMEOUT_S, logger=quiet_logger(), retry_handlers=[])
        with slack_errors():
            response = await webhook.send(
                text=part.text, blocks=part.blocks(), response_type="ephemeral", replace_original=False
            )
        if response.status_code == 429 or response.status_code >= 500:
            raise PlatformUnavailable(f"the response URL answered {response.status_code}")
        return response.status_code == 200
