"""Calibration on labelled questions: the numbers at hand moved as far as the questions bear it.

Twenty questions say little about thirteen weights. So the fit is drawn to the calibration that the index has, and the cuts are
a mix of its cuts and those that the questions ask for; with hundreds of questions the questions decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from retrieval.ranking.calibration import Calibration, Measured, Scores, fit_logistic

# `Calibration.basis` of one that was fitted here; it outlives an update of the index.
LABELLED = "labelled questions"
_RIDGE = 10.0
# So many questions weigh as much in the cuts as what was there before.
_HALF = 50
_FOLDS = 5
_REFUSED, _PLAIN = 0.04, 0.75
_GATE_REFUSED, _GATE_DECLINED, _GATE_ROOM, _GATE_LOWEST = 0.02, 0.95, 0.1, -3.0


@dataclass(frozen=True, slots=True)
class Labelled:
    """The new calibration; `before` is the error of the old one on the questions, `after` that of the new one on questions left out of the fit."""

    calibration: Calibration
    before: Measured
    after: Measured


@dataclass(frozen=True, slots=True)
class GateFit:
    """How far the gate's threshold moves, and shares declined on `n` questions and `n_off_topic` texts, before and (left out) after."""

    shift: float
    n: int
    n_off_topic: int
    before: tuple[float, float]
    after: tuple[float, float]


def fit_labelled(prior: Calibration, present: Sequence[Scores], absent: Sequence[Scores]) -> Labelled:
    """Fit weights and cuts.

    Args:
        prior: what the index has.
        present: features of each question with an answer, (rows, k), as `Retriever.features` gives them.
        absent: those of questions without one, or of the same questions with their documents held out.

    Raises:
        ValueError: one of both is empty.
    """
    if not present or not absent:
        raise ValueError("needs questions with an answer and without")
    before = _measured(prior, present, absent)
    after = _left_out(prior, present, absent)
    fitted = _fitted(prior, present, absent)
    return Labelled(replace(fitted, basis=LABELLED, measured=after), before, after)


def fit_gate(on_topic: Sequence[float], off_topic: Sequence[float]) -> GateFit:
    """Find how far the gate's threshold should move.

    It rises until 95 % of the off-topic texts are declined, and as far as at most 2 % of the questions are; it falls when
    more of them are declined now. Without off-topic texts it only falls.

    Args:
        on_topic: how far each question lies above the threshold, as log odds of the gate's score.
        off_topic: the same of texts that should be declined.
    """
    asked, other = np.asarray(on_topic, np.float64), np.asarray(off_topic, np.float64)
    shift = _shift(asked, other)
    left_asked, left_other = np.zeros(len(asked)), np.zeros(len(other))
    for fold in range(_FOLDS):
        a, o = np.arange(len(asked)) % _FOLDS == fold, np.arange(len(other)) % _FOLDS == fold
        moved = _shift(asked[~a], other[~o])
        left_asked[a], left_other[o] = asked[a] < moved, other[o] < moved
    before = _share(asked < 0), _share(other < 0)
    return GateFit(shift, len(asked), len(other), before, (_share(left_asked), _share(left_other)))


def _fitted(prior: Calibration, present: Sequence[Scores], absent: Sequence[Scores]) -> Calibration:
    rows = np.stack([_best_row(prior, features) for features in (*present, *absent)])
    labels = np.concatenate([np.ones(len(present)), np.zeros(len(absent))])
    weights = np.concatenate([np.full(len(present), 0.5 / len(present)), np.full(len(absent), 0.5 / len(absent))])
    offset = rows @ np.asarray(prior.weights) + prior.bias
    moved, bias = fit_logistic(rows, labels, weights, ridge=_RIDGE, offset=offset)
    fitted = replace(prior, weights=tuple((np.asarray(prior.weights) + moved).tolist()), bias=prior.bias + bias)
    values, others = _values(fitted, present), _values(fitted, absent)
    share = len(present) / (len(present) + _HALF)
    lower, upper = _asked_cuts(values, others)
    uncertain = _mixed(lower, prior.uncertain, share)
    return replace(fitted, uncertain=uncertain, answered=max(uncertain, _mixed(upper, prior.answered, share)))


def _asked_cuts(present: Scores, absent: Scores) -> tuple[float, float]:
    """Give the cuts that the questions ask for: few refused; most answered plainly, and as few others as that allows."""
    lower = min(float(np.quantile(present, _REFUSED)), float(np.quantile(absent, 0.95)))
    most = float(np.quantile(present, 1.0 - _PLAIN))
    places = np.unique(np.concatenate([present[present <= most], [lower, most]]))
    places = places[places >= lower]
    errors = [(present < cut).mean() + (absent >= cut).mean() for cut in places]
    return lower, float(places[int(np.argmin(errors))])


def _left_out(prior: Calibration, present: Sequence[Scores], absent: Sequence[Scores]) -> Measured:
    """Measure questions by numbers that were fitted without them."""
    folds = max(2, min(_FOLDS, len(present)))
    shares = np.zeros(3)
    counts = np.zeros(3)
    for fold in range(folds):
        kept, tested = _split(present, fold, folds)
        kept_absent, tested_absent = _split(absent, fold, folds)
        made = _fitted(prior, kept, kept_absent) if kept and kept_absent else prior
        found = _measured(made, tested, tested_absent)
        weights = np.array([found.n, found.n, found.n_absent], np.float64)
        shares += weights * np.array([found.refused, found.plain, found.false_plain])
        counts += weights
    refused, plain, false_plain = (shares / np.maximum(counts, 1.0)).tolist()
    return Measured(len(present), len(absent), refused, plain, false_plain)


def _split(rows: Sequence[Scores], fold: int, folds: int) -> tuple[list[Scores], list[Scores]]:
    return [row for i, row in enumerate(rows) if i % folds != fold], list(rows[fold::folds])


def _measured(calibration: Calibration, present: Sequence[Scores], absent: Sequence[Scores]) -> Measured:
    values, others = _values(calibration, present), _values(calibration, absent)
    return Measured(
        n=len(present),
        n_absent=len(absent),
        refused=_share(values < calibration.uncertain),
        plain=_share(values >= calibration.answered),
        false_plain=_share(others >= calibration.answered),
    )


def _values(calibration: Calibration, questions: Sequence[Scores]) -> Scores:
    """Give the relevance of each question's best passage, 0 where nothing was found."""
    return np.array([calibration.relevance(rows).max(initial=0.0) for rows in questions])


def _best_row(calibration: Calibration, rows: Scores) -> Scores:
    if not len(rows):
        return np.zeros(len(calibration.weights))
    return np.asarray(rows[int(calibration.relevance(rows).argmax())], np.float64)


def _mixed(asked: float, before: float, share: float) -> float:
    """Mix two probabilities as log odds."""
    values = np.clip([asked, before], 1e-4, 1 - 1e-4)
    odds = float(np.log(values / (1 - values)) @ [share, 1.0 - share])
    return float(1.0 / (1.0 + np.exp(-odds)))


def _shift(on_topic: Scores, off_topic: Scores) -> float:
    if not len(on_topic):
        return 0.0
    most = float(np.quantile(on_topic, _GATE_REFUSED)) - _GATE_ROOM
    if most < 0.0:
        return max(most, _GATE_LOWEST)
    wanted = float(np.quantile(off_topic, _GATE_DECLINED)) + _GATE_ROOM if len(off_topic) else 0.0
    return max(0.0, min(most, wanted)) * len(on_topic) / (len(on_topic) + _HALF)


def _share(values: npt.NDArray[Any]) -> float:
    return float(np.mean(values)) if len(values) else 0.0
