"""Everything that is wrong with a knowledge base in one report, the most certain first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from retrieval.documents import Document
from retrieval.language import language_of
from retrieval.ports import Vectors
from retrieval.validation.contradictions import Contradiction, Found, find_contradictions
from retrieval.validation.grouping import Conflict, grouped
from retrieval.validation.near_copies import copy_families
from retrieval.validation.one_subject import is_about_one, surroundings_of
from retrieval.validation.policy import REPLACED, TICKET, dated, prefer, reason, replacements
from retrieval.validation.replies import subject_of
from retrieval.validation.same_question import Asked, asked_of
from retrieval.validation.staleness import Stale, stale_documents
from retrieval.validation.statements import Statement, statement_about, statements_of
from retrieval.validation.sureness import subject_of as subject_told
from retrieval.validation.sureness import sureness_of

# Chosen on the planted tickets; see RESULTS.md.
LEAST = 0.2
# Two articles have many sentences each, and so more that are alike by chance.
_LEAST_OF_ARTICLES = 0.32
# A question of more characters tells a story, of which much is like other stories.
_SHORT = 200


@dataclass(frozen=True, slots=True)
class Superseded:
    """A document that another one replaces; `by` is empty when only its status says so."""

    id: str
    by: str


@dataclass(frozen=True, slots=True)
class Validation:
    """What was found. `rings` are documents that replace each other in a circle."""

    conflicts: tuple[Conflict, ...] = ()
    stale: tuple[Stale, ...] = ()
    superseded: tuple[Superseded, ...] = ()
    copies: tuple[tuple[str, ...], ...] = ()
    unresolved_tickets: tuple[str, ...] = ()
    rings: tuple[tuple[str, ...], ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return not any((self.conflicts, self.stale, self.superseded, self.copies, self.unresolved_tickets, self.rings))


def validate(
    documents: Sequence[Document], *, today: date, unresolved: Iterable[str] = (), vectors: Mapping[str, Vectors] = {}
) -> Validation:
    """Look through a knowledge base.

    Args:
        documents: all that may be served; no two with one id.
        today: what lies before it has passed.
        unresolved: ids of tickets that have no resolution.
        vectors: of the documents, as an index has them; without them questions are compared by words and ideas alone.
    """
    replaced, rings = replacements(documents)
    by_id = {document.id: document for document in documents}
    live = [document for document in documents if document.id not in replaced and not _is_replaced(document)]
    by_document = {document.id: statements(document) for document in live}
    said = [statement for of_one in by_document.values() for statement in of_one]
    asked = [one for document in live if (one := _asked(document, by_document[document.id]))]
    found = find_contradictions(said, least=LEAST, asked=asked, vectors=vectors)
    base = surroundings_of(said)
    certain = [one for one in found.contradictions if _is_certain(one, by_id) and is_about_one(one, base)]
    pairs = [_conflict(one, by_id, found, today) for one in certain]
    late = {(one.prefer, one.values[1 - one.ids.index(one.prefer)]): one for one in reversed(pairs) if one.is_outdated}
    stale = [*stale_documents(live, today=today, base=documents), *(_late(one, by_id) for one in late.values())]
    return Validation(
        conflicts=tuple(grouped(pairs)),
        stale=tuple(sorted(stale, key=lambda one: -one.certainty)),
        superseded=tuple(_superseded(documents, replaced)),
        copies=tuple(tuple(ids) for ids in copy_families({d.id: d.evidence for d in live})),
        unresolved_tickets=tuple(unresolved),
        rings=rings,
    )


def statements(document: Document) -> tuple[Statement, ...]:
    """Give the statements of what a document may be quoted with."""
    about = f"{document.title}\n{document.question}" if document.question != document.title else document.title
    lang = document.lang or language_of(document.evidence)
    asked = _question(document)
    return statements_of(document.id, document.evidence, about=about, asked=asked, lang=lang, scope=document.product)


def _question(document: Document) -> str:
    return document.question or (document.title if document.title.rstrip().endswith(("?", "？")) else "")


def _asked(document: Document, said: Sequence[Statement]) -> Asked | None:
    question = _question(document) or document.title
    if not question or len(question) > _SHORT or not said:
        return None
    about = statement_about(document.id, subject_of(question), said[0].lang)
    return asked_of(question, said, about=about, is_title=not _question(document))


def _is_certain(one: Contradiction, by_id: Mapping[str, Document]) -> bool:
    is_of_ticket = any(by_id[name].kind == TICKET for name in one.ids)
    return is_of_ticket or one.certainty >= _LEAST_OF_ARTICLES


def _is_replaced(document: Document) -> bool:
    return document.status.strip().casefold() in REPLACED


def _superseded(documents: Sequence[Document], replaced: Mapping[str, str]) -> Iterable[Superseded]:
    for document in documents:
        if document.id in replaced:
            yield Superseded(document.id, replaced[document.id])
        elif _is_replaced(document):
            yield Superseded(document.id, "")


def _conflict(one: Contradiction, by_id: Mapping[str, Document], found: Found, today: date) -> Conflict:
    first, second = by_id[one.ids[0]], by_id[one.ids[1]]
    preference = prefer(first, second, today=today, confirmations=found.confirmations(one))
    sureness = sureness_of(one.first, one.second, one.comparison)
    return Conflict(
        ids=one.ids,
        slot=one.comparison.slot,
        values=one.comparison.values,
        prefer=preference.id,
        reason=reason(preference, first, second, today=today),
        kind=one.comparison.kind,
        certainty=round(one.certainty, 3),
        sentences=(one.first.text, one.second.text),
        dates=(_day(first, today), _day(second, today)),
        owners=(first.owner, second.owner),
        is_outdated=preference.is_outdated,
        sides=((one.ids[0],), (one.ids[1],)),
        ground=preference.ground,
        likelihood=sureness.word,
        why=sureness.why,
        subject=subject_told(one.first, one.second) or one.comparison.slot,
    )


def _day(document: Document, today: date) -> str:
    day = dated(document, today)
    return str(day) if day else ""


def _late(conflict: Conflict, by_id: Mapping[str, Document]) -> Stale:
    """Say that an article may be out of date because a newer ticket says otherwise."""
    place = conflict.ids.index(conflict.prefer)
    other = 1 - place
    said = (
        f"the newer ticket {conflict.ids[other]} says {conflict.values[other]} where it says {conflict.values[place]}"
    )
    article = by_id[conflict.prefer]
    return Stale(article.id, "later_ticket", conflict.dates[place], article.owner, said, conflict.certainty)
