"""What many documents say of one slot as one finding: an archive has a hundred tickets with each of two values."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from retrieval.validation.policy import Ground
from retrieval.validation.sureness import POSSIBLE
from retrieval.validation.values import plain


@dataclass(frozen=True, slots=True)
class Conflict:
    """Documents that give one slot two values, and which is preferred. `prefer` is empty when nothing decides.

    The first two `ids` are the pair that `prefer`, `reason`, `sentences`, `dates` and `owners` speak of; behind them stand the ids
    of others that say the same. `sides` are all ids by value. `likelihood` is "likely" or "possible", `why` the reason in words.
    `subject` is what both speak of in words as one of them writes them.
    """

    ids: tuple[str, ...]
    slot: str
    values: tuple[str, str]
    prefer: str
    reason: str
    kind: str
    certainty: float
    sentences: tuple[str, str]
    dates: tuple[str, str]
    owners: tuple[str, str]
    is_outdated: bool
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    ground: Ground = Ground.NONE
    likelihood: str = POSSIBLE
    why: str = ""
    subject: str = ""


def grouped(pairs: Sequence[Conflict]) -> list[Conflict]:
    """Make one finding of all pairs with the same slot and the same two values, the most certain first.

    Args:
        pairs: of two documents each, the most certain first.
    """
    groups: dict[tuple[object, ...], list[Conflict]] = defaultdict(list)
    for pair in pairs:
        groups[pair.kind, pair.slot, frozenset(map(plain, pair.values))].append(pair)
    return [_joined(group) for group in groups.values()]


def _joined(group: Sequence[Conflict]) -> Conflict:
    """Join pairs behind the one that says most certainly which side is preferred."""
    grounds = list(Ground)
    shown = min(group, key=lambda pair: (grounds.index(pair.ground), -pair.certainty))
    first = plain(shown.values[0])
    sides: tuple[dict[str, None], dict[str, None]] = ({shown.ids[0]: None}, {shown.ids[1]: None})
    for pair in group:
        for name, value in zip(pair.ids, pair.values, strict=True):
            sides[plain(value) != first][name] = None
    rest = [name for side in sides for name in side if name not in shown.ids]
    return replace(
        shown,
        ids=(*shown.ids, *dict.fromkeys(rest)),
        certainty=group[0].certainty,
        likelihood=group[0].likelihood,
        why=group[0].why,
        sides=(tuple(sides[0]), tuple(sides[1])),
    )
