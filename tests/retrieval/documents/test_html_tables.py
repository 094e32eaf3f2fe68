"""Rows of HTML tables say what they are about, however the table is written."""

import pytest

from retrieval.documents.html import html_to_text
from retrieval.documents.html_tables import with_end_tags

SPANNED = (
    '<table><tr><td rowspan="2">Basic</td><td>a</td><td>5</td></tr><tr><td>b</td><td>6</td></tr>'
    "<tr><td>Pro</td><td>c</td><td>7</td></tr></table>"
)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<table><tr><th>Plan<th>Price<tr><td>Basic<td>5 EUR</table>", "| Plan | Price |\n| Basic | 5 EUR |"),
        ("<TABLE><TR><TD>A<TR><TD>B</TR><TR><TD>C</TABLE>After", "| A |\n| B |\n| C |\n\nAfter"),
        ("<table><tr><td>A<table><tr><td>in</table>x<td>B</table>", "| A in x | B |"),
        (
            SPANNED,
            "| Basic | a | 5 |\n| Basic | b | 6 |\n| Pro | c | 7 |",
        ),
        ('<table><tr><td>x</td><td rowspan="9">all</td></tr><tr><td>y</td></tr></table>', "| x | all |\n| y | all |"),
        ('<table><tr><td rowspan="²">x</td></tr><tr><td>y</td></tr></table>', "| x |\n| y |"),
    ],
)
def test_rows_stand_by_themselves(html: str, text: str) -> None:
    """End tags left out, in any letters and around a table in a cell; cells that stand for several rows."""
    assert html_to_text(html)[1].strip() == text


def test_whole_tables_and_scripts_are_left_as_they_are() -> None:
    """Nothing is written where all ends stand, nor where a script may hold what looks like a table."""
    for html in (
        "<table><tr><td>A</td><td>B</td></tr></table>",
        "<script>t = '<td>'</script><table><tr><td>A<td>B</table>",
        "a < b, c > d",
    ):
        assert with_end_tags(html) == html


def test_spans_of_a_bomb_are_bounded() -> None:
    """Cells that each stand for a thousand rows are put into ten thousand at most."""
    rows = '<tr><td rowspan="1000">x</td><td>y</td></tr>' * 160
    assert html_to_text(f"<table>{rows}</table>")[1].count("x") == 160 + 10_000
