"""The documents of an index, read without its model."""

from pathlib import Path

import pytest

from retrieval.errors import IndexMissing
from retrieval.index import indexed_documents
from retrieval.index.manifest import read_manifest


def test_the_documents_that_are_served_are_given(sample_index: Path) -> None:
    """All but those that are held back, redacted."""
    counts = read_manifest(sample_index).counts
    found = list(indexed_documents(sample_index))
    assert len(found) == counts.documents - counts.quarantined
    assert "kb-101" in {document.id for document in found}


def test_no_index_is_said(tmp_path: Path) -> None:
    """A folder without an index is the usual error."""
    with pytest.raises(IndexMissing):
        list(indexed_documents(tmp_path))
