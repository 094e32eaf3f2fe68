"""Links within a base: what is called dead, and what is not."""

import pytest

from retrieval.documents import Document
from retrieval.validation.links import dead_links

BASE = (
    Document(id="pd-101", place="en/track.md", text="x"),
    Document(id="pd-102", place="en/lost.md", text="x"),
    Document(id="pd-103", place="de/Zwei Wörter.md", text="x"),
    Document(id="pd-104", place="start.md", text="x", url="https://help.example.com/kb/start"),
    Document(id="t-1", kind="ticket", resolution="x"),
)


def _dead(target: str, place: str = "en/track.md", url: str | None = None) -> bool:
    linking = Document(id="pd-100", place=place, text=f"See [there]({target}) for more.", url=url)
    return bool(list(dead_links([linking], [*BASE, linking])))


@pytest.mark.parametrize(
    "target",
    [
        "lost.md",
        "./lost.md#refunds",
        "lost.html",
        "lost.md?plain=1",
        '<lost.md> "Lost parcels"',
        "../start.md",
        "../de/Zwei%20W%C3%B6rter.md",
        "<../de/Zwei Wörter.md>",
        "/en/lost.md",
        "/docs/en/lost.html",
        "pd-102.md",
        "LOST.md",
        "../../elsewhere/x.md",
        "#refunds",
        "mailto:a@example.com",
        "//cdn.example.com/x.html",
        "image.png",
    ],
)
def test_a_link_to_a_file_of_the_base_is_good(target: str) -> None:
    """From the place of the linking file, whatever the id of the other one, its ending, anchor, and coding; what lies outside is not judged."""
    assert not _dead(target)


@pytest.mark.parametrize("target", ["gone.md", "./gone.html#x", "../lost.md", "/en/gone.md", "<two words.md>"])
def test_a_link_to_a_missing_file_is_dead(target: str) -> None:
    """The folder that was read holds no such file, also when another folder of it has that name."""
    assert _dead(target)


def test_where_nothing_tells_the_place_an_id_that_is_a_path_does() -> None:
    """An index of an earlier version, or a record of a table, whose links cannot be followed by an id such as a number."""
    assert _dead("gone.md", place="") is False
    assert list(dead_links([one := Document(id="en/a", text="[x](gone.md)")], BASE)) == [(one, "gone.md")]


def test_a_relative_link_also_starts_at_the_address_of_its_page() -> None:
    """As on the site that the files are a copy of."""
    assert not _dead("start.html", url="https://help.example.com/kb/track")
    assert _dead("start.html")


def test_pages_are_the_same_whatever_their_ending_and_query() -> None:
    """In a folder of known pages only one that is not there is dead."""
    host = "https://help.example.com/kb"
    base = [Document(id=f"p{n}", text="x", url=f"{host}/p{n}.html") for n in range(3)]
    linking = Document(id="a", text=" ".join(f"[x]({host}/{end})" for end in ("p1", "p2.html?x=1#y", "p9")))
    assert [target for _, target in dead_links([linking], base)] == [f"{host}/p9"]
