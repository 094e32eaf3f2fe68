"""The generation before, as what the next one is made from: of what stays as it is nothing is read, cut, counted or encoded again."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self, cast

import numpy as np
import numpy.typing as npt

from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.index.arrays import check_file, map_array, map_postings, verify_files
from retrieval.index.entries import OPEN, Entry, state_of
from retrieval.index.intake import Prepared
from retrieval.index.manifest import Manifest
from retrieval.index.texts import ChunkFacts, ChunkRow, DocumentRow, Texts
from retrieval.lexical import Postings
from retrieval.lexical.postings import Ints
from retrieval.ports import Vectors

SENTENCES = "sentences.npy"
_READ = (
    "vectors.npy", "documents.npy", "chunks.npy", "tokens.npy", "token_bounds.npy", "posting_offsets.npy", "posting_rows.npy",
    "posting_counts.npy", "lengths.npy", "texts.sqlite",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Base:
    """What was stored, by row.

    `firsts`: int64, (n_documents + 1,), where the chunks of each
    document begin. `origins` are address and owner of each document. Arrays are mapped, texts read once.
    """

    manifest: Manifest
    entries: tuple[Entry, ...]
    origins: tuple[tuple[str | None, str], ...]
    document_rows: Sequence[DocumentRow]
    chunk_rows: Sequence[ChunkRow]
    chunk_facts: Sequence[ChunkFacts]
    firsts: npt.NDArray[np.int64]
    vectors: Vectors
    sentences: npt.NDArray[np.float16] | None
    postings: Postings

    @classmethod
    def open(cls, folder: Path, manifest: Manifest, decided: Collection[str]) -> Self | None:
        """Read a generation; None for one that is damaged, or that an earlier version wrote without what is read here.

        Files are compared with their hashes: what is copied from generation to generation would carry a fault along for ever.
        Only documents that were held back or named in `decided` are read whole.
        """
        roles = (*_READ, *([SENTENCES] if SENTENCES in manifest.files else []))
        try:
            verify_files(folder, {role: manifest.files[role] for role in roles if role in manifest.files})
            return cls._read(folder, manifest, decided)
        except (IndexMissing, IndexDamaged):
            return None

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest, decided: Collection[str]) -> Self:
        files = manifest.files
        documents = cast("Ints", map_array(folder, files, "documents.npy", np.int32))
        chunks = cast("Ints", map_array(folder, files, "chunks.npy", np.int32))
        texts = Texts(check_file(folder, files, "texts.sqlite"))
        try:
            rows, (chunk_rows, chunk_facts), origins = texts.stored_rows(), texts.stored_chunks(), texts.origins()
            named = [row for name in decided if (row := texts.document_row(name)) is not None]
            judged = {i.document.id: i for i in (*texts.quarantined(with_decided=True), *texts.documents(named))}
        finally:
            texts.close()
        if len(chunk_rows) != len(chunks) or [row[0] for row in rows] != sorted(manifest.documents):
            raise IndexDamaged("the texts of the index do not fit its tables; build the index again")
        return cls(
            manifest=manifest,
            entries=tuple(_entries(manifest, origins, documents[:, 0].tolist(), judged)),
            origins=tuple((url, owner) for _, url, owner, _ in origins),
            document_rows=rows,
            chunk_rows=chunk_rows,
            chunk_facts=chunk_facts,
            firsts=np.searchsorted(chunks[:, 0], np.arange(len(rows) + 1)),
            vectors=cast("Vectors", map_array(folder, files, "vectors.npy", np.float32)),
            sentences=cast("npt.NDArray[np.float16]", map_array(folder, files, SENTENCES, np.float16))
            if SENTENCES in files
            else None,
            postings=map_postings(folder, files),
        )

    @property
    def rows(self) -> Mapping[tuple[str, str], int]:
        """Give the row of each document by id and hash."""
        return {(entry.id, entry.hash): entry.row for entry in self.entries}


def _entries(
    manifest: Manifest,
    origins: Sequence[tuple[str, str | None, str, int]],
    codes: Sequence[int],
    judged: Mapping[str, Prepared],
) -> Iterator[Entry]:
    """Give the entry of each document, in the order of the ids; `codes` are those of the visibilities."""
    seen = [manifest.visibilities[code] for code in codes]
    for row, name in enumerate(sorted(manifest.documents)):
        item = judged.get(name)
        state = OPEN if item is None else state_of(item)
        lang, _, _, redactions = origins[row]
        yield Entry(name, manifest.documents[name], lang, seen[row], state, redactions, row, item)
