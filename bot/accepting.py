"""What every door does with a question first: cut it to size, before any expression runs over it, then redact it."""

from dataclasses import dataclass
from hashlib import sha256

from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef
from retrieval.redaction import Redactor

HARD_LIMIT_BYTES = 16 * 1024
TEXT_LIMIT = 4_000  # code points; beyond it the text is cut with notice `truncated`


@dataclass(frozen=True, slots=True)
class CappedText:
    """Text within both limits; `is_truncated` when something was cut off."""

    text: str
    is_truncated: bool


def cap(text: str) -> CappedText:
    """Cut text to 16 KB of UTF-8 and 4 000 code points, at a space where one is near; NUL and lone surrogates go."""
    head = text[:HARD_LIMIT_BYTES].replace("\0", "")
    encoded = head.encode("utf-8", "replace")[:HARD_LIMIT_BYTES]
    clean = encoded.decode("utf-8", "ignore")
    if len(text) <= HARD_LIMIT_BYTES and len(clean) <= TEXT_LIMIT:
        return CappedText(clean, is_truncated=False)
    cut = clean[:TEXT_LIMIT]
    space = cut.rfind(" ", TEXT_LIMIT - 200)
    return CappedText(cut[:space] if space > 0 else cut, is_truncated=True)


def accept_text(
    text: str, *, thread: ThreadRef, redactor: Redactor, received_at: float, audience: frozenset[str]
) -> AcceptedMessage:
    """Accept a question of a door that needs no queue: console, HTTP API, playground.

    Args:
        text: as typed.
        thread: where it was asked.
        redactor: takes personal data out.
        received_at: seconds since the epoch.
        audience: visibility labels that the asker may see.
    """
    capped = cap(text)
    redacted = redactor.redact(capped.text).text
    digest = sha256(f"{thread.key}\n{received_at!r}\n{redacted}".encode()).hexdigest()[:24]
    return AcceptedMessage(
        message_id=MessageId(f"{thread.platform}-{digest}"),
        thread=thread,
        user_id="",
        text=redacted,
        received_at=received_at,
        audience=tuple(sorted(audience)),
        is_direct=True,
        is_truncated=capped.is_truncated,
    )


def local_thread(platform: Platform, thread_id: str) -> ThreadRef:
    """Name a thread of the console, the HTTP API or the playground."""
    return ThreadRef(platform=platform, tenant_id="local", channel_id="local", thread_id=thread_id)
