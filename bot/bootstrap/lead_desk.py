"""The lead's desk: findings out of the index and Redis, and decisions about them, built from the settings."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

import structlog

from bot.adapters.files.corrections import CorrectionRefused
from bot.adapters.files.decisions import FILE, DecisionFile
from bot.adapters.files.history import FILE as HISTORY
from bot.adapters.files.history import HistoryFile
from bot.audit import AuditTrail
from bot.bootstrap.clock import SystemClock
from bot.bootstrap.corrections import CorrectionDesk, build_correction_desk, lapsed
from bot.bootstrap.gaps import gaps_of
from bot.bootstrap.index_parts import index_tools
from bot.bootstrap.lead_findings import findings_of, gap_findings, unresolved_finding
from bot.bootstrap.lead_quarantine import IndexQuarantine
from bot.bootstrap.parts import State
from bot.lead.corrections import Complaint, CorrectionKind
from bot.lead.findings import DAY_S, Decided, Fate, Finding, Overview, SetRight, order, set_aside
from bot.lead.gaps import Gap, GapReason
from bot.lead.quarantine import LeadVerdict, Quarantine, VerdictRefused
from bot.ports import Clock
from config.settings import Settings
from retrieval.documents import Document
from retrieval.index import indexed_documents, indexed_vectors, read_manifest, read_unresolved
from retrieval.validation import validate

_log = structlog.get_logger(__name__)
_DAYS = 30
# Whose decision it is when a question was set right: undone with it.
_BY_CORRECTION = "correction "
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
    history: HistoryFile | None = None
    quarantine: Quarantine | None = None
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
        asked = (finding for finding, _ in gap_findings(gaps, self._documents))
        findings = [*self._found, *unresolved_finding(read_unresolved(self.folder)), *asked, *await self._unfound()]
        decided = self.decisions.read()
        shown, hidden = order(findings, decided, now)
        aside = set_aside(findings, decided, now)
        open_by_day = await asyncio.to_thread(self._noted, shown, now)
        held = await asyncio.to_thread(self.quarantine.held) if self.quarantine is not None else ()
        by_day, set_right = _by_day(gaps, now), self._set_right()
        return Overview(shown, hidden, len(self._documents), by_day, set_right, open_by_day, aside, held)

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
        asked = next((newest for finding, newest in gap_findings(gaps, self._documents) if finding.key == key), None)
        if asked is None:
            raise CorrectionRefused("this question is not kept any more")
        async with self._looking:
            await asyncio.to_thread(self._look, datetime.fromtimestamp(self.clock.now(), UTC).date())
        complaint = Complaint(
            asked.query, asked.language, "lead", asker=asked.asker, thread=asked.thread.key, message_id=asked.message_id
        )
        make = partial(self.corrections.correct, complaint, kind, sources=sources, answer=answer)
        made = (await asyncio.to_thread(make, documents=self._documents)).key
        now = self.clock.now()
        settled = Decided(Fate.RESOLVED, f"{_BY_CORRECTION}{made}", now)
        await asyncio.to_thread(self.decisions.decide, key, settled)
        return made

    async def undo(self, key: str) -> None:
        """Drop a correction; one that is gone already is no error."""
        if self.corrections is None:
            return
        await asyncio.to_thread(self.corrections.undo, key)
        for name, decided in (await asyncio.to_thread(self.decisions.read)).items():
            if decided.by == f"{_BY_CORRECTION}{key}":
                await asyncio.to_thread(self.decisions.decide, name, Decided(Fate.OPEN, "lead", self.clock.now()))

    async def judge(self, document: str, content: str, verdict: LeadVerdict, *, note: str) -> None:
        """Keep a verdict about a document that is held back; running bots follow the new generation of the index."""
        if self.quarantine is None:
            raise VerdictRefused("verdicts are not kept here")
        await asyncio.to_thread(self.quarantine.judge, document, content, verdict, note=note)

    def _noted(self, shown: Sequence[Finding], now: float) -> Mapping[str, Mapping[str, int]]:
        if self.history is None:
            return {}
        days = _last_days(now)
        try:
            known = self.history.note(days[-1], shown)
        except OSError as error:  # a full disk costs the plot, not the page
            _log.warning("numbers of the day not kept", error=type(error).__name__)
            known = self.history.read()
        return {day: known.get(day, {}) for day in days}

    def _set_right(self) -> tuple[SetRight, ...]:
        known = self.corrections.file.all() if self.corrections is not None else ()
        return tuple(SetRight(one, lapsed(one, self._documents)) for one in known)

    def _look(self, today: date) -> None:
        seen = (read_manifest(self.folder).index_id, today)
        if seen == self._seen:
            return
        documents = {document.id: document for document in indexed_documents(self.folder)}
        found = validate(tuple(documents.values()), today=today, vectors=indexed_vectors(self.folder))
        self._found = tuple(findings_of(found, documents))
        self._documents, self._seen = documents, seen

    async def _unfound(self) -> list[Finding]:
        """Give the articles that no post which is remembered cites, where there are enough of those."""
        from bot.adapters.store.withdrawing import RedisSourceWithdrawals

        posts, cited = await RedisSourceWithdrawals(self.state.link, self.state.keys).cited()
        if posts < _FEW_POSTS:
            return []
        names = [d for d in self._documents.values() if d.kind == "article" and d.id not in cited]
        return [Finding("unfound", (d.id,), f"{d.id} {d.title}".strip(), (), (d.owner,)) for d in names]


def _by_day(gaps: Sequence[Gap], now: float) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for gap in gaps:
        day = datetime.fromtimestamp(gap.asked_at, UTC).date().isoformat()
        counts[day]["thumbs_down" if gap.reason is GapReason.THUMBS_DOWN else "gap"] += 1
    return {day: dict(counts[day]) for day in _last_days(now)} if gaps else {}


def _last_days(now: float) -> list[str]:
    today = datetime.fromtimestamp(now, UTC).date()
    return [(today - timedelta(days=back)).isoformat() for back in reversed(range(_DAYS))]


def build_lead_desk(settings: Settings, state: State, trail: AuditTrail) -> IndexLeadDesk:
    """Build the desk over the index that bots answer from."""
    folder = settings.retrieval.data_dir
    return IndexLeadDesk(
        settings.retrieval.index_dir,
        state,
        DecisionFile(folder / FILE),
        trail,
        corrections=build_correction_desk(settings, trail),
        history=HistoryFile(folder / HISTORY),
        quarantine=IndexQuarantine(settings.retrieval.index_dir, partial(index_tools, settings.retrieval), trail),
    )
