"""The evaluation as one HTML page that needs nothing beside itself."""

from collections.abc import Mapping, Sequence
from html import escape

from retrieval.evaluation import figures
from retrieval.evaluation.results import Results, results_of
from retrieval.evaluation.runs import Run
from retrieval.evaluation.tables import answers_table, compared_table, ends_table, methods_table, worst_questions

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:1120px;margin:2rem auto;padding:0 1rem;color:#222}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin:2rem 0 .4rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dt{color:#666}dd{margin:0;overflow-wrap:anywhere}
.scroll{overflow-x:auto}table{border-collapse:collapse;margin:.6rem 0;font-size:.93rem}
td,th{padding:.25rem .7rem;border-bottom:1px solid #ddd;text-align:right;vertical-align:top}
td:first-child,th:first-child{text-align:left}small{color:#666;white-space:nowrap}
.plots{display:flex;flex-wrap:wrap;gap:1rem 40px}figure{margin:.5rem 0}.narrow{width:min(540px,100%)}.wide{width:100%}
figcaption{font-weight:600;margin-bottom:.3rem}svg{width:100%;font:11px system-ui,sans-serif;fill:#222}
.worst{width:100%;table-layout:fixed}.worst td,.worst th{text-align:left;overflow-wrap:anywhere}
.worst col:first-child{width:11rem}.worst col:nth-child(2){width:45%}p.note{color:#555;max-width:60rem}
@media print{body{max-width:none}}
"""


def render_report(title: str, runs: Sequence[Run], facts: Mapping[str, str], *, results: Results | None = None) -> str:
    """Give the page: measures by method and language, relevance with both cuts, its reliability, latency, the worst questions.

    Args:
        title: what was measured.
        runs: one a method.
        facts: index, calibration and whatever else names the circumstances.
        results: as the JSON has them, with answers and comparison where there are any.
    """
    results = results_of(runs) if results is None else results
    hybrid = next((run for run in runs if run.method == "hybrid"), runs[-1])
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    plots = [
        figures.by_method(results),
        figures.by_language(results),
        figures.relevance(hybrid),
        figures.curve(results, hybrid),
        figures.reliability(hybrid),
        figures.latency(hybrid),
    ]
    note = (
        "Lines on bars and points are 95 % intervals (bootstrap over questions). "
        f"Relevance, cuts and latency are of {escape(hybrid.method)}."
    )
    body = [
        f"<h1>{escape(title)}</h1><dl>{listed}</dl>",
        methods_table(results),
        ends_table(results),
        answers_table(results),
        compared_table(results),
        f'<h2>Plots</h2><p class="note">{note}</p>',
        f'<div class="plots">{"".join(plots)}</div>',
        worst_questions(hybrid),
    ]
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
    return f'{head}<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>{"".join(body)}</html>\n'
