"""Finding what was posted already for a question: by the metadata that every post carries."""

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import SlackRefused, slack_errors
from bot.adapters.slack.payload import id_at, mapping_at, mappings_at
from bot.messages import AcceptedMessage

METADATA_EVENT = "triage_answer"
_PAGE = 100
_MAX_PAGES = 5


async def find_earlier_parts(client: AsyncWebClient, message: AcceptedMessage) -> dict[int, str]:
    """Give the time stamps of the parts that stand already, by their number; empty when the thread cannot be read.

    Raises:
        PlatformUnavailable: Slack is out of reach; posting blindly could double the answer.
    """
    found: dict[int, str] = {}
    cursor = ""
    for _ in range(_MAX_PAGES):
        try:
            with slack_errors():
                page = await client.conversations_replies(
                    channel=message.thread.channel_id,
                    ts=message.thread.thread_id,
                    oldest=message.route("ts") or message.thread.thread_id,
                    include_all_metadata=True,
                    limit=_PAGE,
                    cursor=cursor,
                )
        except SlackRefused:  # no scope for history, or the thread is gone: then nothing can be found
            return found
        data = page.data if isinstance(page.data, dict) else {}
        for post in mappings_at(data, "messages"):
            metadata = mapping_at(post, "metadata")
            payload = mapping_at(metadata, "event_payload")
            number = payload.get("part")
            if metadata.get("event_type") == METADATA_EVENT and payload.get("key") == message.message_id:
                found[number if isinstance(number, int) else 0] = id_at(post, "ts")
        cursor = str(mapping_at(data, "response_metadata").get("next_cursor") or "")
        if not cursor:
            break
    return found
