"""The files of a folder that may be documents, and why one cannot be looked at."""

import os
from pathlib import Path

from retrieval.documents.document import Problem

# Lies beside articles in every documentation folder and is no document.
_ASSET_SUFFIXES = ".png .jpg .jpeg .gif .svg .webp .ico .bmp .mp4 .webm .mov .css .js .ts .map .woff .woff2 .ttf .yaml .yml .toml .lock"
_ASSETS = frozenset(_ASSET_SUFFIXES.split())


def files_below(root: Path) -> list[Path | Problem]:
    """Give the files of a folder in the order of their paths, and a problem for what cannot be looked at."""
    found: dict[Path, Path | Problem] = {}

    def unreadable(error: OSError) -> None:
        folder = Path(error.filename or root)
        reason = f"cannot be read ({error.strerror or type(error).__name__})"
        found[folder] = Problem(str(folder), reason, hides=True)

    for folder, folders, names in os.walk(root, onerror=unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        for path in (Path(folder) / name for name in (*names, *links)):
            if not path.name.startswith(".") and path.suffix.lower() not in _ASSETS:
                problem = _link_refused(path, root)
                found[path] = problem or path
    return [found[path] for path in sorted(found)]


def _link_refused(path: Path, root: Path) -> Problem | None:
    if not path.is_symlink():
        return None
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: a ring of links
        return Problem(str(path), "is a link that leads nowhere")
    if not target.is_relative_to(root.resolve()):
        return Problem(str(path), "is a link out of the folder; it is not followed")
    return Problem(str(path), "is a link to a folder; it is not followed") if target.is_dir() else None
