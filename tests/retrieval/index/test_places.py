"""Where files lie, beside the index."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from retrieval.documents import Document, load_documents
from retrieval.errors import IndexUnwritable
from retrieval.index import forget_documents, indexed_documents, keep_places
from retrieval.index.places import FILE, read_places
from retrieval.validation import validate
from tests.retrieval.indexes import build, tools_for


def test_links_of_an_indexed_folder_are_followed_from_their_files(tmp_path: Path) -> None:
    """Though the ids come from front matter: only the link to what is not there is dead; before places were kept none was told."""
    folder = tmp_path / "kb" / "en"
    folder.mkdir(parents=True)
    (folder / "track.md").write_text("---\nid: pd-101\n---\nSee [lost](lost.md), or [gone](gone.md).\n", "utf-8")
    (folder / "lost.md").write_text("---\nid: pd-102\n---\nSay where it was last seen.\n", "utf-8")
    documents = load_documents([tmp_path / "kb"]).documents
    assert [one.place for one in documents] == ["en/lost.md", "en/track.md"]
    report = build(tmp_path, documents)
    index = tmp_path / "index"
    found = validate(tuple(indexed_documents(index)), today=date(2026, 11, 30))
    assert not [one for one in found.stale if one.kind == "dead_link"]
    keep_places(index, documents, indexed=report.manifest.documents)
    found = validate(tuple(indexed_documents(index)), today=date(2026, 11, 30))
    assert [one.reason for one in found.stale if one.kind == "dead_link"] == [
        "links to gone.md, which is not in the base"
    ]
    forget_documents(index, {"pd-102"}, tools_for(tmp_path))
    assert read_places(index) == {"pd-101": "en/track.md"}


def test_places_stay_with_their_documents(tmp_path: Path) -> None:
    """Those that a run did not name keep theirs, what is not in the index has none, and one that moved has the new one."""
    first = Document(id="a", place="a.md")
    keep_places(tmp_path, [first, Document(id="b", place="b.md"), Document(id="c")], indexed={"a", "b", "c"})
    assert read_places(tmp_path) == {"a": "a.md", "b": "b.md"}
    keep_places(tmp_path, [replace(first, place="x/a.md")], indexed={"a", "c"})
    assert read_places(tmp_path) == {"a": "x/a.md"}


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"a": 1}'])
def test_a_file_that_is_not_ours_names_no_places(tmp_path: Path, text: str) -> None:
    """It is written anew at the next run."""
    (tmp_path / FILE).write_text(text, "utf-8")
    assert read_places(tmp_path) == {}


def test_a_folder_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    """It names the file."""
    with pytest.raises(IndexUnwritable, match=FILE):
        keep_places(tmp_path / "none", [Document(id="a", place="a.md")], indexed={"a"})
