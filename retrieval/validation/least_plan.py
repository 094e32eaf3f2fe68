"""Which plan a thing takes: "is included in the Business plan and up", "réservé à la formule Premium".

Two plans may both include a thing. Only where a sentence says that no smaller one does, another plan is against it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from retrieval.validation.plans import plan_places

_HAS = (
    r"available|included|includes?|comes?|part of|offered|enthalten|verfügbar|erhältlich|inbegriffen|teil|gehört|доступн\w+|входить|входит|є (?:у|в)|есть (?:у|в)|disponible\w*|inclus\w*|comprise?s?|fait partie|incluid\w+|incluye\w*"
    r"|dostępn\w+|zawart\w+|disponíve\w+|incluíd\w+"
)
_LEAST = (
    r"only|reserved|exclusive\w*|requires?|needs?|upgrade to|nur|vorbehalten|ausschließlich|ab dem|benötig\w+|erforder\w+|тільки|лише|виключно|потребує|только|исключительно|требует\w*|начиная с|починаючи з|réservée?s?|uniquement|exclusi\w+"
    r"|à partir d\w+|nécessite\w*|s[oó]lo|solamente|únicamente|a partir d\w+|requiere\w*|reservad\w+|tylko|wyłącznie|wymaga\w*|apenas|somente|requer\w*"
)
_AND_UP = re.compile(
    r"(?i)\A\W*(?:plans?\W+)?(?:and|or|und|oder|і|та|або|и|или|et|ou|y|o|e|i|lub) (?:up|above|higher|better|höher\w*|aufwärts|darüber|вищ\w+|выше|supérieure?s?|plus|superior\w*|wyż\w+|acima)"
)
_LEADS = re.compile(rf"(?i)(?<!\w)(?:(?P<least>{_LEAST})|{_HAS})(?!\w)")
# Words between "included in" and the plan's name.
_NEAR = 5


@dataclass(frozen=True, slots=True)
class LeastPlan:
    """A plan that a thing comes with, with its place; `is_least` where no smaller plan has it."""

    name: str
    start: int
    end: int
    is_least: bool


@lru_cache(maxsize=8192)
def least_plan_of(clause: str) -> LeastPlan | None:
    """Give the plan that a thing comes with; None where a clause names none behind such words, or several."""
    places = plan_places(clause)
    if len({name for name, _, _ in places}) != 1:
        return None
    name, start, end = places[0]
    leads = [m for m in _LEADS.finditer(clause[:start]) if len(clause[m.end() : start].split()) <= _NEAR]
    if not leads:
        return None
    return LeastPlan(name, start, end, bool(_AND_UP.match(clause[end:])) or any(m["least"] for m in leads))
