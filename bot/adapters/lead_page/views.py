"""The lead's page as HTML; everything is escaped."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from bot.lead.findings import Overview

HERE = Path(__file__).parent
# Kinds in the order of the page: title, and what to do.
SECTIONS = (
    (
        "conflict",
        "Contradictions",
        "Two sources give one question two answers. Correct one, or mark a variant of scope.",
    ),
    ("stale", "Out of date", "Review, renew or withdraw."),
    ("superseded", "Replaced", "Another source has taken its place."),
    ("copies", "Near copies", "Keep one, and let the others point to it."),
    ("ring", "Replacing each other in a circle", "Which one is the newest cannot be told."),
    ("gap", "Questions without an answer", "Write an article, or extend the nearest one."),
    ("thumbs_down", "Voted down", "People found these answers not useful."),
    ("unfound", "Articles that no answer cited", "Nobody asks, or nobody finds them."),
)
_SHOWN = 50


@cache
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(HERE), autoescape=True)


def render_overview(overview: Overview) -> str:
    """Render the page."""
    sections = [(title, advice, overview.of(kind), kind) for kind, title, advice in SECTIONS]
    most = max((count for day in overview.by_day.values() for count in day.values()), default=1)
    return (
        _templates()
        .get_template("overview.html")
        .render(overview=overview, sections=[s for s in sections if s[2]], shown=_SHOWN, most=max(most, 1))
    )
