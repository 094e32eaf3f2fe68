"""Claims of `retrieval.language_tables`: unpacked once, the tables say what the package says; what cannot be kept is unpacked anew."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

from retrieval.language_tables import _read, language_tables, unpacked

PACKED = MODEL_DIR / MODEL_FILE
TEXTS = (
    "Which language is this?",
    "Як змінити тариф?",
    "ログインできません",
    "Wie setze ich mein Passwort zurück?",
    "0x8007",
    "",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the unpacked tables in a data folder with models."""
    home = tmp_path_factory.mktemp("data") / "models"
    home.mkdir()
    made = unpacked(PACKED, home)
    assert made is not None
    return made


def test_they_are_those_of_the_package(folder: Path) -> None:
    """Every score of every language, to the last bit; kept where they were put."""
    parts = _read(folder)
    assert parts is not None
    ptc, pc, classes, moves, rows, features = parts
    kept = LanguageIdentifier(ptc, pc, classes, moves, features, tk_row=rows)
    known = language_tables()
    for text in TEXTS:
        assert kept.rank(text) == known.rank(text)  # type: ignore[attr-defined]
    before = (folder / "ptc.npy").stat().st_mtime_ns
    assert unpacked(PACKED, folder.parent) == folder
    assert (folder / "ptc.npy").stat().st_mtime_ns == before


def test_a_process_reads_what_is_kept(folder: Path) -> None:
    """With a data folder nothing is unpacked; the language is the same as without."""
    code = (
        "import sys; from pathlib import Path\n"
        "from retrieval.language import language_of; from retrieval.language_tables import keep_tables\n"
        f"keep_tables(Path({str(folder.parent.parent)!r}))\n"
        "print(language_of('Wie setze ich mein Passwort zurück?'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "de"


@pytest.mark.parametrize("name", ["ptc", "classes", "nextmove", "nextmove_row", "out_feat", "pc"])
def test_damaged_tables_are_not_used(folder: Path, tmp_path: Path, name: str) -> None:
    """One that is cut, gone or of another length: the package's own is read instead."""
    for path in folder.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / f"{name}.npy").unlink()
    assert _read(tmp_path) is None
    (tmp_path / f"{name}.npy").write_bytes((folder / f"{name}.npy").read_bytes()[:90])
    assert _read(tmp_path) is None
    (tmp_path / f"{name}.npy").unlink()
    table = np.load(folder / f"{name}.npy", mmap_mode="r")
    np.save(tmp_path / f"{name}.npy", table[: len(table) // 3] if name != "ptc" else table[:, :3])
    assert _read(tmp_path) is None


def test_where_nothing_can_be_kept_nothing_is(tmp_path: Path) -> None:
    """A data folder without models is not in use yet; a file in its place is no folder."""
    assert unpacked(PACKED, tmp_path / "models") is None
    assert not (tmp_path / "models").exists()
    (tmp_path / "models").write_text("a file")
    assert unpacked(PACKED, tmp_path / "models") is None
