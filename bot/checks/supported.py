"""Which sentences of a draft stand: supported by the sources they name, permitted to the asker, and redacted."""

from collections.abc import Sequence
from dataclasses import replace

from bot.checks.closed_output import is_closed
from bot.checks.inert import broken_in, inert
from bot.checks.invariants import step_of
from bot.checks.support_check import (
    Evidence,
    absence_holds,
    evidence_of,
    facts_hold,
    is_absence,
    is_near,
    is_quote_true,
    is_same_language,
    names_hidden,
    words_hold,
)
from bot.flow import Ports
from bot.messages import DraftAnswer, DraftSentence, SentenceRef
from bot.words import is_unspaced, words
from retrieval.redaction import RedactedText, without_numbered


async def supported(draft: DraftAnswer, ports: Ports) -> tuple[DraftSentence, ...]:
    """Give the sentences that their sources support and the asker may read now, in their order, redacted.

    Raises:
        RetrievalError: the index cannot be read, or the cosines across languages cannot be computed.
    """
    permitted = await _permitted(draft, ports)
    judged = [
        (sentence, _judged(sentence, draft))
        for sentence in draft.sentences
        if permitted.issuperset(ref.passage for ref in sentence.refs)
    ]
    foreign = [(sentence, verdict) for sentence, verdict in judged if not isinstance(verdict, bool)]
    near = iter(await _mean_the_same(foreign, ports))
    kept = [sentence for sentence, verdict in judged if (verdict if isinstance(verdict, bool) else next(near))]
    return tuple(_sealed(sentence, draft, ports) for sentence in kept)


def _sealed(sentence: DraftSentence, draft: DraftAnswer, ports: Ports) -> DraftSentence:
    """Redact what a model worded; the words of a source were redacted when it was indexed."""
    evidence = evidence_of(sentence, draft.passages)
    is_verbatim = evidence is not None and sentence.text in evidence.named
    text = sentence.text if is_verbatim else inert(ports.redact(sentence.text))  # redaction takes invisible signs out
    return replace(sentence, text=text, refs=_known(sentence, draft))


async def _permitted(draft: DraftAnswer, ports: Ports) -> frozenset[int]:
    """Give the named passages whose documents the asker may see now: a model call takes seconds, in which one may be held back.

    A place that no passage has is left to the check of the evidence.
    """
    audience = frozenset(draft.retrieved.queries.gated.question.message.audience)
    named = {ref.passage for sentence in draft.sentences for ref in sentence.refs}
    cards = {place: passage.document for place, passage in enumerate(draft.passages) if place in named}
    ids = {card.id for card in cards.values() if audience & set(card.visibility) and not card.quarantined}
    seen = {name for name in ids if await ports.passages.document(name, audience=audience) is not None}
    return frozenset(place for place in named if place not in cards or cards[place].id in seen)


def _known(sentence: DraftSentence, draft: DraftAnswer) -> tuple[SentenceRef, ...]:
    """Give the places that a kept sentence may name; one that says what the sources lack may have named wrong ones."""
    return sentence.refs if evidence_of(sentence, draft.passages) else ()


def _judged(sentence: DraftSentence, draft: DraftAnswer) -> bool | Evidence:
    """Say whether a sentence is supported; its evidence where only a cosine across languages can tell."""
    sentence = replace(sentence, text=without_numbered(sentence.text))
    if is_absence(sentence.text) and not sentence.is_quote:
        queries = draft.retrieved.queries
        asked = RedactedText.joined((queries.as_asked, queries.standalone))
        if (
            absence_holds(sentence.text, asked, draft.passages)
            and is_closed(sentence.text, ())
            and not broken_in(sentence.text)
        ):
            return True
    evidence = evidence_of(sentence, draft.passages)
    if evidence is None:
        return False
    if sentence.is_quote:
        return is_quote_true(sentence, evidence)
    return _reworded(sentence, evidence, draft)


def _reworded(sentence: DraftSentence, evidence: Evidence, draft: DraftAnswer) -> bool | Evidence:
    # One word is no claim that words or a cosine could support ("MANGO").
    asked = draft.retrieved.queries.gated.question.language
    if sentence.text in evidence.named and not _is_one_word(sentence.text):
        return is_closed(sentence.text, evidence.addresses)
    if _is_one_word(sentence.text) or not facts_hold(sentence.text, evidence, asked=asked):
        return False
    if _is_other_step(sentence, evidence, draft):
        return False
    if words_hold(sentence.text, evidence) and not names_hidden(sentence.text, evidence):
        return True
    return False if is_same_language(sentence.text, evidence, asked=asked) else evidence


def _is_other_step(sentence: DraftSentence, evidence: Evidence, draft: DraftAnswer) -> bool:
    """Say whether a step carries another number than in its source, and not that of its place in the answer."""
    own, given = step_of(sentence.text), {step_of(named) for named in evidence.named} - {None}
    steps = [step for other in draft.sentences if (step := step_of(other.text)) is not None]
    is_in_place = not draft.is_partial and steps == list(range(1, len(steps) + 1))
    return own is not None and bool(given) and own not in given and not is_in_place


def _is_one_word(text: str) -> bool:
    # A Chinese or Japanese sentence is one run of letters.
    return len(words(text)) < 2 and not is_unspaced(text)


async def _mean_the_same(foreign: Sequence[tuple[DraftSentence, Evidence]], ports: Ports) -> list[bool]:
    """Compare sentences with the evidence they name in another language, all in one call."""
    if not foreign:
        return []
    given = tuple(dict.fromkeys(text for _, evidence in foreign for text in evidence.sentences))
    rows = await ports.passages.similarity([sentence.text for sentence, _ in foreign], given)
    return [
        is_near(dict(zip(given, row, strict=True)), evidence, floor=ports.limits.cross_cosine)
        for row, (_, evidence) in zip(rows, foreign, strict=True)
    ]
