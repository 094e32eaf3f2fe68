"""Claims of `retrieval.index.known`: what did not change is not prepared again, and every change is."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.dense.vector_cache import VectorCache
from retrieval.documents import Document
from retrieval.index import IndexReport, Tools, preview_update, update_index
from retrieval.index.intake import Background
from retrieval.index.known import FILE, Known, KnownDocuments, text_of
from retrieval.redaction import Redaction, Redactor
from retrieval.screening import Decision, Usual, Verdict, write_decisions
from tests.retrieval.indexes import DESK, ENCODER, WHOLE_SET, article, build

KEY = b"secret of the tests"


class Counting(Redactor):
    """The redactor, which remembers what it read."""

    def __init__(self, **settings: object) -> None:
        super().__init__(**settings)  # type: ignore[arg-type]
        self.read: list[str] = []

    def redact(self, text: str, *, names: Sequence[str] = (), own_domains: Sequence[str] | None = None) -> Redaction:
        """Redact and remember."""
        self.read.append(text)
        return super().redact(text, names=names, own_domains=own_domains)


def prepared(
    folder: Path, documents: Sequence[Document], *, key: bytes = KEY, **settings: object
) -> tuple[IndexReport, list[str]]:
    """Update the index and give which of the documents' texts were read for it."""
    redactor = Counting(**settings)
    cache = VectorCache(folder / "vectors.sqlite", ENCODER.identity)
    tools = Tools(ENCODER, cache, redactor, known=KnownDocuments(folder / FILE, key))
    made = update_index(folder / "index", documents, tools, update=WHOLE_SET)
    return made, [each.id for each in documents if (each.text or each.resolution) in redactor.read]


def test_only_what_changed_is_prepared(tmp_path: Path) -> None:
    """Of a whole set given again; the index is that of a build without anything known."""
    prepared(tmp_path, DESK)
    changed = [replace(DESK[0], text="Other words. Call +49 30 901820 now."), *DESK[1:], article("kb-9", "New words.")]
    made, read = prepared(tmp_path, changed)
    assert read == ["kb-1", "kb-9"]
    assert made.changes.changed == ("kb-1",)
    assert [item.document.id for item in made.quarantined] == ["kb-7"]
    (tmp_path / "anew").mkdir()
    anew = build(tmp_path / "anew", changed).manifest
    assert made.manifest.files == anew.files
    assert made.manifest.dump() == anew.dump()


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Another title"},
        {"people": ("Press Reset",)},
        {"visibility": ("leads",)},
        {"updated_at": "2026-01-01"},
        {"owner": "Finance"},
    ],
)
def test_every_field_counts(tmp_path: Path, change: dict[str, object]) -> None:
    """Also those that only redaction or ranking look at."""
    prepared(tmp_path, DESK)
    assert prepared(tmp_path, [replace(DESK[0], **change), *DESK[1:]])[1] == ["kb-1"]  # type: ignore[arg-type]
    moved = [replace(each, source="elsewhere.md") for each in DESK[1:]]
    assert prepared(tmp_path, [DESK[0], *moved])[1] == ["kb-1"]


def test_other_rules_or_another_secret_prepare_everything(tmp_path: Path) -> None:
    """A domain that became the desk's own may change any text; with a lost secret nothing is known."""
    every = [each.id for each in DESK]
    assert prepared(tmp_path, DESK)[1] == every
    assert prepared(tmp_path, DESK[:-1], own_domains=("example.com",))[1] == every[:-1]
    assert prepared(tmp_path, DESK, key=b"another")[1] == every


def test_a_decision_and_what_is_usual_are_part_of_the_mark(tmp_path: Path) -> None:
    """A rejected version, or a host that the base hardly has, weighs in the screen."""
    known = KnownDocuments(tmp_path / FILE, KEY)
    document = replace(DESK[0], url="https://help.example/1")
    decision = Decision("kb-1", "0" * 16, Verdict.REJECTED, "", "", "")
    backgrounds = (
        Background(),
        Background(Usual(frozenset({"other.example"}))),
        Background(decisions={"kb-1": decision}),
    )
    marks = {known.marker(each, {"screen": "2"})(document, text_of(document)) for each in backgrounds}
    marks |= {known.marker(backgrounds[0], {"screen": "3"})(document, text_of(document))}
    assert len(marks) == 4


def test_a_decision_is_followed(tmp_path: Path) -> None:
    """A document that was approved since is prepared again; the others are not."""
    made, _ = prepared(tmp_path, DESK)
    held = made.quarantined[0]
    from retrieval.screening import content_hash

    approved = Decision("kb-7", content_hash(held.document), Verdict.APPROVED, "lead", "", "2026-01-01")
    write_decisions(tmp_path / "index", {"kb-7": approved})
    after, read = prepared(tmp_path, DESK)
    assert read == ["kb-7"]
    assert after.manifest.counts.quarantined == 0


def test_what_is_gone_is_not_known_and_nothing_raw_is_kept(tmp_path: Path) -> None:
    """Of a removed or forgotten document no mark stays; of any only a keyed one is there."""
    prepared(tmp_path, DESK)
    known = KnownDocuments(tmp_path / FILE, KEY)
    prepared(tmp_path, DESK[:-1])
    assert sorted(known.read()) == [each.id for each in DESK[:-1]]
    known.forget(["kb-1"])
    assert "kb-1" not in known.read()
    raw = (tmp_path / FILE).read_bytes()
    assert b"kb-1" not in raw
    assert b"Reset" not in raw


def test_a_preview_keeps_nothing(tmp_path: Path) -> None:
    """A dry run writes no file."""
    tools = Tools(
        ENCODER,
        VectorCache(tmp_path / "v.sqlite", ENCODER.identity),
        Redactor(),
        known=KnownDocuments(tmp_path / FILE, KEY),
    )
    assert preview_update(tmp_path / "index", DESK, tools).changes.added
    assert not (tmp_path / FILE).exists()


def test_a_file_that_cannot_be_read_costs_the_time_alone(tmp_path: Path) -> None:
    """A damaged one is begun anew; one that is a folder tells nothing."""
    prepared(tmp_path, DESK)
    (tmp_path / FILE).write_bytes(b"no database" * 100)
    made, read = prepared(tmp_path, [*DESK, article("kb-9", "New words.")])
    assert (len(read), made.changes.added) == (9, ("kb-9",))
    with closing(sqlite3.connect(tmp_path / FILE)) as base:
        assert base.execute("SELECT count(*) FROM known").fetchone() == (9,)
    (tmp_path / "folder").mkdir()
    odd = KnownDocuments(tmp_path / "folder", KEY)
    assert odd.read() == {}
    odd.keep({})
    KnownDocuments(tmp_path / "none", KEY).forget(["kb-1"])
    assert not (tmp_path / "none").exists()
    assert Known(b"1", "2").hash == "2"
