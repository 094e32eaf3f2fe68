"""What every door does with a question first: cut it to size, before any expression runs over it, then redact it."""

from dataclasses import dataclass
from hashlib import sha256

from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef
from retrieval.redaction import RedactedText, Redactor

HARD_LIMIT_BYTES = 16 * 1024
TEXT_LIMIT = 4_000  # code points; beyond it the text is cut with notice `truncated`


@dataclass(frozen=True, slots=True)
class RedactedQuestion:
    """A question within both limits, without personal data; `is_truncated` when something was cut off."""

    text: RedactedText
    is_truncated: bool


def cap(text: str) -> str:
    """Cut text to 16 KB of UTF-8, before any expression runs over it; NUL and lone surrogates go."""
    head = text[:HARD_LIMIT_BYTES].replace("\0", "")
    return head.encode("utf-8", "replace")[:HARD_LIMIT_BYTES].decode("utf-8", "ignore")


def redact_question(text: str, redactor: Redactor) -> RedactedQuestion:
    """Cut text to 16 KB, redact it, and then cut it to 4 000 code points, at a space where one is near.

    In this order, since a telephone number that the shorter limit halves would no longer be known as one.
    """
    redacted = redactor.redact(cap(text)).text
    if len(text) <= HARD_LIMIT_BYTES and len(redacted) <= TEXT_LIMIT:
        return RedactedQuestion(redacted, is_truncated=False)
    space = redacted.rfind(" ", TEXT_LIMIT - 200, TEXT_LIMIT)
    return RedactedQuestion(redacted.cut(space if space > 0 else TEXT_LIMIT), is_truncated=True)


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
    question = redact_question(text, redactor)
    digest = sha256(f"{thread.key}\n{received_at!r}\n{question.text}".encode()).hexdigest()[:24]
    return AcceptedMessage(
        message_id=MessageId(f"{thread.platform}-{digest}"),
        thread=thread,
        user_id="",
        text=question.text,
        received_at=received_at,
        audience=tuple(sorted(audience)),
        is_direct=True,
        is_truncated=question.is_truncated,
    )


def local_thread(platform: Platform, thread_id: str) -> ThreadRef:
    """Name a thread of the console, the HTTP API or the playground."""
    return ThreadRef(platform=platform, tenant_id="local", channel_id="local", thread_id=thread_id)
