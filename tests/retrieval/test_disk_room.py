"""Claims of `retrieval.disk_room`: what is full or must not be written is told with how much is free and needed."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from retrieval.dense.model_home import create_folder, create_model
from retrieval.disk_room import is_unwritable, refuse_full, refuse_small, told
from retrieval.errors import IndexUnwritable, ModelUnwritable
from retrieval.index.folder import scratch_file, writing
from tests.file_limit import files_of_at_most

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_too_little_room_is_seen_before_anything_is_written(tmp_path: Path) -> None:
    """Also below a folder that is not there yet; the sentence names it, what is free and what is needed."""
    refuse_small(tmp_path / "a" / "b", 1)
    with pytest.raises(ModelUnwritable) as refused:
        create_model(tmp_path / "models" / "m", lambda folder: (folder / "x").touch(), needs=10**18)
    assert str(refused.value).startswith(
        f"the embedding model cannot be written in {tmp_path / 'models'} (No space left on device: "
    )
    assert str(refused.value).endswith(
        " MB are free, about 1000000000000 MB are needed); make room there, or name another folder (TRIAGE_DATA_DIR)"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_is_there_needs_no_room(tmp_path: Path) -> None:
    """A start on a disk that is full now answers all the same."""
    create_folder(tmp_path / "m", lambda folder: (folder / "x").touch())
    create_model(tmp_path / "m", lambda folder: (folder / "y").touch(), needs=10**18)
    assert [path.name for path in (tmp_path / "m").iterdir()] == ["x"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES])
def test_a_model_that_breaks_off_leaves_nothing(tmp_path: Path, number: int) -> None:
    """No folder that the next start would take for whole, and no rest that fills the disk; then it is made."""

    def broken(folder: Path) -> None:
        (folder / "half").write_bytes(b"x")
        raise OSError(number, os.strerror(number))

    with pytest.raises(ModelUnwritable, match=os.strerror(number)):
        create_model(tmp_path / "m", broken, needs=1)
    assert [path.name for path in tmp_path.iterdir()] == [".m.lock"]
    create_model(tmp_path / "m", lambda folder: (folder / "whole").touch(), needs=1)
    assert (tmp_path / "m" / "whole").is_file()


def test_a_place_that_cannot_be_a_folder_is_told(tmp_path: Path) -> None:
    """As with a read-only one: why, and where."""
    (tmp_path / "file").touch()
    with pytest.raises(
        ModelUnwritable, match=r"cannot be written in .*file \((Not a directory|File exists)\); see who may"
    ):
        create_model(tmp_path / "file" / "m", lambda folder: (folder / "x").touch(), needs=1)


def test_a_cut_file_is_learned_by_writing(tmp_path: Path) -> None:
    """Nothing stays of the trial."""
    refuse_full(tmp_path, 3_000_000)
    for most in (1_000, 2_500_000):
        with files_of_at_most(most), pytest.raises(OSError, match=r"File too large|No space left"):
            refuse_full(tmp_path, 3_000_000)
    assert list(tmp_path.iterdir()) == []


def test_an_index_that_breaks_off_leaves_what_was_there(tmp_path: Path) -> None:
    """The half-written file goes, the sentence names folder and cause; another fault of the run stays itself."""
    (tmp_path / "mine.txt").touch()
    with pytest.raises(IndexUnwritable) as refused, files_of_at_most(1_000), writing(tmp_path):
        scratch_file(tmp_path, "vectors.npy").write_bytes(b"x" * 2_000)
    assert (
        str(refused.value)
        == f"the index cannot be written in {tmp_path} (File too large); see who may write there, or name another folder"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "mine.txt"]
    with pytest.raises(FileNotFoundError), writing(tmp_path):
        raise FileNotFoundError(errno.ENOENT, "gone")


def test_a_full_database_is_told(tmp_path: Path) -> None:
    """SQLite has a code of its own; a query that is wrong is no full disk."""
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as base:
        base.execute("CREATE TABLE a (b)")
        base.execute("PRAGMA max_page_count=2")
        with pytest.raises(sqlite3.OperationalError) as full:
            base.execute("INSERT INTO a VALUES (?)", ("x" * 100_000,))
        with pytest.raises(sqlite3.OperationalError) as wrong:
            base.execute("SELECT nothing")
    assert is_unwritable(full.value)
    assert not is_unwritable(wrong.value)
    assert not is_unwritable(sqlite3.OperationalError("of no code"))
    sentence = told("the index", tmp_path, full.value, needs="more than that")
    assert "(database or disk is full: " in sentence
    assert " MB are free, more than that are needed)" in sentence


def test_an_array_that_is_cut_is_a_full_disk(tmp_path: Path) -> None:
    """What numpy says of it has no number and names no disk."""
    with (
        pytest.raises(IndexUnwritable, match=r"\(No space left on device: \d+ MB are free") as refused,
        files_of_at_most(1_000),
        writing(tmp_path),
    ):
        np.save(scratch_file(tmp_path, "vectors.npy"), np.zeros(100_000))
    assert isinstance(refused.value.__cause__, OSError)
    with pytest.raises(OSError, match="of no number"), writing(tmp_path):
        raise OSError("of no number")


def test_a_folder_that_must_not_be_written_is_not_called_full() -> None:
    """Whatever is free there."""
    folder = Path("/proc/self")  # nobody may make a file in it
    with pytest.raises(OSError, match=r"Permission denied|Read-only file system"):
        refuse_small(folder / "a", 10**18)
