"""Claims of `retrieval.index.opened`: typed errors for every kind of damage, filters, float32 at the seam."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import IndexDamaged, IndexMismatch, IndexMissing
from retrieval.index import OpenIndex, read_manifest, verify_files
from retrieval.index.folder import swap
from retrieval.index.manifest import Manifest, generation_file
from retrieval.index.texts import Texts
from retrieval.lexical import tokenize
from retrieval.ranking.ranker import TRANSLATED
from tests.fakes import HashEncoder
from tests.retrieval.indexes import DESK, ENCODER, article, build


def opened(folder: Path) -> OpenIndex:
    """Open the index that `build` made."""
    return OpenIndex.open(folder / "index", encoder_identity=ENCODER.identity)


def ids(index: OpenIndex, rows: np.ndarray) -> list[str]:
    """Give the document ids of rows."""
    return [passage.card.id for passage in index.passages(rows)]


def test_no_index_is_missing(tmp_path: Path) -> None:
    """The message says how to make one."""
    with pytest.raises(IndexMissing, match="triage index"):
        opened(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "not json", "[" * 100_000, "[]", "{}", '{"schema": 2}', '{"schema": 2, "files": {"a": 1}}']
)
def test_a_foreign_manifest_is_damage(tmp_path: Path, text: str) -> None:
    """Whatever else lies under the name is refused."""
    build(tmp_path, DESK)
    (tmp_path / "index" / "manifest.json").write_text(text)
    with pytest.raises(IndexDamaged):
        opened(tmp_path)


def test_another_schema_is_a_mismatch(tmp_path: Path) -> None:
    """An index of another version of the product says so."""
    build(tmp_path, DESK)
    path = tmp_path / "index" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "schema": 99}))
    with pytest.raises(IndexMismatch, match="schema 99"):
        opened(tmp_path)


def test_another_dimension_is_damage(tmp_path: Path) -> None:
    """A manifest that states another dimension than its vectors have is refused in one sentence."""
    build(tmp_path, DESK)
    manifest = replace(read_manifest(tmp_path / "index"), dimension=768)
    swap(tmp_path / "index", manifest)
    with pytest.raises(IndexDamaged, match="not of its dimension"):
        opened(tmp_path)


def test_another_model_is_a_mismatch(tmp_path: Path) -> None:
    """The message names both models."""
    build(tmp_path, DESK)
    with pytest.raises(IndexMismatch, match=r"hash-96.*other-64"):
        OpenIndex.open(tmp_path / "index", encoder_identity=HashEncoder(name="other").identity)


@pytest.mark.parametrize("role", ["vectors.npy", "texts.sqlite", "posting_rows.npy", "chunks.npy", "sentences.npy"])
def test_a_truncated_or_lost_file_is_typed(tmp_path: Path, role: str) -> None:
    """Half a file is damage, no file is missing; both name the file."""
    build(tmp_path, DESK)
    path = tmp_path / "index" / read_manifest(tmp_path / "index").files[role].name
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(IndexDamaged, match=path.name):
        opened(tmp_path)
    path.unlink()
    with pytest.raises(IndexMissing, match=path.name):
        opened(tmp_path)


def test_a_file_of_the_right_length_and_wrong_contents_is_damage(tmp_path: Path) -> None:
    """Arrays are checked by their header, the texts when they are read."""
    build(tmp_path, DESK)
    files = read_manifest(tmp_path / "index").files
    vectors, texts = (tmp_path / "index" / files[role].name for role in ("vectors.npy", "texts.sqlite"))
    good = texts.read_bytes()
    texts.write_bytes(b"x" * len(good))
    with pytest.raises(IndexDamaged, match="texts"):
        opened(tmp_path).texts.documents([0])
    texts.write_bytes(good)
    vectors.write_bytes(b"x" * files["vectors.npy"].bytes)
    with pytest.raises(IndexDamaged, match="vectors"):
        opened(tmp_path)


def test_candidates_respect_audience_and_quarantine(tmp_path: Path) -> None:
    """Neither arm gives what the asker may not see, and nobody gets what is quarantined."""
    build(tmp_path, DESK)
    index = opened(tmp_path)
    query = ENCODER.encode_queries(["refund policy"])[0]
    for audience, unseen in [
        (frozenset({"public"}), {"kb-1", "kb-6", "kb-7"}),
        (frozenset({"public", "internal"}), {"kb-6", "kb-7"}),
        (None, {"kb-7"}),
        (frozenset(), {document.id for document in DESK}),
    ]:
        dense = ids(index, index.dense(query, 50, audience=audience).rows)
        lexical = ids(index, index.lexical(tokenize("refund policy"), 50, audience=audience).rows)
        assert not unseen & {*dense, *lexical}
        assert len(dense) == len(DESK) - len(unseen) or audience == frozenset({"public"})


@pytest.mark.parametrize(("foreign", "home", "abroad"), [(1, 1.0, 0.1), (3, 0.8, 0.3), (5, 0.5, 0.5)])
def test_a_language_of_most_of_the_base_is_at_home(tmp_path: Path, foreign: int, home: float, abroad: float) -> None:
    """A few texts in other languages change nothing for its questions; one of no document is a stranger, an unknown one is not."""
    languages = ["de"] * foreign + ["en"] * (10 - foreign)
    build(tmp_path, [article(f"kb-{i}", f"Thing {i} of its own", lang=lang) for i, lang in enumerate(languages)])
    ranker = opened(tmp_path).ranker
    assert [ranker.home_share(code) for code in ("en", "de", "fr", "")] == pytest.approx([home, abroad, 0.0, 1.0])


def test_an_index_that_does_not_tell_of_translations_is_opened(tmp_path: Path) -> None:
    """Made by an earlier version it answers as a base without translations, instead of asking for a new build."""
    subjects = (
        "password reset link",
        "refund of an invoice",
        "printer is offline",
        "camera of the app",
        "router settings",
    )
    build(
        tmp_path, [article(f"{lang}-{i}", text, lang=lang) for i, text in enumerate(subjects) for lang in ("de", "en")]
    )
    before = opened(tmp_path)
    path = tmp_path / "index"
    manifest = read_manifest(path)
    swap(path, replace(manifest, files={role: entry for role, entry in manifest.files.items() if role != TRANSLATED}))
    after = opened(tmp_path)
    assert [round(index.ranker.home_share("de"), 2) for index in (before, after)] == [1.0, 0.5]
    assert [index.ranker.home_share("") for index in (before, after)] == [1.0, 1.0]


def test_dense_candidates_equal_a_full_sort(tmp_path: Path) -> None:
    """The partial selection gives the true nearest, in order, with their cosines."""
    build(tmp_path, [article(f"kb-{i:02}", f"Text number {i} about thing {i % 7}.") for i in range(40)])
    index = opened(tmp_path)
    query = ENCODER.encode_queries(["thing 3"])[0]
    found = index.dense(query, 7, audience=None)
    cosines = np.asarray(index.ranking) @ index.ranker.space.of_query(query)
    expected = sorted(range(40), key=lambda row: (-cosines[row], row))[:7]
    assert found.rows.tolist() == expected
    np.testing.assert_allclose(found.scores, cosines[expected], rtol=1e-5)
    ranking, _, _, raw = index.cosines(query, found.rows)
    np.testing.assert_allclose(ranking, found.scores, rtol=1e-5)
    np.testing.assert_allclose(raw, np.asarray(index.vectors)[found.rows] @ query, rtol=1e-5)


def test_a_float64_query_is_refused(tmp_path: Path) -> None:
    """It would make numpy convert the whole matrix at every question."""
    build(tmp_path, DESK)
    index = opened(tmp_path)
    for query in (np.zeros(96), np.zeros((1, 96), np.float32)):
        with pytest.raises(TypeError, match="float32"):
            index.dense(query, 3, audience=None)  # type: ignore[arg-type]


def test_passages_come_in_the_order_asked(tmp_path: Path) -> None:
    """With heading, sentences and their vectors."""
    build(tmp_path, DESK)
    passages = opened(tmp_path).passages(np.array([2, 0], np.int32))
    assert [passage.card.id for passage in passages] == ["kb-3", "kb-1"]
    assert len(passages[0].sentences) == 2
    assert passages[0].vectors is not None
    assert passages[0].vectors.shape == (2, 96)
    np.testing.assert_allclose(passages[0].vectors, ENCODER.encode_passages(passages[0].sentences), atol=1e-3)


@pytest.mark.parametrize("role", ["chunks.npy", "documents.npy", "query_mean.npy", "vectors.npy", "texts.sqlite"])
def test_small_files_are_compared_with_their_hash(tmp_path: Path, role: str) -> None:
    """Damage that keeps the length is found when the index is opened."""
    build(tmp_path, DESK)
    path = tmp_path / "index" / read_manifest(tmp_path / "index").files[role].name
    path.write_bytes(path.read_bytes()[:-8] + b"\7" * 8)
    with pytest.raises(IndexDamaged, match=path.name):
        opened(tmp_path)


def test_a_manifest_that_was_changed_is_damage(tmp_path: Path) -> None:
    """It is kept under the name of its content too, so one changed value is seen."""
    build(tmp_path, DESK)
    path = tmp_path / "index" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "languages": []}))
    with pytest.raises(IndexDamaged, match="was changed after it was written"):
        opened(tmp_path)


@pytest.mark.parametrize("name", ["languages", "visibilities"])
def test_codes_that_stand_for_nothing_are_damage(tmp_path: Path, name: str) -> None:
    """Tables that do not fit the manifest are refused at the start, not at a later question."""
    build(tmp_path, DESK)
    folder = tmp_path / "index"
    text = json.dumps({**json.loads((folder / "manifest.json").read_text()), name: []})
    (folder / "manifest.json").write_text(text)
    generation_file(folder, text).write_text(text)
    with pytest.raises(IndexDamaged, match="do not fit its manifest"):
        opened(tmp_path)


def test_large_files_are_verified_on_request(tmp_path: Path) -> None:
    """Opening reads no more than the length of a large file; `verify_files` reads all of it."""
    folder = tmp_path / "index"
    texts = [article(f"kb-{n}", f"Text number {n}.") for n in range(600)]
    build(tmp_path, texts, encoder=HashEncoder(dimension=2_400))
    manifest: Manifest = read_manifest(folder)
    verify_files(folder, manifest.files)
    path = folder / manifest.files["vectors.npy"].name
    assert manifest.files["vectors.npy"].bytes > 5_000_000
    with path.open("r+b") as file:
        file.seek(-8, 2)
        file.write(b"\0" * 7 + b"\1")
    OpenIndex.open(folder, encoder_identity=manifest.encoder).close()
    with pytest.raises(IndexDamaged, match=path.name):
        verify_files(folder, manifest.files)


def test_texts_that_do_not_hold_what_they_should_are_damage(tmp_path: Path) -> None:
    """A row of the right file with wrong contents is a typed error; an id that no text can hold is unknown."""
    build(tmp_path, DESK)
    index = opened(tmp_path)
    assert index.source("\ud800", audience=None) is None
    index.close()
    folder = tmp_path / "index"
    path = folder / read_manifest(folder).files["texts.sqlite"].name
    with closing(sqlite3.connect(path)) as base:
        base.execute("UPDATE documents SET facts = '{'")
        base.execute("UPDATE chunks SET sentences = '5'")
        base.commit()
    texts = Texts(path)
    for read in (texts.chunks, texts.documents, texts.facts):
        with pytest.raises(IndexDamaged, match="does not hold what it should"):
            read([0])
    with pytest.raises(IndexDamaged, match="does not hold what it should"):
        list(texts.all_documents())
    texts.close()


def test_who_speaks_words_is_told_by_the_chunks(tmp_path: Path) -> None:
    """Each word counts for a language that has it in any chunk, in any form that it stems alike."""
    english = article("en-1", "Refunds of double charges are paid to the card.")
    german = article("de-1", "Rechnungen stehen im Konto, doppelte auch. Double Opt-in gibt es.", lang="de")
    build(tmp_path, [english, german])
    index = opened(tmp_path)
    assert index.speakers(["refund", "card"]) == {"de": 0, "en": 2}
    assert index.speakers(["double", "Rechnung", "nowhere"]) == {"de": 2, "en": 1}
    assert index.speakers([]) == {"de": 0, "en": 0}
