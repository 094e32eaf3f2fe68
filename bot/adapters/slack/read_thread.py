"""Reading a thread: page by page, or its first message and its end."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import slack_errors
from bot.adapters.slack.payload import Payload, count_at, mapping_at, mappings_at, text_at
from bot.adapters.slack.thread_end import PAGE, ThreadEnd, at, expected
from bot.messages import ThreadRef

MAX_PAGES = 5
_MOST_LOOKS = 5  # at the end of a long thread, after its first page


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
    posts: list[Payload] = []
    cursor = ""
    for _ in range(MAX_PAGES):
        page, cursor = await _page(client, thread, {**window, "cursor": cursor} if cursor else window)
        posts += page
        if not cursor:
            break
    return posts


async def read_window(
    client: AsyncWebClient, thread: ThreadRef, *, latest: str, memory_s: float = math.inf
) -> ThreadWindow:
    """Give root and newest messages of a thread up to a time stamp.

    Slack pages oldest first, and gives the root with every window of time, whatever `oldest` says. So a thread of one page
    costs one call; one whose root is older than `memory_s` is read from there on; and the end of a longer one is found by
    how densely was written: two or three calls, six at most.

    Args:
        client: the Web API client.
        thread: which one.
        latest: time stamp of the question.
        memory_s: seconds before the question from which nothing but the root is wanted.

    Raises:
        PlatformUnavailable: Slack is out of reach.
        SlackRefused: no scope for history, or the thread is gone.
    """
    until, since = at({"ts": latest}), at({"ts": thread.thread_id})
    window = {"latest": latest}
    if is_aged := until - since > memory_s:
        since = until - memory_s
        window["oldest"] = f"{since:.6f}"
    posts, more = await _page(client, thread, window)
    root, first = _parted(posts, thread)
    if not more or not first:
        return ThreadWindow((*root, *first), is_whole=not more)
    told = count_at(root[0], "reply_count") - len(first) if root and not is_aged else 0
    end = ThreadEnd(until, run=first, left=told if told > 0 else expected(first, since, until))
    for looks in range(1, _MOST_LOOKS + 1):
        begins = end.look_from(is_last=looks == _MOST_LOOKS)
        posts, more = await _page(client, thread, {"latest": latest, "oldest": f"{begins:.6f}"})
        end.took(begins, _parted(posts, thread)[1], is_end=not more)
        if end.is_found:
            break
    return ThreadWindow((*root, *end.posts), is_whole=end.is_whole and end.is_found)


async def _page(client: AsyncWebClient, thread: ThreadRef, window: Mapping[str, str]) -> tuple[list[Payload], str]:
    """Give the messages of one call, and where the next page begins; empty where there is none."""
    # A form by POST: Slack takes it as well as GET, and peers that others wrote take nothing else.
    fields = {"channel": thread.channel_id, "include_all_metadata": "true", **window}
    method = "conversations.history"
    if thread.thread_id:
        method, fields["ts"] = "conversations.replies", thread.thread_id
    with slack_errors():
        page = await client.api_call(method, data={**fields, "limit": str(PAGE)})
    data = page.data if isinstance(page.data, Mapping) else {}
    return list(mappings_at(data, "messages")), text_at(mapping_at(data, "response_metadata"), "next_cursor")


def _parted(posts: Sequence[Payload], thread: ThreadRef) -> tuple[list[Payload], list[Payload]]:
    """Part the root from the others; it is not there where it was deleted, and on a Slack that is not Slack."""
    root = [post for post in posts if text_at(post, "ts") == thread.thread_id]
    return root, [post for post in posts if text_at(post, "ts") != thread.thread_id]
