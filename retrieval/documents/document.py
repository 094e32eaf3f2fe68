"""The source documents: articles and resolved tickets, as they were read."""

from dataclasses import dataclass, field

PUBLIC = "public"
INTERNAL = "internal"
ARTICLE = "article"
TICKET = "ticket"


@dataclass(frozen=True, slots=True)
class Document:
    """One article or ticket. Text is clean Unicode (no NUL, no lone surrogate) but not yet redacted.

    Dates are ISO 8601 text as given. `visibility` is a tuple of labels; `("public",)` for everybody, `("internal",)`
    when the source says nothing. `people` are names that redaction must look for in this document. `source` is file and line,
    for messages only. `place` is the path of its file below the folder that was read, empty for one of many in a file: relative links
    start there. `hidden` are texts that its page holds and does not show, each behind the way it is hidden; of these some stand in the
    text too.
    """

    id: str
    title: str = ""
    text: str = ""
    kind: str = ARTICLE
    url: str | None = None
    lang: str = ""
    updated_at: str = ""
    created_at: str = ""
    status: str = ""
    supersedes: tuple[str, ...] = ()
    valid_until: str = ""
    review_by: str = ""
    visibility: tuple[str, ...] = (INTERNAL,)
    product: str = ""
    question: str = ""
    resolution: str = ""
    queue: str = ""
    owner: str = ""
    people: tuple[str, ...] = ()
    place: str = field(default="", compare=False, repr=False)
    source: str = field(default="", compare=False)
    hidden: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def evidence(self) -> str:
        """What may be quoted: of a ticket the agents' resolution, of an article its text.

        A ticket with nothing but `text` counts as one whose text is the resolution. Beside a `question` the text of a
        ticket may hold the customer's words, so it is then no evidence.
        """
        if self.kind == TICKET:
            return self.resolution or ("" if self.question else self.text)
        return self.text or self.resolution

    @property
    def matched(self) -> str:
        """What is matched against beside title and evidence and is never quoted: the customer's words."""
        extra = self.text if self.kind == TICKET and self.resolution else ""
        return "\n\n".join(part for part in (self.question, extra) if part)


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a piece of the input was not taken. `where` is `file` or `file:line`.

    `is_note`: nothing was lost, as with a table that has a header and no rows, but it should be known. `hides`: documents may
    stand behind it that were there before, so nothing may be taken for deleted. `ticket`: the id of one without a resolution.
    `document`: the id of the one that cannot be read; its earlier version stays, unless it `closes`: who may see it is in doubt.
    `may_be`: ids that it may have, where none is sure, and `place`, as of `Document`: what stood there may stand behind it too.
    """

    where: str
    reason: str
    is_note: bool = False
    hides: bool = False
    ticket: str = ""
    document: str = ""
    closes: bool = False
    may_be: tuple[str, ...] = ()
    place: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was read: documents in the order of the input, every piece that was skipped, and notes on sources that hold nothing.

    `stood_there`: ids that came from the broken files when they could be read.
    """

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...]
    blank: int = 0
    notes: tuple[Problem, ...] = ()
    stood_there: frozenset[str] = frozenset()

    @property
    def is_partial(self) -> bool:
        """Whether a part of the input was skipped."""
        return bool(self.problems)

    @property
    def is_incomplete(self) -> bool:
        """Whether documents may be missing that the source still has; then nothing is taken for deleted."""
        return any(problem.hides for problem in (*self.problems, *self.notes))

    @property
    def unread(self) -> frozenset[str]:
        """Ids of documents that are still there and could not be read: what is known of them stays as it was."""
        return frozenset(problem.document for problem in self.problems if problem.document) - self.closed - self._read

    @property
    def may_stay(self) -> frozenset[str]:
        """Ids that what cannot be read may have: of those that are known, what is known stays as it was."""
        told = frozenset(name for problem in self.problems for name in problem.may_be)
        return (told | self.stood_there) - self.closed - self._read

    @property
    def broken_places(self) -> frozenset[str]:
        """Places of files that cannot be read."""
        return frozenset(problem.place for problem in self.problems if problem.place)

    @property
    def closed(self) -> frozenset[str]:
        """Ids of documents of which nobody can say who may see them: not even an earlier version may be shown."""
        return frozenset(problem.document for problem in self.problems if problem.closes) - self._read - {""}

    @property
    def _read(self) -> frozenset[str]:
        return frozenset(document.id for document in self.documents)

    @property
    def unresolved(self) -> tuple[str, ...]:
        """Ids of the tickets without a resolution, in the order of the input."""
        return tuple(problem.ticket for problem in (*self.problems, *self.notes) if problem.ticket)
