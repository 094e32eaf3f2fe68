"""Postings of a corpus of which most was counted before: the same arrays as counting all of it again, without its tokens."""

import itertools

import numpy as np
import numpy.typing as npt

from retrieval.lexical.postings import Ints, Longs, Postings

Keys = npt.NDArray[np.int64]


def merge_postings(old: Postings, places: Ints, fresh: Postings, fresh_places: Ints) -> Postings:
    """Join what was counted before with what is new.

    Args:
        old: of the corpus before.
        places: int32, (old.n_documents,), the row of each of its documents now, −1 for one that is gone; ascending but for those.
        fresh: of the new documents alone.
        fresh_places: int32, (fresh.n_documents,), the row of each now, ascending; with `places` every row once.
    """
    count = int((places >= 0).sum()) + len(fresh_places)
    ours, theirs = _tokens(old), _tokens(fresh)
    vocabulary = sorted({*ours, *theirs})
    ranks = {token: rank for rank, token in enumerate(vocabulary)}
    keys, counts = _keys(old, places, np.fromiter(map(ranks.__getitem__, ours), np.int64, len(ours)), count)
    new_keys, new_counts = _keys(
        fresh, fresh_places, np.fromiter(map(ranks.__getitem__, theirs), np.int64, len(theirs)), count
    )
    between = np.searchsorted(keys, new_keys)
    keys, counts = np.insert(keys, between, new_keys), np.insert(counts, between, new_counts)
    frequencies = np.bincount(keys // max(count, 1), minlength=len(vocabulary))
    left = [vocabulary[rank] for rank in np.flatnonzero(frequencies)]
    lengths = np.zeros(count, np.int32)
    lengths[places[places >= 0]] = old.lengths[places >= 0]
    lengths[fresh_places] = fresh.lengths
    return Postings(
        blob=np.frombuffer(b"".join(left), np.uint8),
        bounds=np.cumsum([0, *map(len, left)], dtype=np.int64),
        offsets=np.cumsum([0, *frequencies[frequencies > 0].tolist()], dtype=np.int64),
        rows=(keys % max(count, 1)).astype(np.int32),
        counts=counts.astype(np.int32),
        lengths=lengths,
    )


def _tokens(postings: Postings) -> list[bytes]:
    text = postings.blob.tobytes()
    return [text[start:end] for start, end in itertools.pairwise(postings.bounds.tolist())]


def _keys(postings: Postings, places: Ints, ranks: Longs, count: int) -> tuple[Keys, Ints]:
    """Give rank times `count` plus row of each posting that stays, ascending, and its count."""
    rows = places[postings.rows]
    stays = rows >= 0
    keys = np.repeat(ranks, postings.frequencies())[stays] * max(count, 1) + rows[stays]
    return keys, postings.counts[stays]
