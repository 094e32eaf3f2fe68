"""Claims of `retrieval.index.plan`: what may be removed, what stays though the input does not name it, and what is only shown."""

from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.dense.vector_cache import VectorCache
from retrieval.errors import IndexDamaged, RemovalRefused
from retrieval.index import Tools, Update, preview_update, read_manifest
from tests.retrieval.index.test_build import bytes_of
from tests.retrieval.indexes import DESK, ENCODER, REDACTOR, article, build, ticket

TICKETS = tuple(ticket(f"zd-{n}", f"Question {n}", f"Resolution {n} is this.") for n in range(4))


def test_removing_more_than_a_tenth_needs_consent(tmp_path: Path) -> None:
    """Two of eight stay until it is said to be meant; a single one goes, though it is more than a tenth."""
    build(tmp_path, DESK)
    before = bytes_of(tmp_path)
    with pytest.raises(RemovalRefused, match="remove 2 of 8 documents; add --allow-removals"):
        build(tmp_path, DESK[:6], update=Update())
    assert bytes_of(tmp_path) == before
    assert build(tmp_path, DESK[:7], update=Update()).changes.removed == ("t-1",)
    assert len(build(tmp_path, DESK[:5], update=Update(may_remove_some=True)).changes.removed) == 2


def test_a_tenth_may_go(tmp_path: Path) -> None:
    """Two of twenty go without a word; three do not."""
    many = [article(f"kb-{n}", f"Text {n} is here.") for n in range(20)]
    build(tmp_path, many)
    with pytest.raises(RemovalRefused):
        build(tmp_path, many[:17], update=Update())
    assert len(build(tmp_path, many[:18], update=Update()).changes.removed) == 2


def test_a_source_that_tells_changes_keeps_its_others(tmp_path: Path) -> None:
    """What begins with its prefix stays, save what it says is gone; other documents go as always."""
    build(tmp_path, [*DESK[:2], *TICKETS])
    changed = replace(TICKETS[1], resolution="Another resolution.")
    update = Update(kept_prefixes=("zd-",), gone=frozenset({"zd-3"}), may_remove_some=True, cursors={"zendesk": "c2"})
    report = build(tmp_path, [DESK[0], changed], update=update)
    assert sorted(report.manifest.documents) == ["kb-1", "zd-0", "zd-1", "zd-2"]
    assert report.spared == ("zd-0", "zd-2")
    assert report.changes.removed == ("kb-2", "zd-3")
    assert read_manifest(tmp_path / "index").cursors == {"zendesk": "c2"}


def test_a_merge_run_twice_writes_once(tmp_path: Path) -> None:
    """A run that died after it had published is run again from the older cursor and changes not a byte."""
    build(tmp_path, [*DESK[:2], *TICKETS], update=Update(cursors={"zendesk": "c1"}))
    fresh = ticket("zd-9", "New question", "New resolution.")
    update = Update(kept_prefixes=("zd-",), cursors={"zendesk": "c2"})
    build(tmp_path, [*DESK[:2], fresh], update=update)
    before = bytes_of(tmp_path)
    again = build(tmp_path, [*DESK[:2], fresh], update=update)
    assert bytes_of(tmp_path) == before
    assert (again.chunks.embedded, again.changes.added) == (0, ())


def test_what_is_merged_equals_what_is_made_at_once(tmp_path: Path) -> None:
    """A broken-off load and the rest of it end in the same manifest as a load that was not interrupted, nothing embedded twice."""
    whole = build(tmp_path / "whole", [*DESK, *TICKETS])
    first = build(tmp_path / "parts", [*DESK[:3], *TICKETS[:1]], update=Update(keeps_others=True))
    second = build(tmp_path / "parts", [*DESK, *TICKETS])
    assert (tmp_path / "parts/index/manifest.json").read_bytes() == (
        tmp_path / "whole/index/manifest.json"
    ).read_bytes()
    assert first.chunks.embedded + second.chunks.embedded == whole.chunks.embedded
    assert first.sentences.embedded + second.sentences.embedded == whole.sentences.embedded


def test_a_merge_makes_missing_sentence_vectors(tmp_path: Path) -> None:
    """Nothing changed in the documents is no reason to skip what the run was told to make."""
    build(tmp_path, DESK, update=Update(has_sentences=False))
    build(tmp_path, DESK[:1], update=Update(keeps_others=True))
    assert "sentences.npy" in read_manifest(tmp_path / "index").files


def test_a_source_that_is_not_read_loses_its_place_with_its_documents(tmp_path: Path) -> None:
    """A cursor without its documents would hide them from the next load."""
    build(tmp_path, [DESK[0], *TICKETS], update=Update(cursors={"a": "1", "b": "1"}))
    build(tmp_path, [DESK[1]], update=Update(keeps_others=True))
    assert read_manifest(tmp_path / "index").cursors == {"a": "1", "b": "1"}
    build(tmp_path, [DESK[2]], update=Update(kept_prefixes=("zd-",), cursors={"a": "2"}, may_remove_most=True))
    assert read_manifest(tmp_path / "index").cursors == {"a": "2"}


def test_a_preview_says_it_and_does_nothing(tmp_path: Path) -> None:
    """Added, changed and removed ids as the run would give them, also removals it would refuse; no file changes."""
    build(tmp_path, DESK)
    before = bytes_of(tmp_path)
    tools = Tools(ENCODER, VectorCache(tmp_path / "vectors.sqlite", ENCODER.identity), REDACTOR)
    documents = [replace(DESK[0], text="Other words."), article("kb-9", "New.")]
    plan = preview_update(tmp_path / "index", documents, tools)
    assert (plan.changes.added, plan.changes.changed, len(plan.changes.removed)) == (("kb-9",), ("kb-1",), 7)
    assert not plan.changes_nothing
    assert bytes_of(tmp_path) == before
    assert preview_update(tmp_path / "none", documents, tools).changes.added == ("kb-1", "kb-9")
    assert not (tmp_path / "none").exists()


def test_documents_are_not_kept_from_an_index_that_cannot_be_read(tmp_path: Path) -> None:
    """Going on would lose them; a whole set makes the index anew."""
    build(tmp_path, DESK)
    (tmp_path / "index" / "manifest.json").write_text("{")
    with pytest.raises(IndexDamaged):
        build(tmp_path, DESK[:1], update=Update(kept_prefixes=("zd-",)))
    assert build(tmp_path, DESK[:1]).manifest.counts.documents == 1
