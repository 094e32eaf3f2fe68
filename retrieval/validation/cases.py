"""What two statements hold for: one case, or different regions, plans, platforms, people, days, things or names."""

from retrieval.validation.statements import Statement

# Classes of which a rule that names a member and one that names none still speak of the same (a general rule and a case).
_OPEN_CLASSES = frozenset(("thing", "method", "time", "product", "condition", "days"))
# Classes of which a title restricts its text; people and devices are named in questions that ask for a rule for all.
_OF_TITLES = frozenset(("region", "plan", "stage"))


def is_other_case(first: Statement, second: Statement) -> bool:
    """Say whether the statements hold for different regions, plans, platforms, people, things or names."""
    our_names, their_names = first.names or first.context_names, second.names or second.context_names
    is_other_name = bool(our_names and their_names) and not our_names & their_names
    # "Within the EU" and "to Spain" are two names for one case.
    return (is_other_name and not _is_one_region(first, second)) or is_other_scope(first, second)


def _is_open(kind: str) -> bool:
    return kind in _OPEN_CLASSES or kind.endswith("_of")


def _is_one_region(first: Statement, second: Statement) -> bool:
    ours, theirs = (_classes(statement).get("region", set()) for statement in (first, second))
    return bool(ours and theirs) and ours != theirs and _meet(ours, theirs)


def is_other_scope(first: Statement, second: Statement) -> bool:
    """Say whether the statements hold for different regions, plans, platforms, people, things or versions, or one for all."""
    return is_told_apart(first, second) or not all(map(_is_open, _named(first) ^ _named(second)))


def _named(statement: Statement) -> set[str]:
    """Give the classes of which a statement, or for some its title, names a member."""
    own = {name.split(":", 1)[0] for name in statement.scopes}
    return own | ({name.split(":", 1)[0] for name in statement.context_scopes} & _OF_TITLES)


def is_told_apart(first: Statement, second: Statement) -> bool:
    """Say whether both name what they hold for, and it is not the same."""
    ours, theirs = _classes(first), _classes(second)
    if _versions(first) and _versions(second) and not _versions(first) & _versions(second):
        return True
    return any(not _meet(ours[kind], theirs[kind]) for kind in ours.keys() & theirs.keys())


def _meet(ours: set[str], theirs: set[str]) -> bool:
    """Say whether one member is named by both, or the whole that it is a part of."""
    return bool(ours & theirs) or any("eu" in one and other & _OF_EU for one, other in ((ours, theirs), (theirs, ours)))


_OF_EU = frozenset(
    (
        "germany",
        "austria",
        "france",
        "spain",
        "italy",
        "poland",
        "portugal",
        "romania",
        "netherlands",
        "islands",
        "mainland",
    )
)


def _versions(statement: Statement) -> set[float]:
    """Give the versions that a rule is for; one that is itself the value is none."""
    kinds = {value.kind for value in statement.values}
    return {value.low for value in statement.values if value.kind == "version"} if kinds != {"version"} else set()


def _classes(statement: Statement) -> dict[str, set[str]]:
    """Give the scope of a statement: its own, and of the title what its own leaves open."""
    found: dict[str, set[str]] = {}
    for name in statement.scopes:
        kind, member = name.split(":", 1)
        found.setdefault(kind, set()).add(member)
    for name in statement.context_scopes:
        kind, member = name.split(":", 1)
        if not _is_open(kind) and not any(n.startswith(kind) for n in statement.scopes):
            found.setdefault(kind, set()).add(member)
    return found
