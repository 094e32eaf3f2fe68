"""A forgotten document is in no file of the index and in no row of the vector cache."""

import sqlite3
from pathlib import Path

import pytest

from retrieval.errors import IndexMissing
from retrieval.index import ForgetReport, forget_documents, read_manifest
from retrieval.index.generations import list_generations
from retrieval.retriever import Retriever
from tests.retrieval.indexes import DESK, ENCODER, article, build, tools_for

PLANTED = ("Zebulon", "kb-secret", "qwertzuiop")
SECRET = article("kb-secret", "Zebulon keeps the qwertzuiop in the north tower. Ask Zebulon for it.", title="Zebulon")


def forgotten(folder: Path, *ids: str) -> ForgetReport:
    """Forget documents in the index and in the cache."""
    made = tools_for(folder)
    report = forget_documents(folder / "index", ids, made)
    made.cache.forget(report.texts)
    return report


def found(folder: Path) -> list[tuple[str, str]]:
    """Name every file that holds a planted value."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [(path.name, value) for path in files for value in PLANTED if value.encode() in path.read_bytes()]


def test_nothing_of_it_stays(tmp_path: Path) -> None:
    """Current and older generations are clean, the others are found as before, and the next build embeds only what is new."""
    build(tmp_path, [*DESK, SECRET])
    build(tmp_path, [*DESK, SECRET, article("kb-8", "Printers stand on floor two.", title="Printers")])
    assert found(tmp_path)
    report = forgotten(tmp_path, "kb-secret", "kb-unknown")
    assert (report.found, report.older_generations) == (("kb-secret",), 2)
    assert found(tmp_path) == []
    assert sorted(read_manifest(tmp_path / "index").documents) == sorted([*(d.id for d in DESK), "kb-8"])
    retriever = Retriever.open(tmp_path / "index", encoder=ENCODER)
    assert retriever.document_count == len(DESK) + 1
    retriever.close()


def test_its_vectors_leave_the_cache(tmp_path: Path) -> None:
    """The rows of its texts go from the file, those of others stay: building the same set again embeds none of them."""
    build(tmp_path, DESK)
    before = _rows(tmp_path)
    build(tmp_path, [*DESK, SECRET])
    texts = forgotten(tmp_path, "kb-secret").texts
    cache = tools_for(tmp_path).cache
    assert cache.forget(texts) == 0
    assert _rows(tmp_path) <= before
    assert build(tmp_path, DESK).chunks.embedded == 0


def test_a_wrong_id_costs_no_generation(tmp_path: Path) -> None:
    """Nothing is dropped where no generation holds the document."""
    build(tmp_path, [*DESK, SECRET])
    build(tmp_path, DESK)
    assert forgotten(tmp_path, "kb-secrets") == ForgetReport((), 0, ())
    assert len(list_generations(tmp_path / "index")) == 2


def test_an_older_generation_goes_even_if_only_that_held_it(tmp_path: Path) -> None:
    """A document that was removed from the set before is forgotten too."""
    build(tmp_path, [*DESK, SECRET])
    build(tmp_path, DESK)
    assert found(tmp_path)
    assert forgotten(tmp_path, "kb-secret").found == ()
    assert found(tmp_path) == []


def test_the_last_document_may_go(tmp_path: Path) -> None:
    """An index can end empty."""
    build(tmp_path, [SECRET])
    assert forgotten(tmp_path, "kb-secret").found == ("kb-secret",)
    assert read_manifest(tmp_path / "index").counts.documents == 0
    assert found(tmp_path) == []


def test_without_an_index_there_is_nothing_to_forget(tmp_path: Path) -> None:
    """The error says so."""
    (tmp_path / "index").mkdir()
    with pytest.raises(IndexMissing):
        forget_documents(tmp_path / "index", ["kb-1"], tools_for(tmp_path))


def _rows(folder: Path) -> int:
    with sqlite3.connect(folder / "vectors.sqlite") as base:
        (count,) = base.execute("SELECT count(*) FROM vectors").fetchone()
    base.close()
    return int(count)
