"""What is told of a disagreement among the cited sources: both values, which one is preferred and why."""

from collections.abc import Iterable, Sequence
from datetime import date

from bot.answers.disagreement import Disagreement, disagreements, preference_of
from bot.answers.near_sentences import refs_of
from bot.checks.closed_output import plain_name
from bot.messages import DraftSentence, Notice, NoticeKind
from bot.texts import say
from retrieval.passages import DocumentCard, Passage
from retrieval.redaction import RedactedText
from retrieval.validation import Ground, Preference
from retrieval.validation.policy import TICKET, dated

_VALUE_CHARACTERS = 80


def conflict_notices(
    sentences: Sequence[DraftSentence], passages: Sequence[Passage], *, today: date, language: str, question: str = ""
) -> tuple[Notice, ...]:
    """Say of each disagreement among the cited sources both values, ids, kinds and dates, which one is preferred and why."""
    cited = {passages[ref.passage].document.id for ref in refs_of(sentences, passages)}
    notices = []
    for found in disagreements(sentences, passages, question):
        first, second = (passages[ref.passage].document for ref in (found.first, found.second))
        if {first.id, second.id} <= cited:
            text = _notice(found, first, second, today=today, language=language)
            notices.append(Notice(NoticeKind.CONFLICT, (first.id, second.id), text))
    return tuple(notices)


def _notice(
    found: Disagreement, first: DocumentCard, second: DocumentCard, *, today: date, language: str
) -> RedactedText:
    preference = preference_of(first, second, today)
    one, other = (_said(value, language) for value in found.comparison.values)
    said = say(
        "conflict",
        language,
        first=_named(first, today, language),
        first_value=one,
        second=_named(second, today, language),
        second_value=other,
    )
    return RedactedText.joined((said, *_why(preference, first, second, language)))


def _named(card: DocumentCard, today: date, language: str) -> RedactedText:
    """Name a source with its kind and date: "kb-101 (article, 2024-05-01)"."""
    kind = str(say("kind_ticket" if card.kind == TICKET else "kind_article", language))
    day = dated(card, today)
    inside = f"{kind}, {day}" if day else kind
    return RedactedText.stored(f"{plain_name(card.id) or '?'} ({inside})")


def _said(value: str, language: str) -> RedactedText:
    """Give a value on one line, without what could ping or lead somewhere."""
    if value in ("yes", "no"):
        return say(value, language)
    return RedactedText.stored(f"“{plain_name(value)[:_VALUE_CHARACTERS] or '…'}”")


def _why(preference: Preference, first: DocumentCard, second: DocumentCard, language: str) -> Iterable[RedactedText]:
    if preference.ground is Ground.NONE:
        yield say("conflict_none", language)
        return
    own = RedactedText.stored(plain_name(preference.id) or "?")
    yield say(f"conflict_{preference.ground}", language, id=own)
    if preference.is_outdated:
        yield say("conflict_outdated", language, id=own)
        card = first if first.id == preference.id else second
        if owner := plain_name(card.owner):
            yield say("owner_is", language, owner=RedactedText.stored(owner))
