"""What every door does with a question first: cut it to size, before any expression runs over it, then redact it."""

from dataclasses import dataclass
from hashlib import sha256

from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef
from retrieval.redaction import RedactedText, Redactor, cut_marked, unnumbered, without_marks

HARD_LIMIT_BYTES = 16 * 1024
_DIRECTION = (
    0x061C,
    0x200B,
    0x200E,
    0x200F,
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    0xFEFF,
    0xFFF9,
    0xFFFA,
    0xFFFB,
)
_CONTROLS = (
    *(c for c in (*range(0x20), *range(0x7F, 0xA0)) if chr(c) not in "\t\n\r\f\v\x85"),
    *range(0xE0000, 0xE0080),
)
_UNSEEN = dict.fromkeys((*_CONTROLS, *_DIRECTION))
TEXT_LIMIT = 4_000  # code points; beyond it the text is cut with notice `truncated`


@dataclass(frozen=True, slots=True)
class RedactedQuestion:
    """A question within both limits, without personal data; `is_truncated` when something was cut off.

    `marked` is the text with marked tokens (`retrieval.redaction.tokens`), from which history numbers them.
    """

    text: RedactedText
    marked: RedactedText
    is_truncated: bool


def cap(text: str) -> str:
    """Cut text to 16 KB of UTF-8, before any expression runs over it.

    Lone surrogates are replaced. Control characters and marks of writing direction go: nobody sees them, and one in
    front of a question changes the language that it seems to be in. Line breaks, tabs and joiners (emoji, Persian) stay.
    """
    head = text[:HARD_LIMIT_BYTES].translate(_UNSEEN)
    return head.encode("utf-8", "replace")[:HARD_LIMIT_BYTES].decode("utf-8", "ignore")


def redact_question(text: str, redactor: Redactor, *, thread: ThreadRef | None = None) -> RedactedQuestion:
    """Cut text to 16 KB, redact it, and then cut it to 4 000 code points, at a space where one is near.

    In this order, since a telephone number that the shorter limit halves would no longer be known as one. Tokens are
    marked for the thread; without one they are plain.
    """
    marked = redactor.marked(without_marks(cap(text)), thread=thread.key if thread else "")
    redacted = unnumbered(marked)
    if len(text) <= HARD_LIMIT_BYTES and len(redacted) <= TEXT_LIMIT:
        return RedactedQuestion(redacted, marked, is_truncated=False)
    space = redacted.rfind(" ", TEXT_LIMIT - 200, TEXT_LIMIT)
    cut = cut_marked(marked, space if space > 0 else TEXT_LIMIT)
    return RedactedQuestion(unnumbered(cut), cut, is_truncated=True)


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
    question = redact_question(text, redactor, thread=thread)
    digest = sha256(f"{thread.key}\n{received_at!r}\n{question.text}".encode()).hexdigest()[:24]
    return AcceptedMessage(
        message_id=MessageId(f"{thread.platform}-{digest}"),
        thread=thread,
        user_id="",
        text=question.text,
        marked=question.marked,
        received_at=received_at,
        audience=tuple(sorted(audience)),
        is_direct=True,
        is_truncated=question.is_truncated,
    )


def local_thread(platform: Platform, thread_id: str, *, channel_id: str = "local") -> ThreadRef:
    """Name a thread of the console, the HTTP API or the playground; the channel keeps two doors of one platform apart."""
    return ThreadRef(platform=platform, tenant_id="local", channel_id=channel_id, thread_id=thread_id)
