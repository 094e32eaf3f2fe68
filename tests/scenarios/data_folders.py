"""Data folders for real processes: the model of the test runs, and an index that is there already, or none."""

import shutil
from pathlib import Path

from tests.kept_index import MODELS, copy_vectors


def make_data_folder(folder: Path, *, index: Path | None = None, is_warm: bool = False) -> Path:
    """Make a private data folder with the compiled model, and with a copy of an index when one is given.

    `is_warm`: with the vectors of the sample and the banks, for tests that index.
    """
    folder.mkdir(mode=0o700, parents=True)
    (folder / "models").symlink_to(MODELS / "models")
    if is_warm:
        copy_vectors(folder)
    if index is not None:
        shutil.copytree(index, folder / "index")
    return folder
