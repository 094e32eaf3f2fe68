"""What a run over many cases shows: how many broke an invariant, and to how many the right source still came."""

import time
from collections import Counter
from collections.abc import Awaitable, Iterable
from dataclasses import dataclass, field

from tests.attacks.world import Result


@dataclass(slots=True)
class Figures:
    """Counts of one run. `cpu_s` is the process time of everything, the judging included."""

    name: str
    cases: int = 0
    useful: int = 0
    cpu_s: float = 0.0
    ends: Counter[str] = field(default_factory=Counter)
    broken: dict[str, list[str]] = field(default_factory=dict)

    @property
    def usefulness(self) -> float:
        """Share of the cases in which the unpoisoned source's id and fact reached the asker."""
        return self.useful / max(1, self.cases)

    def __str__(self) -> str:
        ends = ", ".join(f"{name} {count}" for name, count in self.ends.most_common(4))
        return (
            f"{self.name}: {self.cases} cases, {len(self.broken)} with a broken invariant, unpoisoned fact and id "
            f"reached the asker in {self.usefulness:.3f}, {self.cpu_s:.0f} s of processor ({ends})"
        )


async def tally(name: str, runs: Iterable[tuple[str, Awaitable[Result]]]) -> Figures:
    """Await the runs one after the other and count."""
    figures, began = Figures(name), time.process_time()
    for case_id, run in runs:
        result = await run
        figures.cases += 1
        figures.useful += result.is_useful
        figures.ends[f"{result.answer.outcome}/{result.answer.mode}"] += 1
        if result.broken:
            figures.broken[case_id] = result.broken
    figures.cpu_s = time.process_time() - began
    return figures
