"""The index folder on disk: files named by their content, the manifest swapped last, three generations kept.

A reader that has opened its files keeps them: removing a name does not take the contents from an open file.
"""

import fcntl
import hashlib
import json
import os
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from retrieval.disk_room import is_unwritable, told
from retrieval.errors import IndexBusy, IndexUnwritable, RetrievalError
from retrieval.index.manifest import MANIFEST, FileEntry, Manifest, generation_file, parse_manifest

GENERATIONS = 3
_HISTORY = "history.json"
_LOCK = ".lock"
_SCRATCH = ".new-"
_BLOCK = 1 << 20


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Hold the folder for one writer; makes it, mode 0700, when it is not there.

    Raises:
        IndexBusy: another process writes this index now.
        IndexUnwritable: the folder cannot be made or written.
    """
    with _lock_file(folder) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # released by the kernel when the process dies
        except BlockingIOError:
            raise IndexBusy(f"another process is writing the index in {folder}; try again when it is done") from None
        _drop_scratch(folder)  # of a writer that died
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            if not is_unwritable(error):
                raise
            _drop_unpublished(folder)  # so that what is free is what there was
            raise IndexUnwritable(told("the index", folder, error, needs="more than that")) from error


def _drop_unpublished(folder: Path) -> None:
    """Take out what a failed run wrote; nothing where the history, which says what is served, cannot be read."""
    with suppress(OSError):
        _drop_scratch(folder)
        if not (folder / MANIFEST).exists() or _current(folder) in _history(folder):
            drop_unnamed(folder)


def _drop_scratch(folder: Path) -> None:
    for left in folder.glob(f"{_SCRATCH}*"):
        left.unlink()


def _lock_file(folder: Path) -> TextIO:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return (folder / _LOCK).open("a")
    except OSError as error:
        raise IndexUnwritable(
            f"the index folder {folder} cannot be written ({error.strerror});"
            " see who owns it and what lies there, or name another one"
        ) from None


def scratch_file(folder: Path, role: str) -> Path:
    """Give the path to write a file of this role to before its content, and so its name, is known."""
    return folder / f"{_SCRATCH}{role}"


def keep_file(folder: Path, role: str) -> FileEntry:
    """Name a finished scratch file by its content and give its entry. Role `vectors.npy` gives `vectors-<hash>.npy`."""
    scratch = scratch_file(folder, role)
    digest = hash_file(scratch)
    stem, _, suffix = role.partition(".")
    entry = FileEntry(f"{stem}-{digest[:16]}.{suffix}", scratch.stat().st_size, digest)
    _sync(scratch)
    scratch.replace(folder / entry.name)
    return entry


def hash_file(path: Path) -> str:
    """Give the SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def swap(folder: Path, manifest: Manifest, *, replaces: bool = False) -> None:
    """Make the manifest the current one in one atomic step, then drop what only older generations name.

    It takes the place of the current one, which nobody could go back to, where `replaces` says so or both hold the same.
    """
    text = manifest.dump()
    name = generation_file(folder, text).name
    replaced = _current(folder) if replaces or _holds_the_same(folder, manifest) else name
    write_whole(folder / name, text)
    before = [entry for entry in _until_current(folder) if entry not in {name, replaced}]
    past = {entry: files for entry in before if (files := _files_of(folder / entry))}
    past[name] = {entry.name for entry in manifest.files.values()}
    kept = dict(list(past.items())[-GENERATIONS:])
    write_whole(folder / _HISTORY, json.dumps(list(kept)) + "\n")
    write_whole(folder / MANIFEST, text)
    _drop(folder, {MANIFEST, _HISTORY, _LOCK, *kept}.union(*kept.values()))


def _holds_the_same(folder: Path, manifest: Manifest) -> bool:
    try:
        current = parse_manifest((folder / MANIFEST).read_text(encoding="utf-8"), folder / MANIFEST)
    except (OSError, UnicodeDecodeError, RetrievalError):
        return False
    return replace(current, input="", cursors={}) == replace(manifest, input="", cursors={})


def generations(folder: Path) -> list[tuple[str, Manifest]]:
    """Give the generations that can be served, the oldest first, each with its name; newer ones than the current were stepped back from."""
    found = []
    for entry in _history(folder):
        try:
            manifest = parse_manifest((folder / entry).read_text(encoding="utf-8"), folder / entry)
        except (OSError, UnicodeDecodeError, RetrievalError):
            continue
        if all((folder / file.name).exists() for file in manifest.files.values()):
            found.append((generation_name(entry), manifest))
    return found


def current_generation(folder: Path) -> str:
    """Give the name of the generation that is served, empty when there is none."""
    return generation_name(_current(folder))


def generation_name(entry: str) -> str:
    """Give the hash in the name of a generation's manifest."""
    return entry.removeprefix("manifest-").removesuffix(".json")


def step_to(folder: Path, name: str) -> None:
    """Make a kept generation the current one in one atomic step; newer ones stay until the next one is published."""
    write_whole(folder / MANIFEST, (folder / f"manifest-{name}.json").read_text(encoding="utf-8"))


def _current(folder: Path) -> str:
    try:
        return generation_file(folder, (folder / MANIFEST).read_text(encoding="utf-8")).name
    except (OSError, UnicodeDecodeError):
        return ""


def _until_current(folder: Path) -> list[str]:
    """Give the generations up to the current one; those behind it were stepped back from, and end with the next one."""
    history, current = _history(folder), _current(folder)
    return history[: history.index(current) + 1] if current in history else history


def drop_older(folder: Path) -> int:
    """Drop every generation but the current one; give how many there were."""
    text = (folder / MANIFEST).read_text(encoding="utf-8")
    name = generation_file(folder, text).name
    older = [entry for entry in _history(folder) if entry != name]
    write_whole(folder / _HISTORY, json.dumps([name]) + "\n")
    _drop(folder, {MANIFEST, _HISTORY, _LOCK, name} | _files_of(folder / name))
    return len(older)


def may_hold(folder: Path, ids: Collection[str]) -> bool:
    """Say whether a kept generation has one of these documents; one that cannot be read may have any."""
    kept = generations(folder)
    return len(kept) < len(_history(folder)) or any(
        not manifest.documents.keys().isdisjoint(ids) for _, manifest in kept
    )


def drop_unnamed(folder: Path) -> None:
    """Drop files that no kept generation names: those of one that was refused."""
    kept = _history(folder)
    _drop(folder, {MANIFEST, _HISTORY, _LOCK, *kept}.union(*(_files_of(folder / entry) for entry in kept)))


def _files_of(path: Path) -> set[str]:
    """Give the files that an older generation names; none when it cannot be read, and so cannot be served either."""
    try:
        manifest = parse_manifest(path.read_text(encoding="utf-8"), path)
    except (OSError, UnicodeDecodeError, RetrievalError):
        return set()
    return {entry.name for entry in manifest.files.values()}


def write_whole(path: Path, text: str) -> None:
    """Put a text in the place of a file of the index folder: whoever reads meanwhile has the old or the new one whole."""
    scratch = path.parent / f"{_SCRATCH}{path.name}"
    scratch.write_text(text, encoding="utf-8")
    _sync(scratch)
    os.replace(scratch, path)  # noqa: PTH105 - the step that must be atomic, named as in the design


def write_beside(folder: Path, name: str, text: str) -> None:
    """Put a file in place that is no part of a generation.

    Raises:
        IndexUnwritable: it cannot be written.
    """
    try:
        write_whole(folder / name, text)
    except OSError as error:
        raise IndexUnwritable(f"{folder / name} cannot be written ({error.strerror})") from None


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _history(folder: Path) -> list[str]:
    try:
        return [str(name) for name in json.loads((folder / _HISTORY).read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError, RecursionError):
        return []


def _drop(folder: Path, wanted: set[str]) -> None:
    """Remove files of ours that no kept generation names; foreign files in the folder stay."""
    for path in folder.iterdir():
        if path.name not in wanted and path.is_file() and _is_ours(path.name):
            path.unlink(missing_ok=True)


def _is_ours(name: str) -> bool:
    stem, _, suffix = name.partition(".")
    digest = stem.rpartition("-")[2]
    return suffix in {"npy", "sqlite", "json"} and len(digest) == 16 and set(digest) <= set("0123456789abcdef")
