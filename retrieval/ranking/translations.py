"""How much of a base holds its documents in several languages.

Where most documents have a translation, the one in the asker's language is the better answer, and what brings other languages
nearer only brings the same page ten times. Where each subject stands in one language only, that language must not matter.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from retrieval.ports import Vectors
from retrieval.ranking.scope import sampled

# Cosine of two documents' means in the ranking space. Translations have .58 in the median (Let's Encrypt, GNOME), .73 (XQuAD); the
# nearest others of a base in mixed languages reach it for 6 % (GNOME, the sample) and 13 % (XQuAD) of the documents.
_ALIKE = 0.55
_MOST_ASKED = 200

_Places = npt.NDArray[np.intp]
# The rows of a language, and their means.
_Group = tuple[_Places, Vectors]


def translated_share(means: Vectors, languages: Sequence[str]) -> float:
    """Give the share of documents that have a counterpart in another language, 0 to 1: each the other's nearest, and near.

    At most 200 documents are looked at, evenly, against all.

    Args:
        means: of the documents in the ranking space, float32, (n, dim), unit rows; zero for a document without chunks.
        languages: of each document, empty when unknown.
    """
    codes = np.asarray(languages, dtype=str)
    known = np.flatnonzero(codes != "")
    groups = {code: np.flatnonzero(codes == code) for code in sorted(set(codes[known].tolist()))}
    if len(groups) < 2:
        return 0.0
    asked = known[sampled(len(known), _MOST_ASKED)]
    # Gathered once a language: of 22 languages, 21 copies of the whole table were most of the time.
    gathered = {code: means[rows] for code, rows in groups.items()}
    has_counterpart = np.zeros(len(asked), np.bool_)
    for code, rows in groups.items():
        places = np.flatnonzero(codes[asked] == code)
        if not len(places):
            continue
        for other, others in groups.items():
            if other != code:
                found = _are_mutual(means, asked[places], (rows, gathered[code]), (others, gathered[other]))
                has_counterpart[places] |= found
    return float(has_counterpart.mean())


def _are_mutual(means: Vectors, asked: _Places, own: _Group, others: _Group) -> npt.NDArray[np.bool_]:
    """Tell for each asked row, all of the language `own`, whether it and its nearest of `others` are each other's."""
    (own_rows, own_means), (other_rows, other_means) = own, others
    cosines = means[asked] @ other_means.T
    nearest = other_rows[cosines.argmax(axis=1)]
    found = cosines.max(axis=1, initial=-1.0) >= _ALIKE
    if found.any():
        back = (means[nearest[found]] @ own_means.T).argmax(axis=1)
        found[found] = own_rows[back] == asked[found]
    return np.asarray(found, np.bool_)
