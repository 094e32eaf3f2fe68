"""The relevance model of the bundled embedding model, and the way to one for any other model.

Bundled numbers: fitted on eleven public bases (techqa, mtrag cloud, wixqa, askubuntu webapps, helpcenter, letsencrypt,
stackfaq; GNOME help and XQuAD, cross-lingual and mixed) through the product's own search: questions against the same
questions with their documents held out, and at a tenth of the weight off-topic talk; every base weighs the same. Questions that truly
have no answer (techqa, mtrag cloud) played no part in the weights. Errors stand in `RESULTS.md`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.dense.bundled_e5 import MODEL_NAME
from retrieval.ports import Vectors
from retrieval.ranking.calibration import Calibration, Measured, cuts, fit_logistic
from retrieval.ranking.relevance import FEATURES, RawEvidence, off_topic_level, relevance_features

Rows = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float64]

# Fitted at one and at ten times the size of a base. The lead over thirty neighbours and the lexical gap shrink as a base
# grows; with the fused lead beside them they add nothing (area on eighteen bases .722 with and without).
_WEIGHTS = (2.66, 0.0, 0.62, 0.0, 1.01, -1.23, 15.25, 0.60, 0.01, -4.24, 0.85, 1.08, 5.03)
_BIAS = -5.053
_ANSWERED, _UNCERTAIN = 0.365, 0.18
# On techqa_sample and mtrag_cloud, by the cut alone.
_MEASURED = Measured(n=351, n_absent=64, refused=0.006, plain=0.83, false_plain=0.39)
_ASKED = 300
# As many chunks as an arm of a search gives.
_NEAREST = 200


@dataclass(frozen=True, slots=True)
class OwnText:
    """What another model is calibrated on: the base itself.

    Attributes:
        chunks: neutral passage vectors, float32, (n, dim), with `chunk_documents`, the row of each one's document, and
            `chunk_languages`.
        labels: titles or headings encoded as queries, neutral, float32, (k, dim), with `label_documents`.
        off_topic: the bundled off-topic texts encoded as queries, neutral.
        bank: the bundled off-topic texts encoded as passages, neutral.
    """

    chunks: Vectors
    chunk_documents: Rows
    chunk_languages: npt.NDArray[np.str_]
    labels: Vectors
    label_documents: Rows
    off_topic: Vectors
    bank: Vectors


def is_bundled_model(encoder: str) -> bool:
    """Tell whether the bundled numbers belong to the model of this identity."""
    return encoder.startswith(f"{MODEL_NAME}@")


def bundled_calibration(encoder: str) -> Calibration:
    """Give the bundled numbers for the bundled model, without gate numbers.

    They are the same for every base. Moving the cuts by how relevant the base's own headings are to it with their documents
    held out was tried on nine bases: plainly answered shares spread wider (0.12 to 0.22 instead of 0.08) and the two kinds of questions were
    told apart less well, since headings repeat from document to document and questions do not.
    """
    return Calibration(encoder, _WEIGHTS, _BIAS, _ANSWERED, _UNCERTAIN, "bundled", _MEASURED)


def calibrated_on(own: OwnText, encoder: str) -> Calibration:
    """Calibrate any model on the base's own text.

    Labels, asked as queries, find their document; with it held out they, and the off-topic texts, find nothing. Only the
    dense columns are fitted: a title finds all of its own words, which says nothing of real questions. Being near a
    right answer by construction, this is milder than a calibration with real questions (`triage calibrate`).
    """
    places = np.unique(np.linspace(0, max(len(own.labels) - 1, 0), min(_ASKED, len(own.labels))).astype(np.int64))
    present = [_best(own, own.labels[i], None) for i in places]
    held_out = [_best(own, own.labels[i], int(own.label_documents[i])) for i in places]
    absent = [row for row in held_out if row is not None]
    off_topic = [_best(own, query, None) for query in own.off_topic[:_ASKED]]
    right = [row for row in present if row is not None]
    wrong = absent + [row for row in off_topic if row is not None]
    if not right or not wrong:
        return Calibration(encoder, (0.0,) * len(FEATURES), 0.0, 0.5, 0.5, "empty base")
    features = np.stack(right + wrong)
    labels = np.concatenate([np.ones(len(right)), np.zeros(len(wrong))])
    weights = np.concatenate([np.full(len(right), 1 / len(right)), np.full(len(wrong), 1 / len(wrong))])
    found, bias = fit_logistic(features, labels, weights)
    fitted = Calibration(encoder, tuple(float(w) for w in found), bias, 0.5, 0.5)
    values = fitted.relevance(np.stack(right)), fitted.relevance(np.stack(wrong))
    upper, lower, measured = cuts(*values)
    # Titles are easier than questions: the cuts may not be as strict as titles would bear.
    return Calibration(encoder, fitted.weights, bias, min(upper, 0.5), min(lower, 0.3), "own text", measured)


def _best(own: OwnText, query: Vectors, held_out: int | None) -> Scores | None:
    cosine = np.asarray(own.chunks @ query, np.float64)
    if held_out is not None:
        cosine = np.where(own.chunk_documents == held_out, -np.inf, cosine)
    kept = np.argsort(-cosine, kind="stable")[:_NEAREST]
    kept = kept[np.isfinite(cosine[kept])]
    if not len(kept):
        return None
    count = len(kept)
    features = relevance_features(
        RawEvidence(
            cosine=cosine[kept],
            lexical=np.zeros(count),
            max_lexical=1.0,
            documents=own.chunk_documents[kept],
            languages=own.chunk_languages[kept],
            strangers=off_topic_level(query, own.bank),
            is_foreign=np.zeros(count, np.bool_),
        )
    )
    return np.asarray(features[0], np.float64)
