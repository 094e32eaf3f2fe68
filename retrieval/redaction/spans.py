"""What redaction found: typed places in the original text."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from retrieval.redaction.redacted_text import RedactedText


@dataclass(frozen=True, slots=True)
class Span:
    """A found value; `[start, end)` in code points of the original text.

    `type` is EMAIL, PHONE, CARD, IBAN, IP, SECRET, NAME or NATIONAL_ID_CC with CC one of UA, RU, DE, PL, UK, US; ids that a
    desk hides by its own patterns are ID_ with their name.
    """

    type: str
    start: int
    end: int

    @property
    def token(self) -> str:
        """What stands in the redacted text instead of the value: typed, unnumbered, irreversible."""
        return "[NATIONAL_ID]" if self.type.startswith("NATIONAL_ID") else f"[{self.type}]"


@dataclass(frozen=True, slots=True)
class Redaction:
    """The redacted text and what was removed, in the order of the text, without overlaps."""

    text: RedactedText
    spans: tuple[Span, ...]


# A finder reads canonical text in which everything claimed before it is filled with `CLAIMED`, and gives spans in the
# offsets of that text. A span of type "" claims nothing for redaction but hides the place from the finders after it.
Finder = Callable[[str], Iterable[Span]]
CLAIMED = "\ufffc"
