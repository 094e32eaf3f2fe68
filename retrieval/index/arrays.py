"""The arrays of an index: made from chunks, written as `.npy`, mapped into memory when read."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from retrieval.documents import Chunk
from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.index.folder import hash_file, keep_file, scratch_file
from retrieval.index.intake import Prepared
from retrieval.index.manifest import FileEntry
from retrieval.lexical import Postings, PostingsBM25, build_postings, tokenize
from retrieval.lexical.postings import Ints

# Below this a file is hashed whenever it is opened, about 3 ms; larger ones only by `verify_files`.
_HASHED_BYTES = 5_000_000
AnyArray = npt.NDArray[np.generic]
# States of a document; only open ones are ever returned.
OPEN, WAITING, REJECTED = range(3)


@dataclass(frozen=True, slots=True)
class Rows:
    """What a filter needs to know of chunks and documents, by row; int32.

    `documents`: (n_documents, 2), code of the visibility, and `OPEN`, `WAITING` (held back until somebody decides) or `REJECTED`. `chunks`: (n_chunks, 3), row of the document, code of the
    language, and group of chunks with the same words.
    """

    documents: Ints
    chunks: Ints


def make_rows(
    prepared: Sequence[Prepared], chunks: Sequence[tuple[int, Chunk]]
) -> tuple[Rows, tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Give the rows, and the languages and visibilities that their codes stand for, in sorted order."""
    languages = tuple(sorted({item.document.lang for item in prepared}))
    visibilities = tuple(sorted({item.document.visibility for item in prepared}))
    documents = [(visibilities.index(p.document.visibility), _state(p)) for p in prepared]
    groups: dict[bytes, int] = {}
    codes = {language: code for code, language in enumerate(languages)}
    found = [
        (row, codes[prepared[row].document.lang], groups.setdefault(_fingerprint(chunk), len(groups)))
        for row, chunk in chunks
    ]
    rows = Rows(np.asarray(documents, np.int32).reshape(-1, 2), np.asarray(found, np.int32).reshape(-1, 3))
    return rows, languages, visibilities


def _state(item: Prepared) -> int:
    if not item.screening.quarantined:
        return OPEN
    return WAITING if item.screening.is_waiting else REJECTED


def _fingerprint(chunk: Chunk) -> bytes:
    words = " ".join(re.findall(r"\w+", " ".join((chunk.title, chunk.heading, *chunk.sentences)).casefold()))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()[:16]


def make_postings(prepared: Sequence[Prepared], chunks: Sequence[tuple[int, Chunk]]) -> Postings:
    """Give the postings of the chunks' search texts, stemmed by the language of their document."""
    return build_postings(tokenize(chunk.search_text, (prepared[row].document.lang,)) for row, chunk in chunks)


def posting_arrays(postings: Postings) -> dict[str, AnyArray]:
    """Give the postings and their BM25 weights by role."""
    return {
        "tokens.npy": postings.blob,
        "token_bounds.npy": postings.bounds,
        "posting_offsets.npy": postings.offsets,
        "posting_rows.npy": postings.rows,
        "posting_counts.npy": postings.counts,
        "posting_weights.npy": PostingsBM25(postings).weights,
        "lengths.npy": postings.lengths,
    }


def write_arrays(folder: Path, arrays: Mapping[str, AnyArray]) -> dict[str, FileEntry]:
    """Write each array under its role and give the entries."""
    entries = {}
    for role, array in arrays.items():
        with scratch_file(folder, role).open("wb") as file:
            np.lib.format.write_array(file, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
        entries[role] = keep_file(folder, role)
    return entries


def map_array(folder: Path, files: Mapping[str, FileEntry], role: str, dtype: type[np.generic]) -> AnyArray:
    """Map one array into memory, read-only.

    Raises:
        IndexMissing: the file is gone.
        IndexDamaged: it is truncated or holds something else.
    """
    path = check_file(folder, files, role)
    try:
        array = np.load(path, mmap_mode="r" if files[role].bytes > 4096 else None, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise IndexDamaged(f"{path} cannot be read ({error}); build the index again") from None
    if array.dtype != np.dtype(dtype):
        raise IndexDamaged(f"{path} holds {array.dtype}, not {np.dtype(dtype)}; build the index again")
    # A plain view: every slice of a memmap object costs ten times as much. It keeps the mapping, and so the file, open.
    return np.asarray(array)


def check_file(folder: Path, files: Mapping[str, FileEntry], role: str) -> Path:
    """Give the path of a file of the index when it is there and has its length, and its content when it is small.

    Raises:
        IndexMissing: the file is gone.
        IndexDamaged: the manifest does not name it, it is truncated, or it holds something else.
    """
    if role not in files:
        raise IndexDamaged(f"the manifest in {folder} names no {role}; build the index again")
    path = folder / files[role].name
    try:
        size = path.stat().st_size
    except OSError:
        raise IndexMissing(f"{path} is gone; build the index again") from None
    if size != files[role].bytes:
        raise IndexDamaged(f"{path} has {size} bytes, not {files[role].bytes}; build the index again")
    if size < _HASHED_BYTES:
        _check_hash(path, files[role])
    return path


def verify_files(folder: Path, files: Mapping[str, FileEntry]) -> None:
    """Read every file of the index whole and compare it with its hash.

    Raises:
        IndexMissing: a file is gone.
        IndexDamaged: a file is not what was written.
    """
    for role, entry in files.items():
        path = check_file(folder, files, role)
        if entry.bytes >= _HASHED_BYTES:
            _check_hash(path, entry)


def _check_hash(path: Path, entry: FileEntry) -> None:
    try:
        digest = hash_file(path)
    except OSError as error:
        raise IndexDamaged(f"{path} cannot be read ({error.strerror}); build the index again") from None
    if digest != entry.sha256:
        raise IndexDamaged(f"{path} does not hold what was written; build the index again")
