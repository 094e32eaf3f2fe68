"""The last look at a generation before it is published."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from retrieval.errors import RetrievalError
from retrieval.index.folder import drop_unnamed
from retrieval.index.manifest import Manifest
from retrieval.index.opened import OpenIndex

# Raises what keeps the generation from being published.
Check = Callable[[Path, OpenIndex], None]


def judge(folder: Path, manifest: Manifest, check: Check | None) -> None:
    """Open a generation that is written and not yet named, and let `check` look at it; one that is refused is dropped.

    Raises:
        IndexDamaged, IndexMismatch: it cannot be opened, or its calibration is not valid.
        RetrievalError: whatever the check raises.
    """
    try:
        with closing(OpenIndex(folder, manifest)) as candidate:
            if check is not None:
                check(folder, candidate)
    except RetrievalError:
        drop_unnamed(folder)
        raise
