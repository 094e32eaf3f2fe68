"""Reading what people wrote while nobody listened: the allowed channels, their messages, and threads with new replies."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.earlier_post import METADATA_EVENT
from bot.adapters.slack.failures import SlackRefused, slack_errors
from bot.adapters.slack.payload import Payload, id_at, mapping_at, mappings_at, text_at
from bot.adapters.slack.rules import SlackRules
from bot.errors import PlatformUnavailable

MISSED_EVENT = "triage_missed"
# Replies do not show among a channel's messages: roots of the last day are looked at for new ones.
THREADS_LOOK_BACK_S = 86_400.0
_PAGE, _MAX_PAGES = "200", 100
_TRIES, _LONGEST_WAIT_S = 6, 120.0
_ALL_KINDS = "public_channel,private_channel,mpim,im"
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Room:
    """A channel, with the word for its kind that events carry; `is_shared` is None where Slack did not say it."""

    id: str
    kind: str
    is_shared: bool | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What stands in a room since a moment, oldest first.

    `answered` are the keys of questions that the bot has replied to, `listed` the stamps that a note has named already.
    """

    said: tuple[Payload, ...]
    answered: frozenset[str]
    listed: frozenset[str]


async def rooms(client: AsyncWebClient, rules: SlackRules) -> list[Room]:
    """Give the channels that the bot is in and may answer in; without the scopes to ask for them, those of the settings.

    Raises:
        PlatformUnavailable: Slack is out of reach.
    """
    fields = {"types": _ALL_KINDS, "exclude_archived": "true"}
    try:
        found = [_room(row) async for row in _pages(client, "users.conversations", fields, "channels")]
    except SlackRefused as refusal:
        _log.warning("channels not listed", reason=refusal.code)
        found = [Room(channel, "channel") for channel in sorted(rules.named_channels)]
    return [room for room in found if not rules.refusal(room.id, is_direct=room.kind == "im", is_guest=False)]


async def heard_in(client: AsyncWebClient, room: Room, *, since: float) -> Heard:
    """Read a room and its threads since a moment (seconds since the epoch).

    Raises:
        PlatformUnavailable: Slack is out of reach.
        SlackRefused: the room cannot be read.
    """
    fields = {"channel": room.id, "include_all_metadata": "true", "oldest": f"{since - THREADS_LOOK_BACK_S:.6f}"}
    roots = [row async for row in _pages(client, "conversations.history", fields, "messages")]
    posts = {id_at(root, "ts"): root for root in roots}
    for root in roots:
        if _seconds(id_at(root, "latest_reply")) >= since:
            thread = {**fields, "ts": id_at(root, "ts"), "oldest": f"{since:.6f}"}
            posts |= {
                id_at(row, "ts"): row async for row in _pages(client, "conversations.replies", thread, "messages")
            }
    marks = [mapping_at(post, "metadata") for post in posts.values()]
    return Heard(
        said=tuple(posts[ts] for ts in sorted(posts, key=_order) if _seconds(ts) >= since),
        answered=frozenset(
            str(_payload(mark).get("key")) for mark in marks if mark.get("event_type") == METADATA_EVENT
        ),
        listed=frozenset(
            stamp
            for mark in marks
            if mark.get("event_type") == MISSED_EVENT
            for stamp in str(_payload(mark).get("listed", "")).split()
        ),
    )


async def _pages(client: AsyncWebClient, method: str, fields: dict[str, str], name: str) -> AsyncIterator[Payload]:
    cursor = ""
    for _ in range(_MAX_PAGES):
        data = await _patient(client, method, {**fields, "limit": _PAGE, **({"cursor": cursor} if cursor else {})})
        for row in mappings_at(data, name):
            yield row
        cursor = text_at(mapping_at(data, "response_metadata"), "next_cursor")
        if not cursor:
            return


async def _patient(client: AsyncWebClient, method: str, fields: dict[str, str]) -> Payload:
    """Ask for one page; Slack limits these methods, so a wait that it names is waited out, and the page asked for again."""
    for attempt in range(1, _TRIES + 1):
        try:
            with slack_errors():
                answer = await client.api_call(method, data=fields)
        except PlatformUnavailable as error:
            if attempt == _TRIES or (error.retry_after_s or 0.0) > _LONGEST_WAIT_S:
                raise
            await asyncio.sleep(0.2 * attempt if error.retry_after_s is None else error.retry_after_s)
        else:
            return answer.data if isinstance(answer.data, dict) else {}
    raise AssertionError("the loop returns or raises")  # pragma: no cover


def _room(row: Payload) -> Room:
    kinds = (("is_im", "im"), ("is_mpim", "mpim"), ("is_private", "group"))
    kind = next((kind for flag, kind in kinds if row.get(flag) is True), "channel")
    is_shared = None if kind != "im" and "is_ext_shared" not in row else row.get("is_ext_shared") is True
    return Room(id_at(row, "id"), kind, is_shared)


def _payload(mark: Payload) -> Payload:
    return mapping_at(mark, "event_payload")


def _order(ts: str) -> tuple[int, str]:
    return len(ts), ts


def _seconds(ts: str) -> float:
    whole, _, rest = ts.partition(".")
    return float(ts) if whole.isdecimal() and (not rest or rest.isdecimal()) else 0.0
