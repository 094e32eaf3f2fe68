"""Records that name something twice: every reader of them would else let the last one win in silence."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any


class GivenTwice:
    """Stands for a value that a record gives twice and not alike, where the last one must not win in silence."""


class Doubled(dict[str, Any]):
    """A record that names something twice: the last one counts, save of `visibility`. `twice` are the names."""

    def __init__(self, pairs: Sequence[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counted = Counter(name for name, _ in pairs)
        self.twice = tuple(name for name, times in counted.items() if times > 1)
        for name in self.twice:
            values = [value for other, value in pairs if other == name]
            if name.strip().casefold() == "visibility" and any(value != values[0] for value in values):
                self[name] = GivenTwice()

    @property
    def told(self) -> Iterator[str]:
        """A sentence about what was passed over."""
        names = [repr(name) for name in self.twice if not isinstance(self[name], GivenTwice)]
        if names:
            yield f"gives {', '.join(names)} twice; the last one counts"


def record_of(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Give the record of names and values as they stand in a text."""
    values = dict(pairs)
    return values if len(values) == len(pairs) else Doubled(pairs)
