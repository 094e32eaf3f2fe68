"""The bundled sample: indexed for a newcomer, brought up to date, and never put over somebody's own index."""

import shutil
from pathlib import Path

import pytest

from bot.bootstrap.sample_index import is_sample_served, prepare_sample
from config.settings import RetrievalSettings
from retrieval.dense.vector_cache import VectorCache
from retrieval.documents import Document
from retrieval.errors import IndexDamaged
from retrieval.index import Tools, read_manifest, update_index
from retrieval.redaction import Redactor
from tests.environment import settings_of
from tests.fakes import HashEncoder
from tests.kept_index import copy_vectors
from tests.scenarios.data_folders import make_data_folder


@pytest.fixture
def settings(tmp_path: Path) -> RetrievalSettings:
    """Give the settings of a new data folder."""
    return settings_of(TRIAGE_DATA_DIR=str(make_data_folder(tmp_path / "data"))).retrieval


def index_own(settings: RetrievalSettings) -> str:
    """Make an index of one own document, and give its manifest as it lies there."""
    tools = Tools(HashEncoder(), VectorCache(settings.data_dir / "own.sqlite", HashEncoder().identity), Redactor())
    update_index(settings.index_dir, (Document("own-1", "Ours", "Our own page about sync errors."),), tools)
    return (settings.index_dir / "manifest.json").read_text(encoding="utf-8")


def test_an_own_index_is_left_alone(settings: RetrievalSettings) -> None:
    """What the default index holds is said and not touched; it is not taken for the sample."""
    before, said = index_own(settings), list[str]()
    prepare_sample(settings, said.append)
    assert said == [f"Index: 1 documents in {settings.index_dir}"]
    assert (settings.index_dir / "manifest.json").read_text(encoding="utf-8") == before
    assert not is_sample_served(settings)


def test_the_sample_is_indexed_once(settings: RetrievalSettings, sample_index: Path) -> None:
    """Indexed into an empty folder, then found unchanged: nothing is embedded again, the bytes are the same."""
    copy_vectors(settings.data_dir)
    assert not is_sample_served(settings)
    said: list[str] = []
    prepare_sample(settings, said.append)
    assert said[0].startswith("Indexing the bundled sample")
    assert is_sample_served(settings)
    first = read_manifest(settings.index_dir).dump()
    prepare_sample(settings, said.append)
    assert said[2:] == [said[1]]
    assert "99 documents of the sample" in said[1]
    assert said[1].endswith(", 0 embedded")  # the test run's cache has every vector
    assert read_manifest(settings.index_dir).dump() == first
    assert read_manifest(settings.index_dir).index_id == read_manifest(sample_index).index_id


def test_own_documents_in_place_of_the_sample(settings: RetrievalSettings, sample_index: Path) -> None:
    """Once somebody indexes their own documents over the sample, the next start leaves those alone."""
    shutil.copytree(sample_index, settings.index_dir)
    (settings.data_dir / "sample-index").write_text(read_manifest(sample_index).index_id, encoding="ascii")
    assert is_sample_served(settings)
    shutil.rmtree(settings.index_dir)
    index_own(settings)
    said: list[str] = []
    prepare_sample(settings, said.append)
    assert said == [f"Index: 1 documents in {settings.index_dir}"]
    assert not is_sample_served(settings)


def test_a_damaged_index_is_not_replaced(settings: RetrievalSettings) -> None:
    """An index that cannot be read may be somebody's work: the start fails and the files stay."""
    index_own(settings)
    manifest = settings.index_dir / "manifest.json"
    manifest.write_text("{", encoding="utf-8")
    with pytest.raises(IndexDamaged):
        prepare_sample(settings, lambda _line: None)
    assert manifest.read_text(encoding="utf-8") == "{"
