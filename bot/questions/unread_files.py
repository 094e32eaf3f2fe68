"""Files that came with a question and were not read, each with the reason, as the answer says it."""

from bot.messages import AcceptedMessage
from bot.texts import has_text, say
from retrieval.redaction import RedactedText

FILES = "files"  # names, one a line
REASONS = "file_reasons"  # keys of texts, one a line; where there is none, nobody looked
UNKNOWN = "file_not_read"


def unread_notes(message: AcceptedMessage, language: str) -> tuple[RedactedText, ...]:
    """Say of each file that it was not read, and why."""
    names = message.route(FILES).split("\n")
    reasons = message.route(REASONS).split("\n")
    reasons += [UNKNOWN] * (len(names) - len(reasons))
    return tuple(
        say(reason if has_text(reason) else UNKNOWN, language, name=RedactedText.stored(name))
        for name, reason in zip(names, reasons, strict=False)
        if name
    )
