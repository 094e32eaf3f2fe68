"""Retrieve: ranked passages for the queries, judged by a calibrated cut; a second attempt when nothing passes."""

from collections.abc import Sequence
from dataclasses import replace

from bot.checks.inert import inert_ranking
from bot.ends import Ended
from bot.flow import Ports
from bot.messages import Outcome, Queries, Retrieved
from bot.questions.follow_up import content_query, sealed
from retrieval.passages import Band, GateVerdict, Ranking
from retrieval.redaction import RedactedText
from retrieval.search.places import SearchPlan

_KNOWN = 3
_EVEN = 0.5  # the gate's score at its threshold
_HEAD_CHARACTERS = 200  # of a named source without a title, enough to find it by


async def retrieve_stage(queries: Queries, *, ports: Ports) -> Retrieved | Ended:
    """Search; when nothing is relevant once more with expanded terms; then end with the nearest sources.

    Raises:
        RetrievalError: there is no index, or it does not fit the model.
    """
    first = _unique((queries.as_asked, queries.standalone, *queries.expansions, *_named(queries)))
    plan = SearchPlan(first, tuple(part.standalone for part in queries.parts), queries.context)
    found = [await _search(texts, queries, ports) for texts in plan.searches]
    ranking = _led_by_named(_capped(plan.joined(found, top_k=ports.limits.top_k), queries), queries)
    parts = tuple(_capped(part, queries) for part in plan.of_parts(found))
    if ranking.band is Band.NONE:
        ranking = await _second_attempt(first, ranking, queries, ports)
    # Where no part has a source of its own, what was found for the whole question answers it as one.
    is_split = any(part.band is not Band.NONE for part in parts)
    retrieved = Retrieved(queries, ranking, parts if is_split else ())
    if ranking.band is Band.NONE or not ranking.passages or _is_doubted_twice(retrieved, ports):
        return Ended(Outcome.NO_MATCH, "no_match", retrieved)
    return retrieved


def _capped(ranking: Ranking, queries: Queries) -> Ranking:
    """Make what is found uncertain at best for a question that the gate would have declined without its thread.

    Of 120 messages of off-topic talk behind a question about a domain ("my card is damaged") some find a source that is relevant enough.
    """
    gate = queries.gated.gate
    is_only_by_thread = gate.verdict is GateVerdict.ASK and gate.score < _EVEN
    return replace(ranking, band=Band.UNCERTAIN) if is_only_by_thread and ranking.band is Band.ANSWERED else ranking


def _is_doubted_twice(retrieved: Retrieved, ports: Ports) -> bool:
    """Say whether the gate was unsure of the question and the cut is unsure of its sources: quoting them would be a guess.

    A model reads the sources and can say that they do not answer; without one the nearest are named instead. In a thread the
    gate doubts mostly because the words are few ("how do I set it"), not because the topic is another.
    """
    gated = retrieved.queries.gated
    is_doubted = gated.gate.verdict is GateVerdict.ASK and not gated.question.turns
    return ports.model is None and is_doubted and retrieved.ranking.band is Band.UNCERTAIN


def _named(queries: Queries) -> list[RedactedText]:
    """Say the sources that the question names by id in words, since an id is in no text that is searched."""
    return [source.card.title or source.text.cut(_HEAD_CHARACTERS) for source in queries.gated.named]


def _led_by_named(ranking: Ranking, queries: Queries) -> Ranking:
    """Put the sources that the question names first; they are what was asked for, however near their words are."""
    ids = {source.card.id for source in queries.gated.named}
    named = [passage for passage in ranking.passages if passage.document.id in ids]
    if not named:
        return ranking
    others = [passage for passage in ranking.passages if passage.document.id not in ids]
    return replace(ranking, passages=(*named, *others), band=Band.ANSWERED)


async def _search(texts: Sequence[RedactedText], queries: Queries, ports: Ports) -> Ranking:
    audience = frozenset(queries.gated.question.message.audience)
    return inert_ranking(await ports.passages.search(texts, audience=audience, top_k=ports.limits.top_k))


async def _second_attempt(first: Sequence[RedactedText], ranking: Ranking, queries: Queries, ports: Ports) -> Ranking:
    """Search with expanded terms. What only these terms find is an uncertain answer at best.

    On the sample bare words alone lifted four of thirteen absent questions over the cut, each by a source that the
    question itself had not put among its first three; so that is asked for.
    """
    expanded = _unique((*first, *_expanded(queries)))
    if len(expanded) == len(first):
        return ranking
    again = await _search(expanded, queries, ports)
    known = {passage.document.id for passage in ranking.passages[:_KNOWN]}
    best = again.passages[0] if again.passages else None
    if best is None or best.relevance < again.cut or (known and best.document.id not in known):
        return ranking
    return replace(again, band=Band.UNCERTAIN)


def _expanded(queries: Queries) -> list[RedactedText]:
    """Give the bare content words, and the question beside the thread's last one even if it seems to stand alone."""
    asked = queries.standalone
    expanded = [sealed(content_query(asked), asked)]
    turns = queries.gated.question.turns
    if turns:
        expanded.append(RedactedText.joined((turns[-1].question, queries.as_asked)))
    return expanded


def _unique(texts: Sequence[RedactedText]) -> tuple[RedactedText, ...]:
    return tuple(dict.fromkeys(text for text in texts if text.strip()))
