"""The audit log as JSON Lines: a file that is only appended to, shared by all processes of a data folder, or a stream."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TextIO

import structlog

from bot.audit import AuditValue
from bot.ports import Clock

FILE = "audit.jsonl"
_MODE = 0o600
_log = structlog.get_logger(__name__)


class AuditFile:
    """`bot.audit.AuditTrail` in a file of mode 0600. Each row is one write under a lock, so processes may share it.

    Full, it becomes `audit.jsonl.1`, the older ones move up, and the oldest beyond `files` goes.
    """

    def __init__(self, path: Path, clock: Clock, *, max_bytes: int, files: int) -> None:
        """Append to the file; nothing is opened before the first row."""
        self._path = path
        self._clock = clock
        self._max_bytes = max_bytes
        self._rotation = RotatingFileHandler(path, backupCount=files, delay=True)

    def write(self, event: str, **fields: AuditValue) -> None:
        """Append one row; a fault is logged by its class."""
        line = audit_line(self._clock, event, fields).encode("ascii")
        try:
            with self._locked():
                if _size(self._path) + len(line) > self._max_bytes and _size(self._path):
                    self._rotation.doRollover()
                _append(self._path, line)
        except OSError as error:
            _log.error("audit row not written", kind=event, error=type(error).__name__, reason=error.strerror)

    def check(self) -> None:
        """Try to write nothing.

        Raises:
            OSError: the file cannot be written.
        """
        with self._locked():
            _append(self._path, b"")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._path.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # released by the kernel when the process dies
            yield


class AuditStream:
    """`bot.audit.AuditTrail` on a stream, one JSON object a line."""

    def __init__(self, stream: TextIO, clock: Clock) -> None:
        """Write to the stream."""
        self._stream = stream
        self._clock = clock

    def write(self, event: str, **fields: AuditValue) -> None:
        """Append one row."""
        self._stream.write(audit_line(self._clock, event, fields))
        self._stream.flush()


def audit_line(clock: Clock, event: str, fields: dict[str, AuditValue]) -> str:
    """Give one row as a line of ASCII: no value can break it or begin another."""
    at = datetime.fromtimestamp(clock.now(), UTC).isoformat(timespec="milliseconds")
    return json.dumps({"at": at, "event": event, **fields}, separators=(",", ":")) + "\n"


def _append(path: Path, line: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, _MODE)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
