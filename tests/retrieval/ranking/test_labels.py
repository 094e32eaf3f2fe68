"""Tests of what a base is about."""

from collections.abc import Sequence

import numpy as np

from retrieval.ports import Vectors
from retrieval.ranking.labels import MAX_LABELS, BaseTexts, labels_of
from retrieval.ranking.space import unit_rows

MANY = MAX_LABELS + 300
CHUNKS = unit_rows(np.random.default_rng(3).normal(size=(2 * MANY, 8)).astype(np.float32))


def numbered(texts: Sequence[str]) -> Vectors:
    """Encode "title 7" as 7."""
    return np.array([[float(text.split()[-1])] for text in texts], np.float32)


def base_of(titles: int) -> BaseTexts:
    """Give documents of two chunks each, whose first sentences are the title and another text."""
    labels = [f"title {number}" for number in range(titles) for _ in range(2)]
    openings = [text for number in range(titles) for text in (f"title {number}", f"more {number}")]
    return BaseTexts(
        labels, ["en"] * len(labels), [9] * len(labels), np.arange(len(labels), dtype=np.int32) // 2, openings
    )


def test_each_label_counts_once_with_its_document() -> None:
    """A title of two chunks is one label; a first sentence that says the same is none, another one is a further label."""
    found, weights = labels_of(base_of(3), numbered, lambda places: CHUNKS[places], dimension=1)
    assert found.named == 3
    assert found.vectors[:, 0].tolist() == [0, 1, 2, 0, 1, 2]
    assert found.documents.tolist() == [0, 1, 2, 0, 1, 2]
    assert weights.tolist() == [1, 1, 1]


def test_no_more_than_the_limit_are_encoded() -> None:
    """Of too many titles and too many first sentences as many are kept of each, and stand for the others."""
    found, weights = labels_of(base_of(MANY), numbered, lambda places: CHUNKS[places], dimension=1)
    assert (found.named, len(found.vectors)) == (MAX_LABELS, 2 * MAX_LABELS)
    assert found.vectors[:, 0].tolist() == found.documents.tolist()
    assert len(np.unique(found.documents[: found.named])) == MAX_LABELS
    assert weights.sum() == MANY


def test_a_base_without_texts_has_no_labels() -> None:
    """Nothing is encoded for it."""
    found, weights = labels_of(BaseTexts([], [], [], np.zeros(0, np.int32)), numbered, lambda _: CHUNKS, dimension=1)
    assert (found.vectors.shape, len(found.documents), len(weights)) == ((0, 1), 0, 0)
