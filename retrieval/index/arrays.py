"""The arrays of an index: made from chunks, written as `.npy`, mapped into memory when read."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt

from retrieval.documents import Chunk
from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.index.entries import Entry
from retrieval.index.folder import hash_file, keep_file, scratch_file
from retrieval.index.manifest import FileEntry
from retrieval.lexical import Postings, PostingsBM25
from retrieval.lexical.postings import Ints, Longs
from retrieval.pacing import rest

# Below this a file is hashed whenever it is opened, about 3 ms; larger ones only by `verify_files`.
_HASHED_BYTES = 5_000_000
AnyArray = npt.NDArray[np.generic]


@dataclass(frozen=True, slots=True)
class Rows:
    """What a filter needs to know of chunks and documents, by row; int32.

    `documents`: (n_documents, 2), code of the visibility, and `OPEN`, `WAITING` (held back until somebody decides) or `REJECTED`, see `retrieval.index.entries`. `chunks`: (n_chunks, 3), row of the document, code of the
    language, and group of chunks with the same words.
    """

    documents: Ints
    chunks: Ints


def make_rows(
    entries: Sequence[Entry], documents: Sequence[int], fingerprints: Iterable[bytes]
) -> tuple[Rows, tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Give the rows, and the languages and visibilities that their codes stand for, in sorted order.

    Args:
        entries: the documents.
        documents: row of the document of each chunk.
        fingerprints: of each chunk, as `fingerprint` gives it.
    """
    languages = tuple(sorted({entry.lang for entry in entries}))
    visibilities = tuple(sorted({entry.visibility for entry in entries}))
    codes = {language: code for code, language in enumerate(languages)}
    labels = {visibility: code for code, visibility in enumerate(visibilities)}
    of_documents = [codes[entry.lang] for entry in entries]
    groups: dict[bytes, int] = {}
    found = [
        (row, of_documents[row], groups.setdefault(words, len(groups)))
        for row, words in zip(documents, fingerprints, strict=True)
    ]
    states = [(labels[entry.visibility], entry.state) for entry in entries]
    rows = Rows(np.asarray(states, np.int32).reshape(-1, 2), np.asarray(found, np.int32).reshape(-1, 3))
    return rows, languages, visibilities


def fingerprint(chunk: Chunk) -> bytes:
    """Give 16 bytes that chunks with the same words share, whatever stands between the words."""
    words = " ".join(re.findall(r"\w+", " ".join((chunk.title, chunk.heading, *chunk.sentences)).casefold()))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()[:16]


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
    """Write each array under its role and give the entries; two at a time, since one is hashed while another goes to the disk."""

    def write(role: str) -> FileEntry:
        with scratch_file(folder, role).open("wb") as file:
            np.lib.format.write_array(file, np.ascontiguousarray(arrays[role]), version=(1, 0), allow_pickle=False)
        return keep_file(folder, role)

    with ThreadPoolExecutor(2, "arrays") as both:
        return dict(zip(arrays, both.map(write, arrays), strict=True))


def map_postings(folder: Path, files: Mapping[str, FileEntry]) -> Postings:
    """Map the postings of an index.

    Raises:
        IndexMissing, IndexDamaged: as for `map_array`.
    """
    return Postings(
        cast("npt.NDArray[np.uint8]", map_array(folder, files, "tokens.npy", np.uint8)),
        cast("Longs", map_array(folder, files, "token_bounds.npy", np.int64)),
        cast("Longs", map_array(folder, files, "posting_offsets.npy", np.int64)),
        cast("Ints", map_array(folder, files, "posting_rows.npy", np.int32)),
        cast("Ints", map_array(folder, files, "posting_counts.npy", np.int32)),
        cast("Ints", map_array(folder, files, "lengths.npy", np.int32)),
    )


def map_array(folder: Path, files: Mapping[str, FileEntry], role: str, dtype: type[np.generic]) -> AnyArray:
    """Map one array into memory, read-only.

    Raises:
        IndexMissing: the file is gone.
        IndexDamaged: it is truncated or holds something else.
    """
    rest()
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
