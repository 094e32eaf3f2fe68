"""Generations of an index: kept, listed, gone back to, and what is refused before it is published."""

from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.dense.vector_cache import VectorCache
from retrieval.errors import GenerationMissing, IndexBusy, PublishRefused
from retrieval.index import OpenIndex, Tools, Update, decide, read_manifest, update_index
from retrieval.index.folder import writing
from retrieval.index.generations import list_generations, roll_back
from retrieval.index.intake import Prepared
from retrieval.screening import Decision, Verdict, content_hash
from tests.retrieval.indexes import DESK, ENCODER, REDACTOR, article, build

PARKING = article("kb-8", "Visitors park behind the north gate.", title="Parking")
BIKES = article("kb-9", "Bikes stand in the yard.", title="Bikes")


def _tools(folder: Path) -> Callable[[], Tools]:
    return lambda: Tools(ENCODER, VectorCache(folder / "vectors.sqlite", ENCODER.identity), REDACTOR)


def _states(index: Path) -> list[tuple[int, bool, bool]]:
    return [(one.manifest.counts.documents, one.is_current, one.is_newer) for one in list_generations(index)]


def test_three_are_kept_and_the_one_before_is_served_again(tmp_path: Path) -> None:
    """Back step by step, forward by name; what is published next ends those that were stepped back from."""
    index = tmp_path / "index"
    for documents in ([*DESK], [*DESK, PARKING], [*DESK, PARKING, BIKES]):
        build(tmp_path, documents)
    before, manifest = roll_back(index, _tools(tmp_path))
    assert (before.manifest.counts.documents, manifest.counts.documents) == (10, 9)
    assert _states(index) == [(8, False, False), (9, True, False), (10, False, True)]
    assert roll_back(index, _tools(tmp_path))[1].counts.documents == 8
    with pytest.raises(GenerationMissing, match="no earlier generation"):
        roll_back(index, _tools(tmp_path))
    newest = list_generations(index)[-1].name
    assert roll_back(index, _tools(tmp_path), to=newest[:8])[1].counts.documents == 10
    roll_back(index, _tools(tmp_path))
    build(tmp_path, [*DESK, PARKING, article("kb-10", "Lunch is at noon.")])
    assert _states(index) == [(8, False, False), (9, False, False), (10, True, False)]
    assert "kb-9" not in read_manifest(index).documents
    with pytest.raises(GenerationMissing, match="no kept generation is named"):
        roll_back(index, _tools(tmp_path), to="nothing")


def _reject(item: Prepared) -> Decision:
    return Decision(item.document.id, content_hash(item.document), Verdict.REJECTED, "ana", "", "2026-11-30")


def test_decisions_use_up_no_generation(tmp_path: Path) -> None:
    """Three decisions, and a run without changes after them, leave the generation before in its place to go back to."""
    index = tmp_path / "index"
    build(tmp_path, [*DESK])
    build(tmp_path, [*DESK, PARKING])
    for name in ("kb-1", "kb-2", "kb-3"):
        decide(index, {name: _reject}, _tools(tmp_path)())
    build(tmp_path, [*DESK, PARKING])
    build(tmp_path, [*DESK, PARKING])
    assert _states(index) == [(8, False, False), (9, True, False)]
    assert "kb-8" not in roll_back(index, _tools(tmp_path))[1].documents


def test_going_back_undoes_no_decision(tmp_path: Path) -> None:
    """A document that was rejected since then does not come back with the older generation."""
    index = tmp_path / "index"
    build(tmp_path, [*DESK])
    build(tmp_path, [*DESK, PARKING])
    decide(index, {"kb-2": _reject}, _tools(tmp_path)())
    first = list_generations(index)[0]
    manifest = roll_back(index, _tools(tmp_path), to=first.name)[1]
    assert manifest.documents.keys() == first.manifest.documents.keys()
    opened = OpenIndex(index, manifest)
    assert opened.source("kb-2", audience=None) is None
    opened.close()


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    """Nobody goes back while another process writes."""
    build(tmp_path, DESK)
    with writing(tmp_path / "index"), pytest.raises(IndexBusy):
        roll_back(tmp_path / "index", _tools(tmp_path))


def test_what_a_check_refuses_is_not_published(tmp_path: Path) -> None:
    """The check sees the new generation opened; refused, the old one stays and no file is left behind."""
    index = tmp_path / "index"
    build(tmp_path, DESK)
    before = {path.name for path in index.iterdir()}
    seen = []

    def refuse(folder: Path, candidate: OpenIndex) -> None:
        seen.append((folder, candidate.source("kb-8", audience=None) is not None))
        raise PublishRefused("worse")

    with pytest.raises(PublishRefused):
        update_index(index, [*DESK, PARKING], _tools(tmp_path)(), update=Update(), check=refuse)
    assert seen == [(index, True)]
    assert {path.name for path in index.iterdir()} == before
    assert "kb-8" not in read_manifest(index).documents
