"""Ids of tickets without a resolution, beside the index: they are not in it, and somebody should know of them."""

import json
from collections.abc import Collection, Sequence
from pathlib import Path

from retrieval.index.folder import write_beside
from retrieval.index.plan import Update

FILE = "unresolved.json"


def read_unresolved(folder: Path) -> tuple[str, ...]:
    """Give the ids, in the order of the input; none where no file is, or one that is not ours."""
    try:
        ids = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return ()
    return tuple(name for name in ids if isinstance(name, str)) if isinstance(ids, list) else ()


def keep_unresolved(folder: Path, found: Sequence[str], *, update: Update, indexed: Collection[str]) -> tuple[str, ...]:
    """Keep the ids of a run, with those before that the run had nothing to say of; gives what is kept.

    Args:
        folder: the index folder.
        found: what the run met without a resolution.
        update: how the run treated what the index held; the same holds for these.
        indexed: the documents of the index as it is now; a ticket among them has its resolution.

    Raises:
        IndexUnwritable: the file cannot be written.
    """
    before = [name for name in read_unresolved(folder) if update.merges and update.keeps(name)]
    ids = [name for name in dict.fromkeys((*before, *found)) if name not in indexed]
    _write(folder, ids)
    return tuple(ids)


def forget_unresolved(folder: Path, ids: Collection[str]) -> None:
    """Take ids out."""
    before = read_unresolved(folder)
    left = [name for name in before if name not in ids]
    if len(left) < len(before):
        _write(folder, left)


def _write(folder: Path, ids: Sequence[str]) -> None:
    if list(read_unresolved(folder)) != list(ids):
        write_beside(folder, FILE, json.dumps(list(ids)) + "\n")
