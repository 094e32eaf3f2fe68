"""Retrieved sources that contradict what an answer says: both sides are quoted and cited, and one notice says which is preferred and why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from bot.closed_output import plain_name
from bot.evidence import shape_of
from bot.messages import DraftAnswer, DraftSentence, Notice, NoticeKind, SentenceRef
from bot.texts import say
from retrieval.language import language_of
from retrieval.passages import DocumentCard, Passage
from retrieval.redaction import RedactedText
from retrieval.validation import Comparison, Ground, Preference, Relation, Statement, compare, prefer, statements_of
from retrieval.validation.alignment import changes
from retrieval.validation.compare import is_told_apart, slot_of
from retrieval.validation.policy import TICKET, dated

# Below this certainty a reader is not told. On the questions of the sample, wixqa, techqa and helpcenter no notice is left.
CERTAIN = 0.42
# A reader takes in two disagreements at most.
_MOST = 2
_VALUE_CHARACTERS = 80
# Two versions of one sentence that differ in a name or number; only where nothing else tells the sources apart.
_VERSION_SHARE = 0.75


@dataclass(frozen=True, slots=True)
class Disagreement:
    """What an answer says (`first`) and what another retrieved source says (`second`) of one slot."""

    first: SentenceRef
    second: SentenceRef
    comparison: Comparison


def with_other_sides(draft: DraftAnswer, others: Sequence[Passage]) -> DraftAnswer:
    """Quote beside each sentence the retrieved sentence that contradicts it, so that no side is picked in silence.

    Args:
        draft: the answer as drafted.
        others: retrieved passages that may be evidence; those that the draft does not have are added to its own.
    """
    known = {passage.document.id for passage in draft.passages}
    passages = (*draft.passages, *(passage for passage in others if passage.document.id not in known))
    cited = {draft.passages[ref.passage].document.id for ref in _refs(draft.sentences, draft.passages)}
    added: list[DraftSentence] = []
    for found in disagreements(draft.sentences, passages):
        passage = passages[found.second.passage]
        if passage.document.id in cited:
            continue
        cited.add(passage.document.id)
        added.append(DraftSentence(passage.sentences[found.second.sentence].text, (found.second,), is_quote=True))
    if not added:
        return draft
    return replace(draft, passages=passages, sentences=(*draft.sentences, *added))


def disagreements(sentences: Sequence[DraftSentence], passages: Sequence[Passage]) -> list[Disagreement]:
    """Find what other passages say differently from the cited sentences, the most certain first, one for a pair of documents."""
    best: dict[frozenset[str], Disagreement] = {}
    for ref in _refs(sentences, passages):
        cited = passages[ref.passage]
        for place, passage in enumerate(passages):
            if passage.document.id == cited.document.id or passage.document.quarantined:
                continue
            found = _of_passage(ref, cited, place, passage)
            key = frozenset((cited.document.id, passage.document.id))
            if found and (key not in best or found.comparison.certainty > best[key].comparison.certainty):
                best[key] = found
    return sorted(best.values(), key=lambda one: -one.comparison.certainty)[:_MOST]


def _refs(sentences: Sequence[DraftSentence], passages: Sequence[Passage]) -> list[SentenceRef]:
    refs = dict.fromkeys(ref for sentence in sentences for ref in sentence.refs)
    return [r for r in refs if 0 <= r.passage < len(passages) and 0 <= r.sentence < len(passages[r.passage].sentences)]


def _of_passage(ref: SentenceRef, cited: Passage, place: int, other: Passage) -> Disagreement | None:
    """Give the most certain contradiction of a cited sentence by another passage, unless that passage also says the same."""
    ours = _statements(cited, ref.sentence)
    found: list[Disagreement] = []
    agreed: dict[str, float] = {}
    for number, sentence in enumerate(other.sentences):
        if not shape_of(sentence.text).is_quotable:
            continue
        theirs = _statements(other, number)
        for comparison in _compared(ours, theirs, cited.document, other.document):
            if comparison.relation is Relation.AGREE:
                agreed[comparison.kind] = max(agreed.get(comparison.kind, 0.0), comparison.certainty)
            elif comparison.relation is Relation.CONTRADICT and comparison.certainty >= CERTAIN:
                found.append(Disagreement(ref, SentenceRef(place, number), comparison))
    found = [one for one in found if one.comparison.certainty > agreed.get(one.comparison.kind, 0.0)]
    return max(found, key=lambda one: one.comparison.certainty, default=None)


def _compared(
    ours: Sequence[Statement], theirs: Sequence[Statement], card: DocumentCard, other: DocumentCard
) -> Iterable[Comparison]:
    for first in ours:
        for second in theirs:
            yield compare(first, second, {})
    if ours and theirs and card.title == other.title and not is_told_apart(ours[0], theirs[0]):
        lang = ours[0].lang if ours[0].lang == theirs[0].lang else ""
        for change in changes(ours[0].text, theirs[0].text, lang):
            if change.share >= _VERSION_SHARE and not change.is_denial:
                slot = slot_of(ours[0], theirs[0])
                values = change.first, change.second
                yield Comparison(Relation.CONTRADICT, change.share, "wording", slot, values)


def _statements(passage: Passage, number: int) -> tuple[Statement, ...]:
    card = passage.document
    about = f"{card.title}\n{passage.heading}"
    text = str(passage.sentences[number].text)
    return _parsed(card.id, text, about, card.lang, card.product)


@lru_cache(maxsize=4096)
def _parsed(document: str, text: str, about: str, lang: str, scope: str) -> tuple[Statement, ...]:
    return statements_of(document, text, about=about, lang=lang or language_of(text), scope=scope)


def conflict_notices(
    sentences: Sequence[DraftSentence], passages: Sequence[Passage], *, today: date, language: str
) -> tuple[Notice, ...]:
    """Say of each disagreement among the cited sources both values, ids, kinds and dates, which one is preferred and why."""
    cited = {passages[ref.passage].document.id for ref in _refs(sentences, passages)}
    notices = []
    for found in disagreements(sentences, passages):
        first, second = (passages[ref.passage].document for ref in (found.first, found.second))
        if {first.id, second.id} <= cited:
            text = _notice(found, first, second, today=today, language=language)
            notices.append(Notice(NoticeKind.CONFLICT, (first.id, second.id), text))
    return tuple(notices)


def _notice(
    found: Disagreement, first: DocumentCard, second: DocumentCard, *, today: date, language: str
) -> RedactedText:
    replaced = {old: card.id for card in (first, second) for old in card.supersedes}
    preference = prefer(first, second, today=today, replaced=replaced)
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
