"""What speaks for a source before its text is compared: its kind, its date, and whether another one found with it replaces it.

Gentle on purpose: scores of neighbours in a ranking differ by 0.05 to 0.2, so a prior decides between sources that are
about as near and never lifts a far one.
"""

from collections.abc import Sequence
from datetime import date

import numpy as np
import numpy.typing as npt

from retrieval.passages import DocumentCard
from retrieval.ports import Scores, StoredPassage

Places = npt.NDArray[np.intp]

# An article is written for everybody and kept; a ticket tells of one case.
_ARTICLE = 0.04
# The newest of the sources found; a source two years older has half of it. Without a date there is none.
_NEWEST = 0.03
_HALF_LIFE_DAYS = 730.0
_REPLACED = -0.1


def by_priors(stored: Sequence[StoredPassage], places: Places, scores: Scores) -> tuple[list[StoredPassage], Places]:
    """Put the passages that were read in the order of score and prior.

    Args:
        stored: the best passage of each of the first documents.
        places: of all documents in the pool, those of `stored` first.
        scores: ordering score of each place in the pool; the priors are added in place.
    """
    read, rest = places[: len(stored)], places[len(stored) :]
    scores[read] += priors([one.card for one in stored])
    order = np.argsort(-scores[read], kind="stable")
    return [stored[i] for i in order], np.concatenate([read[order], rest])


def priors(cards: Sequence[DocumentCard]) -> Scores:
    """Give what is added to the ordering score of each source of one ranking, float64, (n,), -0.1 to 0.07.

    Dates are compared with each other, not with today: the same index gives the same order on any day.
    """
    replaced = {name for card in cards for name in card.supersedes if name != card.id}
    dates = [_date_of(card) for card in cards]
    newest = max((day for day in dates if day is not None), default=None)
    found = [
        _ARTICLE * (card.kind != "ticket") + _recency(day, newest) + _REPLACED * (card.id in replaced)
        for card, day in zip(cards, dates, strict=True)
    ]
    return np.asarray(found, np.float64)


def _recency(day: date | None, newest: date | None) -> float:
    if day is None or newest is None:
        return 0.0
    return float(_NEWEST * 0.5 ** ((newest - day).days / _HALF_LIFE_DAYS))


def _date_of(card: DocumentCard) -> date | None:
    try:
        return date.fromisoformat((card.updated_at or card.created_at).strip()[:10])
    except ValueError:
        return None
