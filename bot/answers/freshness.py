"""What a source's own dates say: due for review, expired, replaced by another."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime

from bot.checks.closed_output import plain_name
from bot.messages import Notice, NoticeKind
from bot.texts import say
from retrieval.passages import DocumentCard, Passage
from retrieval.redaction import RedactedText
from retrieval.validation.policy import TICKET
from retrieval.validation.staleness import passed_dates

# A replaced source that ranks here is what the question was about.
_ASKED_FOR = 3
_REPLACED = frozenset({"superseded", "replaced", "deprecated", "archived", "obsolete", "withdrawn"})


def day_of(seconds: float) -> date:
    """Give the UTC date of a time in seconds since the epoch."""
    return datetime.fromtimestamp(seconds, UTC).date()


def read_date(text: str) -> date | None:
    """Read the date at the head of an ISO 8601 text; None when there is none."""
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None


def expired_on(card: DocumentCard, today: date) -> bool:
    """Say whether the source's validity has ended before this day."""
    end = read_date(card.valid_until)
    return end is not None and end < today


def replaced_ids(passages: Sequence[Passage]) -> dict[str, str]:
    """Give which retrieved sources another retrieved one replaces, each with the newer one's id."""
    present = {passage.document.id for passage in passages}
    newer = {old: p.document.id for p in passages for old in p.document.supersedes if not p.document.quarantined}
    return {old: new for old, new in newer.items() if old in present and old != new and newer.get(new) != old}


def freshness_notices(
    cited: Iterable[DocumentCard], passages: Sequence[Passage], *, today: date, language: str
) -> tuple[Notice, ...]:
    """Say of each cited source, from its own dates, whether it is expired, due for review, or replaced.

    Also which source that the question asked for was left out because a cited one replaces it.
    """
    newer = replaced_ids(passages)
    cards = {card.id: card for card in cited}
    asked_for = [p.document for p in passages[:_ASKED_FOR] if newer.get(p.document.id) in cards]
    cards |= {card.id: card for card in asked_for}
    found = (_notice(card, newer.get(card.id, ""), today, language) for card in cards.values())
    return tuple(notice for notice in found if notice is not None)


def passed_notices(
    quoted: Iterable[tuple[DocumentCard, RedactedText]], *, today: date, language: str
) -> tuple[Notice, ...]:
    """Say of each cited article whether what is quoted of it speaks of an end that has passed ("until 31 March 2024").

    Args:
        quoted: cited sources with the sentences that are cited of them.
        today: what lies before it has passed.
        language: the asker's.
    """
    found: dict[str, Notice] = {}
    for card, sentence in quoted:
        days = passed_dates(str(sentence), today) if card.kind != TICKET and card.id not in found else []
        if days:
            own, day = RedactedText.stored(plain_name(card.id) or "?"), RedactedText.stored(str(days[-1][0]))
            said = [say("stale_passed", language, id=own, date=day), *_owner(card, language)]
            found[card.id] = Notice(NoticeKind.STALE, (card.id,), RedactedText.joined(said))
    return tuple(found.values())


def _owner(card: DocumentCard, language: str) -> Iterable[RedactedText]:
    if owner := plain_name(card.owner):
        yield say("owner_is", language, owner=RedactedText.stored(owner))


def _notice(card: DocumentCard, newer: str, today: date, language: str) -> Notice | None:
    own = RedactedText.stored(plain_name(card.id) or "?")
    if newer:
        text = say("superseded", language, id=own, newer=RedactedText.stored(plain_name(newer) or "?"))
        return Notice(NoticeKind.SUPERSEDED, (card.id, newer), text)
    if card.status.strip().casefold() in _REPLACED:
        return Notice(NoticeKind.SUPERSEDED, (card.id,), say("superseded_unknown", language, id=own))
    if expired_on(card, today):
        text = say("stale_expired", language, id=own, date=RedactedText.stored(card.valid_until[:10]))
        return Notice(NoticeKind.STALE, (card.id,), RedactedText.joined((text, *_owner(card, language))))
    review = read_date(card.review_by)
    if review is not None and review < today:
        text = say("stale_review", language, id=own, date=RedactedText.stored(card.review_by[:10]))
        return Notice(NoticeKind.STALE, (card.id,), text)
    return None
