"""Questions that nobody could answer, kept redacted for a while, so that a lead sees what the knowledge base lacks."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

import structlog

from bot.audit import NameOf, nobody
from bot.errors import StateUnavailable
from bot.lead.feedback import Rated, Verdict
from bot.messages import AcceptedMessage, Answer, MessageId, NoticeKind, Outcome, Platform, ThreadRef
from bot.ports import Responder
from retrieval.passages import GateVerdict
from retrieval.redaction import RedactedText, unnumbered

_log = structlog.get_logger(__name__)


class GapReason(StrEnum):
    """Why a question counts as not answered."""

    NO_MATCH = "no_match"
    UNCERTAIN = "uncertain"
    DECLINED = "declined"
    THUMBS_DOWN = "thumbs_down"


@dataclass(frozen=True, slots=True)
class Gap:
    """One question that nobody could answer.

    `query` is the question said so that it stands alone, `cited` what an uncertain or refused answer rested on, `asker` a
    pseudonym, `labels` what they might see, `asked_at` seconds since the epoch.
    """

    message_id: MessageId
    thread: ThreadRef
    question: RedactedText
    query: RedactedText
    language: str
    reason: GapReason
    asked_at: float
    asker: str = ""
    cited: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    def may_see(self, visibility: Sequence[str]) -> bool:
        """Whether who asked might see a document; also where their labels are not known, as with votes."""
        return not self.labels or not set(self.labels).isdisjoint(visibility)


class GapStore(Protocol):
    """Keeps gaps. Raises `StateUnavailable` when Redis is out of reach."""

    async def note(self, gap: Gap) -> None:
        """Keep a gap once: a later one of the same message takes its place. What was forgotten since it was asked is not kept."""
        ...


def gap_of(message: AcceptedMessage, answer: Answer, *, asker: str = "") -> Gap | None:
    """Make the gap of an answer; None when the question was answered, or was none for this desk."""
    reason = _reason(answer)
    if reason is None:
        return None
    # Behind the question as asked stands how it stands alone; outside of a thread that is the same, and an expansion follows.
    said = answer.queries[1:2] if answer.told and answer.told.turns else ()
    return Gap(
        message_id=message.message_id,
        thread=message.thread,
        question=message.text,
        query=said[0] if said else message.text,
        language=answer.language,
        reason=reason,
        asked_at=message.received_at,
        asker=asker,
        cited=tuple(dict.fromkeys(citation.id for citation in answer.citations)),
        labels=tuple(sorted(message.audience)),
    )


def _reason(answer: Answer) -> GapReason | None:
    is_unsure = answer.gate is not None and answer.gate.verdict is GateVerdict.ASK
    is_uncertain = any(notice.kind is NoticeKind.UNCERTAIN for notice in answer.notices)
    match answer.outcome:
        case Outcome.NO_MATCH:
            return GapReason.NO_MATCH
        case Outcome.OFF_TOPIC if is_unsure:
            return GapReason.DECLINED
        case Outcome.ANSWERED if is_uncertain:
            return GapReason.UNCERTAIN
        case _:
            return None


class GapNotingResponder:
    """A `Responder` that keeps the questions it could not answer; a store that is away costs the note, never the answer."""

    def __init__(self, responder: Responder, gaps: GapStore, *, name_of: NameOf = nobody) -> None:
        """Answer as the responder does; `name_of` gives the pseudonym of a user id."""
        self._responder = responder
        self._gaps = gaps
        self._name_of = name_of

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give the answer, and note a gap where there is one."""
        answer = await self._responder.respond(message, is_stateless=is_stateless)
        gap = gap_of(message, answer)
        if gap is not None:
            try:
                asker = await self._name_of(message.user_id) if message.user_id else ""
                await self._gaps.note(replace(gap, asker=asker))
            except StateUnavailable:
                _log.warning("gap not noted", request_id=answer.request_id)
        return answer


def gap_of_votes(rated: Rated) -> Gap | None:
    """Make the gap of an answer that most people who voted found not useful; None of any other."""
    against = sum(vote.verdict is Verdict.NOT_USEFUL for vote in rated.votes.values())
    if 2 * against <= len(rated.votes):
        return None
    turn = rated.turn
    question = unnumbered(turn.question)
    return Gap(
        message_id=rated.message_id,
        thread=rated.thread,
        question=question,
        query=question,
        language=turn.language,
        reason=GapReason.THUMBS_DOWN,
        asked_at=turn.asked_at,
        asker=turn.asker,
        cited=turn.cited_ids,
    )


def gap_to_json(gap: Gap) -> str:
    """Write a gap as one line of JSON."""
    thread = gap.thread
    values = {
        "message_id": gap.message_id,
        "thread": [thread.platform, thread.tenant_id, thread.channel_id, thread.thread_id],
        "question": gap.question,
        "query": gap.query,
        "language": gap.language,
        "reason": gap.reason,
        "asked_at": gap.asked_at,
        "asker": gap.asker,
        "cited": gap.cited,
        "labels": gap.labels,
    }
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def gap_from_json(text: str) -> Gap | None:
    """Read a gap back; None when another version wrote it."""
    try:
        row = json.loads(text)
        platform, tenant_id, channel_id, thread_id = row["thread"]
        return Gap(
            message_id=MessageId(str(row["message_id"])),
            thread=ThreadRef(Platform(platform), str(tenant_id), str(channel_id), str(thread_id)),
            question=RedactedText.stored(str(row["question"])),
            query=RedactedText.stored(str(row["query"])),
            language=str(row["language"]),
            reason=GapReason(row["reason"]),
            asked_at=float(row["asked_at"]),
            asker=str(row["asker"]),
            cited=tuple(str(cited) for cited in row["cited"]),
            labels=tuple(str(label) for label in row.get("labels", ())),  # none in gaps of an earlier version
        )
    except (KeyError, TypeError, ValueError):
        return None
