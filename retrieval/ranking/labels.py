"""What a base is about, in texts: the labels of its chunks and their first sentences, at most so many of each.

Every n-th of them instead of those that lie apart: of a base among nine times as many unrelated documents the gate declined .055
(helpcenter) and .087 (mtrag) of its own questions instead of .022 and .034.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.ports import Vectors
from retrieval.ranking.scope import ScopeLabels, says_more
from retrieval.ranking.spread import Places, spread

Rows = npt.NDArray[np.int32]
Embed = Callable[[Sequence[str]], Vectors]

MAX_LABELS = 2_000


@dataclass(frozen=True, slots=True)
class BaseTexts:
    """What ranking needs of a base beside vectors, one entry a chunk.

    `labels` as `label_of` gives them, `words` the number of words of the chunk's text, `documents` int32, (n,). `openings` as
    `opening_of` gives them: further labels for the gate alone.
    """

    labels: Sequence[str]
    languages: Sequence[str]
    words: Sequence[int]
    documents: Rows
    openings: Sequence[str] = ()


def labels_of(
    base: BaseTexts, embed_queries: Embed, vectors_of: Callable[[Places], Vectors], *, dimension: int
) -> tuple[ScopeLabels, Places]:
    """Give the base's labels and first sentences encoded as queries, and for how many labels each one that was kept stands.

    Args:
        base: the texts.
        embed_queries: gives raw vectors with the query prompt, (n, dim).
        vectors_of: gives neutral passage vectors of chunks, float32, (n, dim).
        dimension: of the vectors.
    """
    labels, owners, weights = _distinct(base.labels, base.documents, vectors_of)
    further = [
        opening if opening and says_more(label, opening) else ""
        for label, opening in zip(base.labels, base.openings, strict=False)
    ]
    openings, opening_owners, _ = _distinct(further, base.documents, vectors_of, known=labels)
    asked = (*labels, *openings)
    vectors = embed_queries(asked) if asked else np.zeros((0, dimension), np.float32)
    return ScopeLabels(vectors, np.concatenate([owners, opening_owners]), len(labels)), weights


def _distinct(
    texts: Sequence[str], documents: Rows, vectors_of: Callable[[Places], Vectors], known: Sequence[str] = ()
) -> tuple[list[str], Rows, Places]:
    """Give the distinct texts that are not known, at most `MAX_LABELS`: with the document that each is from, and how many each stands for."""
    first, left_out = dict[str, int](), {"", *known}
    for chunk, text in enumerate(texts):
        if text not in left_out:
            first.setdefault(text, chunk)
    names, chunks = list(first), np.array(list(first.values()), np.intp)
    picked = spread(names, lambda places: vectors_of(chunks[places]), MAX_LABELS)
    owners = documents[chunks[picked.places]].astype(np.int32)
    return [names[place] for place in picked.places], owners, picked.stands_for
