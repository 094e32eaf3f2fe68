"""Finding what was posted already for a question: by the metadata that every post carries."""

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import SlackRefused
from bot.adapters.slack.payload import id_at, mapping_at
from bot.adapters.slack.read_thread import read_thread
from bot.messages import AcceptedMessage

METADATA_EVENT = "triage_answer"
CLOCKS_DIFFER_S = 60.0  # Slack's clock stamps the post of a message that no event of Slack's began


async def find_earlier_parts(client: AsyncWebClient, message: AcceptedMessage) -> dict[int, list[str]]:
    """Give the time stamps of the parts that stand already, by their number, oldest first; empty for an unreadable thread.

    Raises:
        PlatformUnavailable: Slack is out of reach; posting blindly could double the answer.
    """
    try:
        since = f"{message.received_at - CLOCKS_DIFFER_S:.6f}"
        posts = await read_thread(
            client, message.thread, oldest=message.route("ts") or message.thread.thread_id or since
        )
    except SlackRefused:  # no scope for history, or the thread is gone: then nothing can be found
        return {}
    found: dict[int, list[str]] = {}
    for post in posts:
        metadata = mapping_at(post, "metadata")
        payload = mapping_at(metadata, "event_payload")
        number = payload.get("part")
        if metadata.get("event_type") == METADATA_EVENT and payload.get("key") == message.message_id:
            found.setdefault(number if isinstance(number, int) else 0, []).append(id_at(post, "ts"))
    return {number: sorted(stamps) for number, stamps in found.items()}  # a channel is read newest first
