"""Who or what is to be forgotten, and what of the stored things belongs to it."""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from bot.lead.corrections import Correction
from bot.lead.gaps import Gap
from bot.lead.note import is_note_of
from bot.lead.receipts import Receipt
from bot.messages import AcceptedMessage, Turn

# A shorter id would be found in every other text.
_LEAST_ID = 5


class SubjectKind(StrEnum):
    """What an id names."""

    USER = "user"
    THREAD = "thread"
    DOCUMENT = "document"
    PLACE = "place"


@dataclass(frozen=True, slots=True)
class Subject:
    """A person by the platform's user id, a thread, a document, or a place (`slack/T0…`, `teams/TENANT/CONVERSATION`).

    A thread is named by its id (Slack: the time stamp of its root) or by its whole key. `pseudonym` is that of a person.
    """

    kind: SubjectKind
    id: str
    pseudonym: str = ""

    @property
    def mark(self) -> str:
        """The name under which it is marked as forgotten."""
        return self.pseudonym if self.kind is SubjectKind.USER else self.id

    def is_thread(self, key: str) -> bool:
        """Tell whether a whole thread, by its key, belongs to it."""
        match self.kind:
            case SubjectKind.THREAD:
                return self.id in {key, key.partition("/")[2].partition("/")[2].partition("/")[2]}
            case SubjectKind.PLACE:
                return key.startswith(f"{self.id}/")
            case _:
                return False

    def is_turn(self, turn: Turn) -> bool:
        """Tell whether a turn belongs to it: asked by the person or naming them; citing the document or naming it."""
        match self.kind:
            case SubjectKind.USER:
                is_own = bool(self.pseudonym) and turn.asker == self.pseudonym
                return is_own or self.is_named(turn.question) or self.is_named(turn.answer)
            case SubjectKind.DOCUMENT:
                return self.id in turn.cited_ids or self.is_named(turn.answer) or self.is_named(turn.question)
            case _:
                return False

    def is_gap(self, gap: Gap) -> bool:
        """Tell whether a question that nobody could answer belongs to it."""
        match self.kind:
            case SubjectKind.USER:
                return (bool(self.pseudonym) and gap.asker == self.pseudonym) or self.is_named(gap.question)
            case SubjectKind.DOCUMENT:
                return self.id in gap.cited or self.is_named(gap.question) or self.is_named(gap.query)
            case _:
                return self.is_thread(gap.thread.key)

    def is_correction(self, one: Correction) -> bool:
        """Tell whether what the lead set right belongs to it."""
        match self.kind:
            case SubjectKind.USER:
                is_own = bool(self.pseudonym) and one.asker == self.pseudonym
                return is_own or self.is_named(one.question) or self.is_named(one.answer)
            case SubjectKind.DOCUMENT:
                return self.id in one.ids or self.is_named(one.question) or self.is_named(one.answer)
            case _:
                return bool(one.thread) and self.is_thread(one.thread)

    def is_message(self, message: AcceptedMessage) -> bool:
        """Tell whether a question on its way belongs to it."""
        if self.kind is SubjectKind.USER:
            return message.user_id == self.id or self.is_named(message.text)
        return self.is_thread(message.thread.key) or self.is_note(message.message_id)

    def is_note(self, message_id: str) -> bool:
        """Tell whether a message, by its id, is the note to the lead of this document."""
        return self.kind is SubjectKind.DOCUMENT and is_note_of(message_id, self.id)

    def is_receipt(self, receipt: Receipt) -> bool:
        """Tell whether a post of the bot belongs to it."""
        match self.kind:
            case SubjectKind.USER:
                return bool(self.pseudonym) and receipt.asker == self.pseudonym
            case SubjectKind.DOCUMENT:
                return self.id in receipt.cited
            case _:
                return self.is_thread(receipt.thread.key)

    def is_named(self, text: str) -> bool:
        """Tell whether a text holds its id."""
        if len(self.id) < _LEAST_ID or self.id not in text:
            return False
        return re.search(rf"(?<![\w-]){re.escape(self.id)}(?![\w-])", text) is not None


@dataclass(slots=True)
class Forgotten:
    """What was found and removed, by kind, and the receipts of the posts that stand."""

    counts: dict[str, int] = field(default_factory=dict)
    receipts: list[Receipt] = field(default_factory=list)

    def add(self, kind: str, count: int = 1) -> None:
        """Count what was removed."""
        self.counts[kind] = self.counts.get(kind, 0) + count
