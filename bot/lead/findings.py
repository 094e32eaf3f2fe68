"""What a support lead looks after: findings in the knowledge base, and what was decided about each of them."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol

from bot.lead.corrections import Correction, CorrectionKind
from bot.lead.quarantine import HeldDocument, LeadVerdict

DAY_S = 86_400
NOBODY = "nobody"


class Fate(StrEnum):
    """What a lead decides about a finding."""

    RESOLVED = "resolved"
    SNOOZED = "snoozed"
    VARIANT = "variant"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look after.

    `kind` is `conflict`, `stale`, `superseded`, `copies`, `ring`, `unfound`, `gap`, `thumbs_down` or `unresolved`; `ids` are the
    documents, `owners` theirs, `details` what is shown of it, side by side where there are two. `said` is what its name is made of
    where that is not its title and details. `seen_at`: when people met it last, seconds since the epoch; 0 where nobody can.
    """

    kind: str
    ids: tuple[str, ...]
    title: str
    details: tuple[str, ...]
    owners: tuple[str, ...] = ()
    weight: float = 0.0
    said: tuple[str, ...] = ()
    seen_at: float = 0.0

    @property
    def key(self) -> str:
        """Name of the finding, 16 hex digits: of what it says, so that a finding that says something else is a new one."""
        ids = () if self.seen_at else self.ids  # what one more asker was shown does not make it another question
        text = "\n".join((self.kind, *ids, *(self.said or (self.title, *self.details))))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def is_of(self, owner: str) -> bool:
        """Whether it is this owner's; `nobody` is who is named nowhere."""
        return owner in {one or NOBODY for one in self.owners}


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided about a finding; a snoozed one is open again from `until` on. Times are seconds since the epoch."""

    fate: Fate
    by: str
    at: float
    until: float = 0.0

    def hides(self, finding: Finding, now: float) -> bool:
        """Whether the finding is not shown; what was resolved and met again since is open again."""
        if self.fate is Fate.SNOOZED:
            return now < self.until
        return self.fate is Fate.VARIANT or (self.fate is Fate.RESOLVED and finding.seen_at <= self.at)


@dataclass(frozen=True, slots=True)
class SetAside:
    """A finding that is not shown, and what was decided about it."""

    finding: Finding
    decided: Decided

    @property
    def told(self) -> str:
        """Say what was decided, and when, or until when."""
        decided = self.decided
        is_snoozed = decided.fate is Fate.SNOOZED
        day = datetime.fromtimestamp(decided.until if is_snoozed else decided.at, UTC).date().isoformat()
        said = {Fate.SNOOZED: "snoozed until", Fate.VARIANT: "marked as a variant on"}
        return f"{said.get(decided.fate, 'resolved on')} {day}"


@dataclass(frozen=True, slots=True)
class SetRight:
    """A correction; `lapsed` are the sources for which a pinned answer no longer applies."""

    correction: Correction
    lapsed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Overview:
    """What the page shows: open findings in their order, how many are hidden, and numbers by day (ISO date), oldest first.

    `set_aside` are the hidden ones, the newest decision first. `corrections` are the newest first. `open_by_day`: how many findings of each kind were open when somebody looked last on a day.
    `held` are the documents that wait for a verdict, and those that have one.
    """

    findings: tuple[Finding, ...]
    hidden: int
    documents: int
    by_day: Mapping[str, Mapping[str, int]]
    corrections: tuple[SetRight, ...] = ()
    open_by_day: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    set_aside: tuple[SetAside, ...] = ()
    held: tuple[HeldDocument, ...] = ()

    def of(self, kind: str) -> tuple[Finding, ...]:
        """Give the findings of one kind."""
        return tuple(finding for finding in self.findings if finding.kind == kind)

    @property
    def owners(self) -> tuple[tuple[str, int], ...]:
        """Give how many findings each owner has, most first."""
        counts: dict[str, int] = {}
        for finding in self.findings:
            for owner in dict.fromkeys(finding.owners):
                counts[owner or NOBODY] = counts.get(owner or NOBODY, 0) + 1
        return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def owned_by(self, owner: str) -> "Overview":
        """Give what is this owner's; `nobody` is who is named nowhere."""
        return replace(
            self,
            findings=tuple(one for one in self.findings if one.is_of(owner)),
            set_aside=tuple(one for one in self.set_aside if one.finding.is_of(owner)),
            held=tuple(one for one in self.held if owner == (one.owner or NOBODY)),
        )


class LeadDesk(Protocol):
    """Finds and decides."""

    async def overview(self) -> Overview:
        """Look through everything.

        Raises:
            RetrievalError: the index cannot be read.
            StateUnavailable: Redis is out of reach.
        """
        ...

    async def decide(self, key: str, fate: Fate, *, days: int) -> None:
        """Decide about a finding; `days` is how long a snoozed one is hidden. `OPEN` undoes it."""
        ...

    async def correct(self, key: str, kind: CorrectionKind, *, sources: Sequence[str] = (), answer: str = "") -> str:
        """Set right what is to become of the question of a finding; gives the key that undoes it.

        Raises:
            BotError: it cannot be made as asked; the text says why.
            RetrievalError: the index cannot be read.
            StateUnavailable: Redis is out of reach.
        """
        ...

    async def undo(self, key: str) -> None:
        """Drop a correction; one that is gone already is no error."""
        ...

    async def judge(self, document: str, content: str, verdict: LeadVerdict, *, note: str) -> None:
        """Keep a verdict about a document that is held back, as it was shown.

        Raises:
            BotError: it cannot be kept as asked; the text says why.
            RetrievalError: the index cannot be read, or is being written.
        """
        ...


class LeadDoor(Protocol):
    """Lets the lead in."""

    async def is_waiting(self, link: str) -> bool:
        """Tell whether a one-time link would open the page, without spending it."""
        ...

    async def enter(self, link: str) -> str:
        """Give a session for a one-time link; empty when the link was used, has expired or is none."""
        ...

    async def is_open(self, session: str) -> bool:
        """Tell whether a session may look."""
        ...


def order(findings: Sequence[Finding], decided: Mapping[str, Decided], now: float) -> tuple[tuple[Finding, ...], int]:
    """Give the open findings, the weightiest of each kind first, and how many are hidden."""
    shown = [one for one in findings if not (one.key in decided and decided[one.key].hides(one, now))]
    return tuple(sorted(shown, key=lambda one: -one.weight)), len(findings) - len(shown)


def set_aside(findings: Sequence[Finding], decided: Mapping[str, Decided], now: float) -> tuple[SetAside, ...]:
    """Give the findings that are hidden with what was decided about them, the newest decision first."""
    hidden = [SetAside(one, decided[one.key]) for one in findings if one.key in decided]
    hidden = [one for one in hidden if one.decided.hides(one.finding, now)]
    return tuple(sorted(hidden, key=lambda one: -one.decided.at))
