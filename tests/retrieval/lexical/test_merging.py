"""Claims of `retrieval.lexical.merging`."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retrieval.lexical import build_postings, merge_postings

WORDS = st.lists(st.sampled_from(["a", "b", "bb", "~b", "é", "字", "zz"]), max_size=6)
# What happens to each document: it stays, goes, or is new.
CORPUS = st.lists(st.tuples(WORDS, st.sampled_from(["stays", "gone", "new"])), max_size=12)


@given(CORPUS)
def test_merged_postings_are_those_of_counting_again(corpus: list[tuple[list[str], str]]) -> None:
    """Documents that stay, go and come in any order: every array, with its type."""
    now = [(words, fate) for words, fate in corpus if fate != "gone"]
    rows = {id(words): row for row, (words, _) in enumerate(now)}
    before = [words for words, fate in corpus if fate != "new"]
    places = np.array([rows.get(id(words), -1) for words in before], np.int32)
    new = [words for words, fate in now if fate == "new"]
    fresh_places = np.array([rows[id(words)] for words in new], np.int32)
    merged = merge_postings(build_postings(before), places, build_postings(new), fresh_places)
    whole = build_postings([words for words, _ in now])
    for name in ("blob", "bounds", "offsets", "rows", "counts", "lengths"):
        ours, theirs = getattr(merged, name), getattr(whole, name)
        assert ours.dtype == theirs.dtype, name
        assert ours.tolist() == theirs.tolist(), name
