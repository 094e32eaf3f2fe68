"""The relevance model of the bundled embedding model, and the way to one for any other model.

Bundled numbers: fitted on the dev rows of six public sets (letsencrypt, wixqa, askubuntu webapps, GNOME help cross-lingual and
mixed, XQuAD cross-lingual): questions whose best passage is right, the same questions with their documents held out, and
clinc150's training rows; every set weighs the same. Errors on other sets stand in `RESULTS.md`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from retrieval.dense.bundled_e5 import MODEL_NAME
from retrieval.ports import Vectors
from retrieval.ranking.calibration import Calibration, Measured, cuts, fit_logistic
from retrieval.ranking.relevance import FEATURES, RawEvidence, bank_level, relevance_features

Rows = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float64]

_WEIGHTS = (24.16, 4.33, 1.45, 19.43, 8.75, 2.64, 0.15, 34.51)
_BIAS = -22.193
_ANSWERED, _UNCERTAIN = 0.463, 0.188
_MEASURED = Measured(n=1003, n_absent=1003, refused=0.036, plain=0.770, false_plain=0.544)
_ASKED = 300


@dataclass(frozen=True, slots=True)
class OwnText:
    """What another model is calibrated on: the base itself.

    Attributes:
        chunks: raw passage vectors, float32, (n, dim), with `chunk_documents`, the row of each one's document.
        labels: titles or headings encoded as queries, float32, (k, dim), with `label_documents`.
        off_topic: the bundled off-topic texts encoded as queries.
        bank: both bundled banks encoded as passages.
    """

    chunks: Vectors
    chunk_documents: Rows
    labels: Vectors
    label_documents: Rows
    off_topic: Vectors
    bank: Vectors


def is_bundled_model(encoder: str) -> bool:
    """Tell whether the bundled numbers belong to the model of this identity."""
    return encoder.startswith(f"{MODEL_NAME}@")


def bundled_calibration(encoder: str) -> Calibration:
    """Give the bundled numbers for the bundled model, without gate numbers."""
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
    kept = np.ones(len(cosine), np.bool_) if held_out is None else own.chunk_documents != held_out
    if not kept.any():
        return None
    count = int(kept.sum())
    features = relevance_features(
        RawEvidence(
            cosine=cosine[kept],
            lexical=np.zeros(count),
            max_lexical=1.0,
            documents=own.chunk_documents[kept],
            is_foreign=np.zeros(count, np.bool_),
            bank_level=bank_level(query, own.bank),
        )
    )
    return np.asarray(features[int(cosine[kept].argmax())], np.float64)
