"""The relevance model of the bundled embedding model, and the way to one for any other model.

Bundled numbers: fitted on the dev rows of six public sets (letsencrypt, wixqa, askubuntu webapps, GNOME help cross-lingual and
mixed, XQuAD cross-lingual): questions with their right passages, the same questions with their documents held out, and
clinc150's training rows; every set weighs the same. Errors on other sets stand in `RESULTS.md`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from retrieval.dense.bundled_e5 import MODEL_NAME
from retrieval.ports import Vectors
from retrieval.ranking.calibration import Calibration, Measured, cuts, fit_logistic
from retrieval.ranking.relevance import FEATURES, RawEvidence, bank_level, relevance_features

Rows = npt.NDArray[np.int32]
Scores = npt.NDArray[np.float64]

# Fitted on every relevant passage among the first three, not the first alone: with those, a right passage at place two was
# told from noise by its gap to the first and fell below the cut.
_WEIGHTS = (15.79, 6.76, 2.87, 5.87, 3.71, 2.04, 14.84, 7.23)
_BIAS = -14.304
_ANSWERED, _UNCERTAIN = 0.50, 0.20
_MEASURED = Measured(n=1003, n_absent=1003, refused=0.014, plain=0.795, false_plain=0.613)
_ASKED = 300
# In a base of many languages everything is a little nearer, off-topic talk too: the median relevance of off-topic texts in
# the base's own languages is 0.10 to 0.20 in English bases, 0.24 to 0.43 in mixed ones. The upper cut rises with it,
# within bounds; the lower one also chooses passages to quote and stays.
_USUAL_LEVEL, _MOST_RISE = 0.18, 0.14


@dataclass(frozen=True, slots=True)
class OwnText:
    """What another model is calibrated on: the base itself.

    Attributes:
        chunks: neutral passage vectors, float32, (n, dim), with `chunk_documents`, the row of each one's document, and
            `chunk_languages`.
        labels: titles or headings encoded as queries, neutral, float32, (k, dim), with `label_documents`.
        off_topic: the bundled off-topic texts encoded as queries, neutral, with `off_topic_languages`.
        bank: both bundled banks encoded as passages, neutral.
    """

    chunks: Vectors
    chunk_documents: Rows
    chunk_languages: npt.NDArray[np.str_]
    labels: Vectors
    label_documents: Rows
    off_topic: Vectors
    off_topic_languages: Sequence[str]
    bank: Vectors


def is_bundled_model(encoder: str) -> bool:
    """Tell whether the bundled numbers belong to the model of this identity."""
    return encoder.startswith(f"{MODEL_NAME}@")


def bundled_calibration(encoder: str, own: "OwnText | None" = None) -> Calibration:
    """Give the bundled numbers for the bundled model, without gate numbers; with the base's text the cuts fit it."""
    plain = Calibration(encoder, _WEIGHTS, _BIAS, _ANSWERED, _UNCERTAIN, "bundled", _MEASURED)
    if own is None:
        return plain
    spoken = set(own.chunk_languages.tolist())
    pairs = [pair for pair in zip(own.off_topic, own.off_topic_languages, strict=True) if pair[1] in spoken]
    found = [row for query, language in pairs[::2] if (row := _best(own, query, None, language)) is not None]
    if not found:
        return plain
    rise = min(max(float(np.median(plain.relevance(np.stack(found)))) - _USUAL_LEVEL, 0.0), _MOST_RISE)
    return replace(plain, answered=_ANSWERED + rise)


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


def _best(own: OwnText, query: Vectors, held_out: int | None, language: str = "") -> Scores | None:
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
            is_foreign=(own.chunk_languages[kept] != language) & bool(language),
            bank_level=bank_level(query, own.bank),
        )
    )
    return np.asarray(features[int(cosine[kept].argmax())], np.float64)
