"""Relevance as a probability, and the two cuts that make three bands of it.

A logistic model over `relevance_features`, fitted on public questions with their answers, the same questions with their
documents held out, and off-topic texts. It belongs to one embedding model: cosines of two models mean different things.
"""

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from retrieval.errors import IndexMismatch
from retrieval.passages import Band
from retrieval.ranking.relevance import FEATURES

Scores = npt.NDArray[np.float64]
SCHEMA = 3


@dataclass(frozen=True, slots=True)
class Measured:
    """Errors of the cuts, shares of 0 to 1, on `n` questions with an answer and `n_absent` without one.

    `refused`: questions with an answer below the lower cut. `plain`: those above the upper cut. `false_plain`: questions without
    an answer above the upper cut.
    """

    n: int = 0
    n_absent: int = 0
    refused: float = 0.0
    plain: float = 0.0
    false_plain: float = 0.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """Turns features into relevance. `encoder` is the identity of the model that it was made for.

    `weights` and `bias` are those of the logistic model, one weight a column of `FEATURES`. Relevance of at least
    `answered` is answered plainly, of at least `uncertain` with a remark, below it nothing was found. `gate` holds the
    topic gate's numbers (`retrieval.ranking.scope`).
    """

    encoder: str
    weights: tuple[float, ...]
    bias: float
    answered: float
    uncertain: float
    basis: str = "bundled"
    measured: Measured = field(default_factory=Measured)
    gate: Mapping[str, float] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Name of the numbers, 16 hex digits."""
        text = json.dumps(self.to_json(), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def relevance(self, features: Scores) -> Scores:
        """Give 0 to 1 for each row of `features`, (n, 13) as `relevance_features` makes them."""
        logit = features @ np.asarray(self.weights) + self.bias
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logit, -30.0, 30.0))), np.float64)

    def band(self, relevance: float) -> Band:
        """Name the band of the best passage's relevance."""
        if relevance >= self.answered:
            return Band.ANSWERED
        return Band.UNCERTAIN if relevance >= self.uncertain else Band.NONE

    def to_json(self) -> dict[str, object]:
        """Give the form that the manifest stores."""
        return {"schema": SCHEMA, "features": list(FEATURES), **_plain(asdict(self))}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any], *, encoder: str) -> "Calibration":
        """Read the stored form.

        Raises:
            IndexMismatch: it is missing, of another version, made for another embedding model, or its numbers are none.
        """
        if not stored:
            raise IndexMismatch("the index has no calibration for its embedding model; build the index again")
        if stored.get("schema") != SCHEMA or stored.get("features") != list(FEATURES):
            raise IndexMismatch("the calibration of the index is of another version; build the index again")
        if stored.get("encoder") != encoder:
            raise IndexMismatch(
                f"the index is calibrated for {stored.get('encoder')}, the embedding model is {encoder}; build the index again"
            )
        try:
            made = cls(
                encoder=encoder,
                weights=tuple(float(w) for w in stored["weights"]),
                bias=float(stored["bias"]),
                answered=float(stored["answered"]),
                uncertain=float(stored["uncertain"]),
                basis=str(stored["basis"]),
                measured=Measured(**stored["measured"]),
                gate={str(k): float(v) for k, v in stored["gate"].items()},
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise IndexMismatch(
                f"the calibration of the index cannot be read ({error}); build the index again"
            ) from None
        if fault := made.fault():
            raise IndexMismatch(f"the calibration of the index cannot be used ({fault}); build the index again")
        return made

    def fault(self) -> str:
        """Say what makes the numbers unusable, empty when nothing does."""
        if len(self.weights) != len(FEATURES):
            return f"{len(self.weights)} weights for {len(FEATURES)} features"
        numbers = (*self.weights, self.bias, self.answered, self.uncertain, *self.gate.values())
        if not all(map(math.isfinite, numbers)):
            return "a number of it is not finite"
        return "the cut of a plain answer is below the lower one" if self.answered < self.uncertain else ""


def is_current(stored: Mapping[str, Any], fresh: Mapping[str, Any]) -> bool:
    """Tell whether a stored calibration is of the version and has the gate numbers of one made now."""
    return _shape(stored) == _shape(fresh)


def _shape(stored: Mapping[str, Any]) -> tuple[str, str, frozenset[str]]:
    gate = stored.get("gate")
    return str(stored.get("schema")), str(stored.get("features")), frozenset(gate if isinstance(gate, Mapping) else ())


def fit_logistic(
    features: Scores, labels: Scores, weights: Scores, *, ridge: float = 1.0, offset: Scores | None = None
) -> tuple[Scores, float]:
    """Fit a logistic model by Newton's method.

    Args:
        features: (n, k).
        labels: (n,), 0 or 1.
        weights: (n,), of each row; they are scaled to the mean 1.
        ridge: penalty on standardised weights; the bias is free.
        offset: log odds by another model, (n,). What is fitted is then the difference to it, and the bias is drawn to 0 too.

    Returns:
        Weights of the raw columns, (k,), and the bias.
    """
    mean, spread = features.mean(axis=0), np.maximum(features.std(axis=0), 1e-6)
    design = np.hstack([(features - mean) / spread, np.ones((len(features), 1))])
    scale = weights * len(weights) / weights.sum()
    penalty = np.diag([ridge] * features.shape[1] + [1e-6 if offset is None else ridge])
    known = np.zeros(len(features)) if offset is None else offset
    beta = np.zeros(design.shape[1])
    for _ in range(50):
        probability = 1.0 / (1.0 + np.exp(-np.clip(known + design @ beta, -30, 30)))
        gradient = design.T @ (scale * (labels - probability)) - penalty @ beta
        curvature = (design * (scale * probability * (1 - probability))[:, None]).T @ design + penalty
        step = np.linalg.solve(curvature, gradient)
        beta += step
        if float(np.abs(step).max()) < 1e-8:
            break
    raw = beta[:-1] / spread
    return raw, float(beta[-1] - raw @ mean)


def cuts(
    present: Scores, absent: Scores, *, refused: float = 0.04, plain: float = 0.75
) -> tuple[float, float, Measured]:
    """Choose both cuts from the best relevance of questions with and without an answer.

    The lower cut refuses the given share of the questions with an answer; the upper one answers the given share of them plainly, or
    fewer when that cut would lie below the lower one.
    """
    lower = float(np.quantile(present, refused))
    upper = max(lower, float(np.quantile(present, 1.0 - plain)))
    measured = Measured(
        n=len(present),
        n_absent=len(absent),
        refused=float((present < lower).mean()),
        plain=float((present >= upper).mean()),
        false_plain=float((absent >= upper).mean()) if len(absent) else 0.0,
    )
    return upper, lower, measured


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(values))  # type: ignore[no-any-return]  # tuples become lists, as when read back
