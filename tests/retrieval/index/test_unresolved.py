"""Tickets without a resolution, kept beside the index by id."""

from pathlib import Path

import pytest

from retrieval.errors import IndexUnwritable
from retrieval.index import Update, keep_unresolved, read_unresolved
from retrieval.index.unresolved import FILE, forget_unresolved

WHOLE, ADDED = Update(), Update(keeps_others=True)


def test_a_whole_set_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    """Each id once, in the order of the input, without those that are indexed after all."""
    assert read_unresolved(tmp_path) == ()
    assert keep_unresolved(tmp_path, ("t-2", "t-1", "t-2", "kb"), update=WHOLE, indexed={"kb"}) == ("t-2", "t-1")
    assert keep_unresolved(tmp_path, ("t-3",), update=WHOLE, indexed={}) == ("t-3",)
    assert read_unresolved(tmp_path) == ("t-3",)


def test_what_an_update_does_not_name_stays(tmp_path: Path) -> None:
    """Until it is resolved and indexed, or its source says that it is gone; a prefix keeps its own only."""
    keep_unresolved(tmp_path, ("z-1", "z-2", "t-1"), update=WHOLE, indexed={})
    assert keep_unresolved(tmp_path, ("t-2",), update=ADDED, indexed={"z-2"}) == ("z-1", "t-1", "t-2")
    since = Update(kept_prefixes=("z-",), gone=frozenset({"z-9"}))
    assert keep_unresolved(tmp_path, ("z-3",), update=since, indexed={}) == ("z-1", "z-3")
    assert keep_unresolved(tmp_path, (), update=Update(keeps_others=True, gone=frozenset({"z-1"})), indexed={}) == (
        "z-3",
    )
    forget_unresolved(tmp_path, {"z-3", "other"})
    forget_unresolved(tmp_path, {"other"})
    assert read_unresolved(tmp_path) == ()


@pytest.mark.parametrize("text", ["{", "3", "[1, null]"])
def test_a_file_that_is_not_ours_holds_nothing(tmp_path: Path, text: str) -> None:
    """It is read as empty."""
    (tmp_path / FILE).write_text(text)
    assert read_unresolved(tmp_path) == ()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """As every fault of the index folder."""
    with pytest.raises(IndexUnwritable, match=FILE):
        keep_unresolved(tmp_path / "none", ("t-1",), update=WHOLE, indexed={})
