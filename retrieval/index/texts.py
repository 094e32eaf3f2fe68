"""The texts of an index in one SQLite file, read only for the passages that a search returns."""

import json
import operator
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, cast

from retrieval.documents import Chunk, Document
from retrieval.errors import IndexDamaged
from retrieval.index.intake import Prepared, document_values, screening_values
from retrieval.screening import Screening

_SCHEMA = """
CREATE TABLE documents (row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, facts TEXT NOT NULL, body TEXT NOT NULL,
                        screening TEXT NOT NULL, redactions INTEGER NOT NULL);
CREATE TABLE chunks (row INTEGER PRIMARY KEY, id TEXT NOT NULL, document INTEGER NOT NULL, heading TEXT NOT NULL,
                     search_text TEXT NOT NULL, sentences TEXT NOT NULL, first_sentence INTEGER NOT NULL);
CREATE TABLE made (row INTEGER PRIMARY KEY, label TEXT NOT NULL, opening TEXT NOT NULL, words INTEGER NOT NULL,
                   fingerprint BLOB NOT NULL);
"""
# The long fields, kept apart so that a search reads only what it shows of a document.
_BODY = ("text", "question", "resolution")


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as it was stored. `first_sentence` is the row of its first sentence among the sentence vectors."""

    row: int
    id: str
    document: int
    heading: str
    search_text: str
    sentences: tuple[str, ...]
    first_sentence: int


class ChunkFacts(NamedTuple):
    """What a build needs of a chunk beside what is searched; kept so that the next one need not cut and read the text again.

    `label` and `opening` as `retrieval.ranking.scope` gives them, `words` the number of words of its text, `fingerprint` 16 bytes
    that chunks with the same words share.
    """

    label: str
    opening: str
    words: int
    fingerprint: bytes


class ChunkRow(NamedTuple):
    """A chunk as it is stored: `sentences` is JSON, `count` how many they are."""

    id: str
    heading: str
    search_text: str
    sentences: str
    sentence_count: int


DocumentRow = tuple[str, str, str, str, int]


def write_texts(
    path: Path,
    documents: Iterable[DocumentRow],
    chunks: Iterable[tuple[int, ChunkRow]],
    facts: Iterable[ChunkFacts] = (),
) -> None:
    """Write the file; `chunks` pairs each chunk with the row of its document. The same texts give the same bytes."""
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.executescript("PRAGMA journal_mode=OFF; PRAGMA page_size=4096; " + _SCHEMA)
        base.execute("BEGIN")
        base.executemany(
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?)", ((n, *row) for n, row in enumerate(documents))
        )
        base.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?)", _chunk_rows(chunks))
        base.executemany(
            "INSERT INTO made VALUES (?, ?, ?, ?, ?)",
            ((n, each.label, each.opening, each.words, each.fingerprint) for n, each in enumerate(facts)),
        )
        base.execute("COMMIT")


def document_row(item: Prepared) -> DocumentRow:
    """Give a document as it is stored."""
    facts = document_values(item.document)
    body = {name: facts.pop(name) for name in _BODY}
    return item.document.id, _dump(facts), _dump(body), _dump(screening_values(item.screening)), item.redactions


def chunk_row(chunk: Chunk) -> ChunkRow:
    """Give a chunk as it is stored."""
    return ChunkRow(chunk.id, chunk.heading, chunk.search_text, _dump(chunk.sentences), len(chunk.sentences))


def _chunk_rows(chunks: Iterable[tuple[int, ChunkRow]]) -> Iterator[tuple[int, str, int, str, str, str, int]]:
    sentence = 0
    for row, (document, chunk) in enumerate(chunks):
        yield row, chunk.id, document, chunk.heading, chunk.search_text, chunk.sentences, sentence
        sentence += chunk.sentence_count


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


class Texts:
    """Reads the file. Safe to share between threads.

    Raises:
        IndexDamaged: from every method, when the file is not what its name says.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        # immutable: no lock and no journal is looked for, and the file may lose its name while it is open.
        self._base = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )

    def chunks(self, rows: Sequence[int]) -> list[StoredChunk]:
        """Give chunks by row, in the order asked."""
        found = {_int(r[0]): r for r in self._by_row("chunks", rows)}
        with self._sound():
            return [_chunk(found[row]) for row in rows if row in found]

    def documents(self, rows: Sequence[int]) -> list[Prepared]:
        """Give documents by row, in the order asked."""
        found = {_int(r[0]): r for r in self._by_row("documents", rows)}
        with self._sound():
            return [_prepared(found[row]) for row in rows if row in found]

    def facts(self, rows: Sequence[int]) -> list[Prepared]:
        """Give documents by row without their long texts, in the order asked."""
        columns = "row, id, facts, '{}', screening, redactions"
        found = {_int(r[0]): r for r in self._by_row("documents", rows, columns)}
        with self._sound():
            return [_prepared(found[row]) for row in rows if row in found]

    def document_row(self, document_id: str) -> int | None:
        """Give the row of a document, None for an unknown id."""
        found = self._query("SELECT row FROM documents WHERE id = ?", (document_id,))
        return int(str(found[0][0])) if found else None

    def all_documents(self) -> Iterator[Prepared]:
        """Give every document in row order."""
        for row in self._query("SELECT * FROM documents ORDER BY row", ()):
            with self._sound():
                item = _prepared(row)
            yield item

    def quarantined(self, *, with_decided: bool = False) -> list[Prepared]:
        """Give the documents that are held back, in row order, without reading the others.

        `with_decided`: also those that a person approved.
        """
        held = "json_extract(screening, '$.quarantined')"
        if with_decided:
            held += " OR json_extract(screening, '$.verdict') <> ''"
        rows = self._query(f"SELECT * FROM documents WHERE {held} ORDER BY row", ())  # noqa: S608 - our own columns
        with self._sound():
            return [_prepared(row) for row in rows]

    def origins(self) -> list[tuple[str, str | None, str, int]]:
        """Give language, address, owner and number of redactions of every document in row order, without its text."""
        columns = ", ".join(f"json_extract(facts, '$.{name}')" for name in ("lang", "url", "owner"))
        rows = self._query(f"SELECT {columns}, redactions FROM documents ORDER BY row", ())  # noqa: S608 - our own columns
        with self._sound():
            return [(str(lang), str(url) if url else None, str(owner), _int(n)) for lang, url, owner, n in rows]

    def stored_rows(self) -> list[DocumentRow]:
        """Give every document as it is stored, in row order. The file was compared with its hash: what is in it is taken as it is."""
        rows = self._query("SELECT id, facts, body, screening, redactions FROM documents ORDER BY row", ())
        return cast("list[DocumentRow]", rows)

    def stored_chunks(self) -> tuple[list[ChunkRow], list[ChunkFacts]]:
        """Give every chunk as it is stored, and what the next build needs of it, in row order; taken as they are, too.

        Raises:
            IndexDamaged: the file does not hold it, as one of an earlier version.
        """
        rows = self._query(
            "SELECT c.id, c.heading, c.search_text, c.sentences, c.first_sentence, m.label, m.opening, m.words, m.fingerprint"
            " FROM chunks c JOIN made m ON m.row = c.row ORDER BY c.row",
            (),
        )
        if not rows:
            return [], []
        *stored, firsts, labels, openings, words, fingerprints = zip(*rows, strict=True)
        with self._sound():
            ends = [*firsts[1:], firsts[-1] + len(json.loads(stored[-1][-1]))]
            counts = map(operator.sub, ends, firsts)
            chunks = list(map(ChunkRow._make, zip(*stored, counts, strict=True)))
        return chunks, list(map(ChunkFacts._make, zip(labels, openings, words, fingerprints, strict=True)))

    def addresses(self) -> list[str]:
        """Give the distinct addresses of the documents that are not held back.

        Documents without one are passed over by their text, as `_dump` writes it: reading all as JSON takes 130 ms at 50 000, while
        a bot takes a new generation and people wait.
        """
        rows = self._query(
            "SELECT DISTINCT json_extract(facts, '$.url') FROM documents WHERE instr(facts, '\"url\": null') = 0"
            " AND instr(screening, '\"quarantined\": true') = 0",
            (),
        )
        return [str(row[0]) for row in rows if row[0]]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()

    @contextmanager
    def _sound(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            reason = f"{self._path.name} does not hold what it should ({type(error).__name__})"
            raise IndexDamaged(f"{reason}; build the index again") from None

    def _by_row(self, table: str, rows: Sequence[int], columns: str = "*") -> list[tuple[object, ...]]:
        wanted = _dump([int(row) for row in rows])
        return self._query(f"SELECT {columns} FROM {table} WHERE row IN (SELECT value FROM json_each(?))", (wanted,))  # noqa: S608 - our own table names

    def _query(self, statement: str, values: tuple[str, ...]) -> list[tuple[object, ...]]:
        try:
            with self._lock:
                return self._base.execute(statement, values).fetchall()
        except UnicodeEncodeError:  # a lone surrogate, which no stored text holds
            return []
        except sqlite3.DatabaseError as error:
            raise IndexDamaged(f"{self._path.name} cannot be read ({error}); build the index again") from None


def _chunk(row: tuple[object, ...]) -> StoredChunk:
    number, chunk_id, document, heading, search_text, sentences, first = row
    parsed = tuple(json.loads(str(sentences)))
    return StoredChunk(_int(number), str(chunk_id), _int(document), str(heading), str(search_text), parsed, _int(first))


def _prepared(row: tuple[object, ...]) -> Prepared:
    _, _, facts, body, screening, redactions = row
    values = json.loads(str(facts)) | json.loads(str(body))
    lists = {name: tuple(values[name]) for name in ("supersedes", "visibility", "people")}
    judged = json.loads(str(screening))
    judged |= {name: tuple(judged.get(name, ())) for name in ("reasons", "unseen")}
    return Prepared(Document(**{**values, **lists}), Screening(**judged), _int(redactions))


def _int(value: object) -> int:
    return value if isinstance(value, int) else int(str(value))
