"""Folders appear whole, once, however many processes make them."""

import multiprocessing
import os
from pathlib import Path

import pytest

from retrieval.dense.model_home import create_folder, weights_hash


def _build_slowly(target: str, marks: str) -> None:
    def build(folder: Path) -> None:
        (folder / "part").write_text("half", encoding="utf-8")
        (Path(marks) / str(os.getpid())).touch()
        (folder / "part").write_text("whole", encoding="utf-8")

    create_folder(Path(target), build)
    assert (Path(target) / "part").read_text(encoding="utf-8") == "whole"


def test_two_processes_build_once(tmp_path: Path) -> None:
    """Of four processes that start together one builds; all see the finished folder."""
    marks = tmp_path / "marks"
    marks.mkdir()
    context = multiprocessing.get_context("spawn")
    work = [context.Process(target=_build_slowly, args=(str(tmp_path / "m" / "x"), str(marks))) for _ in range(4)]
    for process in work:
        process.start()
    for process in work:
        process.join()
    assert [process.exitcode for process in work] == [0, 0, 0, 0]
    assert len(list(marks.iterdir())) == 1


def test_failed_build_leaves_nothing(tmp_path: Path) -> None:
    """A build that fails leaves no folder; the next one starts afresh."""

    def fail(folder: Path) -> None:
        (folder / "part").touch()
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        create_folder(tmp_path / "x", fail)
    assert not [p for p in tmp_path.iterdir() if p.is_dir()]
    create_folder(tmp_path / "x", lambda folder: (folder / "part").touch())
    assert (tmp_path / "x" / "part").exists()


def test_weights_hash_follows_content_and_names(tmp_path: Path) -> None:
    """Content or name of a model file changes the hash; hidden files and pictures do not."""
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    first = weights_hash(tmp_path)
    (tmp_path / "logo.png").write_bytes(b"x")
    (tmp_path / ".hidden.json").write_text("1", encoding="utf-8")
    assert weights_hash(tmp_path) == first
    (tmp_path / "config.json").write_text("{ }", encoding="utf-8")
    assert weights_hash(tmp_path) != first
