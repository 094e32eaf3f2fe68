"""Where such cases went: a vote of the retrieved tickets' queues. What a text asks for has no vote."""

import re
from collections.abc import Sequence

from bot.answers.compose import visible
from bot.answers.evidence import shape_of
from bot.checks.closed_output import hosts_of, plain_name
from bot.messages import Triage
from retrieval.passages import Band, Passage, Ranking
from retrieval.redaction import EMPTY, RedactedText

TICKET = "ticket"
# Weight of doubt: with one ticket of relevance 0.6 the confidence is 0.6 / (0.6 + 0.25) = 0.7.
DOUBT = 0.25
LEAST_CONFIDENCE = 0.5
SIMILAR = 5
_VOTERS = 5
_FAR_BEHIND = 0.5
_SALUTATION = re.compile(
    r"(?i)\A\W*+(hi|hello|dear|hallo|guten tag|liebe|hola|estimad|witam|cześć|вітаю|добрий день|привіт)\b"
)


def vote(ranking: Ranking, *, language: str = "", said: str = "") -> Triage | None:
    """Give queue, confidence, next step and similar tickets; None when the tickets do not say enough.

    Args:
        ranking: what was found.
        language: the asker's; a next step in another one that is not English is left out. "" takes any.
        said: the answer; a next step that stands in it already is left out.

    The confidence is the winning queue's share of the voters' relevance, with a fixed weight of doubt beside them. On the
    sample's 73 answered questions whose right tickets name a queue: 49 right, 4 wrong, 20 unsaid.
    """
    if ranking.band is Band.NONE:
        return None
    tickets = [p for p in ranking.passages if p.document.kind == TICKET and _counts(p, ranking)]
    # A queue that would ping somebody is no queue.
    voters = [passage for passage in tickets[:_VOTERS] if plain_name(passage.document.queue)]
    weights: dict[str, float] = {}
    for passage in voters:
        weights[passage.document.queue] = weights.get(passage.document.queue, 0.0) + passage.relevance
    if not weights or _is_weak(voters, ranking):
        return None
    queue = max(sorted(weights), key=lambda name: weights[name])
    confidence = weights[queue] / (sum(weights.values()) + DOUBT)
    if confidence < LEAST_CONFIDENCE:
        return None
    basis = [passage for passage in voters if passage.document.queue == queue]
    return Triage(
        queue=queue,
        confidence=round(confidence, 3),
        basis=tuple(passage.document.id for passage in basis),
        next_step=visible(
            _next_step([p for p in basis if _is_readable(p, ranking, language)], said),
            ranking.hosts | hosts_of(passage.document.url for passage in ranking.passages),
        ),
        similar=tuple(passage.document.id for passage in tickets[:SIMILAR]),
    )


def _is_weak(voters: Sequence[Passage], ranking: Ranking) -> bool:
    """Say whether the case rests on one ticket that hardly fits: no queue is better than that of another matter."""
    return len(voters) == 1 and (voters[0].relevance < ranking.cut or ranking.band is not Band.ANSWERED)


def _counts(passage: Passage, ranking: Ranking) -> bool:
    """A ticket far behind the best source is about something else, whatever the cut says."""
    best = max(other.relevance for other in ranking.passages)
    return not passage.document.quarantined and passage.relevance >= max(ranking.uncertain_cut, best * _FAR_BEHIND)


def _is_readable(passage: Passage, ranking: Ranking, language: str) -> bool:
    return passage.relevance >= ranking.cut and passage.document.lang in {"", "en", language or passage.document.lang}


def _next_step(basis: Sequence[Passage], said: str) -> RedactedText:
    """Give the sentence of the best ticket's resolution that is nearest to the question."""
    for passage in basis:
        quotable = [s for s in passage.sentences if shape_of(s.text).is_quotable and not _SALUTATION.match(s.text)]
        fresh = [s for s in quotable if s.text not in said]
        if quotable:
            return max(fresh, key=lambda sentence: (sentence.similarity, -sentence.index)).text if fresh else EMPTY
    return EMPTY
