"""Reading a thread, page by page."""

from collections.abc import Mapping

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import slack_errors
from bot.adapters.slack.payload import Payload, mapping_at, mappings_at, text_at
from bot.messages import ThreadRef

_PAGE, _MAX_PAGES = 200, 5


async def read_thread(client: AsyncWebClient, thread: ThreadRef, **window: str) -> list[Payload]:
    """Give the messages of a thread, oldest first, at most a thousand; of the channel itself where no thread is named.

    Args:
        client: the Web API client.
        thread: which one.
        **window: `oldest` and `latest`, time stamps between which is read; every page costs a call.

    Raises:
        PlatformUnavailable: Slack is out of reach.
        SlackRefused: no scope for history, or the thread is gone.
    """
    posts: list[Payload] = []
    # A form by POST: Slack takes it as well as GET, and peers that others wrote take nothing else.
    fields = {"channel": thread.channel_id, "include_all_metadata": "true", **window}
    method = "conversations.history"
    if thread.thread_id:
        method, fields["ts"] = "conversations.replies", thread.thread_id
    for _ in range(_MAX_PAGES):
        with slack_errors():
            page = await client.api_call(method, data={**fields, "limit": str(_PAGE)})
        data = page.data if isinstance(page.data, Mapping) else {}
        posts += mappings_at(data, "messages")
        fields["cursor"] = text_at(mapping_at(data, "response_metadata"), "next_cursor")
        if not fields["cursor"]:
            break
    return posts
