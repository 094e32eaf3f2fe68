"""The topic gate: is a question nearer to what this base is about than to talk of no base?

Two numbers of one language-neutral query vector. The margin: how much nearer it is to the base's labels (titles, headings,
customers' questions, first sentences, all encoded as queries) than to the bundled off-topic texts, against what off-topic texts
reach on the same base. The side: on which side of a plane between both it lies (`retrieval.ranking.plane`). One set of weights
fits a base of two documents and one of fifty thousand; the threshold is the base's own.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import numpy.typing as npt

from retrieval.dense.products import products
from retrieval.passages import GateScore, GateVerdict
from retrieval.ports import Vectors
from retrieval.ranking.plane import fit_plane, sides

Scores = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int32]

# Not within the first 20 characters: "Note:" or "1." alone say nothing.
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s|\n")
MAX_CHUNKS = 20_000
_LONGEST = 200
_NEAREST = 3
_FOLDS = 5
# Fitted on twelve public bases with their questions against clinc150's training rows and half of xsid; without the base that is
# judged they come out the same within 0.3 and refuse nearly the same (`RESULTS.md`). Weights of margin and side, and the bias.
_WEIGHTS = np.array([2.68, 3.75])
_BIAS = -3.35
# What nine of ten labels reach while their document is held out, and the threshold that goes with it; one of messages on one subject
# (7) can refuse more. Around 3.5 lie bases of short titles (questions of askubuntu 3.2, GNOME 3.5, stackfaq 3.8): the points there
# were set between the own questions and the off-topic talk of these three, so expect half a point of either elsewhere. Below 1 the base is
# near to everyday talk (trivia -3.6; the sample, a product for shifts, leave and pay, -.2) and must refuse less.
_REACHED = (0.0, 1.0, 3.25, 3.45, 3.8, 4.8, 7.2)
_THRESHOLDS = (-4.3, -2.3, -2.3, -1.97, -1.67, -1.5, 1.0)
# Labels of few documents leave gaps that questions fall into: up to so many documents the threshold is at most so high.
# Bases of 6, 15 and 40 documents out of the public ones have 90 % of clinc150 below -2.9 to -3.5.
_FEW, _AT_MOST = (12.0, 60.0), (-3.5, 1.4)
_FEW_LABELS = 12
_ASK_BAND = 1.5
# A question and the same with the one before it.
_ASKED_AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class ScopeNumbers:
    """What was measured on one base.

    Attributes:
        level: mean of how near the off-topic bank comes to the base's labels.
        ordinary_level: mean of how near the bank of ordinary questions comes to the off-topic bank; the same in every base of one model.
        spread: of cosines between both banks; the same in every base of one model.
        threshold: values below it are declined.
        labels: how many labels there are.
    """

    level: float
    ordinary_level: float
    spread: float
    threshold: float
    labels: float

    def to_json(self) -> dict[str, float]:
        """Give the form that `Calibration.gate` stores."""
        return {name: float(value) for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, stored: Mapping[str, float]) -> "ScopeNumbers":
        """Read the stored form; KeyError for a missing number."""
        return cls(**{name: float(stored[name]) for name in cls.__dataclass_fields__})


@dataclass(frozen=True, slots=True)
class ScopeBanks:
    """Both bundled banks encoded as queries, neutral, float32, and the language axes of the model, see `LanguageMeans.axes`."""

    ordinary: Vectors
    off_topic: Vectors
    axes: Vectors


@dataclass(frozen=True, slots=True)
class ScopeLabels:
    """What a base is about, encoded as queries.

    Attributes:
        vectors: neutral, float32, (k, dim).
        documents: row of each label's document.
        named: how many of them, the first ones, are titles or headings; the others are first sentences.
    """

    vectors: Vectors
    documents: Rows
    named: int


class ScopeGate:
    """Judges query vectors against one base. All vectors are language-neutral (`retrieval.ranking.neutral`).

    Args:
        labels: of the base, float32, (k, dim).
        banks: the bundled banks encoded as queries.
        plane: between both, float32, (dim + 1,), see `fit_plane`.
        numbers: measured on this base, see `measure_scope`.
    """

    def __init__(self, labels: Vectors, banks: ScopeBanks, *, plane: Vectors, numbers: ScopeNumbers) -> None:
        self._labels, self._banks = labels, banks
        self._plane, self._numbers = plane, numbers

    def judge(self, alone: Vectors, joint: Vectors | None = None, *, is_named: bool = False) -> GateScore:
        """Judge one question.

        Args:
            alone: the question's neutral query vector, float32, (dim,).
            joint: that of the thread's previous question and this one in one text; "and on Android?" alone says nothing.
            is_named: the question is a bare word or code that stands in the base; it is never declined.

        Returns:
            Score 0 to 1: below 0.5 declines, a little above it is unsure.
        """
        if not len(self._labels):
            return GateScore(GateVerdict.ANSWER, 1.0)
        above = self.value(alone, joint) - self._numbers.threshold
        if is_named:
            above = max(above, 0.0)
        score = float(1.0 / (1.0 + np.exp(-np.clip(above, -30, 30))))
        if above < 0:
            return GateScore(GateVerdict.DECLINE, score)
        return GateScore(GateVerdict.ASK if above < _ASK_BAND else GateVerdict.ANSWER, score)

    def value(self, alone: Vectors, joint: Vectors | None = None) -> float:
        """Give the raw value of one question, unbounded; the threshold is a value of this scale. 0 in an empty base."""
        if not len(self._labels):
            return 0.0
        queries = alone[None, :] if joint is None else np.stack([alone, joint])
        near = _nearest(_cosines(queries, self._labels))
        columns = scope_columns(queries, near, self._banks, plane=self._plane, numbers=self._numbers)
        values = columns @ _WEIGHTS + _BIAS
        return float(values[0] if joint is None else max(values[0], values.mean()))


def measure_scope(labels: ScopeLabels, banks: ScopeBanks) -> tuple[ScopeNumbers, Vectors]:
    """Measure one base: how near off-topic texts come, where the threshold lies, and the plane between both."""
    between = banks.ordinary @ banks.off_topic.T
    count = len(labels.vectors)
    numbers = ScopeNumbers(0.0, float(_nearest(between).mean()), max(float(between.std()), 1e-3), _AT_MOST[0], count)
    if not count:
        return numbers, np.zeros(banks.off_topic.shape[1] + 1, np.float32)
    numbers = replace(numbers, level=float(_nearest(banks.off_topic @ labels.vectors.T).mean()))
    plane = fit_plane(labels.vectors, banks.off_topic, banks.axes)
    documents = len(np.unique(labels.documents))
    if documents < _FEW_LABELS:
        return numbers, plane
    values = _held_out_values(labels, banks, numbers)
    # A handful of first sentences (messages longer than a label) says nothing of a base of messages.
    least = max(_FEW_LABELS, count // 20)
    groups = [part for part in (values[: labels.named], values[labels.named :]) if len(part) >= least]
    reached = min(float(np.quantile(part, 0.1)) for part in groups or [values])
    threshold = min(np.interp(reached, _REACHED, _THRESHOLDS), np.interp(documents, _FEW, _AT_MOST))
    return replace(numbers, threshold=float(threshold)), plane


def sampled(count: int, most: int) -> npt.NDArray[np.int64]:
    """Give up to `most` of `count` places, evenly spread; the same for the same numbers."""
    if count <= most:
        return np.arange(count)
    return np.linspace(0, count - 1, most).astype(np.int64)


def label_of(title: str, matched: str, heading: str, text: str) -> str:
    """Give the words that say what a chunk's document is about: title, customer's question, heading, or first words."""
    parts: Sequence[str] = (title, matched, heading, text)
    return next((part.strip()[:_LONGEST] for part in parts if part.strip()), "")


def opening_of(matched: str, text: str) -> str:
    """Give what a chunk begins with: the customer's question of a ticket, else the first sentence, cut to 200 characters."""
    source = matched.strip() or text.strip()
    end = _SENTENCE_END.search(source, 20)
    return source[: end.start() if end else None][:_LONGEST].strip()


def says_more(label: str, opening: str) -> bool:
    """Tell whether an opening adds to its chunk's label; of a message without a title the label is the whole text already."""
    return len(label) >= _LONGEST or not label.startswith(opening)


def _held_out_values(labels: ScopeLabels, banks: ScopeBanks, numbers: ScopeNumbers) -> Scores:
    """Give the value of each label while its document is held out, in parts of the documents."""
    fold = labels.documents % _FOLDS
    values = np.zeros(len(labels.vectors))
    for part in np.unique(fold):
        asked, others = np.flatnonzero(fold == part), fold != part
        if not others.any():
            continue
        plane = fit_plane(labels.vectors[others], banks.off_topic, banks.axes)
        queries = labels.vectors[asked]
        to_labels = queries @ labels.vectors.T
        to_labels[labels.documents[asked][:, None] == labels.documents[None, :]] = -1.0
        values[asked] = (
            scope_columns(queries, _nearest(to_labels), banks, plane=plane, numbers=numbers) @ _WEIGHTS + _BIAS
        )
    return values


def scope_columns(
    queries: Vectors, to_labels: Scores, banks: ScopeBanks, *, plane: Vectors, numbers: ScopeNumbers
) -> Scores:
    """Give margin and side of each query, (n, 2); `to_labels` is how near each is to the base's labels."""
    to_off_topic = _nearest(_cosines(queries, banks.off_topic))
    margin = (to_labels - numbers.level - to_off_topic + numbers.ordinary_level) / numbers.spread
    return np.stack([margin, sides(queries, plane)], axis=1)


def _cosines(queries: Vectors, texts: Vectors) -> Vectors:
    """Give cosines, float32, (n, n_texts); of one question or two without BLAS, whose threads wait for each other on a busy machine.

    The gate took 5.8 ms of processor time with them and 1.9 without (2 060 labels, load 9).
    """
    if len(queries) > _ASKED_AT_ONCE:
        cosines: Vectors = queries @ texts.T
        return cosines
    return np.stack([products(texts, query) for query in queries])


def _nearest(cosines: Vectors) -> Scores:
    """Give for each row the mean of its largest cosine and of its three largest: how near a query is to a set of texts."""
    count = min(_NEAREST, cosines.shape[1])
    top = np.partition(cosines, cosines.shape[1] - count, axis=1)[:, -count:]
    return np.asarray((top.max(axis=1) + top.mean(axis=1)) / 2, np.float64)
