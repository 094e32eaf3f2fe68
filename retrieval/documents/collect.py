"""Documents and problems to what was loaded: one document an id, tickets without a resolution told apart."""

from collections.abc import Iterable

from retrieval.documents.document import TICKET, Document, Loaded, Problem
from retrieval.documents.markup import is_blank


def collect(items: Iterable[Document | Problem]) -> Loaded:
    """Put together what was read. Of two documents with one id the first is kept, if only by not publishing the second.

    A ticket without a resolution and a document without text are problems too.
    """
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    notes: list[Problem] = []
    closed: dict[str, Problem] = {}
    blank = 0
    for item in items:
        if isinstance(item, Problem):
            (notes if item.is_note else problems).append(item)
            if item.closes and item.document not in documents:
                closed.setdefault(item.document, item)
        elif item.id in closed:  # the first of two counts, and it may be for fewer people
            reason = f"repeats id {item.id!r} of {closed[item.id].where}; it is not published either"
            problems.append(Problem(item.source, reason))
        elif (problem := _refused(item, documents)) is None:
            documents[item.id] = item
        else:
            problems.append(problem)
            blank += item.kind != TICKET and is_blank(item.evidence)
    return Loaded(tuple(documents.values()), tuple(problems), blank, tuple(notes))


def _refused(document: Document, known: dict[str, Document]) -> Problem | None:
    if document.id in known:
        return Problem(document.source, f"repeats id {document.id!r} of {known[document.id].source}; the first is kept")
    if is_blank(document.evidence):
        if document.kind == TICKET:
            reason = f"ticket {document.id!r} has no resolution; it is not indexed"
            return Problem(document.source, reason, ticket=document.id)
        return Problem(document.source, f"document {document.id!r} has no text; it is not indexed")
    return None
