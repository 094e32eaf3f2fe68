"""Reading a thread, page by page."""

from collections.abc import Mapping
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import slack_errors
from bot.adapters.slack.payload import Payload, mapping_at, mappings_at, text_at
from bot.messages import ThreadRef

PAGE, MAX_PAGES = 200, 5
# How far back the newest messages are looked for in a thread that is longer than all pages, seconds.
_WINDOWS = (600.0, 3_600.0, 86_400.0, 7 * 86_400.0, 30 * 86_400.0)
_ENOUGH = 40


@dataclass(frozen=True, slots=True)
class ThreadWindow:
    """The root and the newest messages, oldest first; `is_whole` when nothing stands between them that was not read."""

    posts: tuple[Payload, ...]
    is_whole: bool


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
    posts, _ = await _pages(client, thread, window, MAX_PAGES)
    return posts


async def read_window(client: AsyncWebClient, thread: ThreadRef, *, latest: str) -> ThreadWindow:
    """Give root and newest messages of a thread up to a time stamp.

    Slack pages oldest first, so the end of a very long thread is found by narrowing the time.

    Raises:
        PlatformUnavailable: Slack is out of reach.
        SlackRefused: no scope for history, or the thread is gone.
    """
    posts, is_whole = await _pages(client, thread, {"latest": latest}, MAX_PAGES)
    if is_whole:
        return ThreadWindow(tuple(posts), is_whole=True)
    root, newest = posts[0], posts
    for seconds in _WINDOWS:
        window = {"latest": latest, "oldest": f"{_seconds(latest) - seconds:.6f}"}
        found, is_end = await _pages(client, thread, window, 2)
        found = [post for post in found if text_at(post, "ts") != text_at(root, "ts")]
        if not is_end:
            break  # more than two pages of so short a time: the shorter window before it is what there is
        newest = found
        if len(found) >= _ENOUGH:
            break
    return ThreadWindow((root, *newest), is_whole=False)


async def _pages(
    client: AsyncWebClient, thread: ThreadRef, window: Mapping[str, str], most: int
) -> tuple[list[Payload], bool]:
    posts: list[Payload] = []
    # A form by POST: Slack takes it as well as GET, and peers that others wrote take nothing else.
    fields = {"channel": thread.channel_id, "include_all_metadata": "true", **window}
    method = "conversations.history"
    if thread.thread_id:
        method, fields["ts"] = "conversations.replies", thread.thread_id
    for _ in range(most):
        with slack_errors():
            page = await client.api_call(method, data={**fields, "limit": str(PAGE)})
        data = page.data if isinstance(page.data, Mapping) else {}
        posts += mappings_at(data, "messages")
        fields["cursor"] = text_at(mapping_at(data, "response_metadata"), "next_cursor")
        if not fields["cursor"]:
            return posts, True
    return posts, False


def _seconds(ts: str) -> float:
    whole = ts.partition(".")[0]
    return float(whole) if whole.isdecimal() else 0.0
