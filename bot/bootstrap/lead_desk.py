"""The lead's desk: findings out of the index and Redis, and decisions about them, built from the settings."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
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
from bot.bootstrap.parts import State, open_state, private_folder
from bot.corrections import Complaint, CorrectionKind
from bot.gaps import Gap, GapReason
from bot.lead_desk import DAY_S, Decided, Fate, Finding, Overview, SetRight, order
from bot.ports import Clock
from config.settings import Settings
from retrieval.documents import Document
from retrieval.index import indexed_documents, read_manifest
from retrieval.validation import Validation, validate

_DAYS = 30
# With fewer posts it says nothing that an article is not among them.
_FEW_POSTS = 50


@dataclass(slots=True)
class IndexLeadDesk:
    """Implements `bot.lead_desk.LeadDesk` over one index and one Redis; the index is looked through once a generation and day."""

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
        findings = [*self._found, *(finding for finding, _ in _gap_findings(gaps)), *await self._unfound()]
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
        asked = next((newest for finding, newest in _gap_findings(gaps) if finding.key == key), None)
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
        self._found = tuple(_findings(validate(tuple(documents.values()), today=today), documents))
        self._documents, self._seen = documents, seen

    async def _unfound(self) -> list[Finding]:
        """Give the articles that no post which is remembered cites, where there are enough of those."""
        from bot.adapters.withdrawing import RedisSourceWithdrawals

        posts, cited = await RedisSourceWithdrawals(self.state.link, self.state.keys).cited()
        if posts < _FEW_POSTS:
            return []
        names = [d for d in self._documents.values() if d.kind == "article" and d.id not in cited]
        return [Finding("unfound", (d.id,), f"{d.id} {d.title}".strip(), (), (d.owner,)) for d in names]


def _findings(found: Validation, documents: dict[str, Document]) -> Iterator[Finding]:
    for conflict in found.conflicts:
        sides = tuple(
            f"{name}{f' · {day}' if day else ''}{' · preferred' if name == conflict.prefer else ''}\n{value}\n“{sentence}”"
            for name, day, value, sentence in zip(
                conflict.ids[:2], conflict.dates, conflict.values, conflict.sentences, strict=True
            )
        )
        title = f"{conflict.slot or conflict.kind}: {' or '.join(conflict.values)}"
        others = conflict.ids[2:]
        said = (f"the same is said by {', '.join(others)}",) if others else ()
        details = (*sides, *said, conflict.reason)
        yield Finding("conflict", conflict.ids, title, details, conflict.owners, conflict.certainty)
    for stale in found.stale:
        yield Finding("stale", (stale.id,), stale.id, (stale.reason,), (stale.owner,), stale.certainty)
    for one in found.superseded:
        details = (f"replaced by {one.by}" if one.by else "replaced, by its status",)
        yield Finding("superseded", (one.id,), one.id, details, _owners(documents, (one.id,)))
    for kind, families in (("copies", found.copies), ("ring", found.rings)):
        for ids in families:
            titles = tuple(f"{name}\n{documents[name].title}" for name in ids if name in documents)
            yield Finding(kind, ids, ", ".join(ids), titles, _owners(documents, ids), float(len(ids)))


def _owners(documents: dict[str, Document], ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(documents[name].owner for name in ids if name in documents)


def _gap_findings(gaps: Sequence[Gap]) -> Iterator[tuple[Finding, Gap]]:
    """Give one finding a question with its newest gap, those asked most often first; `triage gaps` groups them by meaning."""
    asked: dict[tuple[bool, str], list[Gap]] = defaultdict(list)
    for gap in gaps:
        asked[gap.reason is GapReason.THUMBS_DOWN, gap.query.casefold()].append(gap)
    for (is_down, _), same in asked.items():
        newest = same[-1]
        day = datetime.fromtimestamp(newest.asked_at, UTC).date().isoformat()
        reasons = ", ".join(sorted({str(gap.reason).replace("_", " ") for gap in same}))
        details = [f"{len(same)} × {reasons}, last on {day} ({newest.language})"]
        if newest.cited:
            details.append(f"rested on {', '.join(newest.cited)}")
        kind = "thumbs_down" if is_down else "gap"
        yield Finding(kind, newest.cited, str(newest.query), tuple(details), (), float(len(same))), newest


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
