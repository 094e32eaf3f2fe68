"""Runs to the public JSON form, and thresholds checked against it."""

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from retrieval.errors import EvaluationInvalid
from retrieval.evaluation.measures import MEASURES, bootstrap_intervals, mean_measures
from retrieval.evaluation.runs import Judged, Run

# Results of measures of one method; the nested mapping is by language.
Results = dict[str, object]
# Cuts at which `curve` gives the shares.
_CUTS = tuple(round(0.02 * step, 2) for step in range(51))


def results_of(runs: Sequence[Run]) -> Results:
    """Give the object that `triage eval --json` prints.

    `refused` is of the method `hybrid` with gate and cut: shares of the answerable and of the unanswerable questions,
    None without such questions or without a hybrid run; `ends` says the same by how they end, `curve` what other cuts
    would give than the shipped `cuts`. `latency_ms` is of hybrid, else of the last method. `questions` holds what was measured of each question,
    for a later comparison.
    """
    by_name = {run.method: run for run in runs}
    hybrid = by_name.get("hybrid")
    return {
        "methods": {run.method: _method(run) for run in runs},
        "refused": {
            "answerable": _refused(hybrid, is_answerable=True),
            "unanswerable": _refused(hybrid, is_answerable=False),
        },
        "latency_ms": _latency(hybrid or (runs[-1] if runs else None)),
        "ends": {
            "answerable": _ends(hybrid, is_answerable=True),
            "unanswerable": _ends(hybrid, is_answerable=False),
        },
        "cuts": _cuts(hybrid),
        "curve": curve_of(hybrid.judged) if hybrid else None,
        "questions": _questions(runs),
    }


def curve_of(judged: Sequence[Judged]) -> dict[str, list[float] | None]:
    """Give what each `cut` of relevance would refuse and answer plainly, gate included; None without such questions.

    `refused` and `plain` are shares of the answerable questions, `false_plain` of the unanswerable ones.
    """
    plain = _kept(judged, is_answerable=True)
    refused = None if plain is None else [round(1 - share, 4) for share in plain]
    false_plain = _kept(judged, is_answerable=False)
    return {"cut": list(_CUTS), "refused": refused, "plain": plain, "false_plain": false_plain}


def _kept(judged: Sequence[Judged], *, is_answerable: bool) -> list[float] | None:
    """Give the share that each cut would answer, None without such questions."""
    asked = [one for one in judged if one.question.is_answerable == is_answerable]
    if not asked:
        return None
    reached = np.array([-1.0 if one.is_declined or not one.ranked else one.relevance for one in asked])
    return [round(float((reached >= cut).mean()), 4) for cut in _CUTS]


def _cuts(run: Run | None) -> dict[str, float] | None:
    """Give the shipped cuts of relevance: from which on it is answered plainly, and with a remark."""
    if run is None or not run.judged:
        return None
    return {"answered": round(run.judged[0].cut, 4), "uncertain": round(run.judged[0].uncertain_cut, 4)}


def _latency(run: Run | None) -> dict[str, float | None]:
    times = [one.latency_ms for one in run.judged] if run else []
    return {
        name: round(float(np.quantile(times, q)), 2) if times else None for name, q in (("p50", 0.5), ("p95", 0.95))
    }


def _method(run: Run) -> dict[str, object]:
    languages = sorted({one.question.lang for one in run.rankable if one.question.lang})
    return {
        **_measured(run.rankable),
        "latency_ms": _latency(run),
        "languages": {
            lang: _measured([one for one in run.rankable if one.question.lang == lang]) for lang in languages
        },
    }


def _measured(judged: Sequence[Judged]) -> dict[str, object]:
    """Give the means of all measures with their 95 % intervals over questions."""
    means = mean_measures([(one.ranked, one.question.gains) for one in judged])
    bounds = bootstrap_intervals(np.array([values_of(one) for one in judged]).reshape(-1, len(MEASURES)))
    return {
        "n": len(judged),
        **{name: round(value, 4) for name, value in means.items()},
        "ci95": {name: [round(float(b), 4) for b in pair] for name, pair in zip(MEASURES, bounds, strict=True)},
    }


def values_of(one: Judged) -> list[float]:
    """Give every measure of one question, in the order of `MEASURES`."""
    return [measure(one.ranked, one.question.gains) for measure in MEASURES.values()]


def _refused(run: Run | None, *, is_answerable: bool) -> float | None:
    asked = [one for one in run.judged if one.question.is_answerable == is_answerable] if run else []
    return round(sum(one.is_refused for one in asked) / len(asked), 4) if asked else None


def _ends(run: Run | None, *, is_answerable: bool) -> dict[str, float] | None:
    """Give the shares of plain and uncertain answers and of both refusals, None without such questions."""
    ends = [one.end for one in run.judged if one.question.is_answerable == is_answerable] if run else []
    if not ends:
        return None
    shares = {end: round(ends.count(end) / len(ends), 4) for end in ("plain", "uncertain", "no_match", "off_topic")}
    return {"n": len(ends), **shares}


def _questions(runs: Sequence[Run]) -> dict[str, object]:
    """Give what a comparison needs, one place a question: the rank, and the measures that do not follow from it."""
    if not runs:
        return {"ids": [], "methods": {}}
    return {
        "ids": [one.question.id for one in runs[0].judged],
        "methods": {
            run.method: {
                "rank": [one.rank for one in run.judged],
                **{name: [_value(one, name) for one in run.judged] for name in ("recall@5", "ndcg@10")},
                "end": [one.end for one in run.judged],
            }
            for run in runs
        },
    }


def _value(one: Judged, name: str) -> float | None:
    """Give a measure of one question, None when no document is relevant for it."""
    return round(MEASURES[name](one.ranked, one.question.gains), 4) if one.question.relevant else None


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
    methods = methods_of(results)
    check_thresholds(thresholds, methods)
    return [
        f"hybrid {name} is {methods['hybrid'][name]}, below {least}"
        for name, least in thresholds.items()
        if not methods["hybrid"][name] >= least
    ]


def methods_of(results: Mapping[str, object]) -> dict[str, dict[str, float]]:
    """Give the methods of a result.

    Raises:
        EvaluationInvalid: it is none.
    """
    methods = results.get("methods")
    if not isinstance(methods, dict) or not all(_is_measured(values) for values in methods.values()):
        raise EvaluationInvalid("is no result of `triage eval --json`")
    return methods


def _is_measured(values: object) -> bool:
    if not isinstance(values, dict):
        return False
    measured = [values[name] for name in MEASURES if name in values]
    return all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in measured)
