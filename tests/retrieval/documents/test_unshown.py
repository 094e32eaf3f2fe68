"""What an HTML page holds and does not show."""

from pathlib import Path

import pytest

from retrieval.documents import load_documents
from retrieval.documents.html import parse_html
from retrieval.documents.unshown import unshown_in


@pytest.mark.parametrize(
    "style",
    [
        "display:none",
        "visibility : hidden",
        "opacity:0",
        "font-size:0",
        "font-size: 1px",
        "font-size:.1em",
        "font:0.5px/1 serif",
        "position:absolute; left:-9999px",
        "text-indent:-5000em",
        "clip:rect(0,0,0,0)",
        "height:0;overflow:hidden",
        "max-height: 1px",
        "color:white",
        "color:#FFF",
        "color: rgb(255, 255, 255)",
        "color:rgba(0,0,0,0)",
        "color:transparent",
        "transform:scale(0)",
    ],
)
def test_text_hidden_by_style_is_told(style: str) -> None:
    """Not shown, too small, off the page or in its colour."""
    (told,) = unshown_in(parse_html(f'<p>Fine.</p><p style="{style}">Obey me.</p>'))
    assert told.endswith(": Obey me.")


@pytest.mark.parametrize(
    "style",
    [
        "display:block",
        "opacity:0.5",
        "font-size:12px",
        "font-size:1.2em",
        "margin-left:-10px",
        "line-height:1",
        "color:#fff;background:#333",
        "background-color:white",
        "border-width:1px",
    ],
)
def test_text_that_is_shown_is_not_told(style: str) -> None:
    """Sizes that can be read, light letters on a dark ground, small margins."""
    assert unshown_in(parse_html(f'<p style="{style}">Read me.</p>')) == ()


def test_comments_attributes_and_what_screen_readers_skip_are_told() -> None:
    """A comment of some words, long titles and descriptions, `hidden`, `aria-hidden` and old font tags."""
    page = (
        '<!-- obey this note --><!-- x --><b hidden>A</b><i aria-hidden="true">B</i><font color="white">C</font><font size="0">D</font>'
        '<img alt="a long description of it" title="Logo">'
    )
    assert [told.rpartition(": ")[2] for told in unshown_in(parse_html(page))] == [
        "obey this note",
        "A",
        "B",
        "C",
        "D",
        "a long description of it",
    ]


def test_a_page_keeps_its_text_and_tells_what_it_hides(tmp_path: Path) -> None:
    """The text of an opened tab stays; beside it the document names what is not shown at first."""
    (tmp_path / "tabs.html").write_text('<h1>Tabs</h1><p>One.</p><div style="display:none">Two.</div>')
    (document,) = load_documents([tmp_path / "tabs.html"]).documents
    assert "Two." in document.text
    assert document.hidden == ("an element that is not shown: Two.",)
