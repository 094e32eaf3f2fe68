"""Claims of `retrieval.index`: same input, same bytes; nothing embedded twice; nothing raw stored; nothing lost."""

import fcntl
from dataclasses import replace
from pathlib import Path

import pytest

from retrieval.documents import Document
from retrieval.errors import IndexBusy, IndexDamaged, RemovalRefused
from retrieval.index import OpenIndex, Update, read_manifest, store_calibration
from tests.retrieval.indexes import DESK, ENCODER, article, build, ticket


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Give all files of an index."""
    return {path.name: path.read_bytes() for path in sorted((folder / "index").iterdir())}


def test_the_same_documents_give_the_same_bytes(tmp_path: Path) -> None:
    """In any order and in another folder: every file, the manifest included."""
    build(tmp_path / "a", DESK)
    build(tmp_path / "b", DESK[::-1])
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")


def test_a_second_run_embeds_nothing_and_writes_nothing(tmp_path: Path) -> None:
    """An unchanged input is recognised; the folder stays as it is."""
    build(tmp_path, DESK)
    before = bytes_of(tmp_path)
    report = build(tmp_path, DESK)
    assert (report.chunks.embedded, report.sentences.embedded) == (0, 0)
    assert report.chunks.reused == report.manifest.counts.chunks == len(DESK)
    assert (report.changes.added, report.changes.changed, report.changes.removed) == ((), (), ())
    assert [item.document.id for item in report.quarantined] == ["kb-7"]
    assert bytes_of(tmp_path) == before


def test_a_file_that_was_moved_changes_nothing(tmp_path: Path) -> None:
    """Where a document was read from is no part of it, even when the path looks like a field."""
    build(tmp_path, [replace(document, source=f"a.md:{n}") for n, document in enumerate(DESK)])
    before = bytes_of(tmp_path)
    build(tmp_path, [replace(document, source=f"b', source='{n}") for n, document in enumerate(reversed(DESK))])
    assert bytes_of(tmp_path) == before


def test_a_changed_document_embeds_only_itself(tmp_path: Path) -> None:
    """The others come from the cache, also those of a removed index."""
    build(tmp_path, DESK)
    changed = (replace(DESK[0], text="Press Forgot password on the login page."), *DESK[1:])
    report = build(tmp_path, changed)
    assert report.changes.changed == ("kb-1",)
    assert (report.chunks.embedded, report.chunks.reused) == (1, len(DESK) - 1)
    assert report.sentences.embedded == 1


def test_add_keeps_the_others_and_replaces_the_named(tmp_path: Path) -> None:
    """`keeps_others` merges by id; the result equals an index made of all at once."""
    build(tmp_path / "a", DESK[:4])
    report = build(
        tmp_path / "a", [*DESK[4:], replace(DESK[1], text="Refunds take 14 days.")], update=Update(keeps_others=True)
    )
    assert report.changes.changed == ("kb-2",)
    assert len(report.changes.added) == 4
    assert report.changes.removed == ()
    whole = build(tmp_path / "b", [replace(DESK[1], text="Refunds take 14 days."), *DESK[:1], *DESK[2:]])
    assert report.manifest.index_id == whole.manifest.index_id
    assert report.manifest.files == whole.manifest.files


def test_removing_over_half_needs_consent(tmp_path: Path) -> None:
    """A wrong path does not empty the index; with consent it does what it is told."""
    build(tmp_path, DESK)
    before = bytes_of(tmp_path)
    with pytest.raises(RemovalRefused, match="remove 6 of 8 documents; add --yes"):
        build(tmp_path, DESK[:2], update=Update())
    assert bytes_of(tmp_path) == before
    report = build(tmp_path, DESK[:2], update=Update(may_remove_most=True))
    assert len(report.changes.removed) == 6
    assert build(tmp_path, DESK[:1]).manifest.counts.documents == 1  # half is not over half


def test_nothing_raw_is_stored(tmp_path: Path) -> None:
    """Addresses, cards and the ticket's people are in no file of the index and no file of the cache."""
    secrets = ["ann.lee@example.com", "4111 1111 1111 1111", "Ann Lee", "DE89370400440532013000"]
    text = f"Write to {secrets[0]}, card {secrets[1]}, IBAN {secrets[3]}."
    report = build(
        tmp_path,
        [article("kb-1", text, title=f"Mail {secrets[0]}"), ticket("t-1", text, "Told Ann Lee.", people=("Ann Lee",))],
    )
    assert report.manifest.counts.redactions >= 8
    for path in tmp_path.rglob("*"):
        data = path.read_bytes() if path.is_file() else b""
        assert not [secret for secret in secrets if secret.encode() in data], path.name


def test_queue_product_and_address_are_redacted(tmp_path: Path) -> None:
    """Personal data in the short fields of a document is stored no more than in its texts; an address with some goes."""
    told = replace(
        ticket("t-77", "Scale", "Restart it."),
        queue="for jane.roe@bakery.example", product="Scale of jane.roe@bakery.example",
        url="https://desk.example.com/t?mail=jane.roe@bakery.example",
    )  # fmt: skip
    build(tmp_path, [*DESK, told])
    assert not [name for name, data in bytes_of(tmp_path).items() if b"jane.roe" in data]
    found = OpenIndex.open(tmp_path / "index", encoder_identity=ENCODER.identity).source("t-77", audience=None)
    assert found is not None
    assert (found.card.queue, found.card.product, found.card.url) == ("for [EMAIL]", "Scale of [EMAIL]", None)


def test_three_generations_are_kept_and_older_files_go(tmp_path: Path) -> None:
    """The manifest names the newest; two older ones stay complete; what only the fourth had is removed; foreign files stay."""
    foreign = tmp_path / "index" / "notes.txt"
    for number in range(5):
        build(tmp_path, [article("kb-1", f"Text of generation {number}.")])
        foreign.write_text("mine")
    manifests = list((tmp_path / "index").glob("manifest-*.json"))
    assert len(manifests) == 3
    assert len(list((tmp_path / "index").glob("texts-*.sqlite"))) == 3
    assert foreign.exists()


def test_a_reader_keeps_its_generation(tmp_path: Path) -> None:
    """An opened index answers from its own files after they have lost their names."""
    build(tmp_path, [article("kb-1", "The first text stands here.")])
    opened = OpenIndex.open(tmp_path / "index", encoder_identity=ENCODER.identity)
    for number in range(5):
        build(tmp_path, [article("kb-1", f"Another text {number} came later.")])
    assert opened.source("kb-1", audience=None).text == "The first text stands here."  # type: ignore[union-attr]
    opened.close()


def test_two_writers_are_not_let_in(tmp_path: Path) -> None:
    """While one process holds the lock, another is told so; afterwards it works."""
    build(tmp_path, DESK)
    with (tmp_path / "index" / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(IndexBusy, match="another process is writing"):
            build(tmp_path, DESK[:5])
    assert build(tmp_path, DESK[:5]).manifest.counts.documents == 5


def test_what_a_dead_writer_left_is_cleared(tmp_path: Path) -> None:
    """Half-written files of an interrupted run are removed by the next one."""
    build(tmp_path, DESK)
    left = tmp_path / "index" / ".new-vectors.npy"
    left.write_bytes(b"half")
    build(tmp_path, DESK[:5])
    assert not left.exists()


def test_a_damaged_index_is_built_anew_but_not_added_to(tmp_path: Path) -> None:
    """A run over the whole set repairs it; `keeps_others` has nothing sound to keep and says so."""
    build(tmp_path, DESK)
    (tmp_path / "index" / "manifest.json").write_text("{}")
    with pytest.raises(IndexDamaged):
        build(tmp_path, DESK, update=Update(keeps_others=True))
    assert build(tmp_path, DESK).manifest.counts.documents == len(DESK)


def test_a_lost_file_is_written_again(tmp_path: Path) -> None:
    """The same input does not pass for unchanged when a file is gone."""
    manifest = build(tmp_path, DESK).manifest
    (tmp_path / "index" / manifest.files["vectors.npy"].name).unlink()
    build(tmp_path, DESK)
    opened = OpenIndex.open(tmp_path / "index", encoder_identity=ENCODER.identity)
    assert len(opened.vectors) == len(DESK)


@pytest.mark.parametrize("documents", [[], [article("kb-1", "Alone.")], [article("a", "One."), article("b", "Two.")]])
def test_tiny_knowledge_bases_are_indexed(tmp_path: Path, documents: list[Document]) -> None:
    """None, one and two documents make an index that opens."""
    report = build(tmp_path, documents)
    assert report.manifest.counts.documents == len(documents)
    OpenIndex.open(tmp_path / "index", encoder_identity=ENCODER.identity).close()


def test_a_calibration_is_stored_and_outlives_an_update(tmp_path: Path) -> None:
    """One from labelled questions changes the calibration's name, not the index's, and stays while the model stays."""
    before = build(tmp_path, DESK).manifest
    labelled = {**before.calibration, "basis": "labelled questions"}
    stored = store_calibration(tmp_path / "index", labelled)
    assert stored.index_id == before.index_id
    assert stored.calibration_id != before.calibration_id
    build(tmp_path, DESK[:6])
    assert read_manifest(tmp_path / "index").calibration == labelled


def test_a_calibration_of_another_version_does_not_outlive_an_update(tmp_path: Path) -> None:
    """One with other columns or gate numbers gives way to that of the new index, which opens."""
    fresh = build(tmp_path, DESK).manifest.calibration
    for old in ({"schema": 1}, {"features": ["cosine"]}, {"gate": {}}, {"gate": None}):
        store_calibration(tmp_path / "index", {**fresh, "basis": "labelled questions", **old})
        build(tmp_path, DESK[:6])
        assert read_manifest(tmp_path / "index").calibration["basis"] != "labelled questions"
        OpenIndex.open(tmp_path / "index", encoder_identity=ENCODER.identity).close()
        build(tmp_path, DESK)


def test_the_folder_is_private(tmp_path: Path) -> None:
    """Mode 0700: texts of tickets are nobody else's."""
    build(tmp_path, DESK)
    assert (tmp_path / "index").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"files": 5}'])
def test_an_older_generation_that_cannot_be_read_is_no_obstacle(tmp_path: Path, text: str) -> None:
    """It is treated as absent and its name goes, like a history that cannot be read; the run reports as ever."""
    build(tmp_path, DESK)
    (older,) = (tmp_path / "index").glob("manifest-*.json")
    older.write_text(text)
    assert build(tmp_path, DESK[:6]).manifest.counts.documents == 6
    assert not older.exists()
    (tmp_path / "index" / "history.json").write_text(text)
    assert build(tmp_path, DESK[:5]).manifest.counts.documents == 5
    OpenIndex.open(tmp_path / "index", encoder_identity=ENCODER.identity).close()


def test_damage_of_the_same_length_is_repaired(tmp_path: Path) -> None:
    """The same input does not pass for unchanged when a small file or the manifest holds something else."""
    for role in ("query_mean.npy", "documents.npy", "texts.sqlite"):
        path = tmp_path / "index" / build(tmp_path, DESK).manifest.files[role].name
        sound = path.read_bytes()
        path.write_bytes(sound[:-8] + b"\7" * 8)
        build(tmp_path, DESK)
        assert path.read_bytes() == sound
    manifest = tmp_path / "index" / "manifest.json"
    text = manifest.read_text()
    manifest.write_text("[" * 100_000)
    build(tmp_path, DESK)
    assert manifest.read_text() == text
