"""Small SVG plots as text: bars, histograms, lines. No script, no font, no file beside them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

# Told apart by people who see no red or green: Okabe and Ito, https://jfly.uni-koeln.de/color/
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#7a7a7a", "#b8a900")
NARROW, WIDE = 540, 1120
_PLOT_HEIGHT = 210
_LEFT, _RIGHT, _ROW = 58, 14, 18
# An average letter of the 11 px font, somewhat generous: names must never overlap.
_LETTER = 7.2
_BINS = 30

Points = Sequence[tuple[float, float]]
Bounds = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Axis:
    """Range and name of an axis."""

    low: float = 0.0
    high: float = 1.0
    name: str = ""

    def share(self, value: float) -> float:
        """Give the place of a value between both ends, 0 to 1."""
        return min(1.0, max(0.0, (value - self.low) / ((self.high - self.low) or 1.0)))


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the plot area lies in the picture, in pixels: below the legend and the names of the marks."""

    width: int
    top: int
    below: int

    @property
    def bottom(self) -> int:
        return self.top + _PLOT_HEIGHT

    @property
    def height(self) -> int:
        return self.bottom + self.below

    @property
    def inner(self) -> int:
        return self.width - _LEFT - _RIGHT

    def x(self, share: float) -> float:
        return _LEFT + share * self.inner

    def y(self, share: float) -> float:
        return self.bottom - share * _PLOT_HEIGHT


def bar_plot(
    title: str,
    groups: Sequence[str],
    series: Mapping[str, Sequence[float]],
    *,
    intervals: Mapping[str, Bounds] | None = None,
    is_wide: bool = False,
) -> str:
    """Draw values from 0 to 1: one group a label, one bar a series, with whiskers where there are intervals."""
    width = WIDE if is_wide else NARROW
    step = (width - _LEFT - _RIGHT) / max(1, len(groups))
    is_crowded = max((len(group) for group in groups), default=0) * _LETTER > step
    names, rows = _legend(list(series), width)
    frame = _Frame(width, rows * _ROW + 8, 70 if is_crowded else 26)
    bar = step * 0.84 / max(1, len(series))
    parts = [names, _grid(frame, Axis())]
    for number, (name, values) in enumerate(series.items()):
        for place, value in enumerate(values):
            left = _LEFT + place * step + step * 0.08 + number * bar
            bounds = intervals[name][place] if intervals and name in intervals else None
            said = f"{name}, {groups[place]}: {value:.3f}" + (
                f" ({bounds[0]:.3f} to {bounds[1]:.3f})" if bounds else ""
            )
            parts.append(_bar(frame, (left, bar), value, _colour(number), said))
            if bounds and bar >= 4:
                parts.append(_whisker(frame, left + bar / 2, bounds))
    for place, group in enumerate(groups):
        middle, base = _LEFT + (place + 0.5) * step, frame.bottom + 16
        turn = f' transform="rotate(-35 {middle:.1f} {base})"' if is_crowded else ""
        anchor = "end" if is_crowded else "middle"
        parts.append(f'<text x="{middle:.1f}" y="{base}" text-anchor="{anchor}"{turn}>{escape(group)}</text>')
    return _svg(title, frame, parts)


def histogram(
    title: str, series: Mapping[str, Sequence[float]], *, axis: Axis, marks: Mapping[str, float] | None = None
) -> str:
    """Draw the distribution of values as shares of each series; values beyond the axis are in its last bars.

    Args:
        title: of the plot.
        series: values by name; an empty one is left out.
        axis: of the values.
        marks: vertical lines by name, as the cuts.
    """
    counted = {
        name: np.histogram(np.clip(values, axis.low, axis.high), _BINS, (axis.low, axis.high))[0] / len(values)
        for name, values in series.items()
        if len(values)
    }
    labels = [f"{name} (n = {len(series[name])})" for name in counted]
    names, rows = _legend(labels, NARROW)
    top = _rounded_up(max((float(shares.max()) for shares in counted.values()), default=1.0))
    frame = _Frame(NARROW, (rows + len(marks or ())) * _ROW + 8, 42)
    width = frame.inner / _BINS / max(1, len(counted))
    parts = [names, _grid(frame, Axis(0, top, "share of the questions")), _ticks(frame, axis)]
    for number, (name, shares) in enumerate(counted.items()):
        for place, share in enumerate(shares):
            left = _LEFT + (place * len(counted) + number) * width
            parts.append(_bar(frame, (left, width), float(share) / top, _colour(number), f"{name}: {share:.3f}"))
    return _svg(title, frame, [*parts, _marks(frame, axis, marks or {})])


def line_plot(
    title: str,
    series: Mapping[str, Points],
    *,
    axes: tuple[Axis, Axis],
    marks: Mapping[str, float] | None = None,
    intervals: Mapping[str, Bounds] | None = None,
) -> str:
    """Draw lines through points; where there are intervals the points are drawn as such, with whiskers.

    Args:
        title: of the plot.
        series: points by name, in the order of x.
        axes: of x and of y.
        marks: vertical lines by name.
        intervals: of y, one a point, by name of the series.
    """
    across, up = axes
    names, rows = _legend(list(series), NARROW)
    frame = _Frame(NARROW, (rows + len(marks or ())) * _ROW + 8, 42)
    parts = [names, _grid(frame, up), _ticks(frame, across)]
    for number, (name, points) in enumerate(series.items()):
        places = [(frame.x(across.share(x)), frame.y(up.share(y))) for x, y in points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        dashes = ' stroke-dasharray="3 3"' if len(points) == 2 else ""
        parts.append(f'<polyline points="{line}" fill="none" stroke="{_colour(number)}" stroke-width="2"{dashes}/>')
        for (x, y), point, bounds in zip(places, points, (intervals or {}).get(name, ()), strict=False):
            parts.append(_whisker(frame, x, bounds))
            said = escape(f"{name}: {point[1]:.3f} ({bounds[0]:.3f} to {bounds[1]:.3f})")
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{_colour(number)}"><title>{said}</title></circle>'
            )
    return _svg(title, frame, [*parts, _marks(frame, across, marks or {})])


def _colour(number: int) -> str:
    return _COLOURS[number % len(_COLOURS)]


def _rounded_up(value: float) -> float:
    """Give the next of 0.1, 0.2, 0.4, … 1, so that the lines of the grid have short names."""
    return next((top for top in (0.1, 0.2, 0.4, 0.6, 0.8) if value <= top), 1.0)


def _bar(frame: _Frame, across: tuple[float, float], share: float, colour: str, tip: str) -> str:
    left, width = across
    top = frame.y(min(1.0, max(0.0, share)))
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(width - 0.8, 0.6):.1f}" height="{frame.bottom - top:.1f}"'
        f' fill="{colour}"><title>{escape(tip)}</title></rect>'
    )


def _whisker(frame: _Frame, x: float, bounds: tuple[float, float]) -> str:
    low, high = (frame.y(min(1.0, max(0.0, bound))) for bound in bounds)
    return f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" stroke="#333" stroke-width="1.2"/>'


def _grid(frame: _Frame, up: Axis) -> str:
    lines = []
    for quarter in (0, 0.25, 0.5, 0.75, 1):
        y = frame.y(quarter)
        value = up.low + quarter * (up.high - up.low)
        lines.append(f'<line x1="{_LEFT}" x2="{frame.width - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.3g}</text>')
    if up.name:
        middle = frame.y(0.5)
        lines.append(
            f'<text x="12" y="{middle:.0f}" text-anchor="middle" transform="rotate(-90 12 {middle:.0f})">{escape(up.name)}</text>'
        )
    return "".join(lines)


def _ticks(frame: _Frame, axis: Axis) -> str:
    texts = []
    for tenth in range(0, 11, 2):
        value = axis.low + tenth / 10 * (axis.high - axis.low)
        texts.append(
            f'<text x="{frame.x(tenth / 10):.1f}" y="{frame.bottom + 15}" text-anchor="middle">{value:.3g}</text>'
        )
    texts.append(
        f'<text x="{frame.x(0.5):.1f}" y="{frame.bottom + 33}" text-anchor="middle">{escape(axis.name)}</text>'
    )
    return "".join(texts)


def _marks(frame: _Frame, axis: Axis, marks: Mapping[str, float]) -> str:
    """Draw vertical lines; each name has a row of its own above the plot, so that close ones never meet."""
    parts = []
    for row, (name, value) in enumerate(sorted(marks.items(), key=lambda mark: mark[1])):
        x, y = frame.x(axis.share(value)), frame.top - 8 - (len(marks) - 1 - row) * _ROW
        is_left = x + len(name) * _LETTER > frame.width
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y - 8}" y2="{frame.bottom}" stroke="#b00020" stroke-dasharray="4 3"/>'
            f'<text x="{x - 4 if is_left else x + 4:.1f}" y="{y}" fill="#b00020"'
            f' text-anchor="{"end" if is_left else "start"}">{escape(name)}</text>'
        )
    return "".join(parts)


def _legend(names: Sequence[str], width: int) -> tuple[str, int]:
    """Give the legend above the plot, in as many rows as its names need, and their number."""
    parts, x, row = [], float(_LEFT), 0
    for number, name in enumerate(names):
        wide = 26 + _LETTER * len(name)
        if x + wide > width and x > _LEFT:
            x, row = float(_LEFT), row + 1
        y = row * _ROW + 4
        parts.append(f'<rect x="{x:.0f}" y="{y}" width="10" height="10" fill="{_colour(number)}"/>')
        parts.append(f'<text x="{x + 14:.0f}" y="{y + 9}">{escape(name)}</text>')
        x += wide
    return "".join(parts), row + 1


def _svg(title: str, frame: _Frame, parts: Sequence[str]) -> str:
    kind = "wide" if frame.width == WIDE else "narrow"
    return (
        f'<figure class="{kind}"><figcaption>{escape(title)}</figcaption>'
        f'<svg viewBox="0 0 {frame.width} {frame.height}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg></figure>'
    )
