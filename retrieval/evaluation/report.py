"""The evaluation as one HTML page that needs nothing beside itself."""

from collections.abc import Mapping, Sequence
from html import escape

from retrieval.evaluation.measures import MEASURES, hit
from retrieval.evaluation.plots import bar_plot, histogram
from retrieval.evaluation.results import Results, results_of
from retrieval.evaluation.runs import Judged, Run

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:1100px;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.25rem .7rem;border-bottom:1px solid #ddd;text-align:right}
td:first-child,th:first-child{text-align:left}figure{display:inline-block;width:46%;min-width:320px;margin:.5rem 1% .5rem 0}
figcaption{font-weight:600}svg{width:100%;font:11px system-ui,sans-serif}.misses td{text-align:left;vertical-align:top}
"""
_MOST_MISSES = 100
_HITS = ("hit@1", "hit@3", "hit@5", "hit@10", "mrr@10")


def render_report(title: str, runs: Sequence[Run], facts: Mapping[str, str], *, results: Results | None = None) -> str:
    """Give the page: measures by method and language, score distributions with the cut, latency, and what was missed.

    Args:
        title: what was measured.
        runs: one a method.
        facts: index, calibration and whatever else names the circumstances.
        results: as the JSON has them, with answers and comparison where there are any.
    """
    results = results_of(runs) if results is None else results
    hybrid = next((run for run in runs if run.method == "hybrid"), runs[-1])
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    body = [
        f"<h1>{escape(title)}</h1><dl>{listed}</dl>",
        _table(results),
        _by_method(results),
        _by_language(hybrid),
        _relevance(hybrid),
        histogram(
            "Latency of a search (ms)", {hybrid.method: [one.latency_ms for one in hybrid.judged]}, low=0, high=100
        ),
        _misses(hybrid),
    ]
    page = "".join(body)
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>{page}</html>\n'


def _methods(results: Results) -> dict[str, dict[str, float]]:
    methods = results["methods"]
    assert isinstance(methods, dict)
    return methods


def _table(results: Results) -> str:
    head = "".join(f"<th>{name}</th>" for name in ("method", "n", *MEASURES))
    rows = "".join(
        f"<tr><td>{escape(method)}</td><td>{values['n']}</td>"
        + "".join(f"<td>{values[name]:.3f}</td>" for name in MEASURES)
        + "</tr>"
        for method, values in _methods(results).items()
    )
    refused = results["refused"]
    return f"<table><tr>{head}</tr>{rows}</table><p>Refused (hybrid, gate and cut): {escape(str(refused))}</p>"


def _by_method(results: Results) -> str:
    methods = _methods(results)
    return bar_plot("Hits by method", _HITS, {m: [values[name] for name in _HITS] for m, values in methods.items()})


def _by_language(run: Run) -> str:
    languages = sorted({one.question.lang for one in run.rankable if one.question.lang})
    if not languages:
        return ""
    asked = {lang: [one for one in run.rankable if one.question.lang == lang] for lang in languages}
    series = {f"hit@{k}": [_share(asked[lang], k) for lang in languages] for k in (1, 5, 10)}
    return bar_plot(f"Hits by language of the question ({run.method})", languages, series)


def _share(judged: Sequence[Judged], k: int) -> float:
    return sum(hit(one.ranked, one.question.relevant, k) for one in judged) / len(judged)


def _relevance(run: Run) -> str:
    series = {
        "answerable": [one.relevance for one in run.judged if one.question.is_answerable],
        "unanswerable": [one.relevance for one in run.judged if not one.question.is_answerable],
    }
    mark = run.judged[0].cut if run.judged else None
    return histogram("Relevance of the best passage, and the cut", series, low=0.0, high=1.0, mark=mark)


def _misses(run: Run) -> str:
    missed = [one for one in run.rankable if not hit(one.ranked, one.question.relevant, 5)]
    rows = "".join(
        f"<tr><td>{escape(one.question.id)}</td><td>{escape(one.question.query[:300])}</td>"
        f"<td>{escape(', '.join(one.question.relevant[:5]))}</td><td>{escape(', '.join(one.ranked[:5]))}</td></tr>"
        for one in missed[:_MOST_MISSES]
    )
    head = "<tr><th>id</th><th>question</th><th>relevant</th><th>found</th></tr>"
    return f"<h2>Not among the first five: {len(missed)} of {len(run.rankable)}</h2><table class=misses>{head}{rows}</table>"
