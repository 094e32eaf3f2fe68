"""Receipts of the bot's own posts: where each stands, what it cites and who asked, without a word of it."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from bot.lead.note import noted_document
from bot.messages import AcceptedMessage, Answer, MessageId, Outcome, Platform, ThreadRef
from retrieval.redaction import RedactedText


@dataclass(frozen=True, slots=True)
class Receipt:
    """One reply that stands in a channel.

    `post_ids` are the platform's ids of its parts, `asker` the pseudonym of who asked, `at` seconds since the epoch,
    `service_url` where Teams takes its deletion, `language` that of the answer.
    """

    message_id: MessageId
    thread: ThreadRef
    post_ids: tuple[str, ...]
    cited: tuple[str, ...]
    asker: str
    at: float
    service_url: str = ""
    language: str = ""


class PostRemover(Protocol):
    """Deletes the bot's own posts on one platform."""

    async def remove(self, receipt: Receipt) -> None:
        """Delete every part of a reply; one that is gone already counts as deleted.

        Raises:
            PlatformUnavailable: may be tried again.
            ReplyRejected: the platform will not delete it.
        """
        ...


class PostCorrector(Protocol):
    """Puts other words in the place of the bot's own posts on one platform."""

    async def correct(self, receipt: Receipt, text: RedactedText) -> None:
        """Let the first part of a reply say `text` and delete the others; one that is gone already counts as corrected.

        Raises:
            PlatformUnavailable: may be tried again.
            ReplyRejected: the platform will not change it.
        """
        ...


class PostEditor(PostRemover, PostCorrector, Protocol):
    """Does both."""


def receipt_of(message: AcceptedMessage, answer: Answer, *, post_id: str, asker: str) -> Receipt | None:
    """Make the receipt of a posted reply; None when nobody can delete it: only the asker saw it, or nothing was posted."""
    is_private = answer.outcome is Outcome.NOT_PERMITTED and not message.is_direct
    if not post_id or message.is_command or (is_private and message.thread.platform is Platform.SLACK):
        return None
    return Receipt(
        message_id=message.message_id,
        thread=message.thread,
        post_ids=tuple(post_id.split()),
        cited=tuple(dict.fromkeys(filter(None, (noted_document(message), *(c.id for c in answer.citations))))),
        asker=asker,
        at=message.received_at,
        service_url=message.route("service_url"),
        language=answer.language,
    )


def receipt_to_json(receipt: Receipt) -> str:
    """Write a receipt as one line of JSON."""
    return json.dumps(asdict(receipt), separators=(",", ":"))


def receipt_from_json(text: str) -> Receipt | None:
    """Read a receipt back; None when another version wrote it."""
    try:
        row = json.loads(text)
        place = row["thread"]
        return Receipt(
            message_id=MessageId(str(row["message_id"])),
            thread=ThreadRef(
                Platform(place["platform"]), str(place["tenant_id"]), str(place["channel_id"]), str(place["thread_id"])
            ),
            post_ids=_texts(row["post_ids"]),
            cited=_texts(row["cited"]),
            asker=str(row["asker"]),
            at=float(row["at"]),
            service_url=str(row["service_url"]),
            language=str(row.get("language", "")),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _texts(values: Sequence[object]) -> tuple[str, ...]:
    return tuple(str(value) for value in values)
