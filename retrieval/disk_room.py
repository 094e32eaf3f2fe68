"""Disks that are full or must not be written: seen before much is written, and told in one sentence with how much it takes."""

import errno
import os
import re
import shutil
import sqlite3
from pathlib import Path

_MB = 1_000_000
_FULL = (errno.ENOSPC, errno.EDQUOT)
_UNWRITABLE = (*_FULL, errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG, errno.EIO)
# The low byte of an extended code; IOERR is what SQLite makes of a quota.
_SQLITE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
_CUT = re.compile(r"\d requested and \d+ written")
_PROBE = b"\0" * 1_048_576


def refuse_small(folder: Path, needs: int) -> None:
    """Do nothing where `needs` bytes are free.

    Raises:
        OSError: ENOSPC, or what is wrong with the disk below the folder, which need not be there yet.
    """
    there = _nearest(folder)
    if not os.access(there, os.W_OK):
        number = errno.EROFS if os.statvfs(there).f_flag & os.ST_RDONLY else errno.EACCES
        raise OSError(number, os.strerror(number), str(there))
    if shutil.disk_usage(there).free < needs:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


def refuse_full(folder: Path, size: int = len(_PROBE)) -> None:
    """Write `size` bytes and take them back: who writes through a library that hides errors learns here whether there was room.

    Unlike the number of free bytes this also knows a quota.

    Raises:
        OSError: it could not be written.
    """
    probe = folder / ".room"
    try:
        with probe.open("wb", buffering=0) as file:
            for start in range(0, size, len(_PROBE)):
                if file.write(_PROBE[: size - start]) < min(len(_PROBE), size - start):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))
            os.fsync(file.fileno())
    finally:
        probe.unlink(missing_ok=True)


def is_unwritable(error: OSError | sqlite3.Error) -> bool:
    """Whether an error says that a disk is full, cannot or must not be written."""
    if isinstance(error, OSError):
        return error.errno in _UNWRITABLE or _is_cut(error)
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF in _SQLITE


def told(what: str, folder: Path, error: OSError | sqlite3.Error, *, needs: str) -> str:
    """Give the sentence for people.

    Args:
        what: what could not be written, as the subject of the sentence.
        folder: where.
        error: what the system said.
        needs: how much it takes, such as "about 490 MB".
    """
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    if isinstance(error, OSError) and _is_cut(error):
        reason = os.strerror(errno.ENOSPC)
    elif isinstance(error, OSError) and error.errno not in _FULL:
        return f"{what} cannot be written in {folder} ({reason}); see who may write there, or name another folder"
    free = f"{megabytes(shutil.disk_usage(_nearest(folder)).free)} are free, {needs} are needed"
    return f"{what} cannot be written in {folder} ({reason}: {free}); make room there, or name another folder"


def _nearest(folder: Path) -> Path:
    """Give the folder, or the one above it that is there."""
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())


def _is_cut(error: OSError) -> bool:
    """Whether numpy wrote less than it was given, which it tells without the system's number."""
    return error.errno is None and _CUT.search(str(error)) is not None


def megabytes(count: int) -> str:
    """Give a number of bytes for people."""
    return f"{count / _MB:.0f} MB"
