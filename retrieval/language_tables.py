"""The tables of py3langid, unpacked once: the package unpacks 4.6 MB to 70 at every start, half a second of processor time.

Arrays as numpy writes them, mapped when read; nothing that could be executed is read from the data folder.
"""

from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, cast

_PARTS = ("ptc", "pc", "classes", "nextmove", "nextmove_row", "out_feat")
_FOLDER = "languages"
_lock = Lock()
_kept_in: Path | None = None


def keep_tables(data_dir: Path) -> None:
    """Name the data folder where the unpacked tables are kept; without one they are unpacked at every start."""
    global _kept_in  # noqa: PLW0603 - of the process, as the tables are
    _kept_in = data_dir / "models"


def language_tables() -> object:
    """Give py3langid's identifier over all its languages; loaded once a process."""
    with _lock:  # two threads that ask first would both unpack it
        return _tables()


@lru_cache(maxsize=1)
def _tables() -> object:
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier, _load_identifier

    packed = MODEL_DIR / MODEL_FILE
    folder = None if _kept_in is None else unpacked(packed, _kept_in)
    parts = None if folder is None else _read(folder)
    if parts is None:
        return cast("object", _load_identifier())
    ptc, pc, classes, moves, rows, features = parts
    return cast("object", LanguageIdentifier(ptc, pc, classes, moves, features, tk_row=rows))


def unpacked(packed: Path, home: Path) -> Path | None:
    """Give the folder of the unpacked tables, made when it is not there; None where it cannot be made.

    Args:
        packed: the file of the package; a folder is named by its size and time.
        home: where folders of models are; not made here, a data folder without models is not in use yet.
    """
    from retrieval.dense.model_home import create_folder

    facts = packed.stat()
    folder = home / f"{_FOLDER}-{facts.st_size:x}-{facts.st_mtime_ns:x}"
    try:
        if home.is_dir():
            create_folder(folder, lambda scratch: _unpack(packed, scratch))
            return folder
    except OSError:
        pass  # a folder that cannot be written costs the time of unpacking
    return None


def _unpack(packed: Path, folder: Path) -> None:
    import lzma
    import shutil
    import tempfile

    import numpy as np

    with tempfile.TemporaryFile() as file:
        with lzma.open(packed) as source:
            shutil.copyfileobj(source, file)
        file.seek(0)
        with np.load(file, allow_pickle=False) as tables:
            for name in _PARTS:
                np.save(folder / f"{name}.npy", tables[name], allow_pickle=False)


def _read(folder: Path) -> tuple[Any, ...] | None:
    """Give weights, priors, codes, moves, rows and features as the identifier wants them; None when a file is damaged."""
    import numpy as np

    try:
        found = {name: np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False) for name in _PARTS}
    except (OSError, ValueError, EOFError):
        return None
    ptc, classes, rows = found["ptc"], found["classes"].tolist(), found["nextmove_row"]
    if ptc.ndim != 2 or ptc.shape[1] != len(classes) or len(found["pc"]) != len(classes):
        return None
    if len(rows) != len(found["out_feat"]) or int(rows.max(initial=0)) * 256 >= len(found["nextmove"]):
        return None
    moves = memoryview(np.asarray(found["nextmove"]).data)
    # The walk reads single numbers: from a buffer they come ten times as fast as from an array, and as fast as from a list.
    return ptc, np.array(found["pc"]), classes, moves, rows.tolist(), found["out_feat"].tolist()
