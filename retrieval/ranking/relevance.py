"""What speaks for a passage being an answer, in numbers that mean the same in a base of any size.

A question without an answer finds passages as near as those of a question with one; what tells them apart is that an
answer stands out. So most columns say how far a passage is above other documents: the next one, the fifth, or the mean of
thirty. The fifth is another document on the matter in a base of any size; among thirty, unrelated ones come as it grows.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.ports import Vectors

Scores = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int32]

# Names of the columns that `relevance_features` gives, in order.
FEATURES = (
    "cosine",
    "cosine_lead",
    "lexical_lead",
    "lexical_gap",
    "is_foreign",
    "foreign_cosine",
    "foreign_cosine_lead",
    "codes_held",
    "has_codes",
    "other_codes",
    "rare_lead",
    "fused_lead",
    "document_cosine",
)
_NEIGHBOURS = 30
_GAP_TO = 5
_DIGITS = re.compile(r"\d+")
# A query of which hardly a word is found anywhere has no lexical winner.
_LEAST_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class RawEvidence:
    """Raw scores of the candidate chunks of one query; arrays are (n,).

    Attributes:
        cosine: language-neutral cosine with the query.
        lexical: BM25.
        max_lexical: what a chunk would score that holds every word of the query often, unknown words included.
        documents: row of each chunk's document.
        languages: language of each chunk; passages compete within one, since a translation of an answer is none less.
        strangers: cosines of the query with texts of no base, largest first, see `off_topic_level`; none where `needs_strangers` is false.
        is_foreign: whether the chunk is in another language than the query; no word can then be expected to match.
        codes_held: share of the codes in the query (`CVE-2015-2808`) that the chunk holds; None when it has none.
        other_codes: share of its codes that the chunk lacks while it holds another of the same form; None when not read.
        rare: share of the query's squared word weights that the chunk holds.
        fused: score of the order (`hybrid_scores`), over all ways to ask.
        document: cosine of the whole document in the ranking space. Without these three their columns are 0.
    """

    cosine: Scores
    lexical: Scores
    max_lexical: float
    documents: Rows
    languages: npt.NDArray[np.str_]
    strangers: Scores
    is_foreign: npt.NDArray[np.bool_]
    codes_held: Scores | None = None
    other_codes: Scores | None = None
    rare: Scores | None = None
    fused: Scores | None = None
    document: Scores | None = None


def relevance_features(evidence: RawEvidence) -> Scores:
    """Give one row a chunk, float64, (n, 13), columns as in `FEATURES`.

    AUC of single columns on techqa_sample, questions with an answer against those without: cosine .65, its lead .75, lexical
    lead .78, lexical gap .73, rare lead .75, fused lead .79, document's cosine .71; all together .83, the first ten .81.
    """
    count = len(evidence.cosine)
    features = np.zeros((count, len(FEATURES)))
    share = evidence.lexical / max(evidence.max_lexical, 1e-9)
    whole, languages = _groups(evidence)
    for group in languages:
        columns = evidence.cosine[group.members], share[group.members]
        features[group.members, 1:4] = _standing(*columns, group, evidence.strangers)
    foreign = evidence.is_foreign.astype(np.float64)
    features[:, 0] = evidence.cosine
    features[:, 2:4] *= 1.0 - foreign[:, None]
    features[:, 4:7] = foreign[:, None] * np.stack([np.ones(count), features[:, 0], features[:, 1]], axis=1)
    if evidence.codes_held is not None:
        features[:, 7], features[:, 8] = whole.best(evidence.codes_held)[whole.owners], 1.0
        if evidence.other_codes is not None:
            features[:, 9] = np.minimum(evidence.other_codes, 1.0 - features[:, 7])
    features[:, 10:13] = _size_free(evidence, whole, languages)
    return features


def shows_another(code: str, text: str) -> bool:
    """Tell whether a text holds another code of the same form: `CVE-2015-2808` beside `CVE-2014-8730`.

    Args:
        code: casefolded, with digits.
        text: as it stands.
    """
    form = r"\d+".join(re.escape(part) for part in _DIGITS.split(code))
    found = re.finditer(rf"(?<![^\W_]){form}(?![^\W_])", text.casefold())
    return any(match[0] != code for match in found)


def needs_strangers(documents: Rows, languages: npt.NDArray[np.str_]) -> bool:
    """Tell whether `RawEvidence.strangers` is looked at: some language has fewer than thirty documents among the chunks."""
    codes = set(languages.tolist())
    return any(len(set(documents[languages == code].tolist())) < _NEIGHBOURS for code in codes)


def off_topic_level(query: Vectors, bank: Vectors) -> Scores:
    """Give the 29 largest cosines of a query with off-topic texts, largest first: what a document of no base would reach."""
    found = np.asarray(bank @ query, np.float64)
    return np.asarray(np.sort(found)[::-1][: _NEIGHBOURS - 1], np.float64)


@dataclass(frozen=True, slots=True)
class _Group:
    """Chunks that compete: their places, int64, (m,), the number of each one's document among them, int64, (m,), and how many there are."""

    members: npt.NDArray[np.intp]
    owners: npt.NDArray[np.intp]
    count: int

    @classmethod
    def of(cls, documents: Rows, members: npt.NDArray[np.intp]) -> "_Group":
        names, owners = np.unique(documents[members], return_inverse=True)
        return cls(members, owners, len(names))

    def best(self, values: Scores) -> Scores:
        """Give the largest value of each document, (count,); `values` are those of the members."""
        best = np.full(self.count, -np.inf)
        np.maximum.at(best, self.owners, values)
        return best


def _groups(evidence: RawEvidence) -> tuple[_Group, list[_Group]]:
    """Give all chunks, and those of each language."""
    whole = _Group.of(evidence.documents, np.arange(len(evidence.documents)))
    codes = set(evidence.languages.tolist())
    if len(codes) < 2:
        return whole, [whole] if codes else []
    return whole, [_Group.of(evidence.documents, np.flatnonzero(evidence.languages == code)) for code in sorted(codes)]


def _standing(cosine: Scores, share: Scores, group: _Group, strangers: Scores) -> Scores:
    """Give how far each chunk is above other documents, (n, 3): cosine lead, lexical lead, lexical gap.

    Where there are fewer than thirty, strangers take the free places.
    """
    near = np.sort(group.best(cosine))[::-1]
    others = np.concatenate([near[1:], strangers])[: _NEIGHBOURS - 1]
    words = group.best(share)
    ranked = _ranked(words)
    elsewhere = np.where(words == ranked[0], ranked[1], ranked[0])[group.owners]
    lead = (share - elsewhere) / max(float(ranked[0]), _LEAST_SHARE)
    above = cosine - (others.mean() if len(others) else cosine)
    return np.stack([above, lead, share - ranked[_GAP_TO - 1]], axis=1)


def _size_free(evidence: RawEvidence, whole: _Group, languages: Sequence[_Group]) -> Scores:
    """Give the rare lead, the fused lead and the document's cosine of each chunk, (n, 3).

    In the fused order a document in another language competes too: the order gives it credit for words that it cannot share.
    """
    columns = np.zeros((len(evidence.cosine), 3))
    if evidence.rare is not None:
        for group in languages:
            if not evidence.is_foreign[group.members[0]]:
                columns[group.members, 0] = _above_fifth(evidence.rare[group.members], group)
    if evidence.fused is not None:
        columns[:, 1] = _above_fifth(evidence.fused, whole)
    if evidence.document is not None:
        columns[:, 2] = evidence.document
    return columns


def _above_fifth(values: Scores, group: _Group) -> Scores:
    """Give how far each chunk is above the fourth best of the other documents, the fifth when it is itself of the best.

    Documents that a small base lacks have 0.
    """
    best = group.best(values)
    ranked = _ranked(best)
    is_among = best >= ranked[_GAP_TO - 2]
    return np.asarray(values - np.where(is_among, ranked[_GAP_TO - 1], ranked[_GAP_TO - 2])[group.owners], np.float64)


def _ranked(best: Scores) -> Scores:
    """Give the values, largest first, with zeros for documents that a small base lacks."""
    ranked = np.zeros(len(best) + _GAP_TO)
    ranked[: len(best)] = np.sort(best)[::-1]
    return ranked
