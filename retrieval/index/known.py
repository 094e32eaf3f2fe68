"""Which documents were prepared before, and what became of them: an unchanged one is neither redacted nor screened again.

A document is known by a mark under the secret of the installation. A plain hash of a raw text would let anybody who holds the file
guess what redaction took out of it: a phone number has ten digits.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from retrieval.cache_file import CacheFile
from retrieval.documents import Document
from retrieval.errors import CacheUnusable
from retrieval.index.intake import Background
from retrieval.language import VERSION as LANGUAGE_VERSION
from retrieval.screening import Decision, Verdict, host_of, provenance_of

FILE = "documents.sqlite"
_SCHEMA = "CREATE TABLE IF NOT EXISTS known (id TEXT PRIMARY KEY, mark BLOB NOT NULL, hash TEXT NOT NULL)"
_MARK_BYTES = 16
# `source` and `place` are where it was read from; a file that was moved holds the same document.
_values = attrgetter(*(each.name for each in fields(Document) if each.compare))


def text_of(document: Document) -> str:
    """Give a raw document as one text, by which it is marked and its whole input is named; where it was read from is not in it."""
    return repr(_values(document))


class Given:
    """The documents of a run, each beside its text, which is made once for the name of the input and for the marks."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = documents

    @cached_property
    def texts(self) -> Sequence[str]:
        """`text_of` each document."""
        return list(map(text_of, self.documents))


class Known(NamedTuple):
    """The mark of a raw document with all that decides what becomes of it, and `Prepared.hash` of what became of it."""

    mark: bytes
    hash: str


class KnownDocuments:
    """The file of marks in a data folder, one a document id. A cache: what is missing there is prepared again.

    Args:
        path: of the file.
        key: secret of the installation; with another one nothing is known.
    """

    def __init__(self, path: Path, key: bytes) -> None:
        self._file = CacheFile(path, _SCHEMA)
        self._key = hashlib.sha256(b"known documents" + key).digest()

    def marker(self, background: Background, rules: Mapping[str, str]) -> Callable[[Document, str], bytes]:
        """Give what marks a raw document, beside which `text_of` it is given; 16 bytes.

        Args:
            background: as for `prepare`.
            rules: the versions of everything that prepares documents.
        """
        made_by = repr((LANGUAGE_VERSION, sorted(rules.items()))).encode()
        key = hashlib.blake2b(made_by, key=self._key).digest()
        decisions, signals_of = background.decisions, _signals_by(background)

        def mark(document: Document, text: str) -> bytes:
            decision = decisions.get(document.id)
            whole = f"({text}, {signals_of(document, decision)}, {decision!r})"
            return hashlib.blake2b(whole.encode("utf-8", "surrogatepass"), key=key, digest_size=_MARK_BYTES).digest()

        return mark

    def read(self) -> dict[str, Known]:
        """Give what is known by id; nothing where the file cannot be read."""
        if not self._file.exists:
            return {}
        try:
            with self._file.opened() as base:
                return {row[0]: Known(row[1], row[2]) for row in base.execute("SELECT id, mark, hash FROM known")}
        except CacheUnusable:
            return {}

    def keep(self, found: Mapping[str, Known], gone: Collection[str] = ()) -> None:
        """Keep what is known now, and drop the ids that are gone.

        Raises:
            CacheUnusable: the file cannot be written.
        """
        if not found and not gone:
            return
        with self._file.opened() as base:
            rows = ((name, known.mark, known.hash) for name, known in found.items())
            base.executemany("INSERT OR REPLACE INTO known VALUES (?, ?, ?)", rows)
            _drop(base, gone)
            base.commit()

    def forget(self, ids: Collection[str]) -> None:
        """Drop documents so that nothing of them stays in the file.

        Raises:
            CacheUnusable: the file cannot be written.
        """
        if self._file.exists:
            with self._file.emptied() as base:
                _drop(base, ids)


def _signals_by(background: Background) -> Callable[[Document, Decision | None], str]:
    """Give what tells where a document comes from as a text, worked out once for all that come from the same."""
    usual, found = background.usual, dict[tuple[object, ...], str]()

    def signals(document: Document, decision: Decision | None) -> str:
        was_rejected = decision is not None and decision.verdict is Verdict.REJECTED
        visibility, is_asked, is_owned = document.visibility, bool(document.question), bool(document.owner)
        comes_from = (host_of(document.url), document.kind, visibility, is_asked, is_owned, was_rejected)
        told = found.get(comes_from)
        if told is None:
            told = repr(tuple(provenance_of(document, usual, was_rejected=was_rejected).signals()))
            found[comes_from] = told
        return told

    return signals


def _drop(base: sqlite3.Connection, ids: Collection[str]) -> None:
    base.executemany("DELETE FROM known WHERE id = ?", ((name,) for name in ids))
