"""The lead's page as HTML; everything is escaped."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from bot.adapters.lead_page.plots import plot_of
from bot.lead.findings import Finding, Overview

HERE = Path(__file__).parent
# Kinds in the order of the page: title, and what to do. First what gives wrong answers now, then what people missed, then upkeep.
SECTIONS = (
    (
        "conflict",
        "Contradictions",
        "Two sources give one question two answers. Correct one, or mark a variant of scope.",
    ),
    ("thumbs_down", "Voted down", "People found these answers not useful."),
    ("gap", "Questions without an answer", "Write an article, or extend the nearest one."),
    ("stale", "Out of date", "Review, renew or withdraw."),
    ("superseded", "Replaced", "Another source has taken its place."),
    ("ring", "Replacing each other in a circle", "Which one is the newest cannot be told."),
    ("copies", "Near copies", "Keep one, and let the others point to it."),
    (
        "unresolved",
        "Tickets without a resolution",
        "They answer nothing. Write down how they ended, and load them again.",
    ),
    ("unfound", "Articles that no answer cited", "Nobody asks, or nobody finds them."),
)
_SHOWN, _MOST = 10, 500
_ASKED = (("gap", "unanswered"), ("thumbs_down", "voted down"))
_OPEN = (("conflict", "contradictions"), ("stale", "out of date"))


@cache
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(HERE), autoescape=True)


def _counted(found: Sequence[Finding]) -> int:
    """Give what a section counts: findings, or the tickets of the one that holds them all."""
    return sum(len(one.ids) if one.kind == "unresolved" else 1 for one in found)


def render_door(link: str) -> str:
    """Render the button that opens the page."""
    return _templates().get_template("door.html").render(link=link)


def render_closed(*, is_spent: bool) -> str:
    """Render how the page is opened, and that the link no longer opens it."""
    return _templates().get_template("door.html").render(link="", is_spent=is_spent)


def render_overview(overview: Overview, *, owner: str = "") -> str:
    """Render the page; with an owner only what is theirs (`nobody` where nobody is named)."""
    shown = overview.owned_by(owner) if owner else overview
    sections = [
        (title, advice, found, kind, _counted(found)) for kind, title, advice in SECTIONS if (found := shown.of(kind))
    ]
    drawn = (
        plot_of("Questions by day", overview.by_day, _ASKED),
        plot_of("Open findings by day", overview.open_by_day, _OPEN),
    )
    return (
        _templates()
        .get_template("overview.html")
        .render(
            overview=shown,
            owner=owner,
            owners=overview.owners,
            plots=[plot for plot in drawn if plot is not None],
            sections=sections,
            waiting=[one for one in shown.held if not one.verdict],
            judged=[one for one in shown.held if one.verdict],
            shown=_SHOWN,
            most=_MOST,
        )
    )
