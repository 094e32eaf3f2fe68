"""The lead's desk: findings out of the index and Redis, and decisions about them, built from the settings."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

from bot.adapters.lead_access import RedisLeadDoor
from bot.adapters.lead_corrections import CorrectionRefused
from bot.adapters.lead_decisions import FILE, DecisionFile
from bot.audit import AuditTrail
from bot.bootstrap.clock import SystemClock
from bot.bootstrap.corrections import CorrectionDesk, build_correction_desk, lapsed
from bot.bootstrap.gaps import gaps_of
from bot.bootstrap.lead_findings import findings_of, gap_findings
from bot.bootstrap.parts import State, open_state, private_folder
from bot.lead.corrections import Complaint, CorrectionKind
from bot.lead.findings import DAY_S, Decided, Fate, Finding, Overview, SetRight, order
from bot.lead.gaps import Gap, GapReason
from bot.ports import Clock
from config.settings import Settings
from retrieval.documents import Document
from retrieval.index import indexed_documents, read_manifest
from retrieval.validation import validate

_DAYS = 30
# With fewer posts it says nothing that an article is not among them.
_FEW_POSTS = 50


@dataclass(slots=True)
class IndexLeadDesk:
    """Implements `bot.lead.findings.LeadDesk` over one index and one Redis; the index is looked through once a generation and day."""

    folder: Path
    state: State
    decisions: DecisionFile
    trail: AuditTrail
    clock: Clock = field(default_factory=SystemClock)
    corrections: CorrectionDesk | None = None
    _seen: tuple[str, date] | None = field(default=None, init=False)
    _found: tuple[Finding, ...] = field(default=(), init=False)
    _documents: dict[str, Document] = field(default_factory=dict, init=False)
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def overview(self) -> Overview:
        """Look through everything.

        Raises:
            RetrievalError: the index cannot be read.
            StateUnavailable: Redis is out of reach.
        """
        now = self.clock.now()
        async with self._looking:
            await asyncio.to_thread(self._look, datetime.fromtimestamp(now, UTC).date())
        gaps = await gaps_of(self.state, since=now - _DAYS * DAY_S)
        findings = [*self._found, *(finding for finding, _ in gap_findings(gaps)), *await self._unfound()]
        shown, hidden = order(findings, self.decisions.read(), now)
        return Overview(shown, hidden, len(self._documents), _by_day(gaps, now), self._set_right())

    async def decide(self, key: str, fate: Fate, *, days: int) -> None:
        """Decide about a finding, and write it down."""
        now = self.clock.now()
        decided = Decided(fate, "lead", now, now + days * DAY_S if fate is Fate.SNOOZED else 0.0)
        await asyncio.to_thread(self.decisions.decide, key, decided)
        self.trail.write("finding_decided", finding=key, fate=str(fate), days=days if fate is Fate.SNOOZED else None)

    async def correct(self, key: str, kind: CorrectionKind, *, sources: Sequence[str] = (), answer: str = "") -> str:
        """Set right what is to become of the question of a finding; gives the key that undoes it."""
        if self.corrections is None:
            raise CorrectionRefused("corrections are not kept here")
        gaps = await gaps_of(self.state, since=self.clock.now() - _DAYS * DAY_S)
        asked = next((newest for finding, newest in gap_findings(gaps) if finding.key == key), None)
        if asked is None:
            raise CorrectionRefused("this question is not kept any more")
        async with self._looking:
            await asyncio.to_thread(self._look, datetime.fromtimestamp(self.clock.now(), UTC).date())
        complaint = Complaint(
            asked.query, asked.language, "lead", asker=asked.asker, thread=asked.thread.key, message_id=asked.message_id
        )
        make = partial(self.corrections.correct, complaint, kind, sources=sources, answer=answer)
        return (await asyncio.to_thread(make, documents=self._documents)).key

    async def undo(self, key: str) -> None:
        """Drop a correction; one that is gone already is no error."""
        if self.corrections is not None:
            await asyncio.to_thread(self.corrections.undo, key)

    def _set_right(self) -> tuple[SetRight, ...]:
        known = self.corrections.file.all() if self.corrections is not None else ()
        return tuple(SetRight(one, lapsed(one, self._documents)) for one in known)

    def _look(self, today: date) -> None:
        seen = (read_manifest(self.folder).index_id, today)
        if seen == self._seen:
            return
        documents = {document.id: document for document in indexed_documents(self.folder)}
        self._found = tuple(findings_of(validate(tuple(documents.values()), today=today), documents))
        self._documents, self._seen = documents, seen

    async def _unfound(self) -> list[Finding]:
        """Give the articles that no post which is remembered cites, where there are enough of those."""
        from bot.adapters.withdrawing import RedisSourceWithdrawals

        posts, cited = await RedisSourceWithdrawals(self.state.link, self.state.keys).cited()
        if posts < _FEW_POSTS:
            return []
        names = [d for d in self._documents.values() if d.kind == "article" and d.id not in cited]
        return [Finding("unfound", (d.id,), f"{d.id} {d.title}".strip(), (), (d.owner,)) for d in names]


def _by_day(gaps: Sequence[Gap], now: float) -> dict[str, dict[str, int]]:
    today = datetime.fromtimestamp(now, UTC).date()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for gap in gaps:
        day = datetime.fromtimestamp(gap.asked_at, UTC).date().isoformat()
        counts[day]["thumbs_down" if gap.reason is GapReason.THUMBS_DOWN else "gap"] += 1
    days = [(today - timedelta(days=back)).isoformat() for back in reversed(range(_DAYS))]
    return {day: dict(counts[day]) for day in days} if gaps else {}


def build_lead_desk(settings: Settings, state: State, trail: AuditTrail) -> IndexLeadDesk:
    """Build the desk over the index that bots answer from."""
    path = settings.retrieval.data_dir / FILE
    corrections = build_correction_desk(settings, trail)
    return IndexLeadDesk(settings.retrieval.index_dir, state, DecisionFile(path), trail, corrections=corrections)


async def make_lead_link(settings: Settings, trail: AuditTrail) -> str:
    """Give the secret of a new one-time link.

    Raises:
        StateUnavailable: Redis is out of reach.
    """
    async with open_state(settings.server, private_folder(settings.retrieval)) as state:
        secret = await RedisLeadDoor(state.link, state.keys).make_link()
    trail.write("lead_link_made")
    return secret
