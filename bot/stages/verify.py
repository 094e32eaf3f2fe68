"""Verify: in code, whatever wrote the draft. What its source does not support goes; what is left is the answer."""

from collections.abc import Sequence
from dataclasses import replace

from bot.answers.belonging import hidden_blocks, without_altered
from bot.answers.brevity import brief, wants_more
from bot.answers.compose import compose, is_shown_whole, visible
from bot.answers.conflict_notices import conflict_notices
from bot.answers.disagreement import sides_of, with_other_sides
from bot.answers.freshness import day_of, freshness_notices, passed_notices
from bot.answers.quoting import quoted
from bot.answers.repeated import adds_nothing, no_more, unsaid
from bot.answers.sources import usable_passages
from bot.answers.triage_vote import vote
from bot.checks.closed_output import plain_name
from bot.checks.inert import inert
from bot.checks.supported import supported
from bot.ends import Ended, partial_answer
from bot.flow import Ports
from bot.messages import (
    Answer,
    DraftAnswer,
    DraftSentence,
    Hit,
    Mode,
    Notice,
    NoticeKind,
    Outcome,
    Question,
)
from bot.questions.codes import codes_of, with_codes
from bot.texts import say
from retrieval.passages import Band
from retrieval.redaction import RedactedText

_PART_CHARACTERS = 120


async def verify_stage(draft: DraftAnswer, *, ports: Ports) -> Answer | Ended:
    """Keep the supported sentences and build the answer from them.

    A model draft that gives a prompt away ends with a fixed apology; one of which nothing is supported becomes
    extractive; an extractive one of which nothing is left ends as nothing found. Of a draft that is still being written
    nothing becomes extractive, and a step needs the number that its source gives it.

    Raises:
        RetrievalError: the index cannot be read, or the cosines across languages cannot be computed.
    """
    if draft.mode is Mode.MODEL and ports.is_leak(" ".join(sentence.text for sentence in draft.sentences)):
        return Ended(Outcome.NO_MATCH, "apology", draft)
    draft = _with_other_sides(_inert(draft), ports)
    kept = await supported(draft, ports)
    if draft.mode is Mode.MODEL and not draft.is_partial and not any(sentence.refs for sentence in kept):
        draft = _with_other_sides(_extractive(draft, ports), ports)
        kept = await supported(draft, ports)
    if not kept:
        return Ended(Outcome.NO_MATCH, "no_match", draft)
    return _answer(draft, kept, ports)


def _inert(draft: DraftAnswer) -> DraftAnswer:
    """Break the pings that a model copied from its sources; the check of facts tells whether they stand there."""
    if draft.mode is not Mode.MODEL:
        return draft
    return replace(draft, sentences=tuple(replace(one, text=inert(one.text)) for one in draft.sentences))


def _with_other_sides(draft: DraftAnswer, ports: Ports) -> DraftAnswer:
    """Add what other retrieved sources that may be evidence, and are relevant, say against the draft."""
    ranking, question = draft.retrieved.ranking, draft.retrieved.queries.standalone
    relevant = [passage for passage in ranking.passages if passage.relevance >= ranking.uncertain_cut]
    today = day_of(ports.clock.now())
    codes = codes_of(question)
    usable = with_codes(usable_passages(relevant, today, question), codes)
    nearby = with_codes(usable_passages(ranking.passages, today, question), codes)
    return with_other_sides(draft, usable, question, today=today, nearby=nearby)


def _extractive(draft: DraftAnswer, ports: Ports) -> DraftAnswer:
    question = draft.retrieved.queries.gated.question
    standalone = draft.retrieved.queries.standalone
    today = day_of(ports.clock.now())
    usable = usable_passages(draft.retrieved.ranking.passages, today, standalone)
    quotes = quoted(draft.retrieved, usable, today)
    return replace(
        draft,
        retrieved=quotes.retrieved,
        passages=quotes.passages,
        sentences=quotes.sentences,
        mode=Mode.EXTRACTIVE,
        notices=(Notice(NoticeKind.DEGRADED, (), say("unsupported", question.language)),),
    )


def _answer(draft: DraftAnswer, kept: Sequence[DraftSentence], ports: Ports) -> Answer:
    question, ranking = draft.retrieved.queries.gated.question, draft.retrieved.ranking
    kept = without_altered(kept, lambda text: is_shown_whole(text, draft.passages, ranking.hosts))
    kept, cut = _brief(draft, kept)
    composed = compose(kept, draft.passages, question.language, language_of=ports.language_of, hosts=ranking.hosts)
    base = partial_answer(draft, Outcome.ANSWERED)
    cited = {citation.id for citation in composed.citations}
    base = replace(
        base,
        citations=composed.citations,
        hits=tuple(_marked(hit, cited) for hit in base.hits),
        nearest=(),
        mode=draft.mode,
        provenance=replace(base.provenance, model=draft.model, prompt=draft.prompt),
    )
    if adds_nothing(kept, question.as_told.given, lambda text: visible(text, composed.hosts)):
        return replace(base, text=no_more(composed.citations, question.language))
    return replace(
        base,
        text=RedactedText.joined((composed.text, *_missing(draft, kept)), "\n"),
        notices=(
            *base.notices,
            *draft.notices,
            *cut,
            *_conflicts(draft, kept, ports),
            *_notices(draft, cited, question, ports),
        ),
        triage=vote(ranking, language=question.language, said=composed.text),
    )


def _brief(draft: DraftAnswer, kept: Sequence[DraftSentence]) -> tuple[Sequence[DraftSentence], tuple[Notice, ...]]:
    """Keep what a hurried reader reads, and say how to get the rest; all of it for who asked for more."""
    question = draft.retrieved.queries.gated.question
    if wants_more(question.message.text):
        return kept, _left_in_source(draft, kept)
    hosts = draft.retrieved.ranking.hosts
    said = brief(
        unsaid(kept, question.as_told.given, lambda text: visible(text, hosts)),
        parts=max(1, len(draft.retrieved.queries.parts)),
    )
    more = Notice(NoticeKind.TRUNCATED, (), say("more_available", question.language))
    # Whatever is left out for length, a side of a disagreement is not.
    sides = sides_of(kept, draft.passages, draft.retrieved.queries.standalone)
    left = tuple(sentence for sentence in sides if sentence not in said.sentences)
    if said.is_cut:
        return (*said.sentences, *left), (more,)
    return (*said.sentences, *left), _left_in_source(draft, kept)


def _left_in_source(draft: DraftAnswer, kept: Sequence[DraftSentence]) -> tuple[Notice, ...]:
    """Say where the code stands that a quoted step announces and that cannot be quoted whole."""
    ids = tuple(name for name in hidden_blocks(kept, draft.passages) if plain_name(name))
    if not ids:
        return ()
    language = draft.retrieved.queries.gated.question.language
    names = RedactedText.stored(", ".join(map(plain_name, ids)))
    return (Notice(NoticeKind.TRUNCATED, ids, say("code_in_source", language, ids=names)),)


def _missing(draft: DraftAnswer, kept: Sequence[DraftSentence]) -> tuple[RedactedText, ...]:
    """Name the parts of the question that have no source, unless a model did."""
    if any(not sentence.refs for sentence in kept):
        return ()
    language = draft.retrieved.queries.gated.question.language
    names = (plain_name(part.asked.cut(_PART_CHARACTERS)) for part in draft.retrieved.missing)
    return tuple(say("part_without_source", language, part=RedactedText.stored(name or "…")) for name in names)


def _marked(hit: Hit, cited: set[str]) -> Hit:
    return replace(hit, used=hit.id in cited)


def _conflicts(draft: DraftAnswer, kept: Sequence[DraftSentence], ports: Ports) -> tuple[Notice, ...]:
    queries, today = draft.retrieved.queries, day_of(ports.clock.now())
    language, question = queries.gated.question.language, queries.standalone
    cited = [ref for sentence in kept for ref in sentence.refs]
    quoted = [(draft.passages[r.passage].document, draft.passages[r.passage].sentences[r.sentence].text) for r in cited]
    return (
        *conflict_notices(kept, draft.passages, today=today, language=language, question=question),
        *passed_notices(quoted, today=today, language=language),
    )


def _notices(draft: DraftAnswer, cited: set[str], question: Question, ports: Ports) -> tuple[Notice, ...]:
    ranking = draft.retrieved.ranking
    bands = {part.band for part in draft.retrieved.parts} or {ranking.band}
    cards = [passage.document for passage in draft.passages if passage.document.id in cited]
    dated = freshness_notices(cards, ranking.passages, today=day_of(ports.clock.now()), language=question.language)
    if Band.UNCERTAIN in bands or ranking.band is Band.UNCERTAIN:
        return (Notice(NoticeKind.UNCERTAIN, (), say("uncertain", question.language)), *dated)
    return dated
