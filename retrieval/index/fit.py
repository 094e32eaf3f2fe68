"""Whether the tables of an opened index fit its manifest and each other."""

from collections.abc import Sequence

import numpy as np

from retrieval.errors import IndexDamaged
from retrieval.index.arrays import Rows
from retrieval.index.entries import REJECTED
from retrieval.index.manifest import Manifest
from retrieval.ports import Vectors


def check_dimension(tables: Sequence[Vectors], dimension: int) -> None:
    """Raise `IndexDamaged` unless each table has rows of this length."""
    for table in tables:
        if table.ndim != 2 or table.shape[1] != dimension:
            raise IndexDamaged("the vectors of the index are not of its dimension; build the index again")


def check_codes(rows: Rows, manifest: Manifest, chunks: int) -> None:
    """Raise `IndexDamaged` unless every code stands for something and each chunk has a row.

    Large tables are not hashed at every start; a code that stands for nothing would fail at some later question.
    """
    limits = (len(manifest.visibilities), REJECTED + 1), (len(rows.documents), len(manifest.languages), chunks)
    for table, columns in zip((rows.documents, rows.chunks), limits, strict=True):
        is_table = table.ndim == 2 and table.shape[1] == len(columns)
        if not is_table or (len(table) and not ((table >= 0) & (table < np.asarray(columns))).all()):
            raise IndexDamaged("the tables of the index do not fit its manifest; build the index again")
    if len(rows.chunks) != chunks:
        raise IndexDamaged("the vectors of the index do not fit its tables; build the index again")
