"""What the page draws: results and runs put into plots."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrieval.evaluation.measures import bootstrap_intervals
from retrieval.evaluation.plots import Axis, bar_plot, histogram, line_plot
from retrieval.evaluation.results import Results
from retrieval.evaluation.runs import Judged, Run

_HITS = ("hit@1", "hit@3", "hit@5", "hit@10", "mrr@10")
_BINS = 10
# Fewer questions in a bin say nothing.
_FEWEST = 3
_MOST_LANGUAGES = 14


def by_method(results: Results) -> str:
    """Draw the measures of every method with their intervals."""
    methods = _methods(results)
    series = {method: [values[name] for name in _HITS] for method, values in methods.items()}
    bounds = {method: [tuple(values["ci95"][name]) for name in _HITS] for method, values in methods.items()}
    return bar_plot("Measures by method, with 95 % intervals", _HITS, series, intervals=bounds, is_wide=True)


def by_language(results: Results) -> str:
    """Draw hit@5 of every method by the language of the question; the languages with most questions when they are many."""
    methods = _methods(results)
    counts = {lang: values["n"] for method in methods.values() for lang, values in method["languages"].items()}
    if len(counts) < 2:
        return ""
    most = sorted(sorted(counts, key=lambda lang: -counts[lang])[:_MOST_LANGUAGES])
    series = {
        method: [values["languages"][lang]["hit@5"] if lang in values["languages"] else 0.0 for lang in most]
        for method, values in methods.items()
    }
    groups = [f"{lang} (n = {counts[lang]})" for lang in most]
    return bar_plot("hit@5 by method and language of the question", groups, series, is_wide=True)


def relevance(run: Run) -> str:
    """Draw the relevance that the band is judged by, of questions with and without an answer, and both cuts."""
    series = {
        "answerable": [one.relevance for one in run.judged if one.question.is_answerable],
        "unanswerable": [one.relevance for one in run.judged if not one.question.is_answerable],
    }
    axis = Axis(0, 1, "relevance of the best passage")
    return histogram("Relevance and the shipped cuts", series, axis=axis, marks=_cuts(run))


def curve(results: Results, run: Run) -> str:
    """Draw what every cut would refuse and answer plainly."""
    names = {
        "refused": "answerable, refused below the cut",
        "plain": "answerable, answered from it on",
        "false_plain": "unanswerable, answered from it on",
    }
    shares: Any = results["curve"] or {}
    drawn = {
        said: list(zip(shares["cut"], shares[name], strict=True)) for name, said in names.items() if shares.get(name)
    }
    axes = Axis(0, 1, "cut of relevance"), Axis(0, 1, "share of the questions")
    return line_plot("What every cut would refuse and answer", drawn, axes=axes, marks=_cuts(run)) if drawn else ""


def reliability_bins(judged: Sequence[Judged]) -> list[tuple[float, float, int, tuple[float, float]]]:
    """Give, for ten steps of relevance, its mean, the share of relevant documents, their number and its 95 % interval.

    Each question counts with the document that its band is judged by: the one of the largest relevance.
    """
    best = [
        (one.relevance, float(one.ranked[int(np.argmax(one.relevances))] in one.question.relevant))
        for one in judged
        if one.ranked
    ]
    bins = []
    for place in range(_BINS):
        low, high = place / _BINS, (place + 1) / _BINS
        here = [pair for pair in best if low <= pair[0] < high or (place == _BINS - 1 and pair[0] == high)]
        if len(here) >= _FEWEST:
            predicted, observed = np.array(here).mean(axis=0)
            bounds = bootstrap_intervals(np.array(here)[:, 1:])[0]
            bins.append((float(predicted), float(observed), len(here), (float(bounds[0]), float(bounds[1]))))
    return bins


def reliability(run: Run) -> str:
    """Draw the predicted relevance against how often the document is relevant; a calibrated one lies on the diagonal."""
    bins = reliability_bins(run.judged)
    if not bins:
        return ""
    n = sum(count for _, _, count, _ in bins)
    error = sum(abs(predicted - observed) * count for predicted, observed, count, _ in bins) / n
    name = f"best passage (n = {n}, mean error {error:.3f})"
    return line_plot(
        "Reliability of the relevance",
        {name: [(predicted, observed) for predicted, observed, _, _ in bins], "perfect": [(0, 0), (1, 1)]},
        axes=(Axis(0, 1, "predicted relevance"), Axis(0, 1, "share that is relevant")),
        intervals={name: [bounds for *_, bounds in bins]},
    )


def latency(run: Run) -> str:
    """Draw the time of a search; the slowest of a hundred are in the last bar."""
    times = [one.latency_ms for one in run.judged]
    high = float(np.quantile(times, 0.99)) if times else 1.0
    step = 10.0 ** np.floor(np.log10(max(high, 1.0)))
    axis = Axis(0, float(np.ceil(max(high, 1.0) / step) * step), "milliseconds, encoder included")
    marks = (
        {f"{name} {np.quantile(times, q):.0f} ms": float(np.quantile(times, q)) for name, q in _TIMES} if times else {}
    )
    return histogram("Latency of a search", {run.method: times}, axis=axis, marks=marks)


_TIMES = (("p50", 0.5), ("p95", 0.95))


def _cuts(run: Run) -> dict[str, float]:
    if not run.judged:
        return {}
    one = run.judged[0]
    return {f"uncertain from {one.uncertain_cut:.2f}": one.uncertain_cut, f"plain from {one.cut:.2f}": one.cut}


def _methods(results: Results) -> dict[str, Any]:
    methods: Any = results["methods"]
    return dict(methods)
