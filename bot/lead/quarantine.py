"""Documents that were held back, as the lead sees and decides them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from bot.errors import BotError


class VerdictRefused(BotError):
    """A verdict cannot be kept as asked; the text says why."""


class LeadVerdict(StrEnum):
    """What a lead says of a document; `open` takes back what was said."""

    APPROVED = "approved"
    REJECTED = "rejected"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class HeldDocument:
    """A document that waits for a decision, or about which somebody decided (`verdict`).

    `content` is the hash of what is shown: a verdict holds for that alone. `score` is 0 to 1, `reasons` are names of signals,
    the most severe first, `passages` the places that they are about, for the eye only; `hidden` tells what a reader of the document
    does not see. `at` is ISO 8601.
    """

    id: str
    content: str
    title: str
    score: float
    reasons: tuple[str, ...]
    passages: tuple[str, ...]
    owner: str = ""
    verdict: str = ""
    by: str = ""
    at: str = ""
    note: str = ""
    hidden: tuple[str, ...] = ()


class Quarantine(Protocol):
    """Shows what is held back, and keeps verdicts."""

    def held(self) -> tuple[HeldDocument, ...]:
        """Give what waits, the riskiest first, then what was decided.

        Raises:
            RetrievalError: the index cannot be read.
        """
        ...

    def judge(self, document: str, content: str, verdict: LeadVerdict, *, note: str = "") -> None:
        """Keep a verdict about a document as it was shown, by the hash of its content.

        Raises:
            VerdictRefused: it is not there any more, or says something else by now.
            RetrievalError: the index cannot be read, or is being written.
        """
        ...
