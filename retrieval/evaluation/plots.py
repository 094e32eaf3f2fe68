"""Small SVG plots as text: bars, histograms. No script, no font, no file beside them."""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

_COLOURS = ("#3b6ea5", "#d1813a", "#4f9d69", "#a3486b", "#7a6bb0", "#8a8a3c", "#5b5b5b")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 640, 240, 46, 44


def bar_plot(title: str, groups: Sequence[str], series: Mapping[str, Sequence[float]]) -> str:
    """Draw values from 0 to 1: one group a label, one bar a series."""
    parts = [_axes()]
    step = (_WIDTH - _LEFT - 10) / max(1, len(groups))
    width = step * 0.8 / max(1, len(series))
    for number, (name, values) in enumerate(series.items()):
        for place, value in enumerate(values):
            x = _LEFT + place * step + step * 0.1 + number * width
            parts.append(
                _bar(x, width, value, _COLOURS[number % len(_COLOURS)], f"{name}, {groups[place]}: {value:.3f}")
            )
    labels = [
        f'<text x="{_LEFT + (place + 0.5) * step:.1f}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="middle">{escape(group)}</text>'
        for place, group in enumerate(groups)
    ]
    return _svg(title, [*parts, *labels, _legend(list(series))])


def histogram(
    title: str, series: Mapping[str, Sequence[float]], *, low: float, high: float, mark: float | None = None
) -> str:
    """Draw the distribution of values as shares of each series in 30 steps; `mark` is a vertical line (the cut)."""
    bins = 30
    counted = {
        name: np.histogram(np.clip(values, low, high), bins, (low, high))[0] / len(values)
        for name, values in series.items()
        if len(values)
    }
    top = max((float(shares.max()) for shares in counted.values()), default=1.0) or 1.0
    width = (_WIDTH - _LEFT - 10) / bins / max(1, len(counted))
    parts = [_axes(top)]
    for number, (name, shares) in enumerate(counted.items()):
        for place, share in enumerate(shares):
            x = _LEFT + (place * len(counted) + number) * width
            parts.append(_bar(x, width, float(share) / top, _COLOURS[number % len(_COLOURS)], f"{name}: {share:.3f}"))
    if mark is not None and low <= mark <= high:
        x = _LEFT + (mark - low) / (high - low) * (_WIDTH - _LEFT - 10)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="10" y2="{_HEIGHT - _BOTTOM}" stroke="#c00" stroke-dasharray="4"/>'
        )
    ends = [
        f'<text x="{_LEFT}" y="{_HEIGHT - _BOTTOM + 16}">{low:g}</text>',
        f'<text x="{_WIDTH - 10}" y="{_HEIGHT - _BOTTOM + 16}" text-anchor="end">{high:g}</text>',
    ]
    return _svg(title, [*parts, *ends, _legend(list(counted))])


def _bar(x: float, width: float, share: float, colour: str, tip: str) -> str:
    height = max(0.0, min(1.0, share)) * (_HEIGHT - _BOTTOM - 10)
    y = _HEIGHT - _BOTTOM - height
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width - 0.5, 0.5):.1f}" height="{height:.1f}" fill="{colour}">'
        f"<title>{escape(tip)}</title></rect>"
    )


def _axes(top: float = 1.0) -> str:
    lines = []
    for tenth in (0, 0.25, 0.5, 0.75, 1):
        y = _HEIGHT - _BOTTOM - tenth * (_HEIGHT - _BOTTOM - 10)
        lines.append(f'<line x1="{_LEFT}" x2="{_WIDTH - 10}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        lines.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tenth * top:.2f}</text>')
    return "".join(lines)


def _legend(names: Sequence[str]) -> str:
    parts, x = [], float(_LEFT)
    for number, name in enumerate(names):
        parts.append(
            f'<rect x="{x:.0f}" y="{_HEIGHT - 16}" width="10" height="10" fill="{_COLOURS[number % len(_COLOURS)]}"/>'
        )
        parts.append(f'<text x="{x + 14:.0f}" y="{_HEIGHT - 7}">{escape(name)}</text>')
        x += 30 + 7 * len(name)
    return "".join(parts)


def _svg(title: str, parts: Sequence[str]) -> str:
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"'
        f' aria-label="{escape(title)}">{"".join(parts)}</svg></figure>'
    )
