"""The bars of the lead's page: numbers by day, drawn without a script."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HEIGHT = 64.0
_STEP, _GAP = 14, 2
_LABEL_EVERY = 7
# As many days as stand beside each other in a narrow window.
DAYS = 30
_Counts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar, in the units of the drawing; `told` is shown to who points at it."""

    name: str
    left: float
    width: float
    height: float
    told: str


@dataclass(frozen=True, slots=True)
class Plot:
    """Bars by day. `days` are labels with their places, `legend` names with words, `most` the highest number."""

    title: str
    bars: tuple[Bar, ...]
    days: tuple[tuple[float, str], ...]
    legend: tuple[tuple[str, str], ...]
    most: int
    width: int = DAYS * _STEP


def plot_of(title: str, by_day: _Counts, legend: Sequence[tuple[str, str]]) -> Plot | None:
    """Draw the last days; None without a number to draw.

    Args:
        title: what is counted.
        by_day: counts by name for each day (ISO date), oldest first.
        legend: which names are drawn side by side, with their words.
    """
    days = list(by_day.items())[-DAYS:]
    most = max((counts.get(name, 0) for _, counts in days for name, _ in legend), default=0)
    if not most:
        return None
    width = (_STEP - _GAP) / len(legend)
    bars = (
        Bar(
            name,
            place * _STEP + nth * width,
            width,
            counts.get(name, 0) * HEIGHT / most,
            f"{day}: {counts.get(name, 0)} {told}",
        )
        for place, (day, counts) in enumerate(days)
        for nth, (name, told) in enumerate(legend)
    )
    labels = tuple(
        (float(place * _STEP), f"{day[8:10]}.{day[5:7]}.")
        for place, (day, _) in enumerate(days)
        if not place % _LABEL_EVERY
    )
    return Plot(title, tuple(bars), labels, tuple(legend), most)
