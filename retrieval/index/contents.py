"""The documents of an index, read without its model."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np

from retrieval.documents import Document
from retrieval.index.arrays import check_file, map_array
from retrieval.index.manifest import read_manifest
from retrieval.index.places import read_places
from retrieval.index.texts import Texts
from retrieval.lexical.postings import Ints
from retrieval.ports import Vectors


def indexed_vectors(folder: Path) -> dict[str, Vectors]:
    """Give the vector of the first chunk of every document by its id, float32, unit length.

    Raises:
        IndexMissing, IndexDamaged, IndexMismatch: the index cannot be read.
    """
    manifest = read_manifest(folder)
    vectors = cast("Vectors", map_array(folder, manifest.files, "vectors.npy", np.float32))
    rows = cast("Ints", map_array(folder, manifest.files, "chunks.npy", np.int32))
    firsts = np.unique(rows[:, 0], return_index=True)
    ids = sorted(manifest.documents)
    return {ids[row]: vectors[chunk] for row, chunk in zip(firsts[0].tolist(), firsts[1].tolist(), strict=True)}


def indexed_documents(folder: Path) -> Iterator[Document]:
    """Give the documents that an index serves, redacted, in their order; those that are held back are left out.

    Raises:
        IndexMissing, IndexDamaged, IndexMismatch: the index cannot be read.
    """
    manifest = read_manifest(folder)
    places = read_places(folder)
    texts = Texts(check_file(folder, manifest.files, "texts.sqlite"))
    try:
        live = (item.document for item in texts.all_documents() if not item.screening.quarantined)
        yield from (replace(document, place=places.get(document.id, "")) for document in live)
    finally:
        texts.close()
