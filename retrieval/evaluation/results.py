"""Runs to the public JSON form, thresholds checked, an older result compared."""

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from retrieval.errors import EvaluationInvalid
from retrieval.evaluation.measures import MEASURES, bootstrap_interval, mean_measures
from retrieval.evaluation.runs import Judged, Run

# Results of measures of one method; the nested mapping is by language.
Results = dict[str, object]


def results_of(runs: Sequence[Run]) -> Results:
    """Give the object that `triage eval --json` prints.

    `refused` is of the method `hybrid` with gate and cut: shares of the answerable and of the unanswerable questions,
    None without such questions or without a hybrid run. `latency_ms` is of the last method.
    """
    by_name = {run.method: run for run in runs}
    hybrid = by_name.get("hybrid")
    times = [one.latency_ms for one in (hybrid or runs[-1]).judged] if runs else []
    return {
        "methods": {run.method: _method(run) for run in runs},
        "refused": {
            "answerable": _refused(hybrid, is_answerable=True),
            "unanswerable": _refused(hybrid, is_answerable=False),
        },
        "latency_ms": {
            "p50": round(float(np.quantile(times, 0.5)), 2) if times else None,
            "p95": round(float(np.quantile(times, 0.95)), 2) if times else None,
        },
    }


def _method(run: Run) -> dict[str, object]:
    languages = sorted({one.question.lang for one in run.rankable if one.question.lang})
    return {
        **_means(run.rankable),
        "ci95": {name: _interval(run.rankable, name) for name in ("hit@5", "mrr@10")},
        "languages": {lang: _means([one for one in run.rankable if one.question.lang == lang]) for lang in languages},
    }


def _means(judged: Sequence[Judged]) -> dict[str, object]:
    values = mean_measures([(one.ranked, one.question.gains) for one in judged])
    return {"n": len(judged), **{name: round(value, 4) for name, value in values.items()}}


def _interval(judged: Sequence[Judged], name: str) -> list[float]:
    values = [MEASURES[name](one.ranked, one.question.gains) for one in judged]
    return [round(bound, 4) for bound in bootstrap_interval(values)]


def _refused(run: Run | None, *, is_answerable: bool) -> float | None:
    asked = [one for one in run.judged if one.question.is_answerable == is_answerable] if run else []
    return round(sum(one.is_refused for one in asked) / len(asked), 4) if asked else None


def check_thresholds(thresholds: Mapping[str, float], methods: Collection[str]) -> None:
    """Refuse thresholds that could never be missed or measured, before anything is searched.

    Raises:
        EvaluationInvalid: no such measure, no number, or `hybrid` is not among the methods.
    """
    for name, least in thresholds.items():
        if name not in MEASURES:
            raise EvaluationInvalid(f"--fail-under knows no measure {name!r}; measures are {', '.join(MEASURES)}")
        if not math.isfinite(least):
            raise EvaluationInvalid(f"--fail-under takes MEASURE=NUMBER, not {name}={least}")
    if thresholds and "hybrid" not in methods:
        raise EvaluationInvalid("--fail-under needs the method hybrid")


def missed_thresholds(results: Results, thresholds: Mapping[str, float]) -> list[str]:
    """Give a sentence for every measure of `hybrid` that is below its threshold.

    Raises:
        EvaluationInvalid: no such measure, or no hybrid run.
    """
    methods = _methods(results)
    check_thresholds(thresholds, methods)
    return [
        f"hybrid {name} is {methods['hybrid'][name]}, below {least}"
        for name, least in thresholds.items()
        if not methods["hybrid"][name] >= least
    ]


def compare_results(now: Results, before: Mapping[str, object]) -> dict[str, dict[str, float]]:
    """Give the difference of every measure of every method that both results have.

    Raises:
        EvaluationInvalid: the older one is no such result.
    """
    old = _methods(before)
    return {
        method: {
            name: round(float(values[name]) - float(old[method][name]), 4) for name in MEASURES if name in old[method]
        }
        for method, values in _methods(now).items()
        if method in old
    }


def _methods(results: Mapping[str, object]) -> dict[str, dict[str, float]]:
    methods = results.get("methods")
    if not isinstance(methods, dict) or not all(_is_measured(values) for values in methods.values()):
        raise EvaluationInvalid("is no result of `triage eval --json`")
    return methods


def _is_measured(values: object) -> bool:
    if not isinstance(values, dict):
        return False
    measured = [values[name] for name in MEASURES if name in values]
    return all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in measured)
