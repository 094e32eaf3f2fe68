"""What is odd about documents that were read well: dates that are missing or lie in the future, and very long tables."""

import datetime as dt
import re
from collections.abc import Iterable, Sequence

from retrieval.documents.document import Document, Problem

LONG_TABLE = 2_000
_ROW = re.compile(r"^[^\S\n]*+\|.*\|[^\S\n]*+$", re.MULTILINE)


def odd_dates(documents: Iterable[Document], today: dt.date) -> list[Problem]:
    """Give a note for every document that was written later than tomorrow; a day is left to clocks and time zones."""
    last = (today + dt.timedelta(days=1)).isoformat()
    return [
        Problem(document.source or document.id, f"{name} {value} of {document.id!r} lies in the future", is_note=True)
        for document in documents
        for name, value in (("updated_at", document.updated_at), ("created_at", document.created_at))
        if value[:10] > last
    ]


def long_tables(documents: Iterable[Document]) -> list[Problem]:
    """Give a note for every document with a table of thousands of rows: it is found row by row only as a CSV file."""
    found = []
    for document in documents:
        rows = len(_ROW.findall(document.evidence)) if document.evidence.count("|") > LONG_TABLE else 0
        if rows > LONG_TABLE:
            reason = f"{document.id!r} holds tables of {rows} rows; as a CSV file with a row a document each is found by itself"
            found.append(Problem(document.source or document.id, reason, is_note=True))
    return found


def undated(documents: Sequence[Document]) -> int:
    """Count the documents of which nobody says when they were written."""
    return sum(not (document.updated_at or document.created_at) for document in documents)
