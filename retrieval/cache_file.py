"""A cache in one SQLite file: processes may use it at the same time, and a damaged one is set aside and begun anew."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from retrieval.errors import CacheUnusable

_BUSY_S = 30.0


class CacheFile:
    """The file at `path`, with the tables that `schema` makes where they are missing."""

    def __init__(self, path: Path, schema: str) -> None:
        self._path = path
        self._schema = schema

    @property
    def exists(self) -> bool:
        """Whether anything was ever kept."""
        return self._path.exists()

    @contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        """Open it, made with its folder when it is not there.

        Raises:
            CacheUnusable: it cannot be written, or is held by another process for half a minute.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(self._connected()) as base:
                yield base
        except (sqlite3.Error, OSError) as error:
            reason = getattr(error, "strerror", None) or error
            raise CacheUnusable(f"{self._path} cannot be used ({reason}); see that it can be written") from None

    @contextmanager
    def emptied(self) -> Iterator[sqlite3.Connection]:
        """Open it to delete for good: nothing of what is deleted stays in the file, nor in one that was set aside.

        Raises:
            CacheUnusable: as for `opened`.
        """
        self._path.with_suffix(".damaged").unlink(missing_ok=True)  # what cannot be read cannot be cleaned
        with self.opened() as base:
            base.execute("PRAGMA secure_delete=ON")
            yield base
            base.commit()
            base.execute("VACUUM")
            base.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _connected(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.OperationalError:  # locked or not writable: not a damaged file
            raise
        except sqlite3.DatabaseError:
            self._path.replace(self._path.with_suffix(".damaged"))
            return self._connect()

    def _connect(self) -> sqlite3.Connection:
        base = sqlite3.connect(self._path, timeout=_BUSY_S)
        try:
            base.execute("PRAGMA journal_mode=WAL")
            base.execute("PRAGMA synchronous=NORMAL")
            base.execute(self._schema)
        except sqlite3.DatabaseError:
            base.close()
            raise
        return base
