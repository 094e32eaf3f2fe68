"""Early ends of the flow as values, and what every answer says of how far its question came."""

from dataclasses import dataclass

from bot.checks.closed_output import plain_name, shown_title
from bot.messages import (
    AcceptedMessage,
    Answer,
    DraftAnswer,
    GatedQuestion,
    Hit,
    Notice,
    NoticeKind,
    Outcome,
    Provenance,
    Queries,
    Question,
    Retrieved,
    Usage,
)
from bot.texts import say
from retrieval.passages import GateScore, Passage, Ranking
from retrieval.redaction import RedactedText

NEAREST = 3
# What is named as closest has this share of the lower cut, and of the best. Of 231 so named on nine bases 12 were right sources,
# all of them above it; a third of the others lie below.
_CLOSE = 0.5

# Every value that a stage takes or gives before the answer, in the order of the flow.
Progress = AcceptedMessage | Question | GatedQuestion | Queries | Retrieved | DraftAnswer


@dataclass(frozen=True, slots=True)
class Ended:
    """The flow stops here: nothing was asked, it does not belong here, or nothing was found.

    `said` names the text in `texts`; `reached` is the last value before the end; `held` are documents that would
    answer and wait for a decision.
    """

    outcome: Outcome
    said: str
    reached: Progress
    usage: Usage | None = None
    held: tuple[str, ...] = ()


def answer_of_end(ended: Ended) -> Answer:
    """Make the answer of an early end, with everything that is known of the question."""
    base = partial_answer(ended.reached, ended.outcome)
    text = say(ended.said, base.language)
    nearest = base.nearest if ended.outcome is Outcome.NO_MATCH else ()
    names = _names(nearest)
    if names and ended.said in ("no_match", "held_back"):
        closest = RedactedText.joined((say("closest", base.language), names))
        text = RedactedText.joined((text, closest), "\n")
    usage = base.usage if ended.usage is None else ended.usage
    return Answer(
        outcome=ended.outcome,
        text=text,
        language=base.language,
        request_id="",
        notices=base.notices,
        queries=base.queries,
        hits=base.hits,
        nearest=nearest,
        gate=base.gate,
        provenance=base.provenance,
        usage=usage,
        thread_cost_usd=base.thread_cost_usd,
        cut=base.cut,
        uncertain_cut=base.uncertain_cut,
        held=ended.held,
    )


def partial_answer(reached: Progress, outcome: Outcome) -> Answer:
    """Give an answer without a text: language, gate, queries, hits and notices as far as the question came."""
    question, ranking, queries = question_of(reached), ranking_of(reached), queries_of(reached)
    language = question.language if question else "en"
    hits = tuple(hit_of(p) for p in ranking.passages if not p.document.quarantined) if ranking else ()
    return Answer(
        outcome=outcome,
        text=RedactedText.stored(""),
        language=language,
        request_id="",
        notices=_notices(question),
        queries=_queried(queries, question),
        hits=hits,
        nearest=_close(hits, ranking) if ranking else (),
        gate=gate_of(reached),
        provenance=_provenance(ranking),
        usage=usage_of(reached),
        thread_cost_usd=_spent(question, usage_of(reached)),
        cut=ranking.cut if ranking else None,
        uncertain_cut=ranking.uncertain_cut if ranking else None,
    )


def _close(hits: tuple[Hit, ...], ranking: Ranking) -> tuple[Hit, ...]:
    """Give the sources that are close to an answer: naming any page for want of a better one wastes the reader's time."""
    best = max((hit.relevance for hit in hits), default=0.0)
    least = _CLOSE * max(ranking.uncertain_cut, best)
    return tuple(hit for hit in hits[:NEAREST] if hit.relevance >= least)


def hit_of(passage: Passage, *, used: bool = False) -> Hit:
    """Show one searched document with its scores."""
    return Hit(
        id=passage.document.id,
        chunk=passage.chunk_id,
        title=RedactedText.stored(shown_title(passage.document.title)),
        bm25=passage.bm25,
        cosine=passage.cosine,
        fused=passage.fused,
        relevance=passage.relevance,
        used=used,
    )


def _names(nearest: tuple[Hit, ...]) -> RedactedText:
    """Name sources on one line; an id or a title that would ping or lead somewhere is left out."""
    names = (" · ".join(filter(None, (plain_name(hit.id), plain_name(hit.title)))) for hit in nearest)
    return RedactedText.stored("; ".join(filter(None, names)))


def _notices(question: Question | None) -> tuple[Notice, ...]:
    if question is None:
        return ()
    notices = []
    if question.message.is_truncated:
        notices.append(Notice(NoticeKind.TRUNCATED, (), say("truncated", question.language)))
    if question.message.route("late"):
        notices.append(Notice(NoticeKind.DEGRADED, (), say("late", question.language)))
    if question.message.route("narrowed"):
        notices.append(Notice(NoticeKind.DEGRADED, (), say("narrowed", question.language)))
    if question.is_history_lost:
        notices.append(Notice(NoticeKind.DEGRADED, (), say("history_lost", question.language)))
    return tuple(notices)


def _queried(queries: Queries | None, question: Question | None) -> tuple[RedactedText, ...]:
    if queries is None:
        return (question.text,) if question and question.text else ()
    parts = (part.standalone for part in queries.parts)
    return tuple(dict.fromkeys((queries.as_asked, queries.standalone, *queries.expansions, *parts)))


def _spent(question: Question | None, usage: Usage) -> float | None:
    costs = [usage.cost_usd, *(turn.cost_usd for turn in (question.turns if question else ()))]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _provenance(ranking: Ranking | None) -> Provenance:
    return Provenance(index=ranking.index_id, calibration=ranking.calibration_id) if ranking else Provenance()


def question_of(reached: Progress) -> Question | None:
    """Give the question inside a value of the flow; None before the history stage."""
    match reached:
        case AcceptedMessage():
            return None
        case Question():
            return reached
        case GatedQuestion():
            return reached.question
        case _:
            queries = queries_of(reached)
            return queries.gated.question if queries else None


def queries_of(reached: Progress) -> Queries | None:
    """Give the queries inside a value of the flow; None before the rewrite stage."""
    match reached:
        case Queries():
            return reached
        case Retrieved():
            return reached.queries
        case DraftAnswer():
            return reached.retrieved.queries
        case _:
            return None


def ranking_of(reached: Progress) -> Ranking | None:
    """Give the ranking inside a value of the flow; None before the retrieve stage."""
    match reached:
        case Retrieved():
            return reached.ranking
        case DraftAnswer():
            return reached.retrieved.ranking
        case _:
            return None


def gate_of(reached: Progress) -> GateScore | None:
    """Give the gate's verdict inside a value of the flow; None before the gate stage."""
    queries = queries_of(reached)
    gated = queries.gated if queries else reached
    return gated.gate if isinstance(gated, GatedQuestion) else None


def usage_of(reached: Progress) -> Usage:
    """Give what model calls have used so far."""
    match reached:
        case DraftAnswer():
            return reached.usage
        case _:
            queries = queries_of(reached)
            return queries.usage if queries else Usage()
