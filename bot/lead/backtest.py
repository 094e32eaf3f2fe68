"""Resolved tickets asked again as if they came in now: what was known before each, and whether what is cited is right.

Nothing younger than a ticket is searched, nor the ticket itself. A document counts as known from its last change on: what an
article said before that is not known any more. The topic gate is left out: it compares with the titles of the whole base, the
ticket's own among them, and a resolved ticket was a case for this desk. Weights of words are those of the whole base.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import inf

from bot.messages import Answer, NoticeKind, Outcome
from bot.passage_source import BlockingRetriever
from retrieval.documents import Document
from retrieval.documents.document import TICKET
from retrieval.passages import GateScore, GateVerdict, Ranking, SourceText

_DAY_S = 86_400.0
# A shorter number stands in many texts.
_LONG_NUMBER = 5
_ZONE = re.compile(r"(?i)(?<=\d)\s{1,3}(?:([+-]\d{2}:?\d{2})|UTC|GMT|Z)\Z")
_AROUND = "()[]{}<>.,;:!?\"'`“”„«»*_"
_OPEN = frozenset({"new", "open", "pending", "hold", "on-hold", "on hold", "waiting", "in progress", "unresolved"})


@dataclass(frozen=True, slots=True)
class Case:
    """One resolved ticket to be asked again; `asked_at` is seconds since the epoch."""

    ticket: Document
    asked_at: float


@dataclass(frozen=True, slots=True)
class Cases:
    """What can be asked again, oldest first, and how many tickets cannot, by reason."""

    cases: tuple[Case, ...]
    skipped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Replayed:
    """How one ticket would have been answered.

    `known` counts the documents that were searched. `right` are the sources found that are right, `named` those that the
    resolution names among what was known, `queue` the voted one, empty without a vote.
    """

    case: Case
    known: int
    outcome: Outcome
    is_uncertain: bool
    cited: tuple[str, ...]
    right: Mapping[str, str]
    named: tuple[str, ...]
    queue: str
    language: str

    @property
    def is_answered(self) -> bool:
        """Whether an answer was given, plain or uncertain."""
        return self.outcome is Outcome.ANSWERED

    @property
    def is_right(self) -> bool:
        """Whether one of the cited sources is right."""
        return any(name in self.right for name in self.cited)


def moment(text: str, *, is_end: bool = False) -> float | None:
    """Read an ISO 8601 time as seconds since the epoch, None when it is none; a date alone is its start, or its end.

    Exports of help desks write the zone behind a blank: "2026-01-05 09:12:33 UTC", "… +0200".
    """
    plain = _ZONE.sub(lambda found: found[1] or "Z", text.strip())
    try:
        read = datetime.fromisoformat(plain)
    except ValueError:
        return None
    seconds = (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
    return seconds + _DAY_S if is_end and len(plain) <= len("2026-11-30") else seconds


def known_from(document: Document) -> float | None:
    """Give since when a document says what it says, seconds since the epoch; None when it has no date."""
    found = [moment(text, is_end=True) for text in (document.created_at, document.updated_at)]
    return max((at for at in found if at is not None), default=None)


def cases_of(documents: Sequence[Document], *, now: float = inf) -> Cases:
    """Give the tickets that can be asked again in the order of time, and count those that cannot.

    Args:
        documents: of the export.
        now: seconds since the epoch; a ticket that was opened a day after it has a wrong clock.
    """
    cases, skipped = [], {"undated": 0, "without_question": 0, "open": 0, "dated_in_the_future": 0}
    for document in documents:
        if document.kind != TICKET:
            continue
        asked_at = moment(document.created_at) or moment(document.updated_at)
        if document.status.strip().casefold() in _OPEN:
            skipped["open"] += 1
        elif not (document.question or document.title).strip():
            skipped["without_question"] += 1
        elif asked_at is None:
            skipped["undated"] += 1
        elif asked_at > now + _DAY_S:
            skipped["dated_in_the_future"] += 1
        else:
            cases.append(Case(document, asked_at))
    return Cases(tuple(sorted(cases, key=lambda case: (case.asked_at, case.ticket.id))), skipped)


def knowledge_times(documents: Sequence[Document]) -> dict[str, float]:
    """Give since when each document is known: an article without a date always was, a ticket without one never."""
    times = {}
    for document in documents:
        at = known_from(document)
        times[document.id] = at if at is not None else inf if document.kind == TICKET else -inf
    return times


def names_of(documents: Iterable[Document]) -> dict[str, str]:
    """Give by which words a text may name each document: its id, where that is no common number, and its address."""
    named = {}
    for document in documents:
        if len(document.id) >= _LONG_NUMBER or (len(document.id) > 2 and not document.id.isdigit()):
            named[document.id.casefold()] = document.id
        if document.url:
            named[document.url.casefold().rstrip("/")] = document.id
    return named


def named_in(text: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """Give the documents that a text names by id or address, as `names_of` knows them."""
    words = (word.strip(_AROUND).rstrip("/") for word in text.casefold().split())
    parts = (part for word in words for part in (word, word.rpartition("#")[2], word.rpartition("/")[2]))
    return tuple(dict.fromkeys(names[part] for part in parts if part in names))


def is_uncertain(answer: Answer) -> bool:
    """Tell whether an answer says that it rests on a faint source."""
    return any(notice.kind is NoticeKind.UNCERTAIN for notice in answer.notices)


class PastRetriever:
    """A retriever over what was known at a time, without the topic gate. Closing it closes nothing."""

    def __init__(self, retriever: BlockingRetriever) -> None:
        self._retriever = retriever

    def search(self, queries: Sequence[str], *, audience: frozenset[str] | None = None, top_k: int = 8) -> Ranking:
        """Rank documents by their best passage."""
        return self._retriever.search(queries, audience=audience, top_k=top_k)

    def held(self, queries: Sequence[str], *, audience: frozenset[str] | None = None) -> tuple[str, ...]:
        """Name what waits for a decision and would answer."""
        return self._retriever.held(queries, audience=audience)

    def gate(self, text: str, previous: str | None = None) -> GateScore:  # noqa: ARG002 - the port's form
        """Let every question through."""
        return GateScore(GateVerdict.ANSWER, 1.0)

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> list[list[float]]:
        """Give raw cosines."""
        return self._retriever.similarity(left, right)

    def document(self, document_id: str, *, audience: frozenset[str] | None = None) -> SourceText | None:
        """Give one source."""
        return self._retriever.document(document_id, audience=audience)

    def speakers(self, words: Sequence[str]) -> Mapping[str, int]:
        """Give for each language how many words stand in its documents."""
        return self._retriever.speakers(words)

    def ping(self) -> None:
        """Raise when the index cannot be read now."""
        self._retriever.ping()

    def close(self) -> None:
        """Leave the index open: others look at it."""


Alike = Callable[[str, str], float]


def right_sources(
    case: Case, found: Sequence[str], named: Collection[str], *, alike: Alike, least: float
) -> dict[str, str]:
    """Give which of the sources found are right, and by what: `named` in the resolution, or `overlap` with it.

    Args:
        case: the ticket.
        found: ids.
        named: the documents that its resolution names.
        alike: how much the resolutions or texts of two documents say the same, by their ids.
        least: from which value on they do.
    """
    right = {}
    for name in dict.fromkeys(found):
        if name in named:
            right[name] = "named"
        elif alike(case.ticket.id, name) >= least:
            right[name] = "overlap"
    return right
