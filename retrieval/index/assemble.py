"""The files of a generation: everything of new documents made, everything of the others copied from the generation before.

Both ways give the same bytes; a test compares them.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from retrieval.index.arrays import AnyArray, make_rows, posting_arrays, write_arrays
from retrieval.index.embedding import Embedded, Tools, embed, ranking_parts, versions_by
from retrieval.index.entries import NEW, OPEN, Entry
from retrieval.index.folder import keep_file, scratch_file
from retrieval.index.generation_before import SENTENCES, Base
from retrieval.index.manifest import Counts, FileEntry, Manifest
from retrieval.index.pieces import Pieces
from retrieval.index.texts import DocumentRow, document_row, write_texts
from retrieval.lexical import Postings, build_postings, merge_postings, tokenize
from retrieval.lexical.postings import Ints
from retrieval.ports import Vectors

_Real = TypeVar("_Real", np.float32, np.float16)


@dataclass(frozen=True, slots=True)
class Assembled:
    """A generation that is written and not yet named, and what of it was encoded now."""

    manifest: Manifest
    chunks: Embedded
    sentences: Embedded


def assemble(
    folder: Path, entries: Sequence[Entry], tools: Tools, *, has_sentences: bool, base: Base | None
) -> Assembled:
    """Write every file of a generation but its manifest.

    Args:
        folder: of the index; the caller holds it.
        entries: the documents, in the order of their ids; those with a row are taken from `base`.
        tools: encode what is new.
        has_sentences: whether vectors of sentences are made.
        base: the generation before; None to make everything anew.
    """
    if base is not None and has_sentences and base.sentences is None:
        raise ValueError("the generation before has no vectors of sentences to copy")
    pieces = Pieces.of(entries, base)
    with ThreadPoolExecutor(1, "texts") as beside:  # SQLite and numpy let go of the interpreter
        writing = beside.submit(_write_texts, folder, entries, pieces, base)
        vectors, of_chunks = _vectors(pieces, base, tools)
        rows, languages, visibilities = make_rows(
            entries, pieces.documents, (each.fingerprint for each in pieces.facts)
        )
        arrays: dict[str, AnyArray] = {
            "vectors.npy": vectors,
            "documents.npy": rows.documents,
            "chunks.npy": rows.chunks,
        }
        ranking = ranking_parts(vectors, entries, pieces, tools)
        arrays |= ranking.arrays
        arrays |= posting_arrays(_postings(entries, pieces, base))
        places = pieces.sentence_rows(base)
        of_sentences = Embedded()
        if has_sentences:
            arrays[SENTENCES], of_sentences = _sentence_vectors(pieces.sentences, places, base, tools)
        files = write_arrays(folder, arrays)
        files["texts.sqlite"] = writing.result()
    manifest = Manifest(
        encoder=tools.encoder.identity,
        dimension=tools.encoder.dimension,
        versions=versions_by(tools),
        counts=_counts(entries, pieces, len(places)),
        languages=languages,
        visibilities=visibilities,
        files=files,
        documents={entry.id: entry.hash for entry in entries},
        calibration=ranking.calibration.to_json(),
    )
    return Assembled(manifest, of_chunks, of_sentences)


def _counts(entries: Sequence[Entry], pieces: Pieces, sentences: int) -> Counts:
    return Counts(
        documents=len(entries),
        chunks=len(pieces),
        sentences=sentences,
        quarantined=sum(entry.state != OPEN for entry in entries),
        redactions=sum(entry.redactions for entry in entries),
    )


def _vectors(pieces: Pieces, base: Base | None, tools: Tools) -> tuple[Vectors, Embedded]:
    fresh, done = embed([row.search_text for _, row in pieces.fresh()], "chunks", tools)
    if base is None:
        return fresh, done
    origin = pieces.origin
    return _joined(origin, base.vectors, fresh), _with_copied(done, origin)


def _sentence_vectors(
    sentences: Sequence[str], places: Ints, base: Base | None, tools: Tools
) -> tuple[AnyArray, Embedded]:
    fresh, done = embed(sentences, "sentences", tools)
    halves = fresh.astype(np.float16)
    if base is None or base.sentences is None:
        return halves, done
    return _joined(places, base.sentences, halves), _with_copied(done, places)


def _joined(places: Ints, old: npt.NDArray[_Real], fresh: npt.NDArray[_Real]) -> npt.NDArray[_Real]:
    # Every row is copied once, the new ones from anywhere: a table of those that stay would be as large as the index.
    rows = (
        np.take(old, np.maximum(places, 0), axis=0) if len(old) else np.empty((len(places), fresh.shape[1]), old.dtype)
    )
    rows[places == NEW] = fresh
    return rows


def _with_copied(done: Embedded, places: Ints) -> Embedded:
    return Embedded(done.embedded, done.reused + int((places != NEW).sum()))


def _postings(entries: Sequence[Entry], pieces: Pieces, base: Base | None) -> Postings:
    """Give the postings of the chunks' search texts, stemmed by the language of their document."""
    fresh = list(pieces.fresh())
    counted = build_postings(
        tokenize(chunk.search_text, (entries[pieces.documents[row]].lang,)) for row, chunk in fresh
    )
    if base is None:
        return counted
    places = np.full(len(base.chunk_rows), NEW, np.int32)
    origin = pieces.origin
    places[origin[origin != NEW]] = np.flatnonzero(origin != NEW)
    return merge_postings(base.postings, places, counted, np.asarray([row for row, _ in fresh], np.int32))


def _write_texts(folder: Path, entries: Sequence[Entry], pieces: Pieces, base: Base | None) -> FileEntry:
    chunks = zip(pieces.documents, pieces.rows, strict=True)
    write_texts(scratch_file(folder, "texts.sqlite"), _document_rows(entries, base), chunks, pieces.facts)
    return keep_file(folder, "texts.sqlite")


def _document_rows(entries: Sequence[Entry], base: Base | None) -> Iterator[DocumentRow]:
    for entry in entries:
        if base is not None and entry.row != NEW:
            yield base.document_rows[entry.row]
        elif entry.item is not None:
            yield document_row(entry.item)
