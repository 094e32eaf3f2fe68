"""A note to the lead: a message whose reply is decided already, with a held document's id and what the screen found.

Never a word of the document or of the question.
"""

import re
import shlex
from dataclasses import dataclass

from bot.checks.closed_output import plain_name, unlinked
from bot.messages import AcceptedMessage, Answer, MessageId, Outcome, ThreadRef
from bot.texts import say
from retrieval.redaction import EMPTY, RedactedText

# The refusal of a note: no door looks anybody up for it, and no stage reads it.
HELD_NOTE = "held_note"
_DOCUMENT, _REASONS, _LANGUAGE = "document", "reasons", "language"
_PREFIX = "note"
# What may stand in a command that somebody copies; the rest is looked up by `triage quarantine list`.
_COPIED = re.compile(r"[\w ./:#@+,()-]{1,150}")


@dataclass(frozen=True, slots=True)
class HeldSource:
    """What is told of a held document: a hash of its content, so that changed content is told anew, and why it is held."""

    content: str
    reasons: tuple[str, ...]


def note_of(document_id: str, source: HeldSource, channel: ThreadRef, *, language: str, at: float) -> AcceptedMessage:
    """Make the note about a document to the lead's channel, which is no thread's, in words of this language.

    Equal notes have equal names, so that the queue takes each once. `at` is seconds since the epoch.
    """
    return AcceptedMessage(
        message_id=MessageId(f"{_PREFIX}/{document_id}/{source.content}"),
        thread=channel,
        user_id="",
        text=EMPTY,
        received_at=at,
        refusal=HELD_NOTE,
        routing=((_DOCUMENT, document_id), (_REASONS, ", ".join(source.reasons)), (_LANGUAGE, language)),
    )


def note_answer(note: AcceptedMessage, link: RedactedText = EMPTY) -> Answer:
    """Give the words of a note, with a link to the lead's page. The outcome is one that leaves no turn and that all in the channel see."""
    language, name = note.route(_LANGUAGE), note.route(_DOCUMENT)
    reasons = RedactedText.stored(note.route(_REASONS))
    if _COPIED.fullmatch(name) and plain_name(name) == unlinked(name) == name:
        shown = RedactedText.stored(shlex.quote(name))
        text = say("held_note", language, document=shown, reasons=reasons)
    else:
        text = say("held_note_unnamed", language, reasons=reasons)
    if link:
        text = RedactedText.joined((text, say("held_note_link", language, url=link)), "\n\n")
    return Answer(outcome=Outcome.COURTESY, text=text, language=language, request_id="")


def noted_document(note: AcceptedMessage) -> str:
    """Give the id of the document that a message is a note of, empty when it is none."""
    return note.route(_DOCUMENT) if note.refusal == HELD_NOTE else ""


def is_note_of(message_id: str, document_id: str) -> bool:
    """Tell from its name whether a message is a note of this document."""
    return message_id.startswith(f"{_PREFIX}/{document_id}/") and "/" not in message_id[len(document_id) + 6 :]
