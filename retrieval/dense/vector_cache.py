"""Vectors kept by the identity of the model and the text, so that an unchanged text is never embedded twice.

One SQLite file for all models. It is a cache: a damaged file is set aside and begun anew. Vectors are committed in
batches, so an interrupted run goes on where it stopped.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from retrieval.cache_file import CacheFile
from retrieval.ports import Vectors

# Long enough that a commit costs nothing beside the embedding, short enough to lose only seconds.
BATCH = 256
_LOOKUP = 500  # SQLite's smallest limit of variables in one statement is 999
_SCHEMA = "CREATE TABLE IF NOT EXISTS vectors (identity TEXT, key BLOB, vector BLOB, PRIMARY KEY (identity, key))"

Encode = Callable[[Sequence[str]], Vectors]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class CachedVectors:
    """`vectors`: float32, (n_texts, dim), in the order of the texts. `embedded` texts were encoded now, `reused` not."""

    vectors: Vectors
    embedded: int
    reused: int


class VectorCache:
    """Vectors of one model in the shared file. Processes may use one file at the same time."""

    def __init__(self, path: Path, identity: str) -> None:
        self._file = CacheFile(path, _SCHEMA)
        self._identity = identity

    def vectors_for(
        self, texts: Sequence[str], encode: Encode, *, on_progress: Progress | None = None
    ) -> CachedVectors:
        """Give the vectors of all texts, encoding only the unknown ones, shortest first.

        Args:
            texts: Texts as they are encoded; equal ones are encoded once.
            encode: Encodes a batch into unit rows, `float32, (n, dim)`.
            on_progress: Called with (encoded so far, to be encoded) after every batch that was committed.
        """
        keys = [_key(text) for text in texts]
        found = self._read(dict.fromkeys(keys))
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        order = sorted(missing, key=lambda key: len(missing[key]))
        done = 0
        for batch in _batches(order):
            rows = np.ascontiguousarray(encode([missing[key] for key in batch]), dtype=np.float32)
            self._write(batch, rows)
            found.update(zip(batch, rows, strict=True))
            done += len(batch)
            if on_progress is not None:
                on_progress(done, len(order))
        vectors = np.stack([found[key] for key in keys]) if keys else np.zeros((0, 0), np.float32)
        return CachedVectors(vectors, embedded=done, reused=len(keys) - done)

    def forget(self, texts: Sequence[str]) -> int:
        """Remove the vectors of these texts, of every model, so that nothing of them stays in the file; give how many."""
        keys = list(dict.fromkeys(_key(text) for text in texts))
        removed = 0
        with self._file.emptied() as base:
            identities = [str(row[0]) for row in base.execute("SELECT DISTINCT identity FROM vectors")]
            for identity in identities:
                rows = [(identity, key) for key in keys]
                removed += base.executemany("DELETE FROM vectors WHERE identity = ? AND key = ?", rows).rowcount
        return removed

    def _read(self, keys: dict[bytes, None]) -> dict[bytes, Vectors]:
        found: dict[bytes, Vectors] = {}
        wanted = list(keys)
        with self._file.opened() as base:
            for start in range(0, len(wanted), _LOOKUP):
                part = wanted[start : start + _LOOKUP]
                marks = ",".join("?" * len(part))
                query = f"SELECT key, vector FROM vectors WHERE identity = ? AND key IN ({marks})"  # noqa: S608 - marks only
                for key, blob in base.execute(query, (self._identity, *part)):
                    found[key] = np.frombuffer(blob, np.float32)
        return found

    def _write(self, keys: Sequence[bytes], rows: Vectors) -> None:
        values = [(self._identity, key, row.tobytes()) for key, row in zip(keys, rows, strict=True)]
        with self._file.opened() as base:
            base.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", values)
            base.commit()


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


def _batches(keys: Sequence[bytes]) -> Iterator[list[bytes]]:
    for start in range(0, len(keys), BATCH):
        yield list(keys[start : start + BATCH])
