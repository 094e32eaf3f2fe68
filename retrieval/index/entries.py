"""What a generation will hold, document by document: new ones with their text, those of the generation before as a place in it."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from retrieval.index.intake import Prepared

# States of a document; only open ones are ever returned.
OPEN, WAITING, REJECTED = range(3)
# The row of a document that the generation before does not hold as it is now.
NEW = -1


class Entry(NamedTuple):  # made by the ten thousand, at a third of the time of a frozen dataclass
    """One document of a generation.

    `row`: its row in the generation before, when it stands there as it is now, else `NEW`. `item`: its text; None when it was not
    read, since nothing of it changes. `hash` as `Prepared.hash` gives it, `state` one of `OPEN`, `WAITING`, `REJECTED`.
    """

    id: str
    hash: str
    lang: str
    visibility: tuple[str, ...]
    state: int
    redactions: int
    row: int = NEW
    item: Prepared | None = None


def entry_of(item: Prepared, *, rows: Mapping[tuple[str, str], int] | None = None) -> Entry:
    """Give the entry of a document that was read; `rows` gives rows of the generation before by id and hash."""
    document, digest = item.document, item.hash
    row = (rows or {}).get((document.id, digest), NEW)
    return Entry(document.id, digest, document.lang, document.visibility, state_of(item), item.redactions, row, item)


def state_of(item: Prepared) -> int:
    """Give the state of a document."""
    if not item.screening.quarantined:
        return OPEN
    return WAITING if item.screening.is_waiting else REJECTED


def held_items(entries: Iterable[Entry]) -> tuple[Prepared, ...]:
    """Give the documents that are held back; they are always read."""
    return tuple(entry.item for entry in entries if entry.item is not None and entry.state != OPEN)
