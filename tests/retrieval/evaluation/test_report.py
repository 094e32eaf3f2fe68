"""The page: it stands alone, escapes everything, and draws what there is."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from retrieval.evaluation import Run, details_of, differences, render_report, results_of, run_method
from retrieval.evaluation.answers import Answered, answer_results
from retrieval.evaluation.figures import reliability_bins
from retrieval.evaluation.plots import Axis, bar_plot, histogram, line_plot
from retrieval.passages import Band
from tests.retrieval.evaluation.test_results import QUESTIONS, runs, search


class Page(HTMLParser):
    """Collects tags, addresses and the figures' captions; open tags must be closed."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "action")]


def read(text: str) -> Page:
    """Read a page."""
    page = Page()
    page.feed(text)
    return page


def test_the_page_stands_alone() -> None:
    """Inline plots and tables, every text escaped, and nothing to load."""
    evil = replace(
        QUESTIONS[1], id="<script>alert(1)</script>", query="<img src=x>", previous_user_turns=("<b>turn</b>",)
    )
    hybrid = run_method([replace(evil, relevant=("nowhere",)), *QUESTIONS], "hybrid", search)
    text = render_report("Report <1>", [*runs()[:1], hybrid], {"index": "<i>abc</i>"})
    page = read(text)
    assert page.tags.count("svg") == 6
    assert not page.addresses
    assert not {"script", "img", "b", "i", "link"} & set(page.tags)
    assert "url(" not in text
    assert "@import" not in text
    assert "Report &lt;1&gt;" in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_a_page_of_nothing_is_drawn() -> None:
    """No question has a relevant document."""
    assert "svg" in render_report("Empty", [run_method(QUESTIONS[2:], "hybrid", search)], {})


def test_the_page_lists_what_went_worst() -> None:
    """Not found first; wrongly refused; plainly answered though nothing answers."""
    judged = run_method(QUESTIONS, "hybrid", search).judged
    refused = replace(judged[0], band=Band.NONE)
    text = render_report("Worst", [Run("hybrid", (refused, replace(judged[1], ranked=()), judged[3]))], {})
    assert "Not among the first five: 1 of 2" in text
    assert "Answerable and refused: 1" in text
    assert "Not answerable and plainly answered: 1" in text
    assert text.index("not found") < text.index("Answerable and refused")


def test_the_page_shows_answers_and_the_comparison() -> None:
    """Where the result holds them."""
    results = results_of(runs())
    answered = [
        Answered(question, "answered", cited=("a",), do_facts_stand=True, sentences=2, unsupported=("x",), length=30)
        for question in QUESTIONS
    ]
    results["answers"] = answer_results(answered)
    results["compare_details"] = details_of(differences(results, results))
    text = render_report("All", runs(), {}, results=results)
    assert "facts of the reference answer stand" in text
    assert "4 of 8" in text
    assert "the same" in text


def test_reliability_is_of_the_document_that_the_band_is_judged_by() -> None:
    """The one of the largest relevance, wherever it is ranked; steps with fewer than three questions are left out."""
    judged = run_method(QUESTIONS[:1], "hybrid", search).judged[0]
    relevant = replace(judged, ranked=("b", "a"), relevances=(0.2, 0.86))
    wrong = replace(judged, ranked=("a", "b"), relevances=(0.2, 0.84))
    few = replace(judged, relevances=(0.31, 0.1))
    ((predicted, observed, count, (low, high)),) = reliability_bins([relevant, relevant, wrong, wrong, few])
    assert predicted == pytest.approx(0.85)
    assert (observed, count) == (0.5, 4)
    assert low <= 0.5 <= high


def boxes(svg: str) -> list[tuple[float, float, str]]:
    """Give left, line and text of the names in a picture, by their anchors."""
    found = re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)"(?: fill="[^"]+")?(?: text-anchor="(\w+)")?>([^<]+)</text>', svg
    )
    shift = {"": 0.0, "start": 0.0, "middle": 0.5, "end": 1.0}
    return sorted((float(y), float(x) - 6.0 * len(text) * shift[anchor], text) for x, y, anchor, text in found)


def overlaps(svg: str) -> list[Sequence[str]]:
    """Give names of one line that run into each other; letters are at least 5 px wide on the average."""
    pairs = pairwise(boxes(svg))
    return [(a[2], b[2]) for a, b in pairs if a[0] == b[0] and a[1] + 5.0 * len(a[2]) > b[1]]


@pytest.mark.parametrize("groups", [["hit@1", "mrr@10"], [f"l{i} (n = 12345)" for i in range(14)]])
def test_names_never_overlap(groups: list[str]) -> None:
    """Many methods, many groups, and cuts that lie close together."""
    series = {f"method number {i}": [0.5] * len(groups) for i in range(8)}
    bounds = {name: [(0.4, 0.6)] * len(groups) for name in series}
    assert overlaps(bar_plot("Bars", groups, series, intervals=bounds, is_wide=True)) == []
    marks = {"uncertain from 0.41": 0.41, "plain from 0.43": 0.43}
    axis = Axis(0, 1, "relevance")
    assert overlaps(histogram("Values", {"a": [0.1, 0.5], "b": []}, axis=axis, marks=marks)) == []
    lines = {"refused": [(0.0, 0.0), (0.5, 0.4), (1.0, 1.0)]}
    assert overlaps(line_plot("Lines", lines, axes=(axis, Axis()), marks={"at the end of all": 0.99})) == []


def test_names_at_the_edge_stay_inside() -> None:
    """The name of a mark at the right end stands left of its line."""
    svg = histogram("Values", {"a": [0.1]}, axis=Axis(), marks={"plain from 0.98": 0.98})
    assert 'text-anchor="end">plain from 0.98' in svg
