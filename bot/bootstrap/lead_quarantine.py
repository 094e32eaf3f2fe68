"""Quarantined documents for the lead's page, out of the index and into it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bot.audit import AuditTrail
from bot.bootstrap.clock import SystemClock
from bot.lead.quarantine import HeldDocument, LeadVerdict, VerdictRefused
from bot.ports import Clock
from retrieval.index import Tools, decide, read_quarantine
from retrieval.index.intake import Prepared
from retrieval.screening import Decision, Verdict, content_hash, hidden_in, marked_parts, read_decisions

_BY = "lead"
# A page shows what is suspicious, not the document.
_PASSAGES, _HIDDEN, _CHARACTERS = 4, 12, 400
_VERDICTS = {LeadVerdict.APPROVED: Verdict.APPROVED, LeadVerdict.REJECTED: Verdict.REJECTED}


@dataclass(frozen=True, slots=True)
class IndexQuarantine:
    """Implements `bot.lead.quarantine.Quarantine` over one index; `tools` is called at the first verdict only."""

    folder: Path
    tools: Callable[[], Tools]
    trail: AuditTrail
    clock: Clock = field(default_factory=SystemClock)

    def held(self) -> tuple[HeldDocument, ...]:
        """Give what waits, the riskiest first, then what was decided."""
        decisions = read_decisions(self.folder)
        shown = [_shown(item, decisions.get(item.document.id)) for item in read_quarantine(self.folder)]
        return tuple(sorted(shown, key=lambda one: (bool(one.verdict), -one.score, one.id)))

    def judge(self, document: str, content: str, verdict: LeadVerdict, *, note: str = "") -> None:
        """Keep a verdict about a document as it was shown, and write it down."""
        known = {item.document.id: item for item in read_quarantine(self.folder)}
        if document not in known:
            raise VerdictRefused("this document is not held back any more; load the page again")
        if content_hash(known[document].document) != content:
            raise VerdictRefused("this document says something else by now; load the page again")
        at = datetime.fromtimestamp(self.clock.now(), UTC).isoformat(timespec="seconds")

        def made(item: Prepared) -> Decision | None:
            # Of a document that was written anew meanwhile this changes nothing: it goes by the hash.
            kind = _VERDICTS.get(verdict)
            return Decision(item.document.id, content, kind, _BY, note, at) if kind else None

        decide(self.folder, {document: made}, self.tools())
        said = "reopened" if verdict is LeadVerdict.OPEN else str(verdict)
        self.trail.write(f"quarantine_{said}", document=document, content=content, by=_BY)


def _shown(item: Prepared, decision: Decision | None) -> HeldDocument:
    document, screening = item.document, item.screening
    text = "\n\n".join(filter(None, (document.title, document.question, document.text, document.resolution)))
    passages = [_plain(text[part.start : part.end]) for part in marked_parts(text, screening.reasons)]
    made = decision if screening.verdict else None
    return HeldDocument(
        id=document.id,
        content=content_hash(document),
        title=_plain(document.title),
        score=screening.score,
        reasons=screening.reasons,
        passages=_apart(passages)[:_PASSAGES],
        hidden=tuple(_plain(one) for one in (*screening.unseen, *hidden_in(text))[:_HIDDEN]),
        owner=document.owner,
        verdict=screening.verdict,
        by=made.by if made else "",
        at=made.at if made else "",
        note=made.note if made else "",
    )


def _apart(passages: Sequence[str]) -> tuple[str, ...]:
    """Leave out what stands in a longer passage: a signal may be about a part of another one's place."""
    once = tuple(dict.fromkeys(passages))
    return tuple(one for one in once if not any(one in other and one != other for other in once))


def _plain(text: str) -> str:
    """Give a passage on one line without letters that are not seen or turn the direction of reading."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(line.split())[:_CHARACTERS]
