"""Two statements that say opposite things of one: required or optional, at once or later, only the owner or every user.

Nothing but a word tells them apart, so more must be the same than between two amounts: all that one of them says.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from retrieval.validation.opposites import LINK, PLAN, STATE, WHO, Opposite, against, alike
from retrieval.validation.statements import Statement

# Share of what each sentence says itself, beside the opposite words, that the other document says too: of the one, of the other.
_WHOLE, _SOME = 0.74, 0.3
# Pages are full of addresses.
_SHARED_OF_LINKS = 2
_UNKNOWN = 1.0


@dataclass(frozen=True, slots=True)
class Opposed:
    """What two statements say on one axis; `first` and `second` have the features that are left without these words."""

    first: Statement
    second: Statement
    sides: tuple[Opposite, Opposite]
    is_against: bool


def opposed(first: Statement, second: Statement, weights: Mapping[str, float]) -> Opposed | None:
    """Put what two statements say on one axis side by side; None where they have none in common or are not about one thing.

    Args:
        first: one.
        second: the other.
        weights: how much a feature tells, 0 to 1; an unknown one counts fully.
    """
    if not (first.opposites and second.opposites):
        return None
    contrary = against(first.opposites, second.opposites)
    sides = contrary or alike(first.opposites, second.opposites)
    if sides is None:
        return None
    if sides[0].axis == STATE and "condition" in first.signals | second.signals:
        return None
    ours, theirs = _bare(first, sides[0]), _bare(second, sides[1])
    if len(ours.features & theirs.features) < (_SHARED_OF_LINKS if sides[0].axis == LINK else 1):
        return None
    covered = sorted((_covered(ours, theirs, weights), _covered(theirs, ours, weights)))
    if covered[0] < _SOME or covered[1] < _WHOLE:
        return None
    return Opposed(ours, theirs, sides, bool(contrary))


def _bare(statement: Statement, side: Opposite) -> Statement:
    """Leave out the opposite words; the role that may do something, or the plan it takes, is no case that the rest holds for."""
    if side.axis == STATE:  # where it is done ("in Frankfurt") one of two need not say
        deeds = frozenset(
            f"{mark}{one.member}" for one in statement.opposites if one.axis == STATE for mark in ("", "=")
        )
        return replace(statement, features=statement.features - deeds, names=frozenset())
    if side.axis not in (WHO, PLAN):
        return replace(statement, features=statement.bare)
    own = f"{side.axis}:"
    features, scopes, around = (
        frozenset(name for name in names if not name.startswith(own))
        for names in (statement.bare, statement.scopes, statement.context_scopes)
    )
    bare = replace(statement, features=features, scopes=scopes, context_scopes=around)
    # The name of a plan has a capital and is a name beside that.
    return replace(bare, names=frozenset(), context_names=frozenset()) if side.axis == PLAN else bare


def _covered(first: Statement, second: Statement, weights: Mapping[str, float]) -> float:
    known = second.features | second.context | second.names
    own = first.features | first.names
    whole = sum(weights.get(name, _UNKNOWN) for name in own)
    return sum(weights.get(name, _UNKNOWN) for name in own & known) / whole if whole else 0.0
