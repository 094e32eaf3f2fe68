"""Small files of the data folder, each swapped in whole and readable by their owner alone."""

import json
import os
from pathlib import Path


def write_json(path: Path, rows: object) -> None:
    """Put rows as JSON in the place of a file: whoever reads meanwhile has the old or the new one whole."""
    scratch = path.with_suffix(f".{os.getpid()}.new")
    scratch.touch(mode=0o600)
    scratch.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    os.replace(scratch, path)  # noqa: PTH105 - the step that must be atomic
