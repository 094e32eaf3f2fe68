"""What git knows of a folder: what it ignores, and who last changed a file and when.

Git is asked as a program, with nothing of the repository's own configuration that could run something else.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from retrieval.documents.document import Document, Problem

# "Where cheap": a history that takes longer to read is left, and said so. The linux kernel's takes minutes.
HISTORY_TIMEOUT_S = 20.0
_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false")
_LOG = ("log", "--no-renames", "--no-show-signature", "--name-only", "-z", "--format=%x1e%aI%x1f%aN", "--relative")


@dataclass(frozen=True, slots=True)
class FileHistory:
    """Author of the last change, and the dates of the first and the last one as ISO 8601."""

    owner: str
    created_at: str
    updated_at: str


@dataclass(frozen=True, slots=True)
class Checkout:
    """A folder as git knows it; empty for a folder that is no checkout."""

    ignored: frozenset[Path] = frozenset()
    history: Mapping[Path, FileHistory] = field(default_factory=dict)
    notes: tuple[Problem, ...] = ()

    def completed(self, document: Document, file: Path) -> Document:
        """Give the document with owner and dates of its file where it names none itself.

        Files of many records have dates and owners of their own, so only a document that is its whole file gets them.
        """
        known = self.history.get(file)
        if known is None or document.source != str(file):
            return document
        return replace(
            document,
            owner=document.owner or known.owner,
            created_at=document.created_at or ("" if document.updated_at else known.created_at),
            updated_at=document.updated_at or known.updated_at,
        )


NO_CHECKOUT = Checkout()


def read_checkout(root: Path) -> Checkout:
    """Ask git about a folder; a folder outside of a checkout, or one that git itself ignores, gives nothing."""
    try:
        if _git(root, "rev-parse", "--is-inside-work-tree").strip() != "true" or _is_ignored(root):
            return NO_CHECKOUT
        listed = _git(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard")
        ignored = frozenset(root / name for name in listed.split("\0") if name)
        is_shallow = _git(root, "rev-parse", "--is-shallow-repository").strip() == "true"
    except (OSError, subprocess.SubprocessError):  # no git, no checkout, or one of another user
        return NO_CHECKOUT
    if is_shallow:  # its oldest commit seems to have written everything
        note = "is a shallow clone; git tells no owners and dates (fetch with --unshallow)"
        return Checkout(ignored, notes=(Problem(str(root), note, is_note=True),))
    try:
        history = _read_log(root, _git(root, *_LOG, "--", "."))
    except (OSError, subprocess.SubprocessError):
        note = f"has a history that git did not tell within {HISTORY_TIMEOUT_S:.0f} s; owners and dates are left out"
        return Checkout(ignored, notes=(Problem(str(root), note, is_note=True),))
    return Checkout(ignored, history)


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603 - a fixed program with our own arguments
        ["git", *_SAFE, *arguments],  # noqa: S607 - git is wherever the PATH has it
        cwd=root,
        env={**os.environ, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
        capture_output=True,
        check=True,
        timeout=HISTORY_TIMEOUT_S,
    )
    return done.stdout.decode("utf-8", "surrogateescape")


def _is_ignored(root: Path) -> bool:
    """Whether git ignores the folder itself: then it was named on purpose, and everything in it is meant."""
    try:
        _git(root, "check-ignore", "--quiet", ".")
    except subprocess.CalledProcessError as error:
        if error.returncode == 1:
            return False
        raise
    return True


def _read_log(root: Path, log: str) -> dict[Path, FileHistory]:
    """Read commits, newest first: the first that names a file is its last change."""
    found: dict[Path, FileHistory] = {}
    for date, author, names in _commits(log):
        for name in names:
            path = root / name
            newer = found.get(path)
            found[path] = FileHistory(author, date, date) if newer is None else replace(newer, created_at=date)
    return found


def _commits(log: str) -> Iterator[tuple[str, str, list[str]]]:
    for entry in log.split("\x1e")[1:]:
        head, _, names = entry.partition("\0")
        date, _, author = head.partition("\x1f")
        yield date, author.strip(), [name.lstrip("\n") for name in names.split("\0") if name.strip()]
