"""The topic gate: is a question near to this base, and nearer than to talk of no base?

Everything is a cosine of language-neutral vectors, measured against what the bundled off-topic texts reach on the same base, so that one set of
weights fits a base of two documents and one of fifty thousand. The threshold is the base's own: its headings, asked as
questions while their document is held out, tell how near a question of this base that has no answer still is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from retrieval.passages import GateScore, GateVerdict
from retrieval.ports import Vectors

Scores = npt.NDArray[np.float64]
Rows = npt.NDArray[np.int32]

MAX_CHUNKS = 20_000
MAX_LABELS = 2_000
_HELD_OUT = 200
_NEAREST = 3
# Columns: best chunk and mean of the three nearest chunks, nearest label, each in spreads of the off-topic texts; label less
# off-topic text; ordinary question less off-topic text; means of the three nearest labels less off-topic texts. Fitted on four
# public bases with their questions against clinc150's training rows and the off-topic bank.
_WEIGHTS = np.array([1.13, 0.19, 0.29, 25.07, 4.39, 23.59])
_BIAS = -2.41
# The threshold lies so far below the held-out headings' 2 % quantile, and within these bounds.
_MARGIN, _LOWEST, _HIGHEST = 2.2, -1.95, 0.3
_FEW_LABELS = 12
_UNKNOWN = -1.5
_ASK_BAND = 1.5


@dataclass(frozen=True, slots=True)
class ScopeNumbers:
    """What was measured on one base. Means and spreads are of the off-topic bank's nearest chunk and label."""

    chunk_mean: float
    chunk_spread: float
    label_mean: float
    label_spread: float
    threshold: float
    labels: float

    def to_json(self) -> dict[str, float]:
        """Give the form that `Calibration.gate` stores."""
        return {name: float(value) for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, stored: Mapping[str, float]) -> "ScopeNumbers":
        """Read the stored form; KeyError for a missing number."""
        return cls(**{name: float(stored[name]) for name in cls.__dataclass_fields__})


class ScopeGate:
    """Judges query vectors against one base. All vectors are language-neutral (`retrieval.ranking.neutral`).

    Args:
        chunks: neutral passage vectors of the base, float32, (n, dim); at most `MAX_CHUNKS` are needed (`sampled`).
        labels: titles, headings or customers' questions encoded as queries, float32, (k, dim).
        ordinary: the bundled ordinary questions encoded as queries.
        off_topic: the bundled off-topic texts encoded as queries.
        numbers: measured on this base, see `measure_scope`.
    """

    def __init__(
        self, chunks: Vectors, labels: Vectors, *, ordinary: Vectors, off_topic: Vectors, numbers: ScopeNumbers
    ) -> None:
        self._chunks, self._labels = chunks, labels
        self._ordinary, self._off_topic = ordinary, off_topic
        self._numbers = numbers

    def judge(self, alone: Vectors, joint: Vectors | None = None) -> GateScore:
        """Judge one question.

        Args:
            alone: the question's neutral query vector, float32, (dim,).
            joint: that of the thread's previous question and this one in one text; "and on Android?" alone says nothing.

        Returns:
            Score 0 to 1: below 0.5 declines, a little above it is unsure.
        """
        if not len(self._chunks):
            return GateScore(GateVerdict.ANSWER, 1.0)
        value = self.value(alone)
        if joint is not None:
            value = max(value, (value + self.value(joint)) / 2)
        above = value - self._numbers.threshold
        score = float(1.0 / (1.0 + np.exp(-np.clip(above, -30, 30))))
        if above < 0:
            return GateScore(GateVerdict.DECLINE, score)
        return GateScore(GateVerdict.ASK if above < _ASK_BAND else GateVerdict.ANSWER, score)

    def value(self, query: Vectors) -> float:
        """Give the raw value of one query vector, unbounded; the threshold is a value of this scale."""
        near = _Nearness(query[None, :] @ self._chunks.T, query[None, :] @ self._labels.T)
        banks = query[None, :] @ self._ordinary.T, query[None, :] @ self._off_topic.T
        return float(_values(near, *banks, self._numbers)[0])


@dataclass(frozen=True, slots=True)
class _Nearness:
    chunks: npt.NDArray[np.float32]
    labels: npt.NDArray[np.float32]


def measure_scope(
    chunks: Vectors, chunk_documents: Rows, labels: Vectors, label_documents: Rows, *, banks: tuple[Vectors, Vectors]
) -> ScopeNumbers:
    """Measure one base: how near off-topic texts come, and where the threshold lies.

    Args:
        chunks: neutral passage vectors, float32, (n, dim).
        chunk_documents: row of each chunk's document.
        labels: labels encoded as queries, float32, (k, dim).
        label_documents: row of each label's document.
        banks: ordinary questions and off-topic texts, encoded as queries.
    """
    ordinary, off_topic = banks
    if not len(chunks) or not len(labels):
        return ScopeNumbers(0.0, 1.0, 0.0, 1.0, _UNKNOWN, float(len(labels)))
    of_chunks, of_labels = (off_topic @ chunks.T).max(axis=1), (off_topic @ labels.T).max(axis=1)
    spreads = (max(float(of_chunks.std()), 1e-3), max(float(of_labels.std()), 1e-3))
    first = ScopeNumbers(
        float(of_chunks.mean()), spreads[0], float(of_labels.mean()), spreads[1], _UNKNOWN, float(len(labels))
    )
    if len(np.unique(label_documents)) < _FEW_LABELS:
        return first
    picked = sampled(len(labels), _HELD_OUT)
    asked = labels[picked]
    near = _Nearness(
        np.where(label_documents[picked][:, None] == chunk_documents[None, :], -1.0, asked @ chunks.T),
        np.where(label_documents[picked][:, None] == label_documents[None, :], -1.0, asked @ labels.T),
    )
    values = _values(near, asked @ ordinary.T, asked @ off_topic.T, first)
    threshold = float(np.clip(np.quantile(values, 0.02) - _MARGIN, _LOWEST, _HIGHEST))
    return ScopeNumbers(first.chunk_mean, spreads[0], first.label_mean, spreads[1], threshold, float(len(labels)))


def sampled(count: int, most: int) -> npt.NDArray[np.int64]:
    """Give up to `most` of `count` places, evenly spread; the same for the same numbers."""
    if count <= most:
        return np.arange(count)
    return np.linspace(0, count - 1, most).astype(np.int64)


def label_of(title: str, matched: str, heading: str, text: str) -> str:
    """Give the words that say what a chunk's document is about: title, customer's question, heading, or first words."""
    parts: Sequence[str] = (title, matched, heading, text)
    return next((part.strip()[:200] for part in parts if part.strip()), "")


def _values(
    near: _Nearness,
    ordinary: npt.NDArray[np.float32],
    off_topic: npt.NDArray[np.float32],
    numbers: ScopeNumbers,
) -> Scores:
    chunk, label = _top(near.chunks), _top(near.labels)
    bank, off = _top(ordinary), _top(off_topic)
    columns = (
        (chunk[:, 0] - numbers.chunk_mean) / numbers.chunk_spread,
        (chunk.mean(axis=1) - numbers.chunk_mean) / numbers.chunk_spread,
        (label[:, 0] - numbers.label_mean) / numbers.label_spread,
        label[:, 0] - off[:, 0],
        bank[:, 0] - off[:, 0],
        label.mean(axis=1) - off.mean(axis=1),
    )
    return np.asarray(np.stack(columns, axis=1) @ _WEIGHTS + _BIAS, np.float64)


def _top(values: npt.NDArray[np.float32]) -> Scores:
    """Give the three largest of each row, largest first; a shorter row repeats its last."""
    count = min(_NEAREST, values.shape[1])
    best = -np.sort(np.partition(-values, count - 1, axis=1)[:, :count], axis=1)
    return np.pad(best, ((0, 0), (0, _NEAREST - count)), mode="edge").astype(np.float64)
