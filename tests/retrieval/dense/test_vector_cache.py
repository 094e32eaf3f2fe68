"""Nothing is embedded twice, an interrupted run goes on, a damaged cache is begun anew."""

from pathlib import Path

import numpy as np
import pytest

from retrieval.dense import VectorCache
from retrieval.dense.vector_cache import BATCH
from retrieval.errors import CacheUnusable


class Counter:
    """Encodes a text as its length and counts the texts; fails when told to."""

    def __init__(self, fail_after: int | None = None) -> None:
        self.seen: list[str] = []
        self.fail_after = fail_after

    def __call__(self, texts):
        if self.fail_after is not None and len(self.seen) + len(texts) > self.fail_after:
            raise KeyboardInterrupt
        self.seen.extend(texts)
        return np.array([[len(t), 1] for t in texts], np.float32)


def test_second_run_embeds_nothing(tmp_path: Path) -> None:
    """Known texts come from the file, in the order asked for, equal texts are encoded once."""
    first, second = Counter(), Counter()
    texts = ["bbb", "a", "bbb", "", "\ud800"]
    made = VectorCache(tmp_path / "v.sqlite", "m1").vectors_for(texts, first)
    assert (made.embedded, made.reused) == (4, 1)
    again = VectorCache(tmp_path / "v.sqlite", "m1").vectors_for(texts, second)
    assert (again.embedded, again.reused, second.seen) == (0, 5, [])
    np.testing.assert_array_equal(made.vectors, again.vectors)
    np.testing.assert_array_equal(again.vectors[:, 0], [3, 1, 3, 0, 1])
    assert again.vectors.dtype == np.float32


def test_changed_text_embeds_only_itself(tmp_path: Path) -> None:
    """One new text costs one embedding."""
    cache = VectorCache(tmp_path / "v.sqlite", "m1")
    cache.vectors_for(["a", "bb"], Counter())
    counter = Counter()
    made = cache.vectors_for(["a", "new text"], counter)
    assert (made.embedded, made.reused, counter.seen) == (1, 1, ["new text"])


def test_models_never_mix(tmp_path: Path) -> None:
    """Another identity finds nothing of the first."""
    VectorCache(tmp_path / "v.sqlite", "m1").vectors_for(["a"], Counter())
    assert VectorCache(tmp_path / "v.sqlite", "m2").vectors_for(["a"], Counter()).embedded == 1


def test_interrupted_run_goes_on(tmp_path: Path) -> None:
    """What was committed before an interrupt is reused; progress is told after each batch."""
    texts = [f"text {n:04d}" for n in range(2 * BATCH + 10)]
    cache = VectorCache(tmp_path / "v.sqlite", "m1")
    with pytest.raises(KeyboardInterrupt):
        cache.vectors_for(texts, Counter(fail_after=BATCH))
    told: list[tuple[int, int]] = []
    rest = cache.vectors_for(texts, Counter(), on_progress=lambda done, total: told.append((done, total)))
    assert (rest.embedded, rest.reused) == (BATCH + 10, BATCH)
    assert told == [(BATCH, BATCH + 10), (BATCH + 10, BATCH + 10)]


def test_batches_are_length_sorted(tmp_path: Path) -> None:
    """Texts of like length are encoded together, so that little is padding."""
    counter = Counter()
    VectorCache(tmp_path / "v.sqlite", "m1").vectors_for(["aaaa", "b", "ccc", "dd"], counter)
    assert counter.seen == ["b", "dd", "ccc", "aaaa"]


def test_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    """A file that is no database is set aside; the work is done again."""
    path = tmp_path / "v.sqlite"
    path.write_bytes(b"not a database at all" * 100)
    made = VectorCache(path, "m1").vectors_for(["a"], Counter())
    assert made.embedded == 1
    assert (tmp_path / "v.damaged").exists()


def test_no_texts(tmp_path: Path) -> None:
    """Nothing in, nothing out."""
    made = VectorCache(tmp_path / "deep" / "v.sqlite", "m1").vectors_for([], Counter())
    assert (made.vectors.shape[0], made.embedded, made.reused) == (0, 0, 0)


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A folder in its place, or a file in the place of its folder: one typed error with the path."""
    (tmp_path / "vectors.sqlite").mkdir()
    (tmp_path / "file").write_text("in the way")
    for path in (tmp_path / "vectors.sqlite", tmp_path / "file" / "vectors.sqlite"):
        with pytest.raises(CacheUnusable, match=str(path)):
            VectorCache(path, "m").vectors_for(["a"], lambda texts: np.zeros((len(texts), 4), np.float32))
