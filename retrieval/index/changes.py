"""What a run changes: document hashes before and after."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Changes:
    """Ids by what happened to them, sorted; `kept` counts the documents that were there before and still are."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    kept: int

    @property
    def removes_most(self) -> bool:
        """Whether more than half of the documents would go."""
        return len(self.removed) > (len(self.removed) + self.kept) / 2

    @property
    def removes_many(self) -> bool:
        """Whether more than one in ten would go. A single one may always: in a small base it is more than that."""
        return len(self.removed) > max(1.0, (len(self.removed) + self.kept) / 10)


def compare(before: Mapping[str, str], after: Mapping[str, str]) -> Changes:
    """Compare hashes by document id."""
    return Changes(
        added=tuple(sorted(after.keys() - before.keys())),
        changed=tuple(sorted(name for name in after.keys() & before.keys() if after[name] != before[name])),
        removed=tuple(sorted(before.keys() - after.keys())),
        kept=len(after.keys() & before.keys()),
    )
