"""The documents of an index, read without its model."""

from collections.abc import Iterator
from pathlib import Path

from retrieval.documents import Document
from retrieval.index.arrays import check_file
from retrieval.index.manifest import read_manifest
from retrieval.index.texts import Texts


def indexed_documents(folder: Path) -> Iterator[Document]:
    """Give the documents that an index serves, redacted, in their order; those that are held back are left out.

    Raises:
        IndexMissing, IndexDamaged, IndexMismatch: the index cannot be read.
    """
    manifest = read_manifest(folder)
    texts = Texts(check_file(folder, manifest.files, "texts.sqlite"))
    try:
        yield from (item.document for item in texts.all_documents() if not item.screening.quarantined)
    finally:
        texts.close()
