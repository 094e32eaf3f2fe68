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
    has_counterpart = np.zeros(len(asked), np.bool_)
    for code, rows in groups.items():
        places = np.flatnonzero(codes[asked] == code)
        for others in (found for other, found in groups.items() if other != code):
            has_counterpart[places] |= _are_mutual(means, asked[places], rows, others)
    return float(has_counterpart.mean())


def _are_mutual(
    means: Vectors, asked: npt.NDArray[np.intp], own: npt.NDArray[np.intp], others: npt.NDArray[np.intp]
) -> npt.NDArray[np.bool_]:
    """Tell for each asked row, all of one language with the rows `own`, whether it and its nearest of `others` are each other's."""
    cosines = means[asked] @ means[others].T
    nearest = others[cosines.argmax(axis=1)] if len(asked) else asked
    found = cosines.max(axis=1, initial=-1.0) >= _ALIKE
    if found.any():
        back = (means[nearest[found]] @ means[own].T).argmax(axis=1)
        found[found] = own[back] == asked[found]
    return np.asarray(found, np.bool_)
